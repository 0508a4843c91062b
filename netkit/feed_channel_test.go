package netkit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestChannelsAreASetInOneOrder(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	for _, c := range []struct{ in, want []Niche }{
		{[]Niche{NicheHealth, NicheSilicon, NicheHealth}, []Niche{NicheSilicon, NicheHealth}},
		{Niches(), Niches()},
		{nil, []Niche{}},
	} {
		r := must[ChannelsReceipt](t)(f.As("ada").SetChannels(t.Context(), SetChannels{c.in}))
		me := must[OwnProfile](t)(f.As("ada").OwnProfile(t.Context()))
		if diff := cmp.Diff([][]Niche{c.want, c.want}, [][]Niche{r.Channels, me.Channels}); diff != "" {
			t.Errorf("channels %v (-want +got):\n%s", c.in, diff)
		}
	}
	f.restarts(t)
}

func TestChannelsRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.unchanged(t, func() {
		for _, ch := range []Niche{NoNiche, 7, 255} {
			_, err := f.As("ada").SetChannels(t.Context(), SetChannels{[]Niche{NicheLegal, ch}})
			refused(t, err, ErrInvalid, "niche_unknown")
		}
		_, err := f.op().SetChannels(t.Context(), SetChannels{})
		refused(t, err, ErrForbidden, "agents_only")
	})
}

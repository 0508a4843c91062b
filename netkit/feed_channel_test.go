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
		r := must[ChannelsReceipt](t)(f.SetChannels(t.Context(), As("ada"), SetChannels{c.in}))
		me := must[OwnProfile](t)(f.OwnProfile(t.Context(), As("ada")))
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
			_, err := f.SetChannels(t.Context(), As("ada"), SetChannels{[]Niche{NicheLegal, ch}})
			refused(t, err, ErrInvalid, "niche_unknown")
		}
		_, err := f.SetChannels(t.Context(), f.op, SetChannels{})
		refused(t, err, ErrForbidden, "agents_only")
	})
}

package network

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func TestChannelsAreASetInOneOrder(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	for _, c := range []struct{ in, want []netkit.Niche }{
		{[]netkit.Niche{netkit.NicheHealth, netkit.NicheSilicon, netkit.NicheHealth}, []netkit.Niche{netkit.NicheSilicon, netkit.NicheHealth}},
		{netkit.Niches(), netkit.Niches()},
		{nil, []netkit.Niche{}},
	} {
		r := must[netkit.ChannelsReceipt](t)(f.As("ada").SetChannels(t.Context(), netkit.SetChannels{Channels: c.in}))
		me := must[netkit.OwnProfile](t)(f.As("ada").OwnProfile(t.Context()))
		if diff := cmp.Diff([][]netkit.Niche{c.want, c.want}, [][]netkit.Niche{r.Channels, me.Channels}); diff != "" {
			t.Errorf("channels %v (-want +got):\n%s", c.in, diff)
		}
	}
	f.restarts(t)
}

func TestChannelsRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.Unchanged(t, func() {
		for _, ch := range []netkit.Niche{netkit.NoNiche, 7, 255} {
			_, err := f.As("ada").SetChannels(t.Context(), netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheLegal, ch}})
			refused(t, err, netkit.ErrInvalid, "niche_unknown")
		}
		_, err := f.op().SetChannels(t.Context(), netkit.SetChannels{})
		refused(t, err, netkit.ErrForbidden, "agents_only")
	})
}

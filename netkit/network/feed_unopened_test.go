package network

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// A quote counts what a reader has not opened on every channel, also where it
// subscribed to others, and a stranger is told too.
func TestUnopenedByChannel(t *testing.T) {
	f := start(t, journal.NewMemory(), rich)
	f.agents("ada", "bob")
	must[netkit.RoleReceipt](t)(f.op().SetRole(t.Context(), netkit.SetRole{Agent: "bob", Role: "correspondent", Grant: true, Reason: "r"}))
	must[netkit.ChannelsReceipt](t)(f.As("ada").SetChannels(t.Context(), netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheSilicon}}))
	for _, ch := range []netkit.Niche{netkit.NicheLegal, netkit.NicheLegal, netkit.NicheHealth} {
		must[netkit.DispatchReceipt](t)(f.As("bob").Publish(t.Context(), netkit.Publish{Priority: netkit.P1, Channel: ch, Headline: "h"}))
	}
	for _, who := range []string{"ada", ""} {
		m := must[netkit.Manifest](t)(f.As(who).Manifest(t.Context(), netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1, netkit.P2}, Quote: true}))
		if len(m.Unopened) != 2 || m.Unopened[0].Count != 2 || m.Unopened[0].Channel != netkit.NicheLegal || m.Unopened[0].Since == 0 || m.Unopened[0].Asked != (who == "") || m.Price != 10*netkit.Credit {
			t.Errorf("%q: got %+v for %s", who, m.Unopened, m.Price)
		}
		if text := m.UnopenedText(); !strings.HasPrefix(text, "3 dispatches not opened: LEGAL 2 since ") {
			t.Errorf("got %q", text)
		}
	}
	must[netkit.Manifest](t)(f.As("ada").Manifest(t.Context(), netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1}, Channels: []netkit.Niche{netkit.NicheLegal}}))
	m := must[netkit.Manifest](t)(f.As("ada").Manifest(t.Context(), netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1, netkit.P2}, Quote: true}))
	if len(m.Unopened) != 1 || m.Unopened[0].Channel != netkit.NicheHealth {
		t.Errorf("after a read: got %+v, want one on HEALTH", m.Unopened)
	}
}

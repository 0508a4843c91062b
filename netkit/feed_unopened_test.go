package netkit

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// A quote counts what a reader has not opened on every channel, also where it
// subscribed to others, and a stranger is told too.
func TestUnopenedByChannel(t *testing.T) {
	f := start(t, journal.NewMemory(), rich)
	f.agents("ada", "bob")
	must[RoleReceipt](t)(f.op().SetRole(t.Context(), SetRole{Agent: "bob", Role: "correspondent", Grant: true, Reason: "r"}))
	must[ChannelsReceipt](t)(f.As("ada").SetChannels(t.Context(), SetChannels{[]Niche{NicheSilicon}}))
	for _, ch := range []Niche{NicheLegal, NicheLegal, NicheHealth} {
		must[DispatchReceipt](t)(f.As("bob").Publish(t.Context(), Publish{Priority: P1, Channel: ch, Headline: "h"}))
	}
	for _, who := range []string{"ada", ""} {
		m := must[Manifest](t)(f.As(who).Manifest(t.Context(), ReadManifest{Priorities: []Priority{P1, P2}, Quote: true}))
		if len(m.Unopened) != 2 || m.Unopened[0].Count != 2 || m.Unopened[0].Channel != NicheLegal || m.Unopened[0].Since == 0 || m.Unopened[0].Asked != (who == "") || m.Price != 10*Credit {
			t.Errorf("%q: got %+v for %s", who, m.Unopened, m.Price)
		}
		if text := m.UnopenedText(); !strings.HasPrefix(text, "3 dispatches not opened: LEGAL 2 since ") {
			t.Errorf("got %q", text)
		}
	}
	must[Manifest](t)(f.As("ada").Manifest(t.Context(), ReadManifest{Priorities: []Priority{P1}, Channels: []Niche{NicheLegal}}))
	m := must[Manifest](t)(f.As("ada").Manifest(t.Context(), ReadManifest{Priorities: []Priority{P1, P2}, Quote: true}))
	if len(m.Unopened) != 1 || m.Unopened[0].Channel != NicheHealth {
		t.Errorf("after a read: got %+v, want one on HEALTH", m.Unopened)
	}
}

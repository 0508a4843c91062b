package network

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// What is missing to the next tier is said with figures.
func TestMeTellsWhatIsMissing(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	rung := func(want netkit.Tier, next ...string) {
		t.Helper()
		me := must[netkit.OwnProfile](t)(f.As("ada").OwnProfile(t.Context()))
		if me.NextTier == nil || *me.NextTier != want {
			t.Errorf("got next tier %v, want %v", me.NextTier, want)
		}
		if diff := cmp.Diff(next, me.Next); diff != "" {
			t.Errorf("next (-want +got):\n%s", diff)
		}
	}
	rung(netkit.Verified, "wallet address: not confirmed (needs confirmed)", "transactions: 0 (needs at least 10)")
	f.row("ada").Agent.Transactions = 9
	rung(netkit.Verified, "wallet address: not confirmed (needs confirmed)", "transactions: 9 (needs at least 10)")
	f.row("ada").Agent.Confirmed = true
	rung(netkit.Verified, "transactions: 9 (needs at least 10)")
	f.row("ada").Agent.Transactions = 10
	rung(netkit.Badged, "active badges: 0 (needs at least 1)", "counterparty diversity score: 0.00 (needs at least 0.30)")
	f.wear("ada", rules.Held{Badge: netkit.FieldAgent})
	rung(netkit.Badged, "counterparty diversity score: 0.00 (needs at least 0.30)")
	f.pay("ada", 2)
	rung(netkit.Elite, "badge: none (needs one of SENIOR_CORRESPONDENT, DISPUTE_MASTER)",
		"counterparty diversity score: 0.4878 (needs at least 0.50)", "reputation score: 85.71 (needs at least 95.00)")
	f.pay("ada", 9)
	f.wear("ada", rules.Held{Badge: netkit.DisputeMaster})
	me := must[netkit.OwnProfile](t)(f.As("ada").OwnProfile(t.Context()))
	if me.BioVerified.Tier != netkit.Elite || me.NextTier != nil || len(me.Next) != 0 {
		t.Errorf("got %s and next %v %v, want ELITE and nothing missing", me.BioVerified.Tier, me.NextTier, me.Next)
	}
}

// pay gives an agent evidence of so many sponsors, past every rule.
func (f *fixture) pay(slug string, sponsors uint32) {
	p := f.row(slug)
	p.Agent.Evidence = nil
	for j := range sponsors {
		for tablesOf(f.state).Parties.Len() < j+3 {
			f.admit("sponsor-"+string(rune('a'+tablesOf(f.state).Parties.Len())), netkit.Credit)
		}
		p = f.row(slug)
		p.Agent.Evidence = append(p.Agent.Evidence, rules.Evidence{With: j + 2, Day: netkit.At(f.now).Day(), In: 500 * netkit.Credit, Stands: 12})
	}
}

func TestMeOfEveryKind(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada", "sus")
	f.admit("acme", 7*netkit.Credit)
	f.suspend("sus")
	for _, c := range []struct {
		slug    string
		kind    netkit.PartyKind
		balance netkit.Credits
		status  netkit.Status
	}{{"ada", netkit.AgentParty, 50 * netkit.Credit, netkit.Active}, {"sus", netkit.AgentParty, 50 * netkit.Credit, netkit.Suspended},
		{"acme", netkit.SponsorParty, 7 * netkit.Credit, netkit.Active}, {"operator", netkit.OperatorParty, 0, netkit.Active}} {
		me := must[netkit.OwnProfile](t)(f.As(c.slug).OwnProfile(t.Context()))
		if me.Slug != c.slug || me.Kind != c.kind || me.Balance != c.balance || me.Status != c.status || me.Channels == nil || me.Next == nil {
			t.Errorf("got %+v, want %+v", me, c)
		}
		if (me.NextTier != nil) != (c.kind == netkit.AgentParty) {
			t.Errorf("%s: got next tier %v", c.slug, me.NextTier)
		}
	}
	_, err := f.As("").OwnProfile(t.Context())
	refused(t, err, netkit.ErrUnauthenticated, "unauthenticated")
}

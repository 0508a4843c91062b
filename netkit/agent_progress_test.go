package netkit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

// What is missing to the next tier is said with figures.
func TestMeTellsWhatIsMissing(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	rung := func(want Tier, next ...string) {
		t.Helper()
		me := must[OwnProfile](t)(f.As("ada").OwnProfile(t.Context()))
		if me.NextTier == nil || *me.NextTier != want {
			t.Errorf("got next tier %v, want %v", me.NextTier, want)
		}
		if diff := cmp.Diff(next, me.Next); diff != "" {
			t.Errorf("next (-want +got):\n%s", diff)
		}
	}
	rung(Verified, "wallet address: not confirmed (needs confirmed)", "transactions: 0 (needs at least 10)")
	f.row("ada").agent.transactions = 9
	rung(Verified, "wallet address: not confirmed (needs confirmed)", "transactions: 9 (needs at least 10)")
	f.row("ada").agent.confirmed = true
	rung(Verified, "transactions: 9 (needs at least 10)")
	f.row("ada").agent.transactions = 10
	rung(Badged, "active badges: 0 (needs at least 1)", "counterparty diversity score: 0.00 (needs at least 0.30)")
	f.wear("ada", held{badge: FieldAgent})
	rung(Badged, "counterparty diversity score: 0.00 (needs at least 0.30)")
	f.pay("ada", 2)
	rung(Elite, "badge: none (needs one of SENIOR_CORRESPONDENT, DISPUTE_MASTER)",
		"counterparty diversity score: 0.4878 (needs at least 0.50)", "reputation score: 85.71 (needs at least 95.00)")
	f.pay("ada", 9)
	f.wear("ada", held{badge: DisputeMaster})
	me := must[OwnProfile](t)(f.As("ada").OwnProfile(t.Context()))
	if me.BioVerified.Tier != Elite || me.NextTier != nil || len(me.Next) != 0 {
		t.Errorf("got %s and next %v %v, want ELITE and nothing missing", me.BioVerified.Tier, me.NextTier, me.Next)
	}
}

// pay gives an agent evidence of so many sponsors, past every rule.
func (f *fixture) pay(slug string, sponsors uint32) {
	p := f.row(slug)
	p.agent.evidence = nil
	for j := range sponsors {
		for f.state.parties.Len() < j+3 {
			f.admit("sponsor-"+string(rune('a'+f.state.parties.Len())), Credit)
		}
		p = f.row(slug)
		p.agent.evidence = append(p.agent.evidence, evidence{with: j + 2, day: At(f.now).Day(), in: 500 * Credit, stands: 12})
	}
}

func TestMeOfEveryKind(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada", "sus")
	f.admit("acme", 7*Credit)
	f.suspend("sus")
	for _, c := range []struct {
		slug    string
		kind    PartyKind
		balance Credits
		status  Status
	}{{"ada", AgentParty, 50 * Credit, Active}, {"sus", AgentParty, 50 * Credit, Suspended},
		{"acme", SponsorParty, 7 * Credit, Active}, {"operator", OperatorParty, 0, Active}} {
		me := must[OwnProfile](t)(f.As(c.slug).OwnProfile(t.Context()))
		if me.Slug != c.slug || me.Kind != c.kind || me.Balance != c.balance || me.Status != c.status || me.Channels == nil || me.Next == nil {
			t.Errorf("got %+v, want %+v", me, c)
		}
		if (me.NextTier != nil) != (c.kind == AgentParty) {
			t.Errorf("%s: got next tier %v", c.slug, me.NextTier)
		}
	}
	_, err := f.As("").OwnProfile(t.Context())
	refused(t, err, ErrUnauthenticated, "unauthenticated")
}

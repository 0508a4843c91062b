package network

import (
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// noticed gives a constitution today's rules of notice and of crises.
func withNotice(c *netkit.Constitution) {
	c.Amendment, c.Crisis = netkit.Version1().Amendment, netkit.Version1().Crisis
}

// later is the constitution in force with a change and a later version.
func (f *fixture) later(version string, change func(*netkit.Constitution)) *netkit.Constitution {
	f.t.Helper()
	law := must[*netkit.Constitution](f.t)(netkit.ReadConstitution((*lawOf(f.state)).JSON()))
	law.Version = version
	change(law)
	return law
}

// What the specification and the laws fix is not changed by adoption, and the
// refusal names the law.
func TestWhatNoAdoptionChanges(t *testing.T) {
	f := start(t, journal.NewMemory(), withNotice)
	for name, c := range map[string]struct {
		law    string
		change func(*netkit.Constitution)
	}{
		"the split":            {"L5", func(c *netkit.Constitution) { c.Economy.AgentShare, c.Economy.TreasuryShare = 9000, 1000 }},
		"the grant":            {"L5", func(c *netkit.Constitution) { c.Economy.WelcomeGrant = 60 * netkit.Credit }},
		"the price of P1":      {"L3", func(c *netkit.Constitution) { c.Economy.FeedPrice = 5 * netkit.Credit }},
		"a price for P0":       {"L3", func(c *netkit.Constitution) { c.Economy.FreePriorities = nil }},
		"a tier's rate":        {"L5", func(c *netkit.Constitution) { c.Tiers[netkit.Verified].Payout = 6 * netkit.Credit }},
		"the gate of VERIFIED": {"L5", func(c *netkit.Constitution) { c.Tiers[netkit.Verified].Transactions = 1 }},
		"the gate of ELITE":    {"L5", func(c *netkit.Constitution) { c.Tiers[netkit.Elite].Reputation = 0 }},
		"280 characters":       {"L7", func(c *netkit.Constitution) { c.Limits.CapabilityStatement = 300 }},
		"a law":                {"L3", func(c *netkit.Constitution) { c.Laws[2].Rule = "Commerce goes on." }},
		"the notice itself":    {"L5", func(c *netkit.Constitution) { c.Amendment.NoticeDays = 0 }},
		"crises without end":   {"L3", func(c *netkit.Constitution) { c.Crisis = netkit.CrisisRules{} }},
	} {
		t.Run(name, func(t *testing.T) {
			f.Unchanged(t, func() {
				_, err := f.op().AdoptConstitution(t.Context(), netkit.AdoptConstitution{Document: f.later("1.1.0", c.change)})
				refused(t, err, netkit.ErrForbidden, "constitution_fixed")
				if p := netkit.ProblemOf(err); p.Law != c.law {
					t.Errorf("got law %q, want %s", p.Law, c.law)
				}
			})
		})
	}
}

// A law for one night: nothing of it is in force before its notice is over and
// two agents who have no part in it have confirmed it.
func TestConstitutionTakesNoticeAndWitnesses(t *testing.T) {
	f := start(t, journal.NewMemory(), withNotice)
	ctx := t.Context()
	f.witnesses("ada", "bea", "cora", "dora")
	doc := f.later("1.1.0", func(c *netkit.Constitution) { c.Badges[0].Events = 1 })
	r := f.adopts(t, doc)
	if want := netkit.At(f.now) + 14*netkit.FullDay; r.EffectiveAt != want {
		t.Errorf("got %+v, want it in force at %s", r, want)
	}
	v := must[netkit.ConstitutionView](t)(f.As("").Constitution(ctx))
	if v.Version != "1.0.0" || v.Announced == nil || v.Announced.ID != r.Seq || len(v.Announced.Witnesses) != 2 || v.Announced.Document.Version != "1.1.0" {
		t.Fatalf("got %+v, want 1.0.0 in force and 1.1.0 announced with two witnesses", v.Announced)
	}
	_, err := f.op().AdoptConstitution(ctx, netkit.AdoptConstitution{Document: f.later("1.2.0", func(*netkit.Constitution) {})})
	refused(t, err, netkit.ErrConflict, "amendment_pending")
	for _, slug := range []string{"ada", "bea", "cora", "dora"} {
		waits := must[netkit.List[netkit.WitnessRequest]](t)(f.As(slug).Witnessing(ctx, netkit.Page{})).Items
		if drawn := slices.Contains(v.Announced.Witnesses, slug); drawn != (len(waits) == 1) {
			t.Errorf("%s: got %+v, want a duty if drawn (%v)", slug, waits, drawn)
		} else if !drawn {
			_, err := f.As(slug).Witness(ctx, netkit.Witness{ID: r.Seq})
			refused(t, err, netkit.ErrForbidden, "witness_other_asked")
		}
	}
	w := must[netkit.WitnessReceipt](t)(f.As(v.Announced.Witnesses[0]).Witness(ctx, netkit.Witness{ID: r.Seq}))
	if w.Kind != "constitution" || w.Subject != "1.1.0" {
		t.Errorf("got %+v, want the constitution 1.1.0", w)
	}
	_, err = f.As(v.Announced.Witnesses[0]).Witness(ctx, netkit.Witness{ID: r.Seq})
	refused(t, err, netkit.ErrConflict, "already_confirmed")
	f.restarts(t)
	must[netkit.WitnessReceipt](t)(f.As(v.Announced.Witnesses[1]).Witness(ctx, netkit.Witness{ID: r.Seq}))
	f.days(14)
	f.now = f.now.Add(-1e6)
	f.ticks()
	if got := (*lawOf(f.state)).Version; got != "1.0.0" {
		t.Errorf("before the notice is over: got %s, want 1.0.0", got)
	}
	f.now = f.now.Add(1e6)
	f.ticks()
	if got := (*lawOf(f.state)); got.Version != "1.1.0" || got.Badges[0].Events != 1 {
		t.Errorf("got %s, want 1.1.0 in force", got.Version)
	}
	f.restarts(t)
}

func TestConstitutionThatIsNotConfirmedLapses(t *testing.T) {
	f := start(t, journal.NewMemory(), withNotice)
	f.witnesses("ada", "bea")
	r := f.adopts(t, f.later("1.1.0", func(*netkit.Constitution) {}))
	drawn := must[netkit.ConstitutionView](t)(f.As("").Constitution(t.Context())).Announced.Witnesses
	must[netkit.WitnessReceipt](t)(f.As(drawn[0]).Witness(t.Context(), netkit.Witness{ID: r.Seq}))
	f.days(15)
	f.ticks()
	if v := must[netkit.ConstitutionView](t)(f.As("").Constitution(t.Context())); v.Version != "1.0.0" || v.Announced != nil {
		t.Errorf("got %s with %+v, want 1.0.0 and nothing announced", v.Version, v.Announced)
	}
	f.restarts(t)
}

// Where fewer than two agents qualify, the notice alone suffices.
func TestNoticeAlone(t *testing.T) {
	f := start(t, journal.NewMemory(), withNotice)
	f.witnesses("ada")
	f.adopts(t, f.later("1.1.0", func(*netkit.Constitution) {}))
	f.days(14)
	f.ticks()
	if got := (*lawOf(f.state)).Version; got != "1.1.0" {
		t.Errorf("got %s, want 1.1.0", got)
	}
	f.restarts(t)
}

package netkit

import (
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// noticed gives a constitution today's rules of notice and of crises.
func withNotice(c *Constitution) { c.Amendment, c.Crisis = Version1().Amendment, Version1().Crisis }

// later is the constitution in force with a change and a later version.
func (f *fixture) later(version string, change func(*Constitution)) *Constitution {
	f.t.Helper()
	law := must[*Constitution](f.t)(readConstitution(f.state.law.JSON()))
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
		change func(*Constitution)
	}{
		"the split":            {"L5", func(c *Constitution) { c.Economy.AgentShare, c.Economy.TreasuryShare = 9000, 1000 }},
		"the grant":            {"L5", func(c *Constitution) { c.Economy.WelcomeGrant = 60 * Credit }},
		"the price of P1":      {"L3", func(c *Constitution) { c.Economy.FeedPrice = 5 * Credit }},
		"a price for P0":       {"L3", func(c *Constitution) { c.Economy.FreePriorities = nil }},
		"a tier's rate":        {"L5", func(c *Constitution) { c.Tiers[Verified].Payout = 6 * Credit }},
		"the gate of VERIFIED": {"L5", func(c *Constitution) { c.Tiers[Verified].Transactions = 1 }},
		"the gate of ELITE":    {"L5", func(c *Constitution) { c.Tiers[Elite].Reputation = 0 }},
		"280 characters":       {"L7", func(c *Constitution) { c.Limits.CapabilityStatement = 300 }},
		"a law":                {"L3", func(c *Constitution) { c.Laws[2].Rule = "Commerce goes on." }},
		"the notice itself":    {"L5", func(c *Constitution) { c.Amendment.NoticeDays = 0 }},
		"crises without end":   {"L3", func(c *Constitution) { c.Crisis = CrisisRules{} }},
	} {
		t.Run(name, func(t *testing.T) {
			f.unchanged(t, func() {
				_, err := f.op().AdoptConstitution(t.Context(), AdoptConstitution{f.later("1.1.0", c.change)})
				refused(t, err, ErrForbidden, "constitution_fixed")
				if p := ProblemOf(err); p.Law != c.law {
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
	doc := f.later("1.1.0", func(c *Constitution) { c.Badges[0].Events = 1 })
	r := f.adopts(t, doc)
	if want := At(f.now) + 14*day; r.EffectiveAt != want {
		t.Errorf("got %+v, want it in force at %s", r, want)
	}
	v := must[ConstitutionView](t)(f.As("").Constitution(ctx))
	if v.Version != "1.0.0" || v.Announced == nil || v.Announced.ID != r.Seq || len(v.Announced.Witnesses) != 2 || v.Announced.Document.Version != "1.1.0" {
		t.Fatalf("got %+v, want 1.0.0 in force and 1.1.0 announced with two witnesses", v.Announced)
	}
	_, err := f.op().AdoptConstitution(ctx, AdoptConstitution{f.later("1.2.0", func(*Constitution) {})})
	refused(t, err, ErrConflict, "amendment_pending")
	for _, slug := range []string{"ada", "bea", "cora", "dora"} {
		waits := must[List[WitnessRequest]](t)(f.As(slug).Witnessing(ctx, Page{})).Items
		if drawn := slices.Contains(v.Announced.Witnesses, slug); drawn != (len(waits) == 1) {
			t.Errorf("%s: got %+v, want a duty if drawn (%v)", slug, waits, drawn)
		} else if !drawn {
			_, err := f.As(slug).Witness(ctx, Witness{r.Seq})
			refused(t, err, ErrForbidden, "witness_other_asked")
		}
	}
	w := must[WitnessReceipt](t)(f.As(v.Announced.Witnesses[0]).Witness(ctx, Witness{r.Seq}))
	if w.Kind != "constitution" || w.Subject != "1.1.0" {
		t.Errorf("got %+v, want the constitution 1.1.0", w)
	}
	_, err = f.As(v.Announced.Witnesses[0]).Witness(ctx, Witness{r.Seq})
	refused(t, err, ErrConflict, "already_confirmed")
	f.restarts(t)
	must[WitnessReceipt](t)(f.As(v.Announced.Witnesses[1]).Witness(ctx, Witness{r.Seq}))
	f.days(14)
	f.now = f.now.Add(-1e6)
	f.ticks()
	if got := f.state.law.Version; got != "1.0.0" {
		t.Errorf("before the notice is over: got %s, want 1.0.0", got)
	}
	f.now = f.now.Add(1e6)
	f.ticks()
	if got := f.state.law; got.Version != "1.1.0" || got.Badges[0].Events != 1 {
		t.Errorf("got %s, want 1.1.0 in force", got.Version)
	}
	f.restarts(t)
}

func TestConstitutionThatIsNotConfirmedLapses(t *testing.T) {
	f := start(t, journal.NewMemory(), withNotice)
	f.witnesses("ada", "bea")
	r := f.adopts(t, f.later("1.1.0", func(*Constitution) {}))
	drawn := must[ConstitutionView](t)(f.As("").Constitution(t.Context())).Announced.Witnesses
	must[WitnessReceipt](t)(f.As(drawn[0]).Witness(t.Context(), Witness{r.Seq}))
	f.days(15)
	f.ticks()
	if v := must[ConstitutionView](t)(f.As("").Constitution(t.Context())); v.Version != "1.0.0" || v.Announced != nil {
		t.Errorf("got %s with %+v, want 1.0.0 and nothing announced", v.Version, v.Announced)
	}
	f.restarts(t)
}

// Where fewer than two agents qualify, the notice alone suffices.
func TestNoticeAlone(t *testing.T) {
	f := start(t, journal.NewMemory(), withNotice)
	f.witnesses("ada")
	f.adopts(t, f.later("1.1.0", func(*Constitution) {}))
	f.days(14)
	f.ticks()
	if got := f.state.law.Version; got != "1.1.0" {
		t.Errorf("got %s, want 1.1.0", got)
	}
	f.restarts(t)
}

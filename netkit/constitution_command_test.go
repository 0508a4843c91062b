package netkit

import (
	"encoding/json"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// revised returns the first constitution with a change and a later version.
func revised(version string, change func(*Constitution)) *Constitution {
	c := earlierLaw()
	c.Version = version
	change(c)
	return c
}

func (f *fixture) adopts(t testing.TB, c *Constitution) AcceptReceipt {
	t.Helper()
	return must[AcceptReceipt](t)(f.op().AdoptConstitution(t.Context(), AdoptConstitution{c}))
}

// A changed number changes what the network does, from the next entry on, and
// a replay applies to each entry the numbers of its day.
func TestAdoptedNumbersAreTheRules(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	f.admit("acme", 100*Credit)
	ct := must[ContractReceipt](t)(f.As("acme").OpenContract(ctx, OpenContract{Title: "t", Brief: "b", Channel: NicheLegal,
		Budget: 7 * Credit, ExecutionsPerAgent: 9}))
	must[Execution](t)(f.As("ada").Execute(ctx, Execute{ct.CampaignID, signal}))
	r := f.adopts(t, revised("1.1.0", func(c *Constitution) {
		c.Economy.WelcomeGrant, c.Economy.AgentShare, c.Economy.TreasuryShare = 70*Credit, 9000, 1000
		c.Tiers[Unverified].Payout = 4 * Credit
		c.Limits.CapabilityStatement = 5
	}))
	if r.Version != "1.1.0" || r.SHA256 != f.state.law.SHA256() {
		t.Errorf("got %+v, want version 1.1.0 and its hash", r)
	}
	got := must[Execution](t)(f.As("ada").Execute(ctx, Execute{ct.CampaignID, signal}))
	if got.Payout != 400 || got.AgentShare != 360 || got.TreasuryShare != 40 {
		t.Errorf("got %+v, want 4.00 split into 3.60 and 0.40", got)
	}
	if e := must[*Entry](t)(f.Entry(ctx, got.Seq)); e.Constitution != "1.1.0" {
		t.Errorf("the entry names version %s, want 1.1.0", e.Constitution)
	}
	if sp := must[Spawned](t)(f.As("").Spawn(ctx, Spawn{Slug: "bob"})); sp.Grant != 70*Credit {
		t.Errorf("got a grant of %s, want 70.00", sp.Grant)
	}
	_, err := f.As("ada").SetClaims(ctx, Claims{CapabilityStatement: "123456"})
	refused(t, err, ErrInvalid, "text_too_long")
	f.restarts(t)
}

// What is left of a contract may be less than a payout all at once.
func TestAdoptedPayoutExhaustsContracts(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.admit("acme", 100*Credit)
	ct := must[ContractReceipt](t)(f.As("acme").OpenContract(t.Context(), OpenContract{Title: "t", Brief: "b", Channel: NicheLegal, Budget: 3 * Credit}))
	state := func() ContractState {
		return must[Campaign](t)(f.As("").Campaign(t.Context(), ct.CampaignID)).State
	}
	f.adopts(t, revised("1.0.1", func(c *Constitution) { c.Tiers[Unverified].Payout = 4 * Credit }))
	if state() != ContractExhausted {
		t.Errorf("got %s, want exhausted", state())
	}
	f.restarts(t)
	f.adopts(t, revised("2.0.0", func(c *Constitution) { c.Tiers[Unverified].Payout = 3 * Credit }))
	if state() != ContractOpen {
		t.Errorf("got %s, want open", state())
	}
	f.restarts(t)
}

func TestAdoptRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.adopts(t, revised("1.9.0", func(*Constitution) {}))
	same := func(*Constitution) {}
	for _, c := range []struct {
		by   string
		doc  *Constitution
		kind error
		code string
	}{
		{"ada", revised("2.0.0", same), ErrForbidden, "operators_only"},
		{"", revised("2.0.0", same), ErrUnauthenticated, "unauthenticated"},
		{"operator", nil, ErrInvalid, "document_missing"},
		{"operator", revised("1.9.0", same), ErrConflict, "version_not_later"},
		{"operator", revised("1.8.99", same), ErrConflict, "version_not_later"},
		{"operator", revised("2", same), ErrInvalid, "version_malformed"},
		{"operator", revised("2.0.x", same), ErrInvalid, "version_malformed"},
		{"operator", revised("02.0.0", same), ErrInvalid, "version_malformed"},
		{"operator", revised("", same), ErrInvalid, "version_malformed"},
		{"operator", revised("2.0.0", func(c *Constitution) { c.Laws[0].Rule = string(make([]byte, 40<<10)) }), ErrInvalid, "document_too_long"},
	} {
		f.unchanged(t, func() {
			_, err := f.As(c.by).AdoptConstitution(t.Context(), AdoptConstitution{c.doc})
			refused(t, err, c.kind, c.code)
		})
	}
	f.adopts(t, revised("1.10.0", same)) // numbers, not text, are compared
}

func TestConstitutionIsAcceptedByItsHash(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	f.admit("acme", Credit)
	c := must[ConstitutionView](t)(f.As("").Constitution(ctx))
	r := must[AcceptReceipt](t)(f.As("ada").AcceptConstitution(ctx, AcceptConstitution{c.SHA256}))
	if r.Version != "1.0.0" || r.SHA256 != c.SHA256 {
		t.Errorf("got %+v, want 1.0.0 accepted", r)
	}
	if p := must[Profile](t)(f.As("").Profile(ctx, "ada")); p.BioVerified.ConstitutionAccepted != "1.0.0" {
		t.Errorf("got %q, want 1.0.0", p.BioVerified.ConstitutionAccepted)
	}
	_, err := f.As("ada").AcceptConstitution(ctx, AcceptConstitution{Hash{1}})
	refused(t, err, ErrInvalid, "constitution_other")
	_, err = f.As("acme").AcceptConstitution(ctx, AcceptConstitution{c.SHA256})
	refused(t, err, ErrForbidden, "agents_only")
	f.adopts(t, revised("1.1.0", func(*Constitution) {}))
	_, err = f.As("ada").AcceptConstitution(ctx, AcceptConstitution{c.SHA256})
	refused(t, err, ErrInvalid, "constitution_other")
	f.restarts(t)
}

// What is served is the document with its hash beside it.
func TestConstitutionView(t *testing.T) {
	f := start(t, journal.NewMemory())
	b, err := json.Marshal(must[ConstitutionView](t)(f.As("").Constitution(t.Context())))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Version, Issued, Language string
		SHA256                    Hash
		Laws                      []Law
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != "1.0.0" || doc.Issued != "2026-02-20" || doc.Language != "en" || len(doc.Laws) != 7 || doc.SHA256 != f.law.SHA256() {
		t.Errorf("got %+v, want version 1.0.0 of 2026-02-20 in en with its hash", doc)
	}
}

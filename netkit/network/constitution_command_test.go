package network

import (
	"encoding/json"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/rulestest"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// revised returns the first constitution with a change and a later version.
func revised(version string, change func(*netkit.Constitution)) *netkit.Constitution {
	c := rulestest.EarlierLaw()
	c.Version = version
	change(c)
	return c
}

func (f *fixture) adopts(t testing.TB, c *netkit.Constitution) netkit.AcceptReceipt {
	t.Helper()
	return must[netkit.AcceptReceipt](t)(f.op().AdoptConstitution(t.Context(), netkit.AdoptConstitution{Document: c}))
}

// A changed number changes what the network does, from the next entry on, and
// a replay applies to each entry the numbers of its day.
func TestAdoptedNumbersAreTheRules(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	ct := must[netkit.ContractReceipt](t)(f.As("acme").OpenContract(ctx, netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheLegal,
		Budget: 7 * netkit.Credit, ExecutionsPerAgent: 9}))
	must[netkit.Execution](t)(f.As("ada").Execute(ctx, netkit.Execute{CampaignID: ct.CampaignID, Signal: signal}))
	r := f.adopts(t, revised("1.1.0", func(c *netkit.Constitution) {
		c.Economy.WelcomeGrant, c.Economy.AgentShare, c.Economy.TreasuryShare = 70*netkit.Credit, 9000, 1000
		c.Tiers[netkit.Unverified].Payout = 4 * netkit.Credit
		c.Limits.CapabilityStatement = 5
	}))
	if r.Version != "1.1.0" || r.SHA256 != (*lawOf(f.state)).SHA256() {
		t.Errorf("got %+v, want version 1.1.0 and its hash", r)
	}
	got := must[netkit.Execution](t)(f.As("ada").Execute(ctx, netkit.Execute{CampaignID: ct.CampaignID, Signal: signal}))
	if got.Payout != 400 || got.AgentShare != 360 || got.TreasuryShare != 40 {
		t.Errorf("got %+v, want 4.00 split into 3.60 and 0.40", got)
	}
	if e := must[*rules.Entry](t)(f.Entry(ctx, got.Seq)); e.Constitution != "1.1.0" {
		t.Errorf("the entry names version %s, want 1.1.0", e.Constitution)
	}
	if sp := must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "bob"})); sp.Grant != 70*netkit.Credit {
		t.Errorf("got a grant of %s, want 70.00", sp.Grant)
	}
	_, err := f.As("ada").SetClaims(ctx, netkit.Claims{CapabilityStatement: "123456"})
	refused(t, err, netkit.ErrInvalid, "text_too_long")
	f.restarts(t)
}

// What is left of a contract may be less than a payout all at once.
func TestAdoptedPayoutExhaustsContracts(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.admit("acme", 100*netkit.Credit)
	ct := must[netkit.ContractReceipt](t)(f.As("acme").OpenContract(t.Context(), netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheLegal, Budget: 3 * netkit.Credit}))
	state := func() netkit.ContractState {
		return must[netkit.Campaign](t)(f.As("").Campaign(t.Context(), ct.CampaignID)).State
	}
	f.adopts(t, revised("1.0.1", func(c *netkit.Constitution) { c.Tiers[netkit.Unverified].Payout = 4 * netkit.Credit }))
	if state() != netkit.ContractExhausted {
		t.Errorf("got %s, want exhausted", state())
	}
	f.restarts(t)
	f.adopts(t, revised("2.0.0", func(c *netkit.Constitution) { c.Tiers[netkit.Unverified].Payout = 3 * netkit.Credit }))
	if state() != netkit.ContractOpen {
		t.Errorf("got %s, want open", state())
	}
	f.restarts(t)
}

func TestAdoptRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.adopts(t, revised("1.9.0", func(*netkit.Constitution) {}))
	same := func(*netkit.Constitution) {}
	for _, c := range []struct {
		by   string
		doc  *netkit.Constitution
		kind error
		code string
	}{
		{"ada", revised("2.0.0", same), netkit.ErrForbidden, "operators_only"},
		{"", revised("2.0.0", same), netkit.ErrUnauthenticated, "unauthenticated"},
		{"operator", nil, netkit.ErrInvalid, "document_missing"},
		{"operator", revised("1.9.0", same), netkit.ErrConflict, "version_not_later"},
		{"operator", revised("1.8.99", same), netkit.ErrConflict, "version_not_later"},
		{"operator", revised("2", same), netkit.ErrInvalid, "version_malformed"},
		{"operator", revised("2.0.x", same), netkit.ErrInvalid, "version_malformed"},
		{"operator", revised("02.0.0", same), netkit.ErrInvalid, "version_malformed"},
		{"operator", revised("", same), netkit.ErrInvalid, "version_malformed"},
		{"operator", revised("2.0.0", func(c *netkit.Constitution) { c.Laws[0].Rule = string(make([]byte, 40<<10)) }), netkit.ErrInvalid, "document_too_long"},
	} {
		f.Unchanged(t, func() {
			_, err := f.As(c.by).AdoptConstitution(t.Context(), netkit.AdoptConstitution{Document: c.doc})
			refused(t, err, c.kind, c.code)
		})
	}
	f.adopts(t, revised("1.10.0", same)) // numbers, not text, are compared
}

func TestConstitutionIsAcceptedByItsHash(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	f.admit("acme", netkit.Credit)
	c := must[netkit.ConstitutionView](t)(f.As("").Constitution(ctx))
	r := must[netkit.AcceptReceipt](t)(f.As("ada").AcceptConstitution(ctx, netkit.AcceptConstitution{SHA256: c.SHA256}))
	if r.Version != "1.0.0" || r.SHA256 != c.SHA256 {
		t.Errorf("got %+v, want 1.0.0 accepted", r)
	}
	if p := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada")); p.BioVerified.ConstitutionAccepted != "1.0.0" {
		t.Errorf("got %q, want 1.0.0", p.BioVerified.ConstitutionAccepted)
	}
	_, err := f.As("ada").AcceptConstitution(ctx, netkit.AcceptConstitution{SHA256: netkit.Hash{1}})
	refused(t, err, netkit.ErrInvalid, "constitution_other")
	_, err = f.As("acme").AcceptConstitution(ctx, netkit.AcceptConstitution{SHA256: c.SHA256})
	refused(t, err, netkit.ErrForbidden, "agents_only")
	f.adopts(t, revised("1.1.0", func(*netkit.Constitution) {}))
	_, err = f.As("ada").AcceptConstitution(ctx, netkit.AcceptConstitution{SHA256: c.SHA256})
	refused(t, err, netkit.ErrInvalid, "constitution_other")
	f.restarts(t)
}

// What is served is the document with its hash beside it.
func TestConstitutionView(t *testing.T) {
	f := start(t, journal.NewMemory())
	b, err := json.Marshal(must[netkit.ConstitutionView](t)(f.As("").Constitution(t.Context())))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Version, Issued, Language string
		SHA256                    netkit.Hash
		Laws                      []netkit.Law
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != "1.0.0" || doc.Issued != "2026-02-20" || doc.Language != "en" || len(doc.Laws) != 7 || doc.SHA256 != f.law.SHA256() {
		t.Errorf("got %+v, want version 1.0.0 of 2026-02-20 in en with its hash", doc)
	}
}

package network

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// names are the lists that a test sets on a contract, or with all on all contracts.
func (f *fixture) names(by string, in netkit.SetAgents) error {
	_, err := f.As(by).SetAgents(f.t.Context(), in)
	return err
}

// What is named on a contract and for all of a sponsor's contracts decides who is
// paid, and every list, quote and preview agrees with the execution.
func TestNamedAgentsArePaid(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada", "bea", "cleo")
	f.admit("acme", 1000*netkit.Credit)
	for _, x := range []struct {
		name     string
		matching netkit.NamedAgents // of the contract as it is opened
		contract netkit.SetAgents
		all      netkit.SetAgents
		paid     []string
	}{
		{name: "nothing named", paid: []string{"ada", "bea", "cleo"}},
		{name: "shut out at the opening", matching: netkit.NamedAgents{ShutOut: []string{"bea"}}, paid: []string{"ada", "cleo"}},
		{name: "admitted at the opening", matching: netkit.NamedAgents{Admit: []string{"bea"}}, paid: []string{"bea"}},
		{name: "shut out later", contract: netkit.SetAgents{ShutOut: []string{"ada", "cleo"}}, paid: []string{"bea"}},
		{name: "shut out although admitted", matching: netkit.NamedAgents{Admit: []string{"ada", "bea"}}, contract: netkit.SetAgents{ShutOut: []string{"ada"}}, paid: []string{"bea"}},
		{name: "released", matching: netkit.NamedAgents{Admit: []string{"bea"}}, contract: netkit.SetAgents{Release: []string{"bea"}}, paid: []string{"ada", "bea", "cleo"}},
		{name: "shut out of all", all: netkit.SetAgents{ShutOut: []string{"ada"}}, paid: []string{"bea", "cleo"}},
		{name: "shut out of all although admitted here", matching: netkit.NamedAgents{Admit: []string{"ada", "bea"}}, all: netkit.SetAgents{ShutOut: []string{"ada"}}, paid: []string{"bea"}},
		{name: "admitted to all", all: netkit.SetAgents{Admit: []string{"ada"}}, paid: []string{"ada"}},
		{name: "admitted here instead of to all", matching: netkit.NamedAgents{Admit: []string{"bea"}}, all: netkit.SetAgents{Admit: []string{"ada"}}, paid: []string{"bea"}},
		{name: "named twice at once", contract: netkit.SetAgents{Admit: []string{"ada", "bea"}, ShutOut: []string{"ada"}}, paid: []string{"bea"}},
	} {
		id := f.offers(func(c *netkit.OpenContract) { c.Matching.NamedAgents = x.matching })
		set := func(in netkit.SetAgents) {
			if len(in.Admit)+len(in.ShutOut)+len(in.Release) > 0 {
				must[netkit.SetAgentsReceipt](t)(f.As("acme").SetAgents(t.Context(), in))
			}
		}
		x.contract.CampaignID = id
		set(x.contract)
		set(x.all)
		seen := must[netkit.ContractPreview](t)(f.As("acme").PreviewContract(t.Context(), netkit.PreviewContract{Budget: 20 * netkit.Credit, Matching: must[netkit.Campaign](t)(f.As("").Campaign(t.Context(), id)).Matching}))
		var paid []string
		for _, slug := range []string{"ada", "bea", "cleo"} {
			switch err := f.tries(t, slug, id); err {
			case nil:
				paid = append(paid, slug)
			default:
				refused(t, err, netkit.ErrForbidden, "agent_not_admitted")
			}
		}
		if diff := cmp.Diff(x.paid, paid); diff != "" {
			t.Errorf("%s: other agents are paid (-want +got):\n%s", x.name, diff)
		}
		if got, want := int(seen.Agents), len(x.paid); got != want || int(seen.NotAdmitted) != 3-want {
			t.Errorf("%s: the preview has %d agents and %d that are not admitted, want %d and %d", x.name, got, seen.NotAdmitted, want, 3-want)
		}
		set(netkit.SetAgents{Release: []string{"ada", "bea", "cleo"}})
	}
	if got := must[netkit.SponsorView](t)(f.As("").Sponsor(t.Context(), "acme")).Agents; got != nil {
		t.Errorf("got %+v after a release, want none", got)
	}
}

func TestNamedAgentsBadInput(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	f.admit("other", 100*netkit.Credit)
	id := f.offers(nil)
	many := make([]string, netkit.MaxNamed+1)
	for i, name := range named("agent", len(many)) {
		many[i] = name
	}
	for _, x := range []struct {
		by   string
		in   netkit.SetAgents
		kind error
		code string
	}{
		{"acme", netkit.SetAgents{}, netkit.ErrInvalid, "agents_missing"},
		{"acme", netkit.SetAgents{Admit: []string{"dora"}}, netkit.ErrNotFound, "agent_unknown"},
		{"acme", netkit.SetAgents{ShutOut: []string{"other"}}, netkit.ErrNotFound, "agent_unknown"},
		{"acme", netkit.SetAgents{ShutOut: many}, netkit.ErrInvalid, "too_many"},
		{"acme", netkit.SetAgents{Sponsor: "other", Admit: []string{"ada"}}, netkit.ErrForbidden, "foreign_sponsor"},
		{"other", netkit.SetAgents{CampaignID: id, Admit: []string{"ada"}}, netkit.ErrForbidden, "foreign_contract"},
		{"operator", netkit.SetAgents{CampaignID: id, Sponsor: "other", Admit: []string{"ada"}}, netkit.ErrForbidden, "foreign_contract"},
		{"operator", netkit.SetAgents{Sponsor: "nobody", Admit: []string{"ada"}}, netkit.ErrNotFound, "sponsor_unknown"},
		{"ada", netkit.SetAgents{Admit: []string{"ada"}}, netkit.ErrForbidden, "sponsors_only"},
		{"acme", netkit.SetAgents{CampaignID: 9999, Admit: []string{"ada"}}, netkit.ErrNotFound, "contract_unknown"},
	} {
		refused(t, f.names(x.by, x.in), x.kind, x.code)
	}
	_, err := f.op().OpenContract(t.Context(), netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit,
		Matching: netkit.Matching{NamedAgents: netkit.NamedAgents{Admit: []string{"dora"}}}})
	refused(t, err, netkit.ErrNotFound, "agent_unknown")
}

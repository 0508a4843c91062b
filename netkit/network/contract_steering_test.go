package network

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// A contract's budgets of a day and an hour hold from the time at which they are set,
// and what was paid under an earlier limit counts.
func TestPaceIsSetLater(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada", "bea", "cleo", "dora")
	f.admit("acme", 100*netkit.Credit)
	f.admit("other", 100*netkit.Credit)
	id := f.offers(nil)
	set := func(by string, day, hour netkit.Credits) error {
		r, err := f.As(by).SetPace(t.Context(), netkit.SetPace{CampaignID: id, BudgetADay: day, BudgetAnHour: hour})
		if err == nil && (r.BudgetADay != day || r.BudgetAnHour != hour || r.Sponsor != "acme") {
			t.Errorf("got %+v, want %s a day and %s an hour of acme", r, day, hour)
		}
		return err
	}
	for _, x := range []struct {
		name      string
		day, hour netkit.Credits
		agent     string
		code      string
	}{
		{"a limit counts from its setting", 0, 2 * netkit.Credit, "bea", ""},
		{"it is reached", 0, 2 * netkit.Credit, "cleo", "budget_paced"},
		{"a wider one counts the hour", 0, 4 * netkit.Credit, "cleo", ""},
		{"and is reached again", 5 * netkit.Credit, 4 * netkit.Credit, "dora", "budget_paced"},
		{"without limits it pays", 0, 0, "dora", ""},
	} {
		if x.name == "a limit counts from its setting" {
			must[struct{}](t)(struct{}{}, f.tries(t, "ada", id))
		}
		must[struct{}](t)(struct{}{}, set("acme", x.day, x.hour))
		if c := must[netkit.Campaign](t)(f.As("").Campaign(t.Context(), id)); c.BudgetADay != x.day || c.BudgetAnHour != x.hour {
			t.Errorf("%s: got %s and %s on the contract", x.name, c.BudgetADay, c.BudgetAnHour)
		}
		err := f.tries(t, x.agent, id)
		if x.code != "" {
			refused(t, err, netkit.ErrConflict, x.code)
		} else if err != nil {
			t.Errorf("%s: got %v, want %s paid", x.name, err, x.agent)
		}
	}
	refused(t, set("acme", netkit.Credit, 0), netkit.ErrInvalid, "budget_below_payout")
	refused(t, set("other", 4*netkit.Credit, 0), netkit.ErrForbidden, "foreign_contract")
	must[netkit.ContractReceipt](t)(f.As("acme").CloseContract(t.Context(), netkit.CloseContract{CampaignID: id}))
	refused(t, set("acme", 4*netkit.Credit, 0), netkit.ErrConflict, "contract_closed")
}

// An invitation reaches an agent that the sponsor has paid, by notice and on the
// contract, and opens no way past the matching.
func TestInvitationIsSeenAndBypassesNothing(t *testing.T) {
	f, _ := delivers(t, 1)
	first := f.campaign()
	f.admit("other", 100*netkit.Credit)
	id := f.offers(func(c *netkit.OpenContract) {
		c.Matching.MinTier, c.Matching.ShutOut = netkit.Verified, []string{"bea"}
	})
	foreign := f.offers(func(c *netkit.OpenContract) { c.Sponsor = "other" })
	for _, x := range []struct {
		by, agent string
		contract  uint64
		kind      error
		code      string
	}{
		{"acme", "bea", id, netkit.ErrForbidden, "agent_not_admitted"},
		{"acme", "bea", first, netkit.ErrForbidden, "agent_not_paid"},
		{"acme", "dora", id, netkit.ErrNotFound, "agent_unknown"},
		{"other", "ada", foreign, netkit.ErrForbidden, "agent_not_paid"},
		{"other", "ada", id, netkit.ErrForbidden, "foreign_contract"},
		{"ada", "ada", id, netkit.ErrForbidden, "foreign_contract"},
	} {
		_, err := f.As(x.by).InviteToContract(t.Context(), netkit.InviteToContract{CampaignID: x.contract, Agents: []string{x.agent}})
		refused(t, err, x.kind, x.code)
	}
	in := netkit.InviteToContract{CampaignID: id, Agents: []string{"ada", "ada"}}
	if r := must[netkit.InvitationReceipt](t)(f.As("acme").InviteToContract(t.Context(), in)); !cmp.Equal(r.Invited, []string{"ada"}) {
		t.Errorf("got %+v, want ada invited", r)
	}
	_, err := f.As("acme").InviteToContract(t.Context(), in)
	refused(t, err, netkit.ErrInvalid, "agents_missing")
	for by, want := range map[string]bool{"ada": true, "bea": false, "acme": false, "": false} {
		if c := must[netkit.Campaign](t)(f.As(by).Campaign(t.Context(), id)); c.Invited != want {
			t.Errorf("%q: got invited %v, want %v", by, c.Invited, want)
		}
	}
	notices := must[netkit.List[netkit.Notice]](t)(f.As("ada").Notices(t.Context(), netkit.Page{}))
	if got := notices.Items[0]; got.Kind != "contract.invited" || got.Subject != id {
		t.Errorf("got %+v, want a notice of the invitation", got)
	}
	refused(t, f.tries(t, "ada", id), netkit.ErrForbidden, "not_matched")
}

// A contract's criteria are seen before the work, a return names those that are unmet,
// and its agent reads them.
func TestCriteriaAreNamedByAReturn(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(72), returnable)
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	criteria := []string{"names the line", "has two sources", "is of today"}
	id := f.offers(func(c *netkit.OpenContract) { c.Criteria = criteria })
	if c := must[netkit.Campaign](t)(f.As("ada").Campaign(t.Context(), id)); !cmp.Equal(c.Criteria, criteria) {
		t.Errorf("got %q, want %q", c.Criteria, criteria)
	}
	x := f.executes("ada", id)
	for _, bad := range []struct {
		unmet []uint32
		code  string
	}{{nil, "criteria_missing"}, {[]uint32{4}, "criterion_unknown"}, {[]uint32{0, 1}, "criterion_unknown"}} {
		_, err := f.As("acme").ReturnExecution(t.Context(), netkit.ReturnExecution{ExecutionID: x, Ticks: netkit.Ticks{Unmet: bad.unmet}})
		refused(t, err, netkit.ErrInvalid, bad.code)
	}
	if p := must[netkit.SettlementPreview](t)(f.As("acme").PreviewSettlement(t.Context(), netkit.SettlementQuery{Action: netkit.SettleReturn})); len(p.ExecutionIDs) != 1 {
		t.Errorf("got %+v, want a preview that waits for the criteria", p)
	}
	act := netkit.Settle{ExecutionID: x, Action: netkit.SettleReturn, Ticks: netkit.Ticks{Unmet: []uint32{3, 1, 3}}}
	if codes, _ := f.settlesAll("acme", netkit.BulkSettle{Settle: act}); codes[0] != "" {
		t.Fatalf("got %q, want it returned", codes[0])
	}
	want := []uint32{1, 3}
	if v := must[netkit.ExecutionView](t)(f.As("ada").Delivery(t.Context(), x)); !cmp.Equal(v.Unmet, want) || v.State != netkit.ExecutionReturned {
		t.Errorf("got %+v, want it returned for %v", v, want)
	}
	notice := must[netkit.List[netkit.Notice]](t)(f.As("ada").Notices(t.Context(), netkit.Page{})).Items[0].Text
	if want := "acme returned your execution " + strconv.FormatUint(x, 10) + " without a report, since it does not meet criteria 1, 3 of the contract: its pay went back, and it counts neither for nor against you."; notice != want {
		t.Errorf("got %q, want %q", notice, want)
	}
	f.erases(id)
	if c := must[netkit.Campaign](t)(f.As("ada").Campaign(t.Context(), id)); c.Criteria != nil {
		t.Errorf("got %q after an erasure, want none", c.Criteria)
	}
	for name, criteria := range map[string][]string{"empty": {""}, "many": make([]string, 11), "long": {string(make([]byte, 201))}} {
		_, err := f.op().OpenContract(t.Context(), netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit, Criteria: criteria})
		if netkit.ProblemOf(err).Status != 422 {
			t.Errorf("%s: got %v, want it refused", name, err)
		}
	}
}

// A sponsor ticks criteria off at an acceptance and a report; its agent and the table
// count them, and later ticks of an execution replace earlier ones.
func TestCriteriaAreTickedOff(t *testing.T) {
	f := memory(t, sponsorReports, clearing(72))
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	id := f.offers(func(c *netkit.OpenContract) {
		c.Criteria, c.ExecutionsPerAgent = []string{"names the line", "has two sources", "is of today"}, 9
	})
	plain := f.offers(nil)
	first, second, other := f.executes("ada", id), f.executes("ada", id), f.executes("ada", plain)
	accept := func(t *netkit.Ticks, ids ...uint64) netkit.AcceptExecutions {
		return netkit.AcceptExecutions{ExecutionIDs: ids, Ticks: *t}
	}
	for _, x := range []struct {
		in   netkit.AcceptExecutions
		code string
	}{
		{accept(&netkit.Ticks{Meets: []uint32{4}}, first), "criterion_unknown"},
		{accept(&netkit.Ticks{Meets: []uint32{11}}, first), "criterion_unknown"},
		{accept(&netkit.Ticks{Meets: []uint32{1}, Unmet: []uint32{1}}, first), "criterion_unknown"},
		{accept(&netkit.Ticks{Meets: []uint32{1}}, other), "criterion_unknown"},
		{accept(&netkit.Ticks{Meets: []uint32{1}}, first, other), "executions_mixed"},
	} {
		_, err := f.As("acme").Accept(t.Context(), x.in)
		refused(t, err, netkit.ErrInvalid, x.code)
	}
	report := netkit.Report{Subject: second, Law: "L1", Evidence: "wrong", Ticks: netkit.Ticks{Unmet: []uint32{1, 2}}}
	_, err := f.op().Report(t.Context(), report)
	refused(t, err, netkit.ErrForbidden, "foreign_subject")
	filed := must[netkit.CaseReceipt](t)(f.As("acme").Report(t.Context(), report))
	in := accept(&netkit.Ticks{Meets: []uint32{3, 1, 3}, Unmet: []uint32{2}}, first)
	if r := must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), in)); !cmp.Equal(r.Meets, []uint32{1, 3}) {
		t.Errorf("got %+v, want the ticks in the receipt", r)
	}
	for x, want := range map[uint64]netkit.Ticks{first: {Meets: []uint32{1, 3}, Unmet: []uint32{2}}, second: {Unmet: []uint32{1, 2}}, other: {}} {
		if v := must[netkit.ExecutionView](t)(f.As("").Delivery(t.Context(), x)); !cmp.Equal(v.Ticks, want) {
			t.Errorf("execution %d: got %+v, want %+v", x, v.Ticks, want)
		}
	}
	if p := must[netkit.AgentExplanation](t)(f.As("ada").ExplainAgent(t.Context(), "ada")); p.CriteriaMet != 2 || p.CriteriaUnmet != 3 {
		t.Errorf("got %d met and %d unmet, want 2 and 3", p.CriteriaMet, p.CriteriaUnmet)
	}
	table := must[netkit.List[netkit.AgentPeriod]](t)(f.As("acme").AgentTable(t.Context(), netkit.AgentTableQuery{}))
	want := []netkit.CriterionCount{{CampaignID: id, Criterion: 1, Met: 1, Unmet: 1}, {CampaignID: id, Criterion: 2, Unmet: 2}, {CampaignID: id, Criterion: 3, Met: 1}}
	if !cmp.Equal(table.Items[0].Criteria, want) {
		t.Errorf("got %+v, want %+v", table.Items[0].Criteria, want)
	}
	must[netkit.CaseReceipt](t)(f.op().Decide(t.Context(), netkit.Decide{CaseID: filed.CaseID, Reasoning: "read"}))
	must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), accept(&netkit.Ticks{Meets: []uint32{1, 2, 3}}, second)))
	if p := must[netkit.OwnProfile](t)(f.As("ada").OwnProfile(t.Context())); p.CriteriaMet != 5 || p.CriteriaUnmet != 1 {
		t.Errorf("got %+v, want 5 met and 1 unmet after later ticks", p)
	}
}

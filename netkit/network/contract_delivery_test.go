package network

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// delivers begins a network in which ada has executed the only contract n times.
func delivers(t *testing.T, times uint32, changes ...func(*netkit.Constitution)) (f *fixture, ids []uint64) {
	f = start(t, journal.NewMemory(), append([]func(*netkit.Constitution){clearing(72)}, changes...)...)
	f.agents("ada", "bea")
	f.admit("acme", 100*netkit.Credit)
	f.offers(func(c *netkit.OpenContract) { c.ExecutionsPerAgent = times })
	for range times {
		ids = append(ids, must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal})).ExecutionID)
	}
	return f, ids
}

func TestWhatIsBoughtIsDelivered(t *testing.T) {
	f, ids := delivers(t, 1)
	f.admit("other", netkit.Credit)
	for by, reads := range map[string]bool{"acme": true, "ada": true, "operator": true, "": false, "bea": false, "other": false} {
		got := must[netkit.ExecutionView](t)(f.As(by).Delivery(t.Context(), ids[0]))
		if (got.Signal != nil) != reads {
			t.Errorf("%q: got the signal %+v, want that it is read: %v", by, got.Signal, reads)
		}
		if reads && (got.Signal.Body != signal.Body || len(got.Signal.Sources) != 1) {
			t.Errorf("%q: got %+v", by, got.Signal)
		}
		got.Signal = nil
		want := netkit.ExecutionView{ExecutionID: ids[0], CampaignID: f.campaign(), Agent: "ada", Sponsor: "acme", Payout: 200, AgentShare: 170, TreasuryShare: 30,
			ClearsAt: netkit.At(f.now) + 72*netkit.Hour, At: netkit.At(f.now), Seq: ids[0], Sources: 1, Untrusted: true}
		if !cmp.Equal(got, want) {
			t.Errorf("%q: got %+v, want %+v", by, got, want)
		}
	}
	_, err := f.As("acme").Delivery(t.Context(), f.campaign())
	refused(t, err, netkit.ErrNotFound, "execution_unknown")
}

// L3 holds for what was delivered as well: while a crisis runs, nobody reads a
// signal of a commercial contract.
func TestACrisisKeepsSignalsBack(t *testing.T) {
	f, ids := delivers(t, 1)
	must[netkit.DispatchReceipt](t)(f.op().Publish(t.Context(), netkit.Publish{Priority: netkit.P0, Channel: netkit.NicheLegal, Headline: "h", Summary: "s"}))
	if got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), ids[0])); got.Signal != nil || !got.Suppressed {
		t.Errorf("got %+v, want no signal and suppressed", got)
	}
}

func TestExecutionsAreListedNewestFirst(t *testing.T) {
	f, ids := delivers(t, 5)
	for name, q := range map[string]netkit.ExecutionQuery{"by contract": {CampaignID: f.campaign()}, "by agent": {Agent: "ada"}, "by sponsor": {Sponsor: "acme"}} {
		var got []uint64
		q.Limit = 2
		for page := 0; page < 10; page++ {
			l := must[netkit.List[netkit.ExecutionView]](t)(f.As("acme").Deliveries(t.Context(), q))
			for _, v := range l.Items {
				if v.Signal == nil {
					t.Errorf("%s: execution %d has no signal", name, v.ExecutionID)
				}
				got = append(got, v.ExecutionID)
			}
			if q.Cursor = l.NextCursor; q.Cursor == "" {
				break
			}
		}
		if len(got) != 5 || got[0] != ids[4] || got[4] != ids[0] {
			t.Errorf("%s: got %v, want %v backwards", name, got, ids)
		}
	}
	if l := must[netkit.List[netkit.ExecutionView]](t)(f.As("acme").Deliveries(t.Context(), netkit.ExecutionQuery{CampaignID: f.campaign(), State: new(netkit.ExecutionCleared)})); len(l.Items) != 0 {
		t.Errorf("got %d cleared executions, want none", len(l.Items))
	}
	_, err := f.As("acme").Deliveries(t.Context(), netkit.ExecutionQuery{CampaignID: 1 << 40})
	refused(t, err, netkit.ErrNotFound, "contract_unknown")
	_, err = f.As("acme").Deliveries(t.Context(), netkit.ExecutionQuery{Sponsor: "nobody"})
	refused(t, err, netkit.ErrNotFound, "sponsor_unknown")
}

func TestAcceptingClearsAtOnce(t *testing.T) {
	f, ids := delivers(t, 3)
	f.admit("other", netkit.Credit)
	_, err := f.As("bea").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: ids[:1]})
	refused(t, err, netkit.ErrForbidden, "foreign_contract")
	for range 2 { // once more changes nothing
		must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: ids[:1]}))
	}
	if me := f.wallet("ada"); me.Pending != 340 || me.BioVerified.Transactions != 1 {
		t.Errorf("got %s pending and %d transactions, want 3.40 and 1", me.Pending, me.BioVerified.Transactions)
	}
	if got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), ids[0])); got.State != netkit.ExecutionAccepted {
		t.Errorf("got %s, want accepted", got.State)
	}
	all := must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{CampaignID: f.campaign()}))
	if len(all.Accepted) != 2 || all.Pay != 340 {
		t.Errorf("got %+v, want the other two", all)
	}
	if me := f.wallet("ada"); me.Pending != 0 || me.BioVerified.Transactions != 3 {
		t.Errorf("got %s pending and %d transactions, want none and 3", me.Pending, me.BioVerified.Transactions)
	}
	for _, by := range []string{"bea", "other"} { // nothing is left to accept
		_, err := f.As(by).Accept(t.Context(), netkit.AcceptExecutions{CampaignID: f.campaign()})
		refused(t, err, netkit.ErrForbidden, "foreign_contract")
	}
	for _, id := range []uint64{1, 1 << 40} {
		_, err := f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{CampaignID: id})
		refused(t, err, netkit.ErrNotFound, "contract_unknown")
	}
	f.replays(t, string(f.state.Canonical()))
	f.now = f.now.Add(96 * time.Hour)
	must[netkit.NightReport](t)(f.op().CloseNight(t.Context(), netkit.CloseNight{}))
	if n := inside(f.state, "accepted").FieldByName("M").Len(); n != 0 {
		t.Errorf("got %d dates of accepted executions after all would have cleared, want none", n)
	}
	if got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), ids[0])); got.State != netkit.ExecutionCleared {
		t.Errorf("got %s, want cleared", got.State)
	}
}

// An upheld report before the execution cleared gives both shares back: to the
// contract, or to the sponsor once that is finished.
func TestUnclearedPayIsGivenBack(t *testing.T) {
	for _, closed := range []bool{false, true} {
		f, ids := delivers(t, 2)
		if closed {
			must[netkit.ContractReceipt](t)(f.As("acme").CloseContract(t.Context(), netkit.CloseContract{CampaignID: f.campaign()}))
		}
		books := must[netkit.Books](t)(f.As("").Conservation(t.Context()))
		e := must[*rules.Entry](t)(f.Entry(t.Context(), ids[0]))
		x := e.Earned(e.Fact.(*rules.Executed))
		fact, moves := f.state.GiveBack(&x, f.num("acme"), 7, netkit.At(f.now))
		if err := f.record(fact, moves...); err != nil {
			t.Fatal(err)
		}
		after := must[netkit.Books](t)(f.As("").Conservation(t.Context()))
		back := after.Contracts - books.Contracts
		if closed {
			back = after.Sponsors - books.Sponsors
		}
		if back != 200 || after.Treasury != books.Treasury-30 || after.Sum != 0 {
			t.Errorf("closed %v: got %s back and %s in the treasury, want 2.00 and %s", closed, back, after.Treasury, books.Treasury-30)
		}
		if me := f.wallet("ada"); me.Balance != 5170 || me.Pending != 170 {
			t.Errorf("closed %v: got %s with %s pending, want 51.70 with 1.70", closed, me.Balance, me.Pending)
		}
		if got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), ids[0])); got.State != netkit.ExecutionReturned {
			t.Errorf("closed %v: got %s, want returned", closed, got.State)
		}
		if again, _ := f.state.GiveBack(&x, f.num("acme"), 7, netkit.At(f.now)); again != nil {
			t.Error("it could be given back twice")
		}
		if backing := f.row("acme").Backing; backing != 100*netkit.Credit-200 {
			t.Errorf("closed %v: got a backing of %s, want 98.00", closed, backing)
		}
		f.now = f.now.Add(72 * time.Hour)
		if me := f.wallet("ada"); me.Pending != 0 || me.BioVerified.Transactions != 1 {
			t.Errorf("closed %v: got %s pending and %d transactions in the end, want none and 1", closed, me.Pending, me.BioVerified.Transactions)
		}
		f.replays(t, string(f.state.Canonical()))
	}
}

// A report that is upheld before the execution cleared returns the pay with the
// judgement, and a won appeal leaves it with the contract.
func TestUpheldReportReturnsThePay(t *testing.T) {
	for law, late := range map[string]bool{"L1": false, "L2": false, "late L1": true} {
		f, ids := delivers(t, 2, newReview)
		law, _ = strings.CutPrefix(law, "late ")
		by := "acme"
		if late {
			by = "operator" // whose reports hold no pay
		}
		r := must[netkit.CaseReceipt](t)(f.As(by).Report(t.Context(), netkit.Report{Subject: ids[0], Law: law, Evidence: "invented"}))
		if late {
			f.now = f.now.Add(72 * time.Hour)
		}
		spent := f.spent(ids[0])
		must[netkit.CaseReceipt](t)(f.op().Decide(t.Context(), netkit.Decide{CaseID: r.CaseID, Uphold: true, Reasoning: "it is"}))
		want, pay, back := netkit.ExecutionReturned, netkit.Credits(51_70), netkit.Credits(2_00)
		if late {
			want, pay, back = netkit.ExecutionOverturned, 53_40, 0
		}
		if got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), ids[0])); got.State != want {
			t.Errorf("%s, late %v: got %s, want %s", law, late, got.State, want)
		}
		bought := must[netkit.List[netkit.SponsorView]](t)(f.As("").Sponsors(t.Context(), netkit.Page{})).Items[0]
		if bought.Executions != 2 || bought.Spent != 400-back || bought.Returned != back {
			t.Errorf("%s, late %v: got that acme bought %+v, want %s returned", law, late, bought, back)
		}
		if got := f.wallet("ada").Balance; got != pay || spent-f.spent(ids[0]) != back {
			t.Errorf("%s, late %v: got a wallet of %s and %s back, want %s and %s", law, late, got, spent-f.spent(ids[0]), pay, back)
		}
		must[netkit.CaseReceipt](t)(f.As("ada").Appeal(t.Context(), netkit.Appeal{CaseID: r.CaseID, Grounds: "no"}))
		must[netkit.CaseReceipt](t)(f.op().Decide(t.Context(), netkit.Decide{CaseID: r.CaseID, Reasoning: "it is not"}))
		if got := f.wallet("ada"); got.Balance != pay || got.Status != netkit.Active {
			t.Errorf("%s, late %v: got %s and %s after a won appeal, want %s and active", law, late, got.Balance, got.Status, pay)
		}
		f.replays(t, string(f.state.Canonical()))
	}
}

func TestAPreviewCountsWhoMatches(t *testing.T) {
	f := start(t, journal.NewMemory(), func(c *netkit.Constitution) { c.Market.NewcomersShare, c.Market.NewcomersTransactions = 2000, 10 })
	f.agents(named("agent", 3)...)
	f.admit("acme", 100*netkit.Credit)
	f.inject("agent-00", func(a *rules.AgentRow) { a.Confirmed, a.Transactions = true, 10 })
	got := must[netkit.ContractPreview](t)(f.As("acme").PreviewContract(t.Context(), netkit.PreviewContract{Budget: 20 * netkit.Credit, ExecutionsPerAgent: 3}))
	if got.Agents != 3 || got.Newcomers != 2 || got.NewcomersBudget != 4*netkit.Credit || got.Tiers[netkit.Unverified].Executions != 2 || got.Tiers[netkit.Verified].Executions != 3 {
		t.Errorf("got %+v, want 3 agents, 2 of them newcomers; 2 executions at UNVERIFIED, 3 at VERIFIED", got)
	}
	at := func(ceiling netkit.Tier) netkit.ContractPreview {
		return must[netkit.ContractPreview](t)(f.As("acme").PreviewContract(t.Context(), netkit.PreviewContract{Budget: 20 * netkit.Credit, Matching: netkit.Matching{MaxTier: &ceiling}}))
	}
	if got := at(netkit.Unverified); got.Agents != 2 || got.AboveCeiling != 1 || !strings.Contains(got.Advice, "leaves out 1 of 3 agents that would match, and every agent") {
		t.Errorf("got %d agents of at most UNVERIFIED, %d above and the advice %q, want 2 and 1", got.Agents, got.AboveCeiling, got.Advice)
	}
	for slug, perDay := range map[string][3]uint32{"agent-00": {1000, 61, 62}, "agent-01": {1000, 0, 30}} { // 30 days ago, since then, today
		f.inject(slug, func(a *rules.AgentRow) {
			for k, n := range perDay {
				a.Evidence = append(a.Evidence, rules.Evidence{With: f.num("acme"), Day: netkit.At(f.now).Day() - []netkit.Day{30, 29, 0}[k], Stands: n})
			}
		})
	}
	// 123 of 153 in 30 days, rounded up.
	if got := at(netkit.Unverified); got.SignalsADay != 6 || got.LostADay != 5 || !strings.Contains(got.Advice, "with 5 of 6 signals a day") {
		t.Errorf("got %d of %d signals lost and %q, want 5 of 6", got.LostADay, got.SignalsADay, got.Advice)
	}
	if got := at(netkit.Elite); got.SignalsADay != 6 || got.LostADay != 0 || got.Advice != "" {
		t.Errorf("got %d of %d signals lost and %q, want none of 6", got.LostADay, got.SignalsADay, got.Advice)
	}
}

func TestTheSponsorIsToldOfADelivery(t *testing.T) {
	f, ids := delivers(t, 1)
	told := must[netkit.List[netkit.Notice]](t)(f.As("acme").Notices(t.Context(), netkit.Page{}))
	if len(told.Items) != 1 || told.Items[0].Kind != "execution.delivered" || told.Items[0].Subject != ids[0] || !strings.Contains(told.Items[0].Text, "ada executed contract") {
		t.Errorf("got notices %+v, want one of the delivery", told.Items)
	}
	for by, want := range map[string]int{"acme": 1, "ada": 0} {
		sub := must[rules.Subscription](t)(f.As(by).Subscribe(netkit.EventFilter{Types: []string{netkit.EventDelivered}}))
		n := 0
		for e, err := range f.EventsBetween(t.Context(), &sub, 0, f.Size()) {
			if err != nil {
				t.Fatal(err)
			}
			if x := e.Data.(netkit.ExecutionNotice); x.ExecutionID == ids[0] {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: got %d events, want %d", by, n, want)
		}
	}
}

// spent is what the contract of an execution has paid.
func (f *fixture) spent(execution uint64) netkit.Credits {
	f.t.Helper()
	x := must[netkit.ExecutionView](f.t)(f.op().Delivery(f.t.Context(), execution))
	return must[netkit.Campaign](f.t)(f.As("").Campaign(f.t.Context(), x.CampaignID)).Spent
}

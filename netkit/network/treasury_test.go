package network

import (
	"fmt"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// newTreasury gives a constitution today's rules of fees and rewards.
func newTreasury(c *netkit.Constitution) {
	newReview(c)
	r := netkit.Version1().Review
	c.Review.ReportReward, c.Review.IncomeDays, c.Review.RefundForReward = r.ReportReward, r.IncomeDays, r.RefundForReward
}

// courted is a network with twelve reviewers and an honest sponsor that bought so
// many signals of hon, all of which have cleared.
func courted(t testing.TB, honest int, changes ...func(*netkit.Constitution)) *fixture {
	t.Helper()
	f := memory(t, append([]func(*netkit.Constitution){clearing(72)}, changes...)...)
	f.agents("hon")
	for k := range 12 {
		f.reviewers(fmt.Sprintf("rev-%02d", k))
	}
	f.admit("honest", 1000*netkit.Credit)
	campaign := f.opens("honest", 800*netkit.Credit, 1000)
	for range honest {
		f.executes("hon", campaign)
	}
	f.waits(4 * 24 * time.Hour)
	return f
}

// reportsPuppets has a sponsor buy junk of accounts of its own, report each piece,
// and reviewers uphold each report, until all cases are final.
func (f *fixture) reportsPuppets(sponsor string, puppets int) {
	f.t.Helper()
	f.admit(sponsor, netkit.Credits(puppets)*2*netkit.Credit)
	campaign := f.opens(sponsor, netkit.Credits(puppets)*2*netkit.Credit, 1)
	var cases []uint64
	for k := range puppets {
		slug := fmt.Sprintf("puppet-%02d", k)
		f.agents(slug)
		cases = append(cases, f.reports(sponsor, f.executes(slug, campaign), "L1").CaseID)
	}
	for _, id := range cases {
		f.votes(id, true, f.panelOf(id)[:2]...)
	}
	f.waits(9 * 24 * time.Hour)
	must[netkit.ContractReceipt](f.t)(f.op().CloseContract(f.t.Context(), netkit.CloseContract{CampaignID: campaign}))
}

// A sponsor that reports junk of its own accounts earns nothing by it, and takes
// nothing from the treasury beyond what honest trade brings in.
func TestReportingOwnPuppetsPaysNothing(t *testing.T) {
	const puppets = 20
	for _, c := range []struct {
		name   string
		rules  func(*netkit.Constitution)
		gain   netkit.Credits
		before time.Duration  // between the honest trade and the attack
		lost   netkit.Credits // by the treasury
	}{
		{"before", newReview, puppets * 2 * netkit.Credit, 0, puppets * 4 * netkit.Credit},
		{"now", newTreasury, 0, 0, puppets * 2 * netkit.Credit},
		{"now, long after the trade", newTreasury, 0, 40 * 24 * time.Hour, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := courted(t, 300, c.rules) // 90.00 for the treasury
			f.waits(c.before)
			treasury := f.state.Held(netkit.Treasury)
			f.reportsPuppets("evil", puppets)
			f.has(netkit.SponsorFunds("evil"), puppets*2*netkit.Credit+c.gain)
			f.has(netkit.Treasury, treasury-c.lost)
			if owed, want := f.state.OwedTotal(), puppets*2*netkit.Credit; c.before > 0 && owed != want {
				t.Errorf("got %s owed, want %s", owed, want)
			}
			f.restarts(t)
		})
	}
}

// What the income of 30 days does not cover is owed in the order of the cases,
// and paid as soon as it is covered.
func TestFeesWaitForIncome(t *testing.T) {
	f := courted(t, 5, newTreasury) // 1.50 for the treasury
	f.reportsPuppets("evil", 2)
	var want []string
	for k, e := range f.facts(netkit.KindCasePaid) {
		x := e.Fact.(*rules.CasePaid)
		if owed := k > 0; x.Reason != rules.VerdictFee || x.Owed != owed || x.Late || x.Unpaid || (len(e.Postings) == 0) != owed {
			t.Errorf("payment %d: got %+v, want a fee that is owed: %v", k, x, owed)
		}
		want = append(want, fmt.Sprint(x.Case, x.Place, x.Party))
	}
	if len(want) != 4 {
		t.Fatalf("got %d payments, want the fees of four verdicts", len(want))
	}
	money := must[netkit.AccountBalance](t)(f.As("").Balance(t.Context(), netkit.Treasury))
	if *money.Pending != 0 || *money.Available != 50 || *money.Owed != 3*netkit.Credit {
		t.Errorf("got %s pending, %s available and %s owed; want 0.00, 0.50 and 3.00", money.Pending, money.Available, money.Owed)
	}
	f.restarts(t)

	campaign := f.opens("honest", 100*netkit.Credit, 100)
	var bought []uint64
	for range 5 {
		bought = append(bought, f.executes("hon", campaign))
	}
	f.ticks()
	if got := len(f.facts(netkit.KindCasePaid)); got != 4 {
		t.Errorf("got %d payments while the shares are pending, want 4", got)
	}
	must[netkit.AcceptedReceipt](t)(f.As("honest").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: bought}))
	f.ticks()
	f.has(netkit.Treasury, 0) // 0.50 of before and 1.50 cover two of the three
	paid := f.facts(netkit.KindCasePaid)[4:]
	for k, e := range paid {
		x := e.Fact.(*rules.CasePaid)
		if got := fmt.Sprint(x.Case, x.Place, x.Party); got != want[k+1] || !x.Late || x.Owed || e.Amount(netkit.Wallet(x.Party)) != netkit.Credit {
			t.Errorf("late payment %d: got %+v, want 1.00 for %s", k, x, want[k+1])
		}
	}
	if len(paid) != 2 || f.state.OwedTotal() != netkit.Credit {
		t.Errorf("got %d late payments and %s owed, want 2 and 1.00", len(paid), f.state.OwedTotal())
	}
	f.restarts(t)
}

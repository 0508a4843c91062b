package network

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
)

// returnable is a change of the constitution: a sponsor may return a tenth of its
// purchases of 30 days.
func returnable(c *netkit.Constitution) {
	c.Market.ReturnShare, c.Market.ReturnDays = 1000, 30
}

func (f *fixture) returns(by string, id uint64) (netkit.ReturnReceipt, error) {
	return f.As(by).ReturnExecution(f.t.Context(), netkit.ReturnExecution{ExecutionID: id})
}

// A returned execution moves both shares back and leaves nothing for or against its
// agent.
func TestAReturnLeavesNoTrace(t *testing.T) {
	f, ids := delivers(t, 2, returnable)
	before := must[netkit.Books](t)(f.As("").Conservation(t.Context()))
	for _, by := range []string{"ada", "operator", "bea"} {
		_, err := f.returns(by, ids[0])
		refused(t, err, netkit.ErrForbidden, "foreign_contract")
	}
	got := must[netkit.ReturnReceipt](t)(f.returns("acme", ids[0]))
	if got.Pay != 2*netkit.Credit || got.Agent != "ada" {
		t.Errorf("got %+v, want 2.00 back from ada", got)
	}
	f.is(ids[0], netkit.ExecutionReturned, false)
	f.stands("returned", 170, 0)
	after := must[netkit.Books](t)(f.As("").Conservation(t.Context()))
	if after.Contracts-before.Contracts != 2*netkit.Credit || after.Treasury != 30 || after.Wallets != before.Wallets-170 {
		t.Errorf("got %+v after %+v, want the shares back", after, before)
	}
	if me := f.wallet("ada"); me.Status != netkit.Active || len(f.extra("ada").Incidents) != 0 {
		t.Errorf("got %s, want ada in good standing without a penalty", me.Status)
	}
	if _, err := f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}); err != nil {
		t.Errorf("got %v, want that the contract may be executed in its place", err)
	}
	_, err := f.returns("acme", ids[0])
	refused(t, err, netkit.ErrConflict, "execution_returned")
	_, err = f.returns("acme", ids[1])
	refused(t, err, netkit.ErrConflict, "returns_used")
	view := must[netkit.SponsorView](t)(f.As("").Sponsor(t.Context(), "acme"))
	if want := (netkit.ReturnRecord{Purchases: 3, Returned: 1, Rate: 3333}); view.Returns != want {
		t.Errorf("got a record of %+v, want %+v", view.Returns, want)
	}
	c := must[netkit.Campaign](t)(f.As("bea").Campaign(t.Context(), f.campaign()))
	if c.ReturnRate != 3333 || c.PaysYou.ReturnRate != 3333 {
		t.Errorf("got a rate of %s and %s before an execution, want 0.3333", c.ReturnRate, c.PaysYou.ReturnRate)
	}
	f.waits(31 * 24 * time.Hour)
	_, err = f.returns("acme", ids[1])
	refused(t, err, netkit.ErrConflict, "execution_cleared")
	if got := must[netkit.SponsorView](t)(f.As("").Sponsor(t.Context(), "acme")).Returns; got != (netkit.ReturnRecord{}) {
		t.Errorf("got a record of %+v a month later, want an empty one", got)
	}
}

// What a case holds is not returned, and no constitution of before knows a return.
func TestWhatIsNotReturned(t *testing.T) {
	f, ids := delivers(t, 1, returnable, newReview)
	f.reports("acme", ids[0], "L1")
	_, err := f.returns("acme", ids[0])
	refused(t, err, netkit.ErrConflict, "execution_held")
	f, ids = delivers(t, 1)
	_, err = f.returns("acme", ids[0])
	refused(t, err, netkit.ErrConflict, "returns_used")
}

// However executions, returns, acceptances and days follow one another, a sponsor
// returns at most a tenth, rounded up, of what it bought in 30 days, and every
// returned share is back where it came from.
func TestReturnsStayWithinTheTenth(t *testing.T) {
	seen := map[string]int{}
	checkUntilSeen(t, seen, []string{"returned"}, func(rt *rapid.T) {
		f := memory(t, clearing(72), returnable)
		f.agents("ada", "bea")
		f.admit("acme", 1000*netkit.Credit)
		id := f.offers(func(c *netkit.OpenContract) { c.Budget, c.ExecutionsPerAgent = 500*netkit.Credit, 1000 })
		var bought []uint64
		purchases, returns := map[netkit.Day]int{}, map[netkit.Day]int{}
		paid := netkit.Credits(0)
		for range rapid.IntRange(20, 80).Draw(rt, "steps") {
			today := netkit.At(f.now).Day()
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			default:
				bought = append(bought, f.executes(rapid.SampledFrom([]string{"ada", "bea"}).Draw(rt, "agent"), id))
				purchases[today]++
				paid += 2 * netkit.Credit
			case 5, 6, 7:
				if len(bought) == 0 {
					continue
				}
				x := rapid.SampledFrom(bought[max(0, len(bought)-12):]).Draw(rt, "execution")
				state := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), x)).State
				sum, back := 0, 0
				for d := range 30 {
					sum, back = sum+purchases[today-netkit.Day(d)], back+returns[today-netkit.Day(d)]
				}
				want := state == netkit.ExecutionPending && back < (sum+9)/10
				if _, err := f.returns("acme", x); (err == nil) != want {
					rt.Fatalf("got %v for an execution that is %s after %d returns of %d", err, state, back, sum)
				}
				if want {
					seen["returned"]++
					returns[today]++
					paid -= 2 * netkit.Credit
				}
			case 8:
				f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: bought[max(0, len(bought)-1):]})
			case 9:
				f.waits(time.Duration(rapid.IntRange(1, 300).Draw(rt, "hours")) * time.Hour)
			}
			b := must[netkit.Books](t)(f.As("").Conservation(t.Context()))
			if b.Sum != 0 || b.Sponsors+b.Contracts != 1000*netkit.Credit-paid || b.Treasury != paid*15/100 {
				rt.Fatalf("got %+v, want %s paid", b, paid)
			}
		}
		f.replays(t, string(f.state.Canonical()))
		f.restarts(t)
		must[struct{}](t)(struct{}{}, f.Close(t.Context()))
	})
}

package network

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// A contract pays its budget of an hour and of a day and then names the time from
// which it pays again, which holds.
func TestBudgetsOfAnHourAndADay(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(72), returnable)
	slugs := named("agent", 12)
	f.agents(slugs...)
	f.admit("acme", 1000*netkit.Credit)
	f.now = time.Date(2027, 3, 1, 22, 15, 0, 0, time.UTC)
	id := f.offers(func(c *netkit.OpenContract) {
		c.Budget, c.BudgetADay, c.BudgetAnHour = 100*netkit.Credit, 10*netkit.Credit, 5*netkit.Credit
	})
	paid := func(want int, next string) {
		t.Helper()
		for got := 0; ; got++ {
			err := f.tries(t, slugs[0], id)
			if err == nil {
				slugs = slugs[1:]
				continue
			}
			refused(t, err, netkit.ErrConflict, "budget_paced")
			if at := fmt.Sprintf("execute it from %s on", next); got != want || !strings.Contains(err.Error(), at) {
				t.Errorf("got %d executions and %v, want %d and %q", got, err, want, at)
			}
			return
		}
	}
	paid(2, "2027-03-01T23:00:00.000Z")
	f.now = time.Date(2027, 3, 1, 22, 59, 59, 0, time.UTC)
	paid(0, "2027-03-01T23:00:00.000Z")
	f.now = time.Date(2027, 3, 1, 23, 0, 0, 0, time.UTC)
	paid(2, "2027-03-02T00:00:00.000Z")
	f.now = time.Date(2027, 3, 2, 0, 0, 0, 0, time.UTC)
	paid(2, "2027-03-02T01:00:00.000Z")
	f.now = time.Date(2027, 3, 2, 1, 0, 0, 0, time.UTC)
	paid(2, "2027-03-02T02:00:00.000Z")
	f.now = time.Date(2027, 3, 2, 2, 0, 0, 0, time.UTC)
	paid(1, "2027-03-03T00:00:00.000Z")
	last := must[netkit.List[netkit.ExecutionView]](t)(f.As("").Deliveries(t.Context(), netkit.ExecutionQuery{})).Items[0]
	must[netkit.ReturnReceipt](t)(f.returns("acme", last.ExecutionID))
	paid(0, "2027-03-03T00:00:00.000Z") // what came back is not paid again in that day
}

package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// exposed is a change of the constitution: so much pay may wait to clear below
// VERIFIED, and so much at VERIFIED.
func exposed(unverified, verified netkit.Credits) func(*netkit.Constitution) {
	return func(c *netkit.Constitution) {
		c.Market.UnclearedUnverified, c.Market.UnclearedVerified = unverified, verified
	}
}

// works has an agent execute a contract until it is refused, and returns how
// often it was paid and the refusal.
func (f *fixture) works(slug string, id uint64) (paid int, err error) {
	f.t.Helper()
	for err == nil {
		if err = f.tries(f.t, slug, id); err == nil {
			paid++
		}
	}
	return paid, err
}

// An agent below VERIFIED is paid eleven times (18.70), one at VERIFIED fourteen
// times (59.50), and one from BADGED on as often as a contract allows.
func TestUnclearedPayIsLimitedByTier(t *testing.T) {
	f := memory(t, clearing(72), exposed(20*netkit.Credit, 60*netkit.Credit))
	f.agents("ada", "bea", "cleo")
	f.admit("acme", 1000*netkit.Credit)
	f.inject("bea", func(a *rules.AgentRow) { a.Confirmed, a.Transactions = true, 10 })
	f.inject("cleo", func(a *rules.AgentRow) { a.Confirmed, a.Transactions = true, 10 })
	id := f.offers(func(c *netkit.OpenContract) { c.Budget, c.ExecutionsPerAgent = 400*netkit.Credit, 40 })
	for slug, want := range map[string]int{"ada": 11, "bea": 14} {
		paid, err := f.works(slug, id)
		if paid != want {
			t.Errorf("%s was paid %d times, want %d", slug, paid, want)
		}
		refused(t, err, netkit.ErrConflict, "uncleared_limit")
	}
	f.wear("cleo", rules.Held{Badge: netkit.FieldAgent})
	f.admit("bolt", netkit.Credit)
	f.admit("corp", netkit.Credit)
	f.inject("cleo", func(a *rules.AgentRow) {
		for _, sponsor := range []string{"acme", "bolt", "corp"} {
			a.Evidence = append(a.Evidence, rules.Evidence{With: f.num(sponsor), Day: netkit.At(f.now).Day(), In: 500 * netkit.Credit, Stands: 4})
		}
	})
	paid, err := f.works("cleo", id)
	refused(t, err, netkit.ErrConflict, "contract_exhausted")
	if paid != 30 {
		t.Errorf("cleo was paid %d times, want 30: the rest of the budget", paid)
	}
}

// Acceptance and the passing of time make room.
func TestAcceptanceFreesRoom(t *testing.T) {
	f := memory(t, clearing(72), exposed(4*netkit.Credit, 10*netkit.Credit))
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	id := f.offers(func(c *netkit.OpenContract) { c.ExecutionsPerAgent = 9 })
	if paid, err := f.works("ada", id); paid != 2 {
		t.Fatalf("got %d executions, want 2: %v", paid, err)
	}
	must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{CampaignID: id}))
	if paid, _ := f.works("ada", id); paid != 2 {
		t.Errorf("got %d executions after the acceptance, want 2", paid)
	}
	f.waits(72 * time.Hour)
	if paid, _ := f.works("ada", id); paid != 2 {
		t.Errorf("got %d executions after these cleared, want 2", paid)
	}
}

// Pay that a report or a crisis holds counts until it would have cleared.
func TestHeldPayCountsUntilItsClearingTime(t *testing.T) {
	for what, hold := range map[string]func(*fixture, uint64){
		"report": func(f *fixture, id uint64) {
			must[netkit.CaseReceipt](t)(f.As("acme").Report(t.Context(), netkit.Report{Subject: id, Law: "L1", Evidence: "e"}))
		},
		"crisis": func(f *fixture, _ uint64) { f.publishes(netkit.P0, netkit.NicheHealth, "flood") },
	} {
		f := memory(t, newReview, clearing(72), exposed(2*netkit.Credit, 10*netkit.Credit), func(c *netkit.Constitution) {
			c.Crisis = netkit.CrisisRules{Hours: 72, MarketTime: true}
		})
		f.agents("ada")
		f.admit("acme", 100*netkit.Credit)
		f.offers(nil)
		x := must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
		hold(f, x.ExecutionID)
		safety := f.offers(func(c *netkit.OpenContract) { c.Kind, c.ExecutionsPerAgent = netkit.Operational, 9 })
		refused(t, f.tries(t, "ada", safety), netkit.ErrConflict, "uncleared_limit")
		f.now = f.now.Add(72*time.Hour - time.Millisecond)
		refused(t, f.tries(t, "ada", safety), netkit.ErrConflict, "uncleared_limit")
		f.now = f.now.Add(time.Millisecond)
		f.is(x.ExecutionID, netkit.ExecutionPending, what == "report")
		if err := f.tries(t, "ada", safety); err != nil {
			t.Errorf("%s: got %v, want that the pay counts no more", what, err)
		}
	}
}

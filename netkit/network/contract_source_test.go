package network

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// crowded begins a network in which three sponsors bought executions: acme many,
// rare one in fifty of them, and idle none. It returns the ids of each, ascending.
func crowded(t *testing.T, times int) (f *fixture, acme, rare []uint64) {
	f = start(t, journal.NewMemory(), clearing(72))
	f.agents("ada", "bea")
	f.admit("idle", 100*netkit.Credit)
	open := func(sponsor string) uint64 {
		f.admit(sponsor, 10_000*netkit.Credit)
		r := must[netkit.ContractReceipt](t)(f.As(sponsor).OpenContract(t.Context(), netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheSilicon,
			Budget: 9_000 * netkit.Credit, ExecutionsPerAgent: 1_000_000}))
		return r.CampaignID
	}
	one, other := open("acme"), open("rare")
	if err := f.Batch(t.Context(), func(ctx context.Context) {
		for i := range times {
			agent := []string{"ada", "bea"}[i%2]
			acme = append(acme, must[netkit.Execution](t)(f.As(agent).Execute(ctx, netkit.Execute{CampaignID: one, Signal: signal})).ExecutionID)
			if i%50 == 0 {
				rare = append(rare, must[netkit.Execution](t)(f.As("bea").Execute(ctx, netkit.Execute{CampaignID: other, Signal: signal})).ExecutionID)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	must[netkit.AcceptedReceipt](t)(f.As("rare").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: rare[:2]}))
	return f, acme, rare
}

// listedBy walks all pages of a query and returns the ids, ascending, with the
// most entries that a page read.
func (f *fixture) listedBy(q netkit.ExecutionQuery) (ids []uint64, most int) {
	for {
		effort := new(Effort)
		l := must[netkit.List[netkit.ExecutionView]](f.t)(f.As("").Deliveries(WithEffort(f.t.Context(), effort), q))
		for _, v := range l.Items {
			ids = append(ids, v.ExecutionID)
		}
		most = max(most, effort.Entries())
		if q.Cursor = l.NextCursor; q.Cursor == "" {
			slices.Reverse(ids)
			return ids, most
		}
	}
}

// Whatever is asked for, a page reads few entries, and the pages together hold
// what matches.
func TestPageOfExecutionsReadsFewEntries(t *testing.T) {
	f, acme, rare := crowded(t, 1500)
	returned := acme[700]
	e := must[*rules.Entry](t)(f.Entry(t.Context(), returned))
	x := e.Earned(e.Fact.(*rules.Executed))
	fact, moves := f.state.GiveBack(&x, f.num("acme"), 7, netkit.At(f.now))
	f.bent = true // nobody reported it
	if err := f.record(fact, moves...); err != nil {
		t.Fatal(err)
	}
	var byBea, pending []uint64
	for i, id := range acme {
		if i%2 == 1 {
			byBea = append(byBea, id)
		}
		if id != returned {
			pending = append(pending, id)
		}
	}
	all := slices.Sorted(slices.Values(append(slices.Clone(acme), rare...)))
	for _, c := range []struct {
		q    netkit.ExecutionQuery
		want []uint64
		most int // entries that any page may read
	}{
		{netkit.ExecutionQuery{}, all, maxReads + scanBlock},
		{netkit.ExecutionQuery{Agent: "bea", Sponsor: "acme"}, byBea, maxReads + 2},
		{netkit.ExecutionQuery{CampaignID: 5, Agent: "bea"}, nil, 0}, // below
		{netkit.ExecutionQuery{Sponsor: "acme"}, acme, maxReads + scanBlock},
		{netkit.ExecutionQuery{Sponsor: "acme", State: new(netkit.ExecutionPending)}, pending, maxReads + scanBlock},
		{netkit.ExecutionQuery{Sponsor: "rare"}, rare, 50},
		{netkit.ExecutionQuery{Sponsor: "idle"}, nil, 0},
		{netkit.ExecutionQuery{State: new(netkit.ExecutionReturned)}, []uint64{returned}, 2}, // with its return, which names the unmet criteria
		{netkit.ExecutionQuery{State: new(netkit.ExecutionReturned), Sponsor: "rare"}, nil, 1},
		{netkit.ExecutionQuery{State: new(netkit.ExecutionOverturned)}, nil, 0},
		{netkit.ExecutionQuery{State: new(netkit.ExecutionAccepted)}, rare[:2], 2},
		{netkit.ExecutionQuery{State: new(netkit.ExecutionAccepted), Agent: "ada"}, nil, 2},
		{netkit.ExecutionQuery{State: new(netkit.ExecutionCleared)}, nil, maxReads + scanBlock},
	} {
		if c.q.CampaignID != 0 {
			c.q.CampaignID = e.Fact.(*rules.Executed).Campaign
			c.want, c.most = byBea, maxReads+2
		}
		c.q.Limit = netkit.MaxPage
		name := fmt.Sprintf("%+v", c.q)
		got, most := f.listedBy(c.q)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %d executions, want %d", name, len(got), len(c.want))
		}
		if most > c.most {
			t.Errorf("%s: a page read %d entries, want at most %d", name, most, c.most)
		}
	}
	f.replays(t, string(f.state.Canonical()))
}

package netkit

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// crowded begins a network in which three sponsors bought executions: acme many,
// rare one in fifty of them, and idle none. It returns the ids of each, ascending.
func crowded(t *testing.T, times int) (f *fixture, acme, rare []uint64) {
	f = start(t, journal.NewMemory(), clearing(72))
	f.agents("ada", "bea")
	f.admit("idle", 100*Credit)
	open := func(sponsor string) uint64 {
		f.admit(sponsor, 10_000*Credit)
		r := must[ContractReceipt](t)(f.As(sponsor).OpenContract(t.Context(), OpenContract{Title: "t", Brief: "b", Channel: NicheSilicon,
			Budget: 9_000 * Credit, ExecutionsPerAgent: 1_000_000}))
		return r.CampaignID
	}
	one, other := open("acme"), open("rare")
	if err := f.Batch(t.Context(), func(ctx context.Context) {
		for i := range times {
			agent := []string{"ada", "bea"}[i%2]
			acme = append(acme, must[Execution](t)(f.As(agent).Execute(ctx, Execute{one, signal})).ExecutionID)
			if i%50 == 0 {
				rare = append(rare, must[Execution](t)(f.As("bea").Execute(ctx, Execute{other, signal})).ExecutionID)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	must[AcceptedReceipt](t)(f.As("rare").Accept(t.Context(), AcceptExecutions{ExecutionIDs: rare[:2]}))
	return f, acme, rare
}

// listedBy walks all pages of a query and returns the ids, ascending, with the
// most entries that a page read.
func (f *fixture) listedBy(q ExecutionQuery) (ids []uint64, most int) {
	for {
		effort := new(Effort)
		l := must[List[ExecutionView]](f.t)(f.As("").Deliveries(WithEffort(f.t.Context(), effort), q))
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
	e := must[*Entry](t)(f.Entry(t.Context(), returned))
	x := e.earned(e.Fact.(*Executed))
	fact, moves := f.state.giveBack(&x, f.num("acme"), 7, At(f.now))
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
		q    ExecutionQuery
		want []uint64
		most int // entries that any page may read
	}{
		{ExecutionQuery{}, all, maxReads + scanBlock},
		{ExecutionQuery{Agent: "bea", Sponsor: "acme"}, byBea, maxReads + 2},
		{ExecutionQuery{CampaignID: 5, Agent: "bea"}, nil, 0}, // below
		{ExecutionQuery{Sponsor: "acme"}, acme, maxReads + scanBlock},
		{ExecutionQuery{Sponsor: "acme", State: new(ExecutionPending)}, pending, maxReads + scanBlock},
		{ExecutionQuery{Sponsor: "rare"}, rare, 50},
		{ExecutionQuery{Sponsor: "idle"}, nil, 0},
		{ExecutionQuery{State: new(ExecutionReturned)}, []uint64{returned}, 1},
		{ExecutionQuery{State: new(ExecutionReturned), Sponsor: "rare"}, nil, 1},
		{ExecutionQuery{State: new(ExecutionOverturned)}, nil, 0},
		{ExecutionQuery{State: new(ExecutionAccepted)}, rare[:2], 2},
		{ExecutionQuery{State: new(ExecutionAccepted), Agent: "ada"}, nil, 2},
		{ExecutionQuery{State: new(ExecutionCleared)}, nil, maxReads + scanBlock},
	} {
		if c.q.CampaignID != 0 {
			c.q.CampaignID = e.Fact.(*Executed).Campaign
			c.want, c.most = byBea, maxReads+2
		}
		c.q.Limit = maxPage
		name := fmt.Sprintf("%+v", c.q)
		got, most := f.listedBy(c.q)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %d executions, want %d", name, len(got), len(c.want))
		}
		if most > c.most {
			t.Errorf("%s: a page read %d entries, want at most %d", name, most, c.most)
		}
	}
	f.replays(t, string(f.state.canonical()))
}

func TestIndexOfExecutionsIsBounded(t *testing.T) {
	var x entrySpans
	for seq := uint64(1); seq <= 100_000; seq += 3 {
		x = x.with(seq)
	}
	if len(x) > maxSpans {
		t.Errorf("got %d spans, want at most %d", len(x), maxSpans)
	}
	last := uint64(0)
	for k, s := range x {
		if s.first <= last || s.last < s.first || k >= len(x)-maxSpans/2 && s.first != s.last {
			t.Fatalf("span %d: got %+v after %d, want it ascending, and the newest half exact", k, s, last)
		}
		last = s.last
	}
	if x[0].first != 1 || last != 100_000 {
		t.Errorf("got %d to %d, want 1 to 100000", x[0].first, last)
	}
}

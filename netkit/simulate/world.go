package simulate

import (
	"container/heap"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/network"
)

// began is when every simulated network begins.
var began = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// world is one run: a network in virtual time and those who live in it. All
// that happens, happens in the order of the agenda, so that a run repeats to the
// digit from its seed.
type world struct {
	sc  *Scenario
	n   *network.Network
	ctx context.Context // of the open batch
	rng *rand.Rand
	now time.Time
	err error // ends the run

	agenda agenda
	filed  uint64

	operator *network.Session
	agents   []*agent // honest ones, in the order of their arrival
	sponsors []*sponsor
	shares   weights           // of sponsors, by size
	known    map[string]*agent // all agents, attackers too
	takers   []*agent          // honest agents that take attention requests
	popular  weights
	review   caseload
	crime    crime

	bad   map[uint64]bool // executions that break L1, attackers' junk among them
	tally tally
}

// event is something that happens at a moment.
type event struct {
	at    int64 // milliseconds
	order uint64
	do    func()
}

// agenda holds the events to come, the earliest first.
type agenda []event

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].order < a[j].order
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }

// Push and Pop are for container/heap.
func (a *agenda) Push(x any) { *a = append(*a, x.(event)) }

// Pop removes the last event.
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	(*a)[len(*a)-1] = event{}
	*a = (*a)[:len(*a)-1]
	return last
}

// after has something happen later.
func (w *world) after(d time.Duration, do func()) {
	w.filed++
	heap.Push(&w.agenda, event{w.now.Add(d).UnixMilli(), w.filed, do})
}

// on has something happen on a day of the run, counted from 0.
func (w *world) on(day int, do func()) { w.after(began.Add(days(day)).Sub(w.now), do) }

// every has something happen now and again after each period.
func (w *world) every(d time.Duration, do func()) {
	w.after(0, func() {
		do()
		w.after(d, func() { w.every(d, do) })
	})
}

// day is the day of the run.
func (w *world) day() int { return int(w.now.Sub(began) / (24 * time.Hour)) }

func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// wait draws an exponential waiting time.
func (w *world) wait(mean time.Duration) time.Duration {
	return time.Duration(w.rng.ExpFloat64() * float64(mean))
}

// between draws a time between two bounds.
func (w *world) between(from, to time.Duration) time.Duration {
	return from + time.Duration(w.rng.Int64N(int64(to-from)))
}

func (w *world) chance(p float64) bool { return w.rng.Float64() < p }

// weights draws indexes by weight.
type weights []float64 // running sums

// zipf weighs n ranks by 1/rank^s.
func zipf(n int, s float64) (ws weights) {
	for range n {
		ws = ws.next(s)
	}
	return ws
}

// next adds the rank that follows.
func (ws weights) next(s float64) weights {
	sum := 0.0
	if len(ws) > 0 {
		sum = ws[len(ws)-1]
	}
	return append(ws, sum+math.Pow(float64(len(ws)+1), -s))
}

// share is the part of the whole that index i has.
func (ws weights) share(i int) float64 {
	before := 0.0
	if i > 0 {
		before = ws[i-1]
	}
	return (ws[i] - before) / ws[len(ws)-1]
}

func (w *world) draw(ws weights) int {
	x := w.rng.Float64() * ws[len(ws)-1]
	low, high := 0, len(ws)-1
	for low < high {
		if mid := (low + high) / 2; ws[mid] <= x {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// newWorld opens an empty network.
func newWorld(ctx context.Context, sc *Scenario, seed uint64) (*world, error) {
	law, err := sc.law()
	if err != nil {
		return nil, err
	}
	w := &world{sc: sc, rng: rand.New(rand.NewPCG(seed, 1)), now: began, known: map[string]*agent{}, bad: map[uint64]bool{}, tally: newTally()}
	var salt [32]byte
	binary.BigEndian.PutUint64(salt[:], seed)
	w.n, err = network.New(ctx, network.Config{Store: newRecent(keptRecords), Now: func() time.Time { return w.now }, Rand: rand.NewChaCha8(salt),
		Genesis:       &netkit.Genesis{Network: "simulated", Constitution: law, OperatorToken: netkit.Token{1}},
		SnapshotEvery: math.MaxUint64})
	if err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	w.operator = w.n.As("operator")
	return w, nil
}

// live lets the days of the scenario pass, each as one batch.
func (w *world) live(ctx context.Context) error {
	for d := range w.sc.Days {
		err := w.n.Batch(ctx, func(ctx context.Context) {
			w.ctx = ctx
			if d == 0 {
				w.settle()
			}
			w.until(began.Add(days(d + 1)))
			w.night()
		})
		if err = errors.Join(w.err, err, ctx.Err()); err != nil {
			return fmt.Errorf("simulate: day %d: %w", d, err)
		}
	}
	return nil
}

// until lets everything happen that is due before a moment.
func (w *world) until(end time.Time) {
	for len(w.agenda) > 0 && w.agenda[0].at < end.UnixMilli() && w.err == nil {
		e := heap.Pop(&w.agenda).(event)
		w.now = time.UnixMilli(e.at).UTC()
		e.do()
	}
	w.now = end
}

// settle brings in everybody who is there or will come.
func (w *world) settle() {
	w.admitSponsors()
	w.expectAgents()
	w.openFeed()
	w.openCaseload()
	w.expectReactions()
	w.expectAttack()
}

// night closes the day that is over and looks at who became what.
func (w *world) night() {
	r, err := w.n.As(netkit.NetworkActor).CloseNight(w.ctx, netkit.CloseNight{})
	if w.must(err) {
		w.tally.night(&r)
		w.flags()
		w.must(w.n.Tick(w.ctx))
	}
	if w.day()%w.sc.Census == 0 || w.day() == w.sc.Days {
		w.census()
	}
}

// ok reports whether a command was accepted. Refusals are part of life and are
// counted; anything else ends the run.
func (w *world) ok(err error) bool {
	if err == nil {
		return true
	}
	var r *netkit.Refusal
	if !errors.As(err, &r) {
		return w.must(err)
	}
	w.tally.refused[r.Code]++
	return false
}

// must is ok for what cannot be refused.
func (w *world) must(err error) bool {
	if err != nil && w.err == nil {
		w.err = err
	}
	return err == nil
}

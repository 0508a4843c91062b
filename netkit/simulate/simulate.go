// Package simulate lets an economy of agents live on a real network in virtual
// time: honest agents, sponsors, reviewers and, where a scenario asks for one,
// an attacker. Nothing models a rule: every act is a public command of
// [netkit.Network] and every figure comes from receipts and public views. A run
// repeats to the digit from its seed.
//
// A [Scenario] says who takes part; [Builtin] returns those that come with the
// package and [Parse] reads one from TOML. [Run] runs it once for each seed and
// returns a [Report], which prints as a table, as JSON and as an SVG page.
package simulate

import (
	"context"
	"runtime"
	"sync"
)

// Value is one figure of a run.
type Value struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit,omitempty"`
	Value float64 `json:"value"`
}

// Outcome is what one run showed. A figure that a run did not reach, such as
// the day of a tier nobody stood on, is left out.
type Outcome struct {
	Seed    uint64   `json:"seed"`
	Entries uint64   `json:"entries"`
	Values  []Value  `json:"values"`
	Series  []Sample `json:"series"`
}

// Run runs a scenario once for each seed, as many runs at a time as there are
// processors.
func Run(ctx context.Context, sc *Scenario, seeds ...uint64) (*Report, error) {
	all, err := runEach(ctx, []*Scenario{sc}, seeds)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// runEach runs each scenario once for each seed.
func runEach(ctx context.Context, scenarios []*Scenario, seeds []uint64) ([]*Report, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	outcomes := make([]*Outcome, len(scenarios)*len(seeds))
	next := make(chan int, len(outcomes))
	for i := range outcomes {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range min(len(outcomes), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				o, err := runOnce(ctx, scenarios[i/len(seeds)], seeds[i%len(seeds)])
				if err != nil {
					cancel(err)
					return
				}
				outcomes[i] = o
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	reports := make([]*Report, len(scenarios))
	for k, sc := range scenarios {
		reports[k] = newReport(sc, outcomes[k*len(seeds):(k+1)*len(seeds)])
	}
	return reports, nil
}

// runOnce runs a scenario from one seed.
func runOnce(ctx context.Context, sc *Scenario, seed uint64) (*Outcome, error) {
	w, err := newWorld(ctx, sc, seed)
	if err != nil {
		return nil, err
	}
	err = w.live(ctx)
	o := &Outcome{Seed: seed, Entries: w.n.Size(), Values: w.values(), Series: w.tally.series}
	if cerr := w.n.Close(ctx); err == nil {
		err = cerr
	}
	return o, err
}

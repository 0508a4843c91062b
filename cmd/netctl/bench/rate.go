package bench

import (
	"runtime/metrics"
	"slices"
	"time"
)

// Rate is one measured figure.
type Rate struct {
	Name        string        `json:"name"`
	PerSecond   float64       `json:"per_second"`
	P50         time.Duration `json:"p50_ns"`
	P99         time.Duration `json:"p99_ns"`
	CPU         time.Duration `json:"cpu_ns" doc:"processor time a call, client included; 0 where it is not known"`
	Allocations float64       `json:"allocations" doc:"objects a call, client included"`
	Collections uint64        `json:"collections" doc:"garbage collections meanwhile"`
	Switches    float64       `json:"involuntary_switches" doc:"times a call that the system took a processor away; 0 where it is not known"`
}

// middle returns the rate of the median round.
func middle(name string, rates []Rate) Rate {
	slices.SortFunc(rates, func(a, b Rate) int { return int(a.PerSecond - b.PerSecond) })
	r := rates[len(rates)/2]
	r.Name = name
	return r
}

// meter is running while something is measured.
type meter struct {
	begin time.Time
	used
}

// used counts the resources that this process has used so far.
type used struct {
	cpu         time.Duration
	switches    int64
	objects     uint64
	collections uint64
}

func usedNow() (u used) {
	all := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(all)
	u.objects, u.collections = all[0].Value.Uint64(), all[1].Value.Uint64()
	u.cpu, u.switches = cpu()
	return u
}

func startMeter() meter { return meter{time.Now(), usedNow()} }

// rate sums up a measurement from the latencies of its calls.
func (m meter) rate(took []time.Duration) Rate {
	if len(took) == 0 {
		return Rate{}
	}
	span, u := time.Since(m.begin), usedNow()
	slices.Sort(took)
	calls := float64(len(took))
	return Rate{PerSecond: calls / span.Seconds(), P50: took[len(took)/2], P99: took[len(took)*99/100],
		CPU: (u.cpu - m.cpu) / time.Duration(len(took)), Allocations: float64(u.objects-m.objects) / calls,
		Collections: u.collections - m.collections, Switches: float64(u.switches-m.switches) / calls}
}

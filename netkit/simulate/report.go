package simulate

import (
	_ "embed" // for results
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/agentnet/netctl/netkit/plural"
)

// Report sums up the runs of a scenario.
type Report struct {
	Scenario *Scenario  `json:"scenario"`
	Figures  []Figure   `json:"figures"`
	Runs     []*Outcome `json:"runs"`
}

// Figure is one figure over all runs that reached it.
type Figure struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit,omitempty"`
	Mean   float64   `json:"mean"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Values []float64 `json:"values"`
}

// newReport lists every figure in the order in which runs have them.
func newReport(sc *Scenario, runs []*Outcome) *Report {
	r := &Report{Scenario: sc, Runs: runs}
	for _, run := range runs {
		at := 0
		for _, v := range run.Values {
			i := slices.IndexFunc(r.Figures, func(f Figure) bool { return f.Name == v.Name })
			if i < 0 {
				i = min(at, len(r.Figures))
				r.Figures = slices.Insert(r.Figures, i, Figure{Name: v.Name, Unit: v.Unit})
			}
			r.Figures[i].Values = append(r.Figures[i].Values, v.Value)
			at = i + 1
		}
	}
	for i := range r.Figures {
		f := &r.Figures[i]
		f.Min, f.Max = slices.Min(f.Values), slices.Max(f.Values)
		for _, v := range f.Values {
			f.Mean += v / float64(len(f.Values))
		}
	}
	return r
}

// Mean returns the mean of a figure, and false where no run reached it.
func (r *Report) Mean(name string) (float64, bool) {
	for i := range r.Figures {
		if r.Figures[i].Name == name {
			return r.Figures[i].Mean, true
		}
	}
	return 0, false
}

// WriteTable prints the figures: mean, range and how many runs reached them.
func (r *Report) WriteTable(out io.Writer) error {
	sc := r.Scenario
	fmt.Fprintf(out, "%s: %s, %s, %s, %s\n", sc.Name, plural.Count(sc.Days, "day", "days"), plural.Count(sc.Agents, "agent", "agents"),
		plural.Count(sc.Sponsors, "sponsor", "sponsors"), plural.Count(len(r.Runs), "seed", "seeds"))
	if sc.Title != "" {
		fmt.Fprintln(out, sc.Title)
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "\nfigure\tmean\trange\tunit\treached")
	for i := range r.Figures {
		f := &r.Figures[i]
		fmt.Fprintf(w, "%s\t%s\t%s – %s\t%s\t%d of %d\n", f.Name, number(f.Mean), number(f.Min), number(f.Max), f.Unit, len(f.Values), len(r.Runs))
	}
	return w.Flush()
}

// results is what netctl simulate --all --seeds 5 printed.
//
//go:embed results.txt
var results string

// Results returns the summary of all scenarios as it was measured for this
// version, and whether the constitution has changed since.
func Results() (summary string, stale bool) {
	return results, !strings.Contains(results, lawMark())
}

// lawMark names the constitution of the honest network.
func lawMark() string {
	c, err := Default().law()
	if err != nil {
		panic("simulate: the default scenario has a constitution: " + err.Error())
	}
	return fmt.Sprintf("constitution %s, sha256 %.8x", c.Version, c.SHA256())
}

// WriteSummary prints what each scenario is about: the figures that it names,
// each as mean and range.
func WriteSummary(out io.Writer, reports []*Report) error {
	if len(reports) > 0 {
		fmt.Fprintf(out, "Measured under %s, with %s.\n\n", lawMark(), plural.Count(len(reports[0].Runs), "seed", "seeds"))
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, r := range slices.SortedStableFunc(slices.Values(reports), func(a, b *Report) int { return a.number() - b.number() }) {
		fmt.Fprintf(w, "%s\n  %s\n", r.Scenario.Title, "netctl simulate "+r.Scenario.Name)
		for _, name := range r.Scenario.Shows {
			i := slices.IndexFunc(r.Figures, func(f Figure) bool { return f.Name == name })
			if i < 0 {
				fmt.Fprintf(w, "  %s\tnever\t\t\n", name)
				continue
			}
			f := &r.Figures[i]
			fmt.Fprintf(w, "  %s\t%s %s\t(%s – %s)\t%s\n", name, number(f.Mean), f.Unit, number(f.Min), number(f.Max), in(len(f.Values), len(r.Runs)))
		}
	}
	return w.Flush()
}

// number is the place of an attack in the list of attacks, 0 of other scenarios.
func (r *Report) number() (n int) {
	if _, err := fmt.Sscanf(r.Scenario.Title, "Attack %d", &n); err != nil {
		return 0
	}
	return n
}

// in says in how many runs something came about, where it was not in all.
func in(some, all int) string {
	if some == all {
		return ""
	}
	return fmt.Sprintf("in %d of %d runs", some, all)
}

// number writes a figure with as many decimals as say something.
func number(v float64) string {
	switch {
	case v == float64(int64(v)):
		return strconv.FormatInt(int64(v), 10)
	case v >= 1000 || v <= -1000:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10 || v <= -10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

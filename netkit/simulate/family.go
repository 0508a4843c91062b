package simulate

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	toml "github.com/pelletier/go-toml/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

// Family is one attack at several sizes. A rule that holds at one size may fail at
// another, so that the worst size is the one to quote.
type Family struct {
	Name  string `toml:"-" json:"name"`
	Worst string `toml:"worst" json:"worst"` // the figure that the worst size is chosen by
	// Lowest has the lowest value be the worst: a price. Otherwise the highest is:
	// a gain or a loss.
	Lowest bool             `toml:"lowest" json:"lowest,omitempty"`
	Sizes  []map[string]any `toml:"sizes" json:"sizes"` // what each size changes of the scenario, as TOML
	Scenario
}

// Families lists the names of the families that come with the package.
func Families() []string { return listFolder("families") }

// BuiltinFamily returns a family that comes with the package.
func BuiltinFamily(name string) (*Family, error) {
	text, err := builtin.ReadFile(path.Join("families", name+".toml"))
	if err != nil {
		return nil, fmt.Errorf("simulate: no family is named %q; choose one of %s", name, strings.Join(Families(), ", "))
	}
	f := &Family{Name: name, Scenario: *Default()}
	if err := decodeTOML(text, f); err != nil {
		return nil, fmt.Errorf("simulate: family %s: %w", name, err)
	}
	_, err = f.scenarios()
	return f, err
}

// scenarios returns the scenario of each size.
func (f *Family) scenarios() (all []*Scenario, err error) {
	for _, size := range f.Sizes {
		sc := f.Scenario
		sc.Name = f.Name + ": " + describeSize(size)
		text, err := toml.Marshal(size)
		if err == nil {
			err = decodeTOML(text, &sc)
		}
		if err != nil {
			return nil, fmt.Errorf("simulate: family %s: %w", f.Name, err)
		}
		sc.Attack.Price = netkit.Credits(sc.Attack.PriceIn*100 + 0.5)
		if err := sc.Check(); err != nil {
			return nil, err
		}
		all = append(all, &sc)
	}
	return all, nil
}

// describeSize lists what a size changes, by name.
func describeSize(size map[string]any) string {
	var parts []string
	for key, v := range size {
		if sub, ok := v.(map[string]any); ok {
			parts = append(parts, describeSize(sub))
		} else {
			parts = append(parts, fmt.Sprintf("%s %v", key, v))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// FamilyReport sums up the runs of a family.
type FamilyReport struct {
	Family  *Family   `json:"family"`
	Worst   int       `json:"worst"` // place of the worst size, -1 where no size reached the figure
	Reports []*Report `json:"reports"`
}

// RunFamily runs each size of a family once for each seed.
func RunFamily(ctx context.Context, f *Family, seeds ...uint64) (*FamilyReport, error) {
	scenarios, err := f.scenarios()
	if err != nil {
		return nil, err
	}
	reports, err := runEach(ctx, scenarios, seeds)
	if err != nil {
		return nil, err
	}
	r := &FamilyReport{Family: f, Worst: -1, Reports: reports}
	worst := 0.0
	for k, report := range reports {
		v, ok := report.Mean(f.Worst)
		if ok && (r.Worst < 0 || v < worst == f.Lowest && v != worst) {
			r.Worst, worst = k, v
		}
	}
	return r, nil
}

// WriteFamilies prints the sizes of each family by its figures, the worst one marked.
func WriteFamilies(out io.Writer, all []*FamilyReport) error {
	for k, r := range all {
		if k == 0 {
			fmt.Fprintf(out, "Measured under %s, with %s a size.\n", lawMark(), plural.Count(len(r.Reports[0].Runs), "seed", "seeds"))
		}
		fmt.Fprintf(out, "\n%s\n  netctl simulate --families %s\n", r.Family.Title, r.Family.Name)
		if err := r.writeTable(out); err != nil {
			return err
		}
	}
	return nil
}

// writeTable prints a column for each figure and a line for each size.
func (r *FamilyReport) writeTable(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for k, name := range r.Family.Shows {
		fmt.Fprintf(w, "  %c = %s\n", 'a'+k, name)
	}
	fmt.Fprint(w, "  size")
	for k := range r.Family.Shows {
		fmt.Fprintf(w, "\t%c", 'a'+k)
	}
	fmt.Fprintln(w)
	for k, report := range r.Reports {
		mark := " "
		if k == r.Worst {
			mark = ">"
		}
		fmt.Fprintf(w, "%s %s", mark, describeSize(r.Family.Sizes[k]))
		for _, name := range r.Family.Shows {
			v := "never"
			if mean, ok := report.Mean(name); ok {
				v = number(mean)
			}
			fmt.Fprintf(w, "\t%s", v)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

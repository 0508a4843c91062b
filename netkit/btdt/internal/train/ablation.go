package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/btdt/evaluate"
	"github.com/agentnet/netctl/netkit/btdt/internal/rule"
)

// development reads the sets that nothing was trained on.
func development() ([]evaluate.Example, error) {
	files, err := filepath.Glob("development/*.jsonl")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no sets below development: %w", err)
	}
	var all []evaluate.Example
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		examples, err := evaluate.Read(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, examples...)
	}
	return all, nil
}

// counted is what is counted with a row and without it, in the order of columns.
var counted = []string{"covered", "beside", "touched", "findings", "names left", "institutions touched", "others touched", "citations touched"}

// weigh counts on the development sets and on the grid.
func weigh(sets []evaluate.Example, grid evaluate.Grid) []int {
	r := evaluate.Measure(sets, func() time.Duration { return 0 })
	all := r.Rows[len(r.Rows)-1]
	counts := []int{all.Covered, all.Findings - all.Private, r.Touched, all.Findings}
	for _, row := range grid.Measure() {
		counts = append(counts, row.Wrong)
	}
	return counts
}

// ablate writes what each row of the rules is worth on the development sets and the
// grid, on which no row was made: by how much each count changes when the row holds
// nowhere.
func ablate(file string) error {
	sets, err := development()
	if err != nil {
		return err
	}
	f, err := os.Open(filepath.Join("..", "..", "evaluate", "testdata", "grid.txt"))
	if err != nil {
		return err
	}
	defer f.Close()
	grid, err := evaluate.ReadGrid(f)
	if err != nil {
		return err
	}
	base := weigh(sets, grid)
	var b strings.Builder
	fmt.Fprintf(&b, "# What each row of rules.tsv is worth, by %s on the development sets and the grid: how the counts change without it.\n", btdt.ScrubberVersion)
	fmt.Fprintf(&b, "row\t%s\n%s", strings.Join(counted, "\t"), "(all rows)")
	for _, n := range base {
		fmt.Fprintf(&b, "\t%d", n)
	}
	rules := rule.Default().Rules
	for k := range rules {
		restore := rules[k].Mute()
		without := weigh(sets, grid)
		restore()
		fmt.Fprintf(&b, "\n%s", rules[k].Name)
		for i, n := range without {
			fmt.Fprintf(&b, "\t%+d", n-base[i])
		}
	}
	return os.WriteFile(file, []byte(b.String()+"\n"), 0o644)
}

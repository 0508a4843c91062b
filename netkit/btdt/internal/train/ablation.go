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

// worth is what is counted with a row and without it.
type worth struct {
	covered, extra, touched, findings int
}

func weigh(sets []evaluate.Example) worth {
	r := evaluate.Measure(sets, func() time.Duration { return 0 })
	all := r.Rows[len(r.Rows)-1]
	return worth{all.Covered, all.Findings - all.Private, r.Touched, all.Findings}
}

// ablate writes what each row of the rules is worth on the development sets, on which
// no row was made: by how much each count changes when the row holds nowhere.
func ablate(file string) error {
	sets, err := development()
	if err != nil {
		return err
	}
	base := weigh(sets)
	var b strings.Builder
	fmt.Fprintf(&b, "# What each row of rules.tsv is worth, by %s on the development sets: how the counts change without it.\n", btdt.ScrubberVersion)
	fmt.Fprintf(&b, "# With all rows: %d parts covered, %d findings beside any part, %d kept parts touched, %d findings.\n", base.covered, base.extra, base.touched, base.findings)
	fmt.Fprintln(&b, "row\tcovered\tbeside\ttouched\tfindings")
	rules := rule.Default().Rules
	for k := range rules {
		restore := rules[k].Mute()
		w := weigh(sets)
		restore()
		fmt.Fprintf(&b, "%s\t%+d\t%+d\t%+d\t%+d\n", rules[k].Name, w.covered-base.covered, w.extra-base.extra, w.touched-base.touched, w.findings-base.findings)
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

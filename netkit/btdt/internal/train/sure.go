package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/btdt/evaluate"
)

// How often a sure finding is right, in per cent, on how many findings a type is
// judged by itself, and the least confidence that is ever sure: below it the tagger
// takes a part against its own opinion.
const (
	surePercent  = 95
	enoughToTell = 20
	leastSure    = 0.5
	neverSure    = 2 // a confidence that no finding has
)

// judged is a finding of the development sets.
type judged struct {
	rule, kind string
	score      float64
	right      bool // it touches a part that must go
}

// calibrate writes from which confidence a kind of finding is sure, see
// detect/sure.go: a line for each type of the tagger, and for each other rule that
// is wrong too often.
func calibrate(file string) error {
	sets, err := development()
	if err != nil {
		return err
	}
	found, err := judgeAll(sets)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# From which confidence a kind of finding is sure: the least from which %d %% of those on the\n# development sets touch a part that must go. Types with fewer than %d findings are judged together; %d is never.\n# Written by go run . -sure in internal/train.\n# rule\ttype\tsure from\tright\tfindings from there\tfindings\n", surePercent, enoughToTell, neverSure)
	var few []judged
	var rare []string
	for _, kind := range btdt.Types() {
		mine := ofKind(found, "tagger", kind)
		if both := ofKind(found, "tagger+row", kind); len(both) > 0 {
			writeSure(&b, "tagger+row", kind, both)
		}
		switch {
		case len(mine) == 0:
			continue
		case len(mine) < enoughToTell:
			few, rare = append(few, mine...), append(rare, kind)
		default:
			writeSure(&b, "tagger", kind, mine)
		}
	}
	for _, kind := range rare {
		writeSure(&b, "tagger", kind, few)
	}
	for _, rule := range rulesOf(found) {
		for _, kind := range btdt.Types() {
			if mine := ofKind(found, rule, kind); len(mine) >= enoughToTell/4 && sureFrom(mine) == neverSure {
				writeSure(&b, rule, kind, mine)
			}
		}
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// judgeAll scrubs the sets and compares with their labels.
func judgeAll(sets []evaluate.Example) (all []judged, err error) {
	for _, e := range sets {
		r, err := btdt.ScrubFile(e.Playbook)
		if err != nil {
			return nil, err
		}
		for _, f := range r.Findings {
			right := slices.ContainsFunc(e.Gold, func(g evaluate.Mark) bool {
				return strings.TrimSuffix(g.Path, "[0]") == strings.TrimSuffix(f.Path, "[0]") && g.Start < f.End && f.Start < g.End
			})
			all = append(all, judged{f.Rule, f.Type, f.Score, right})
		}
	}
	return all, nil
}

func ofKind(found []judged, rule, kind string) (mine []judged) {
	for _, j := range found {
		if j.rule == rule && j.kind == kind {
			mine = append(mine, j)
		}
	}
	return mine
}

// rulesOf lists the rules that have one confidence for all their findings.
func rulesOf(found []judged) (rules []string) {
	for _, j := range found {
		if !strings.HasPrefix(j.rule, "tagger") && !slices.Contains(rules, j.rule) {
			rules = append(rules, j.rule)
		}
	}
	slices.Sort(rules)
	return rules
}

// sureFrom is the least confidence from which enough findings are right.
func sureFrom(found []judged) float64 {
	slices.SortFunc(found, func(a, b judged) int { return cmp.Compare(b.score, a.score) })
	from, right := float64(neverSure), 0
	for i, j := range found {
		if j.score < leastSure {
			break
		}
		if j.right {
			right++
		}
		last := i+1 == len(found) || found[i+1].score < j.score
		if last && right*100 >= surePercent*(i+1) {
			from = j.score
		}
	}
	return from
}

func writeSure(b *strings.Builder, rule, kind string, found []judged) {
	from := sureFrom(found)
	right, all := 0, 0
	for _, j := range found {
		if j.score >= from {
			all++
			if j.right {
				right++
			}
		}
	}
	fmt.Fprintf(b, "%s\t%s\t%g\t%d\t%d\t%d\n", rule, kind, from, right, all, len(found))
}

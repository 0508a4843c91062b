package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/btdt/evaluate"
	"github.com/agentnet/netctl/netkit/plural"
)

func btdtScrub(a *app) *cobra.Command {
	var how scrubbing
	return a.verb(verb{use: "scrub FILE...", short: "Strip what identifies a person and print what is left", args: someFiles, files: true, offline: true,
		long: "Scrub prints the stripped playbook on standard output and what it took out on standard error; -o json prints both\nas one object. The original is never changed: --write puts the result beside it with .scrubbed.json. Several\nfiles, folders or globs need --write or -o json. What netctl btdt review decided is applied; on a terminal scrub asks\nabout findings that are not sure, elsewhere they are masked and come first in the list. No scrubber is perfect: read the result by eye.",
		flags: flagsOf(how.flags, how.unsureFlag, func(f *pflag.FlagSet) {
			f.BoolVar(&how.strict, "strict", false, "refuse a file in which anything is found instead of stripping it")
			f.BoolVar(&how.explain, "explain", false, "say of each part what found it (a form, a row of rules, the tagger, the memory of names) and how sure it is")
			f.BoolVarP(&how.write, "write", "w", false, "write each result beside its file with .scrubbed.json")
		}),
		run: func(c *call) error {
			files, err := c.open(c.args)
			if err != nil {
				return err
			}
			return c.scrub(files, how)
		}})
}

// scrubbing is how files are scrubbed.
type scrubbing struct {
	deciding
	strict, write, explain bool
}

// scrubbed is the result for one of several files.
type scrubbed struct {
	File string `json:"file"`
	btdt.Result
}

func (c *call) scrub(files []file, how scrubbing) error {
	plain := c.set.v.GetString("output") == "table" && c.jq == ""
	if len(files) > 1 && plain && !how.write {
		return usage(errors.New("several files need --write, which writes the results beside them, or -o json"))
	}
	if how.write && slices.ContainsFunc(files, func(f file) bool { return f.name == "-" }) {
		return usage(errors.New("--write needs the name of a file; standard input has none"))
	}
	var results []scrubbed
	err := how.detected(c, func() (err error) {
		results, err = c.scrubAll(files, how)
		return err
	})
	if err != nil {
		return err
	}
	for i, r := range results {
		if !how.write {
			break
		}
		if err := c.writeBeside(files[i].name, r.Playbook); err != nil {
			return err
		}
	}
	switch {
	case !plain && len(results) == 1:
		return c.show(results[0].Result, nil)
	case !plain:
		return c.show(results, nil)
	case !how.write:
		_, err = c.out.Write(pretty(results[0].Playbook))
	}
	return err
}

// scrubAll strips every file, shows what went and gathers what is wrong.
func (c *call) scrubAll(files []file, how scrubbing) ([]scrubbed, error) {
	var results []scrubbed
	var wrong []error
	bar := c.bar(len(files))
	for _, f := range files {
		r, err := c.scrubFile(f, how)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case how.strict && len(r.Findings) > 0:
			wrong = append(wrong, personal(f, r.Findings))
		default:
			results = append(results, scrubbed{f.name, r})
			c.told(f, r, how.explain)
		}
		bar.step()
	}
	bar.end()
	return results, gather(wrong)
}

// scrubFile strips one file as its author decided.
func (c *call) scrubFile(f file, how scrubbing) (r btdt.Result, err error) {
	raw, err := btdt.Decode(f.data)
	if err != nil {
		return r, problems(f.name, err)
	}
	d, changed, err := how.decide(f, &raw)
	if err == nil {
		err = c.askUnsure(f, &raw, &d, how.deciding)
	}
	if err == nil && changed && how.write {
		err = d.write(f.name)
	}
	if err != nil {
		return r, err
	}
	return how.scrubber(&d).ScrubFile(c.ctx, f.data)
}

// told shows what went out of a file, and what of its form is wrong.
func (c *call) told(f file, r btdt.Result, explain bool) {
	if c.set.v.GetString("output") == "table" && len(r.Findings) > 0 {
		if raw, err := btdt.Decode(f.data); err == nil {
			c.diff(f.name, raw, r.Findings, explain)
		}
	}
	for _, x := range unreadable(f, r.Unread) {
		c.talk("%s", clean(x.String()))
	}
	_, err := btdt.Parse(f.data)
	if err == nil {
		err = r.Playbook.Validate()
	}
	if err == nil {
		return
	}
	c.talk("%s cannot be registered yet", f.name)
	var wrong faults
	if errors.As(problems(f.name, err), &wrong) {
		for _, x := range wrong {
			c.talk("%s", clean(x.String()))
		}
	}
}

// around is how much of a text a diff shows on either side, in characters.
const around = 30

// diff shows what was stripped, a line a part: what went in [-…-], what came in
// {+…+}, in colours too where a terminal shows them. What is not sure comes first,
// least sure before the rest.
func (c *call) diff(name string, raw btdt.Playbook, found []btdt.Finding, explain bool) {
	texts := textsOf(raw)
	sure, unsure := apart(found)
	if len(unsure) > 0 {
		c.talk("%s: %s stripped that may be wrong; netctl btdt review %s asks about them", name, plural.Count(len(unsure), "part", "parts"), name)
		for _, f := range unsure {
			c.diffLine(texts[f.Path], f, explain)
		}
	}
	if len(sure) > 0 {
		c.talk("%s: %s stripped", name, plural.Count(len(sure), "part", "parts"))
		for _, f := range sure {
			c.diffLine(texts[f.Path], f, explain)
		}
	}
}

// apart divides findings into those that are sure and the others, least sure first.
func apart(found []btdt.Finding) (sure, unsure []btdt.Finding) {
	for _, f := range found {
		if f.Sure {
			sure = append(sure, f)
		} else {
			unsure = append(unsure, f)
		}
	}
	slices.SortStableFunc(unsure, func(a, b btdt.Finding) int { return cmp.Compare(a.Score, b.Score) })
	return sure, unsure
}

func (c *call) diffLine(text []rune, f btdt.Finding, explain bool) {
	if f.End > len(text) {
		return
	}
	minus, plus, end := c.colours()
	came, why := "", ""
	if f.Replacement != "" {
		came = plus + "{+" + f.Replacement + "+}" + end
	}
	if explain {
		why = fmt.Sprintf("  (%s: %s, %.2f)", f.Type, f.Rule, f.Score)
	}
	c.talkInColour("  %-16s %s%s", f.Path, inContext(text, f, minus+"[-", "-]"+end+came), why)
}

// colours are red, green and the end of either, or nothing where they would not
// show or are not wanted.
func (c *call) colours() (minus, plus, end string) {
	if _, no := c.env("NO_COLOR"); no || !c.terminal {
		return "", "", ""
	}
	if term, _ := c.env("TERM"); term == "dumb" {
		return "", "", ""
	}
	return "\x1b[31m", "\x1b[32m", "\x1b[0m"
}

// textsOf gives every text of a playbook by its path, lists also by their plain
// name, as a file may give one text for a list.
func textsOf(p btdt.Playbook) map[string][]rune {
	texts := map[string][]rune{"title": []rune(p.Title), "sub_category": []rune(p.SubCategory), "region": []rune(p.Region),
		"entity": []rune(p.Entity), "outcome": []rune(p.Outcome)}
	for name, list := range map[string][]string{"steps": p.Steps, "key_contacts": p.KeyContacts, "legal_levers": p.LegalLevers, "what_failed": p.WhatFailed} {
		for i, s := range list {
			texts[fmt.Sprintf("%s[%d]", name, i)] = []rune(s)
			if i == 0 {
				texts[name] = []rune(s)
			}
		}
	}
	return texts
}

func btdtEval(a *app) *cobra.Command {
	misses := false
	var detect detecting
	return a.verb(verb{use: "eval GOLD.jsonl", short: "Measure the scrubber on labelled playbooks of your own", args: exactly("GOLD.jsonl"), files: true, offline: true,
		long: "Eval reads a JSON object a line: {\"id\", \"lang\", \"playbook\", \"gold\": [{\"path\", \"start\", \"end\", \"type\"}],\n\"keep\": [{\"path\", \"start\", \"end\"}]}, offsets in code points, and prints recall, precision, what was touched that\nshould have stayed, what is masked without a question, each with its 95 % interval, and speed. Function words and\nhonorifics at the edge of a mark do not count, and ages below 90 must stay.",
		flags: func(f *pflag.FlagSet) {
			detect.flags(f)
			f.BoolVar(&misses, "misses", false, "list what was missed, touched or found beyond the labels")
		},
		run: func(c *call) error {
			files, err := c.whole(c.args[0])
			if err != nil {
				return err
			}
			start := time.Now()
			var report evaluate.Report
			err = detect.detected(c, func() error {
				report, err = evaluate.MeasureWith(c.ctx, detect.scrubber(&decisions{}), files, func() time.Duration { return time.Since(start) })
				return err
			})
			if err != nil {
				return err
			}
			if !misses {
				report.Misses = []evaluate.Miss{}
			}
			return c.report(report)
		}})
}

// whole reads a labelled file of any length.
func (c *call) whole(name string) ([]evaluate.Example, error) {
	in := c.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return evaluate.Read(in)
}

// percentOf is part of whole in per cent with its 95 % interval, - of nothing.
func percentOf(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	low, high := evaluate.Interval(part, whole)
	return fmt.Sprintf("%.1f (%.1f–%.1f)", 100*float64(part)/float64(whole), low, high)
}

func (c *call) report(r evaluate.Report) error {
	if c.set.v.GetString("output") != "table" || c.jq != "" {
		return c.show(r, nil)
	}
	err := rowsOut(c, r.Rows, column[evaluate.Row]{"TYPE", func(x evaluate.Row) string { return x.Type }},
		column[evaluate.Row]{"LABELS", func(x evaluate.Row) string { return fmt.Sprint(x.Gold) }},
		column[evaluate.Row]{"RECALL %", func(x evaluate.Row) string { return percentOf(x.Covered, x.Gold) }},
		column[evaluate.Row]{"LETTERS %", func(x evaluate.Row) string { return fmt.Sprintf("%.1f", x.Chars) }},
		column[evaluate.Row]{"FINDINGS", func(x evaluate.Row) string { return fmt.Sprint(x.Findings) }},
		column[evaluate.Row]{"PRECISION %", func(x evaluate.Row) string { return percentOf(x.Right, x.Findings) }})
	fmt.Fprintf(c.out, "\n%s\nparts that must stay, touched: %s %% of %d\nclean playbooks, changed: %s %% of %d\nothers, leaking something: %s %% of %d\nmasked without a question and right: %s %% of %d\nquestions a playbook: %.2f\nclean playbooks, changed without a question: %s %% of %d\nplaybooks with a wrong part in a sent field, without a question: %s %% of %d\n%.2f MB/s, %.3f ms a playbook\n",
		plural.Count(r.Playbooks, "playbook", "playbooks"), percentOf(r.Touched, r.Keep), r.Keep, percentOf(r.CleanChanged, r.Clean), r.Clean,
		percentOf(r.Leaking, r.Playbooks-r.Clean), r.Playbooks-r.Clean,
		percentOf(r.SureRight, r.Sure), r.Sure, float64(r.Questions)/float64(max(1, r.Playbooks)), percentOf(r.CleanSure, r.Clean), r.Clean, percentOf(r.SentWrong, r.Playbooks), r.Playbooks,
		r.MBPerSecond, r.MillisEach)
	for _, m := range r.Misses {
		fmt.Fprintf(c.out, "%s: %s %s[%d:%d] %s %s\n", clean(m.ID), m.Kind, m.Path, m.Start, m.End, m.Type, strings.TrimSpace(clean(m.Text)))
	}
	return err
}

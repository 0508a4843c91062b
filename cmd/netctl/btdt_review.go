package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/plural"
)

func btdtReview(a *app) *cobra.Command {
	var how deciding
	return a.verb(verb{use: "review FILE", short: "Decide what stays and what goes of a playbook", args: exactly("FILE"), files: true, offline: true,
		long:  "Review asks about each finding that is not sure, least sure first, and keeps the answers next to the file with\n" + decisionsEnd + ", which is never sent: scrub, check, register, the screens and the tools of a model apply them.\nA word that stays is no longer taken for a name anywhere; one that is masked everywhere is looked for in every\nfield. Without a terminal, or with -o json, it lists the questions; --keep and --mark answer.\nOf a finding that is sure it does not ask: --keep TEXT keeps it.",
		flags: how.flags,
		run: func(c *call) error {
			f, err := c.read(c.args[0])
			if err != nil {
				return err
			}
			return how.detected(c, func() error { return c.review(f, how) })
		}})
}

// asked is a question about a playbook, as review lists it.
type asked struct {
	Text   string  `json:"text"`
	Type   string  `json:"type"`
	Rule   string  `json:"rule"`
	Score  float64 `json:"score"`
	Places []place `json:"places"`
}

// place is where the text of a question stands.
type place struct {
	Path    string `json:"path"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
	Context string `json:"context"`
}

func (c *call) review(f file, how deciding) error {
	if f.name == "-" {
		return usage(errors.New("review needs the name of a file, beside which it keeps the decisions"))
	}
	raw, err := btdt.Decode(f.data)
	if err != nil {
		return problems(f.name, err)
	}
	d, changed, err := how.decide(f, &raw)
	if err != nil {
		return err
	}
	if changed {
		if err := d.write(f.name); err != nil {
			return err
		}
	}
	r, err := how.scrubber(&d).Scrub(c.ctx, raw)
	if err != nil {
		return err
	}
	left := r.Questions(raw)
	if !c.asks() || !c.table() {
		for _, x := range unreadable(f, r.Unread) {
			c.talk("%s", clean(x.String()))
		}
		return c.listQuestions(raw, left)
	}
	if err := c.askQuestions(f, &raw, &d, &how.detecting); err != nil {
		return err
	}
	if r, err = how.scrubber(&d).Scrub(c.ctx, raw); err != nil {
		return err
	}
	c.talk("%s: %s to strip, %d kept, %s open", f.name, plural.Count(len(r.Findings), "part", "parts"), len(r.Kept), plural.Count(len(r.Questions(raw)), "question", "questions"))
	for _, x := range unreadable(f, r.Unread) {
		c.talk("%s", clean(x.String()))
	}
	return nil
}

// listQuestions shows the questions where nobody can be asked.
func (c *call) listQuestions(raw btdt.Playbook, left []btdt.Question) error {
	texts := textsOf(raw)
	rows := []asked{}
	for _, q := range left {
		first := q.Places[0]
		row := asked{Text: q.Text, Type: first.Type, Rule: first.Rule, Score: first.Score}
		for _, x := range q.Places {
			row.Places = append(row.Places, place{x.Path, x.Start, x.End, inContext(texts[x.Path], x, "[", "]")})
		}
		rows = append(rows, row)
	}
	return rowsOut(c, rows, column[asked]{"SCORE", func(r asked) string { return fmt.Sprintf("%.2f", r.Score) }},
		column[asked]{"TYPE", func(r asked) string { return r.Type }},
		column[asked]{"PLACES", func(r asked) string { return fmt.Sprint(len(r.Places)) }},
		column[asked]{"TEXT", func(r asked) string { return r.Places[0].Path + ": " + r.Places[0].Context }})
}

// inContext is a finding between what stands beside it.
func inContext(text []rune, x btdt.Finding, open, end string) string {
	before, after := text[max(0, x.Start-around):x.Start], text[x.End:min(len(text), x.End+around)]
	return clean(string(before)) + open + clean(string(text[x.Start:x.End])) + end + clean(string(after))
}

// errAskedOut says that the person who was asked has stopped.
var errAskedOut = errors.New("stopped; what was decided is kept")

// askQuestions asks about what is not decided, until nothing is left but what the
// author skips, and keeps every answer at once.
func (c *call) askQuestions(f file, raw *btdt.Playbook, d *decisions, detect *detecting) error {
	skipped := map[string]bool{}
	for {
		r, err := detect.scrubber(d).Scrub(c.ctx, *raw)
		if err != nil {
			return err
		}
		var open []btdt.Question
		for _, q := range r.Questions(*raw) {
			if !skipped[q.Text] {
				open = append(open, q)
			}
		}
		if len(open) == 0 {
			return c.askUnread(f, r.Unread, d)
		}
		skip, err := c.askQuestion(open[0], len(open), raw, d)
		if err != nil {
			return err
		}
		skipped[open[0].Text] = skip
		if !skip {
			if err := d.write(f.name); err != nil {
				return err
			}
		}
	}
}

// askUnread asks whether the author has read what the scrubber cannot read.
func (c *call) askUnread(f file, all []btdt.Unread, d *decisions) error {
	for _, u := range all {
		c.talk("%s %s", u.Paths[0], unreadWhat(u))
		answer, err := c.ask("Have you read every word there, and does it identify nobody? [y/N] ")
		if err != nil {
			return err
		}
		if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
			continue
		}
		d.answer(u.Language)
		if err := d.write(f.name); err != nil {
			return err
		}
	}
	return nil
}

// askQuestion asks about one text and notes the answer.
func (c *call) askQuestion(q btdt.Question, left int, raw *btdt.Playbook, d *decisions) (skip bool, err error) {
	texts := textsOf(*raw)
	minus, _, end := c.colours()
	first := q.Places[0]
	c.talk("%s left: is this %s? (confidence %.2f)", plural.Count(left, "question", "questions"), findingNames[first.Type], first.Score)
	for _, x := range q.Places {
		c.talkInColour("  %-16s %s", x.Path, inContext(texts[x.Path], x, minus+"[-", "-]"+end))
	}
	for {
		answer, err := c.ask("(k)eep, (m)ask here, mask (e)verywhere, (w)hy, (s)kip, (q)uit: ")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(answer) {
		case "k", "keep":
			d.keep(q.Text)
			return false, nil
		case "m", "mask":
			for _, x := range q.Places {
				d.mark(btdt.Mark{Text: q.Text, Type: x.Type, Path: x.Path})
			}
			return false, nil
		case "e", "everywhere":
			d.mark(btdt.Mark{Text: q.Text, Type: first.Type})
			return false, nil
		case "w", "why":
			c.talk("  %s, confidence %.2f; %s", foundBy(first.Rule), first.Score, sureFrom(first))
		case "s", "skip":
			return true, nil
		case "q", "quit", "":
			return false, errAskedOut
		default:
			c.talk("  answer with one of the letters in brackets")
		}
	}
}

// foundBy says what found something.
func foundBy(rule string) string {
	if name, own := strings.CutPrefix(rule, "detector:"); own {
		return "found by your detector " + name
	}
	switch rule {
	case "tagger":
		return "found by a model that weighs the word and those around it"
	case "memory":
		return "a name that was found elsewhere in this playbook"
	case "known_name":
		return "a given name of the lists before a surname"
	}
	return "found by its form (" + rule + ")"
}

// sureFrom says from which confidence such a finding is masked without a question.
func sureFrom(f btdt.Finding) string {
	if from := btdt.SureFrom(f); from <= 1 {
		return fmt.Sprintf("from %.2f on such findings are masked without a question", from)
	}
	return "such findings are wrong too often to be masked without a question"
}

// flagsOf joins sets of flags.
func flagsOf(sets ...func(*pflag.FlagSet)) func(*pflag.FlagSet) {
	return func(f *pflag.FlagSet) {
		for _, set := range sets {
			set(f)
		}
	}
}

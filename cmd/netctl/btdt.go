package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/plural"
)

func btdtCommand(a *app) *cobra.Command {
	return noun("btdt", "Playbooks of resolved cases (Been There, Done That)",
		btdtNew(a), btdtCheck(a), btdtScrub(a), btdtReview(a), btdtRegister(a), btdtLs(a), btdtSchema(a), btdtEval(a))
}

// fault is one thing that keeps a playbook from being registered.
type fault struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Path   string `json:"path,omitempty"`
	What   string `json:"what"`
	Do     string `json:"do"`
}

// faults is an error that names them all.
type faults []fault

func (f faults) Error() string {
	s := "this cannot be registered as it is; nothing was sent"
	for _, x := range f {
		s += "\n" + x.String()
	}
	return s
}

func (x fault) String() string {
	return fmt.Sprintf("%s:%d:%d: %s; %s", x.File, x.Line, x.Column, strings.TrimSpace(x.Path+" "+x.What), x.Do)
}

// personal turns findings into faults with their places in the file.
func personal(f file, found []btdt.Finding) faults {
	var out faults
	place := btdt.Locate(f.data)
	for _, x := range found {
		line, column := place(x.Path, x.Start)
		what, do := "seems to hold ", "write "+x.Replacement+" instead"
		if x.Replacement == "" {
			do = "leave it out: the role beside it says enough"
		}
		if !x.Sure {
			what, do = "may hold ", do+", or keep it: "+reviewOf(f.name)
		}
		out = append(out, fault{f.name, line, column, x.Path, what + findingNames[x.Type], do})
	}
	return out
}

// reviewOf names the way to keep what is found in a file.
func reviewOf(name string) string {
	if name == "-" {
		return "--keep TEXT"
	}
	return "netctl btdt review " + name
}

var findingNames = map[string]string{
	btdt.TypeName: "a person's name", btdt.TypeCaseRef: "a case reference", btdt.TypePolicyRef: "a policy or member number",
	btdt.TypeAccount: "an account or customer number", btdt.TypeMedical: "somebody's medical details", btdt.TypeEmail: "an e-mail address",
	btdt.TypePhone: "a phone number", btdt.TypeAddress: "an address", btdt.TypeDOB: "a date of birth", btdt.TypeNationalID: "an identity number",
	btdt.TypeFinancial: "bank or card details", btdt.TypeVehicle: "a vehicle or its plate", btdt.TypeNetwork: "a network address or a personal link",
	btdt.TypeOtherID: "a number that may be someone's",
}

// gather makes one error of those of many files, with one list of what is wrong.
func gather(wrong []error) error {
	var all faults
	var rest []error
	for _, err := range wrong {
		if f, ok := err.(faults); ok {
			all = append(all, f...)
		} else {
			rest = append(rest, err)
		}
	}
	if len(all) > 0 {
		rest = append(rest, all)
	}
	return errors.Join(rest...)
}

// problems turns what the parser reports into faults.
func problems(path string, err error) error {
	many, ok := err.(interface{ Unwrap() []error })
	list := []error{err}
	if ok {
		list = many.Unwrap()
	}
	var found faults
	for _, e := range list {
		var p *btdt.Problem
		if errors.As(e, &p) {
			found = append(found, fault{path, p.Line, p.Column, p.Path, p.What, p.Do})
		}
	}
	if len(found) == 0 {
		return err
	}
	return found
}

func btdtCheck(a *app) *cobra.Command {
	var how deciding
	return a.verb(verb{use: "check FILE...", short: "Check playbook files and show what would be sent of them", args: someFiles, files: true, offline: true,
		long:  "Check reads files, folders and globs, - is standard input. It refuses a file that breaks a rule of the format\nor in which something seems to identify a person, unless its author keeps it (netctl btdt review), what the\nregistry would refuse, and a language that it cannot read until --read answers for it. One file shows its metadata, several a line each.",
		flags: how.flags,
		run: func(c *call) error {
			files, err := c.open(c.args)
			if err != nil {
				return err
			}
			var rows []checked
			err = how.detected(c, func() error {
				rows, err = c.checkAll(files, how)
				return err
			})
			if err != nil || len(rows) == 1 && len(files) == 1 {
				if err == nil {
					err = c.show(rows[0].RegisterPlaybook, nil)
				}
				return err
			}
			return rowsOut(c, rows, column[checked]{"FILE", func(r checked) string { return r.File }},
				column[checked]{"STEPS", func(r checked) string { return fmt.Sprint(r.StepCount) }},
				column[checked]{"TITLE", func(r checked) string { return r.Title }})
		}})
}

// checked is a file that passed.
type checked struct {
	File string `json:"file"`
	netkit.RegisterPlaybook
}

// checkAll reads every file and gathers what is wrong with any.
func (c *call) checkAll(files []file, how deciding) ([]checked, error) {
	var rows []checked
	var wrong []error
	bar := c.bar(len(files))
	for _, f := range files {
		in, err := checkFile(c.ctx, f, how)
		if err != nil {
			wrong = append(wrong, err)
		} else {
			rows = append(rows, checked{f.name, in})
		}
		bar.step()
	}
	bar.end()
	return rows, gather(wrong)
}

// checkFile returns what would be sent of a playbook as it is.
func checkFile(ctx context.Context, f file, how deciding) (in netkit.RegisterPlaybook, err error) {
	book, err := btdt.Parse(f.data)
	if err != nil {
		return in, problems(f.name, err)
	}
	d, _, err := how.decide(f, &book)
	if err != nil {
		return in, err
	}
	r, err := how.scrubber(&d).Scrub(ctx, book)
	if err != nil {
		return in, err
	}
	if found := append(personal(f, r.Findings), unreadable(f, r.Unread)...); len(found) > 0 {
		return in, found
	}
	in = r.Metadata()
	return in, refusedByRegistry(f, in)
}

// unreadable names the languages of a playbook that the scrubber cannot read.
func unreadable(f file, all []btdt.Unread) (out faults) {
	place := btdt.Locate(f.data)
	for _, u := range all {
		line, column := place(u.Paths[0], 0)
		out = append(out, fault{f.name, line, column, u.Paths[0], unreadWhat(u), "read every word there, then: " + answerOf(f.name, u.Language)})
	}
	return out
}

// unreadWhat says what was not done about a language.
func unreadWhat(u btdt.Unread) string {
	language := u.Language
	if language == btdt.UnknownLatin {
		language = "a language that is not known"
	}
	holds := "holds "
	if n := len(u.Paths) - 1; n > 0 {
		holds = "and " + plural.Count(n, "other text hold ", "other texts hold ")
	}
	return holds + language + ": names were not looked for there, only numbers, addresses and the like"
}

// answerOf is the command line that answers for a language.
func answerOf(name, language string) string {
	if name == "-" {
		return "--read '" + language + "'"
	}
	return "netctl btdt review " + name + " --read '" + language + "'"
}

// refusedByRegistry lists what the registry would refuse although the author keeps
// it: sure findings in the fields that are sent.
func refusedByRegistry(f file, in netkit.RegisterPlaybook) error {
	var out faults
	place := btdt.Locate(f.data)
	for _, x := range btdt.RefusedFindings(in) {
		line, column := place(x.Path, x.Start)
		out = append(out, fault{f.name, line, column, x.Path, "holds what the registry takes for " + findingNames[x.Type],
			fmt.Sprintf("reword it; without the part it reads %q", x.Reworded)})
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func btdtLs(a *app) *cobra.Command {
	return a.verb(verb{use: "ls", short: "List your registered playbooks", list: true, empty: "no playbooks yet: netctl btdt register FILE", run: func(c *call) error {
		return list(c, c.net.AllInventory(c.ctx, netkit.Page{}),
			column[netkit.Playbook]{"ID", func(p netkit.Playbook) string { return fmt.Sprint(p.PlaybookID) }},
			column[netkit.Playbook]{"CATEGORY", func(p netkit.Playbook) string { return p.Category }},
			column[netkit.Playbook]{"JURISDICTION", func(p netkit.Playbook) string { return p.Jurisdiction }},
			column[netkit.Playbook]{"STEPS", func(p netkit.Playbook) string { return fmt.Sprint(p.StepCount) }},
			column[netkit.Playbook]{"DAYS", func(p netkit.Playbook) string { return fmt.Sprint(p.TimeTakenDays) }},
			column[netkit.Playbook]{"TITLE", func(p netkit.Playbook) string { return p.Title }})
	}})
}

func btdtSchema(a *app) *cobra.Command {
	return a.verb(verb{use: "schema", short: "Print the form of a playbook as JSON Schema", offline: true, run: func(c *call) error {
		if c.jq != "" || c.set.v.GetString("output") == "yaml" {
			return c.print(btdt.Schema())
		}
		_, err := c.out.Write(btdt.Schema())
		return err
	}})
}

// template is a playbook to fill in.
var template = btdt.Playbook{
	Title: "What was reached, with whom and how", Category: "insurance", SubCategory: "denied_claim", Jurisdiction: "US",
	Status: btdt.StatusResolved, Outcome: "The claim was paid in full.",
	Steps:       []string{"Asked for the denial in writing.", "Sent an appeal within 30 days."},
	KeyContacts: []string{"Appeals department"}, LegalLevers: []string{}, TimeTakenDays: 30, WhatFailed: []string{"Calling the general line."},
}

func btdtNew(a *app) *cobra.Command {
	return a.verb(verb{use: "new [FILE]", short: "Write a playbook to fill in, to a new file or standard output", args: cobra.MaximumNArgs(1), files: true, offline: true,
		run: func(c *call) error {
			doc := pretty(template)
			if len(c.args) == 0 || c.args[0] == "-" {
				_, err := c.out.Write(doc)
				return err
			}
			return writeNew(c.args[0], doc)
		}})
}

// writeNew writes a file that must not exist yet.
func writeNew(path string, doc []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return because(netkit.ErrConflict, "%s exists; name another file or remove it", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(doc)
	return errors.Join(err, f.Close())
}

// pretty is a playbook as people read it.
func pretty(p btdt.Playbook) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, p.Canonical(), "", "  "); err != nil {
		panic("netctl: a canonical form is JSON: " + err.Error())
	}
	b.WriteByte('\n')
	return b.Bytes()
}

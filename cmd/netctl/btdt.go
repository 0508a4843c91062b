package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
)

func btdtCommand(a *app) *cobra.Command {
	return noun("btdt", "Playbooks of resolved cases (Been There, Done That)", btdtCheck(a), btdtRegister(a), btdtLs(a))
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
	s := "the playbook cannot be registered as it is; nothing was sent"
	for _, x := range f {
		s += fmt.Sprintf("\n%s:%d:%d: %s; %s", x.File, x.Line, x.Column, strings.TrimSpace(x.Path+" "+x.What), x.Do)
	}
	return s
}

// readPlaybook reads a file, and refuses one that is malformed or in which the
// check finds what identifies someone.
func readPlaybook(path string) (*btdt.Playbook, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	book, err := btdt.Parse(data)
	if err != nil {
		return nil, problems(path, err)
	}
	var found faults
	places := locate(data)
	for _, f := range btdt.Check(book) {
		line, column := places.of(f.Path, f.Start)
		found = append(found, faultOf(path, line, column, f))
	}
	if len(found) > 0 {
		return nil, found
	}
	return &book, nil
}

// findingNames says what a finding of a type is. A type that is not named here
// is one that a later check looks for.
var findingNames = map[string]string{
	btdt.TypeName: "a name", btdt.TypeCaseRef: "a case number", btdt.TypePolicyRef: "a policy number",
	btdt.TypeAccount: "an account number", btdt.TypeMedical: "a medical detail", btdt.TypeEmail: "an e-mail address",
	btdt.TypePhone: "a phone number", btdt.TypeAddress: "an address", btdt.TypeDOB: "a date of birth",
	btdt.TypeNationalID: "a national identity number", btdt.TypeFinancial: "a bank or card number",
	btdt.TypeVehicle: "a vehicle's number", btdt.TypeNetwork: "a network address", btdt.TypeOtherID: "a number that may be someone's",
}

// faultOf says what was found and what to do about it.
func faultOf(path string, line, column int, f btdt.Finding) fault {
	what, ok := findingNames[f.Type]
	if !ok {
		what = "what identifies someone (" + f.Type + ")"
	}
	do := "write " + f.Replacement + " instead"
	if f.Replacement == "" {
		do = "leave it out"
	}
	return fault{path, line, column, f.Path, "seems to hold " + what, do}
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
	return a.verb(verb{use: "check FILE", short: "Check a playbook file and show what would be sent of it", args: exactly("FILE"), files: true, offline: true,
		run: func(c *call) error {
			book, err := readPlaybook(c.args[0])
			if err != nil {
				return err
			}
			return c.show(book.Metadata(), nil)
		}})
}

func btdtRegister(a *app) *cobra.Command {
	return a.verb(verb{use: "register FILE", short: "Register a resolved case by its metadata; the file stays here", args: exactly("FILE"), files: true, changes: true,
		run: func(c *call) error {
			book, err := readPlaybook(c.args[0])
			if err != nil {
				return err
			}
			in, err := registration(book.Metadata())
			if err != nil {
				return err
			}
			return c.show(c.net.RegisterPlaybook(c.ctx, in))
		}})
}

// registration is what is sent of a playbook.
func registration(m btdt.Metadata) (netkit.RegisterPlaybook, error) {
	in := netkit.RegisterPlaybook{Title: m.Title, Category: m.Category, SubCategory: m.SubCategory, Jurisdiction: m.Jurisdiction,
		Region: m.Region, Entity: m.Entity, Status: m.Status, TimeTakenDays: m.TimeTakenDays, StepCount: m.StepCount, ScrubberVersion: m.ScrubberVersion}
	return in, in.ContentSHA256.UnmarshalText([]byte(m.ContentSHA256))
}

func btdtLs(a *app) *cobra.Command {
	return a.verb(verb{use: "ls", short: "List your registered playbooks", list: true, run: func(c *call) error {
		return list(c, c.net.AllInventory(c.ctx, netkit.Page{}),
			column[netkit.Playbook]{"ID", func(p netkit.Playbook) string { return fmt.Sprint(p.PlaybookID) }},
			column[netkit.Playbook]{"CATEGORY", func(p netkit.Playbook) string { return p.Category }},
			column[netkit.Playbook]{"JURISDICTION", func(p netkit.Playbook) string { return p.Jurisdiction }},
			column[netkit.Playbook]{"STEPS", func(p netkit.Playbook) string { return fmt.Sprint(p.StepCount) }},
			column[netkit.Playbook]{"DAYS", func(p netkit.Playbook) string { return fmt.Sprint(p.TimeTakenDays) }},
			column[netkit.Playbook]{"TITLE", func(p netkit.Playbook) string { return shorten(p.Title) }})
	}})
}

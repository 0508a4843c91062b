package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

func ledgerCommand(a *app) *cobra.Command {
	return noun("ledger", "The journal: read it, and check it", ledgerLs(a), ledgerShow(a), ledgerStatement(a), ledgerBalance(a), ledgerBooks(a), ledgerWhy(a), ledgerProve(a), ledgerVerify(a), ledgerErase(a), ledgerExport(a), ledgerMirror(a))
}

// readPublic reads the public part of an entry.
func readPublic(raw json.RawMessage) (*rules.Entry, error) {
	var head struct {
		Seq uint64 `json:"seq"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, fmt.Errorf("an entry is not JSON: %w", err)
	}
	return rules.ReadEntry(journal.Record{Seq: head.Seq, Public: raw})
}

func ledgerLs(a *app) *cobra.Command {
	var from uint64
	var filter entryFilter
	var given *pflag.FlagSet
	return a.verb(verb{use: "ls", short: "List journal entries, by default the latest", list: true, empty: "no entries found: netctl ledger ls shows the latest",
		flags: func(f *pflag.FlagSet) {
			given = f
			f.Uint64Var(&from, "from", 0, "begin with the entry of that number")
			filter.flags(f)
		},
		run: func(c *call) error {
			entries := c.entriesFrom(from, &filter)
			if !given.Changed("from") && c.limit > 0 {
				latest, more, err := c.latestEntries(c.limit, &filter)
				if err != nil {
					return err
				}
				if more && filter.isSet() {
					defer c.talk("there are older ones; --limit 0 shows all")
				}
				entries = func(yield func(json.RawMessage, error) bool) {
					for _, raw := range latest {
						if !yield(raw, nil) {
							return
						}
					}
				}
			}
			if !c.table() {
				entries = dated(entries)
			}
			return list(c, entries, entryColumns...)
		}})
}

func ledgerShow(a *app) *cobra.Command {
	return a.verb(verb{use: "show ENTRY", short: "Show one journal entry", args: exactly("ENTRY"), run: func(c *call) error {
		number, err := id(c.args[0])
		if err != nil {
			return err
		}
		raw, err := c.net.Entry(c.ctx, number)
		if err != nil {
			return err
		}
		if e, err := readPublic(raw); err == nil {
			raw = withTimes(raw, e)
		}
		return c.show(raw, nil)
	}})
}

// dated gives the times of entries as they are given everywhere else. The journal
// holds milliseconds.
func dated(entries iter.Seq2[json.RawMessage, error]) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for raw, err := range entries {
			if e, bad := readPublic(raw); err == nil && bad == nil {
				raw = withTimes(raw, e)
			}
			if !yield(raw, err) {
				return
			}
		}
	}
}

// withTimes writes out the times of an entry: its own, and those of its fact.
func withTimes(raw json.RawMessage, e *rules.Entry) json.RawMessage {
	times := map[string]netkit.Millis{"at": e.At}
	fact := reflect.Indirect(reflect.ValueOf(e.Fact))
	for i := range fact.NumField() {
		f := fact.Type().Field(i)
		if at, is := fact.Field(i), f.Type == reflect.TypeFor[netkit.Millis](); is && f.IsExported() && at.Int() != 0 {
			times[strings.ToLower(f.Name)] = netkit.Millis(at.Int())
		}
	}
	for name, at := range times { // a name in a text has a backslash before its quotation mark
		field := regexp.MustCompile(`([{,]"` + name + `(?:_[a-z]+)?":)` + strconv.FormatInt(int64(at), 10) + `\b`)
		raw = field.ReplaceAll(raw, []byte(`${1}"`+at.String()+`"`))
	}
	return raw
}

var entryColumns = []column[json.RawMessage]{
	{"ENTRY", onEntry(func(e *rules.Entry) string { return fmt.Sprint(e.Seq) })},
	{"AT", onEntry(func(e *rules.Entry) string { return second(e.At) })},
	{"KIND", onEntry(func(e *rules.Entry) string { return string(e.Kind) })},
	{"ACTOR", onEntry(func(e *rules.Entry) string { return e.Actor })},
	{"POSTINGS", onEntry(func(e *rules.Entry) string {
		parts := make([]string, len(e.Postings))
		for i, p := range e.Postings {
			parts[i] = p.Account.String() + " " + p.Amount.String()
		}
		return strings.Join(parts, ", ")
	})},
}

// onEntry shows something of an entry's public part; of a kind that this
// version does not know, nothing.
func onEntry(text func(*rules.Entry) string) func(json.RawMessage) string {
	return func(raw json.RawMessage) string {
		e, err := readPublic(raw)
		if err != nil {
			return "?"
		}
		return text(e)
	}
}

func account(s string) (netkit.Account, error) {
	acc, err := netkit.ParseAccount(s)
	if err != nil {
		return acc, usage(err)
	}
	return acc, nil
}

func ledgerStatement(a *app) *cobra.Command {
	return a.verb(verb{use: "statement ACCOUNT", short: "List what was posted to an account, newest first", empty: "nothing was posted to this account yet: netctl ledger ls lists all entries", args: exactly("ACCOUNT"), list: true,
		long: "List what was posted to an account, newest first. Accounts are treasury, issuance, wallet:AGENT, sponsor:SPONSOR, contract:ID and escrow:ID.",
		run: func(c *call) error {
			acc, err := account(c.args[0])
			if err != nil {
				return err
			}
			return list(c, c.net.AllStatement(c.ctx, acc, netkit.Page{}), statementColumns...)
		}})
}

var statementColumns = []column[netkit.StatementLine]{
	{"ENTRY", func(l netkit.StatementLine) string { return fmt.Sprint(l.Seq) }},
	{"AT", func(l netkit.StatementLine) string { return second(l.At) }},
	{"KIND", func(l netkit.StatementLine) string { return string(l.Kind) }},
	{"AMOUNT", func(l netkit.StatementLine) string { return l.Amount.String() }},
	{"AFTER", func(l netkit.StatementLine) string { return l.After.String() }},
	{"ACTOR", func(l netkit.StatementLine) string { return l.Actor }},
}

func ledgerBalance(a *app) *cobra.Command {
	var at *netkit.Millis
	return a.verb(verb{use: "balance ACCOUNT", short: "Show what an account holds, now or at a time in the past", args: exactly("ACCOUNT"),
		flags: func(f *pflag.FlagSet) {
			f.Var(past{&at}, "at", "what it held then: a time such as 2026-03-01T12:00:00Z, or a date, which means its last moment in UTC")
		},
		run: func(c *call) error {
			acc, err := account(c.args[0])
			if err != nil {
				return err
			}
			if at == nil {
				return c.show(c.net.Balance(c.ctx, acc))
			}
			return c.show(c.net.BalanceAt(c.ctx, acc, *at))
		}})
}

func ledgerBooks(a *app) *cobra.Command {
	return a.verb(verb{use: "books", short: "Sum all accounts, which is always 0", run: func(c *call) error {
		return c.show(c.net.Conservation(c.ctx))
	}})
}

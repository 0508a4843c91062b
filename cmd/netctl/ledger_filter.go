package main

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"sort"

	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// entryFilter selects journal entries, as the filters of the ledger's page do.
// The zero value selects all.
type entryFilter struct {
	kind    netkit.Kind
	actor   string
	account *netkit.Account
	day     *netkit.Day
}

func (f *entryFilter) flags(flags *pflag.FlagSet) {
	flags.Var(kindFlag{&f.kind}, "kind", "only entries of this kind, such as execution")
	flags.StringVar(&f.actor, "actor", "", "only entries by this agent, sponsor or operator")
	flags.Var(accountFlag{&f.account}, "account", "only entries with a posting on this account, such as wallet:ada")
	flags.Var(date{&f.day}, "day", "only entries of this UTC date")
}

func (f *entryFilter) isSet() bool { return *f != entryFilter{} }

// matches reports whether an entry is selected. An entry that this version
// cannot read is not.
func (f *entryFilter) matches(raw json.RawMessage) bool {
	e, err := readPublic(raw)
	if err != nil {
		return false
	}
	return f.matchesHead(e.Kind, e.Actor) && (f.day == nil || e.At.Day() == *f.day) &&
		(f.account == nil || slices.ContainsFunc(e.Postings, func(p rules.Posting) bool { return p.Account == *f.account }))
}

func (f *entryFilter) matchesHead(kind netkit.Kind, actor string) bool {
	return (f.kind == "" || kind == f.kind) && (f.actor == "" || actor == f.actor)
}

// entriesFrom returns the selected entries from a number on.
func (c *call) entriesFrom(from uint64, f *entryFilter) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		first, end, err := c.rangeOf(f)
		if err != nil {
			yield(nil, err)
			return
		}
		seq := max(from, first)
		for raw, err := range c.net.AllEntries(c.ctx, seq) {
			if err == nil && seq >= end && f.day != nil {
				return
			}
			if seq++; (err != nil || !f.isSet() || f.matches(raw)) && !yield(raw, err) {
				return
			}
		}
	}
}

// latestEntries returns the newest selected entries in the order of the journal,
// at most limit of them, 0 being all, and reports whether there are older ones.
func (c *call) latestEntries(limit int, f *entryFilter) (found []json.RawMessage, more bool, err error) {
	first, end, err := c.rangeOf(f)
	if err != nil {
		return nil, false, err
	}
	newest := c.entriesBackwards(first, end, f)
	if f.account != nil {
		newest = c.postedEntries(first, end, f)
	}
	for raw, err := range newest {
		if err != nil {
			return nil, false, err
		}
		if more = limit > 0 && len(found) == limit; more {
			break
		}
		found = append(found, raw)
	}
	slices.Reverse(found)
	return found, more, nil
}

// rangeOf returns the numbers of the first entry that a filter may select and of
// the one behind the last.
func (c *call) rangeOf(f *entryFilter) (first, end uint64, err error) {
	h, err := c.net.Health(c.ctx)
	if err != nil || f.day == nil {
		return 0, h.Entries, err
	}
	if first, err = c.firstEntryOf(*f.day, h.Entries); err != nil {
		return 0, 0, err
	}
	end, err = c.firstEntryOf(*f.day+1, h.Entries)
	return first, end, err
}

// firstEntryOf finds the first entry of a day or later, or returns end without one.
// The times of entries never go back.
func (c *call) firstEntryOf(day netkit.Day, end uint64) (uint64, error) {
	var failed error
	n := sort.Search(int(end), func(i int) bool {
		if failed != nil {
			return true
		}
		var head struct {
			At int64 `json:"at"`
		}
		raw, err := c.net.Entry(c.ctx, uint64(i))
		if failed = errors.Join(err, json.Unmarshal(raw, &head)); err != nil {
			failed = err
		}
		return failed != nil || netkit.Millis(head.At).Day() >= day
	})
	return uint64(n), failed
}

// entriesBackwards returns the selected entries of [first, end), newest first.
func (c *call) entriesBackwards(first, end uint64, f *entryFilter) iter.Seq2[json.RawMessage, error] {
	const step = 200 // entries that are read at a time
	return func(yield func(json.RawMessage, error) bool) {
		for end > first {
			from := end - min(end-first, step)
			rows, err := c.net.Entries(c.ctx, from, int(end-from))
			if err != nil {
				yield(nil, err)
				return
			}
			for _, raw := range slices.Backward(rows.Items) {
				if (!f.isSet() || f.matches(raw)) && !yield(raw, nil) {
					return
				}
			}
			end = from
		}
	}
}

// postedEntries is entriesBackwards by the statement of the filter's account, so
// that only entries that are selected are read.
func (c *call) postedEntries(first, end uint64, f *entryFilter) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		last := end // of which an entry may have several postings
		for l, err := range c.net.AllStatement(c.ctx, *f.account, netkit.Page{Limit: 200}) {
			switch {
			case err != nil:
				yield(nil, err)
				return
			case l.Seq < first:
				return
			case l.Seq >= last || !f.matchesHead(l.Kind, l.Actor):
				continue
			}
			last = l.Seq
			if raw, err := c.net.Entry(c.ctx, l.Seq); !yield(raw, err) || err != nil {
				return
			}
		}
	}
}

// kindFlag is a flag for a kind of entry.
type kindFlag struct{ p *netkit.Kind }

// Set implements pflag.Value.
func (k kindFlag) Set(s string) error {
	if !slices.Contains(k.choices(), s) {
		return errors.New("must be a kind of entry such as execution, attention.sent or badge.issued; netctl ledger ls shows them in its column KIND")
	}
	*k.p = netkit.Kind(s)
	return nil
}

func (k kindFlag) String() string { return "" }

// Type implements pflag.Value.
func (k kindFlag) Type() string { return "kind" }

func (k kindFlag) choices() (names []string) {
	for _, kind := range netkit.Kinds() {
		names = append(names, string(kind))
	}
	return names
}

// accountFlag is a flag for an account of the ledger.
type accountFlag struct{ p **netkit.Account }

// Set implements pflag.Value.
func (f accountFlag) Set(s string) error {
	acc, err := netkit.ParseAccount(s)
	if err != nil {
		return errors.New(plainly(err))
	}
	*f.p = &acc
	return nil
}

func (f accountFlag) String() string { return "" }

// Type implements pflag.Value.
func (f accountFlag) Type() string { return "account" }

package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// line is an entry of the journal as a row of the book.
type line struct {
	Seq          uint64          `json:"seq"`
	At           int64           `json:"at"`
	Kind         string          `json:"kind"`
	Actor        string          `json:"actor"`
	Constitution string          `json:"constitution"`
	Postings     []rules.Posting `json:"postings"`
	Private      string          `json:"private"`
	Fact         json.RawMessage `json:"fact"`
}

// When is the time of the entry.
func (l *line) When() netkit.Millis { return netkit.Millis(l.At) }

// Moved is what changed hands.
func (l *line) Moved() (sum netkit.Credits) {
	for _, p := range l.Postings {
		sum += max(p.Amount, 0)
	}
	return sum
}

// Sum is 0: that is what the books rest on, and so it is added up here.
func (l *line) Sum() (sum netkit.Credits) {
	for _, p := range l.Postings {
		sum += p.Amount
	}
	return sum
}

// Words says what happened.
func (l *line) Words() string { return netkit.Kind(l.Kind).Title() }

// lines reads entries from a number on and gives them newest first.
func (p *Pages) lines(ctx context.Context, from uint64, limit int) ([]line, error) {
	raw, err := p.net.Entries(ctx, from, limit)
	if err != nil {
		return nil, err
	}
	all := make([]line, len(raw))
	for i, b := range raw {
		if err := json.Unmarshal(b, &all[len(raw)-1-i]); err != nil {
			return nil, fmt.Errorf("web: entry %d: %w", from+uint64(i), err)
		}
	}
	return all, nil
}

// ledgerData is a window of the journal.
type ledgerData struct {
	Books   netkit.Books
	Bar     template.HTML
	Lines   []line
	Entries uint64
	Older   string
	Newer   string
	Query   url.Values
	Log     *logView // nil where none is signed

	Kinds    []netkit.Kind
	Filtered bool
}

// at is the address of the window before an entry, with the filters of this one.
func (d *ledgerData) at(before uint64) string {
	q := url.Values{"before": {strconv.FormatUint(before, 10)}}
	for _, name := range []string{"kind", "actor"} {
		if text := d.Query.Get(name); text != "" {
			q.Set(name, text)
		}
	}
	return "/ledger?" + q.Encode()
}

const (
	ledgerLines = 40   // in a window
	ledgerLooks = 2000 // entries that one window looks at for those that match
	ledgerStep  = 200  // entries that are read at a time
)

// matching reads backwards from an entry and returns those with the given kind and
// actor, where these are not empty, newest first, and the entry up to which it
// looked. Only entries that hold both as text are decoded.
func (p *Pages) matching(ctx context.Context, end uint64, kind, actor string) (found []line, from uint64, err error) {
	text, err := wanted(kind, actor)
	if err != nil {
		return nil, 0, err
	}
	for from = end; from > 0 && end-from < ledgerLooks; {
		start := before(from, ledgerStep)
		raw, err := p.net.Entries(ctx, start, int(from-start))
		if err != nil {
			return nil, 0, err
		}
		for i := len(raw) - 1; i >= 0; i-- {
			from = start + uint64(i)
			if !containsAll(raw[i], text) {
				continue
			}
			var row line
			if err := json.Unmarshal(raw[i], &row); err != nil {
				return nil, 0, fmt.Errorf("web: entry %d: %w", from, err)
			}
			if kind != "" && row.Kind != kind || actor != "" && row.Actor != actor {
				continue
			}
			if found = append(found, row); len(found) == ledgerLines {
				return found, from, nil
			}
		}
		from = start
	}
	return found, from, nil
}

// wanted returns the JSON of the fields that an entry has to hold.
func wanted(kind, actor string) (all [][]byte, err error) {
	for _, f := range [][2]string{{"kind", kind}, {"actor", actor}} {
		if f[1] == "" {
			continue
		}
		value, err := json.Marshal(f[1])
		if err != nil {
			return nil, err
		}
		all = append(all, fmt.Appendf(nil, "%q:%s", f[0], value))
	}
	return all, nil
}

func containsAll(b []byte, all [][]byte) bool {
	return !slices.ContainsFunc(all, func(one []byte) bool { return !bytes.Contains(b, one) })
}

// firstOf finds the first entry of a day or later; the times of entries never go
// back. It is end where there is none.
func (p *Pages) firstOf(ctx context.Context, day netkit.Day, end uint64) (uint64, error) {
	var failed error
	n := sort.Search(int(end), func(i int) bool {
		rows, err := p.lines(ctx, uint64(i), 1)
		if err != nil || len(rows) == 0 {
			failed = errors.Join(failed, err)
			return true
		}
		return rows[0].When().Day() >= day
	})
	return uint64(n), failed
}

func (p *Pages) ledger(v *request) (*screen, error) {
	ctx := v.r.Context()
	d := ledgerData{Entries: p.net.Health().Entries, Query: v.r.URL.Query(), Kinds: netkit.Kinds()}
	end := d.Entries
	if text := d.Query.Get("before"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ValueWrong, Field: "before", What: "is not the number of an entry", Next: "leave it out to see the newest"}
		}
		end = min(n, end)
	}
	if text := d.Query.Get("date"); text != "" {
		var day netkit.Day
		if err := day.UnmarshalText([]byte(text)); err != nil {
			return nil, &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ValueWrong, Field: "date", What: "is not a date", Next: "write it as in 2026-02-20"}
		}
		after, err := p.firstOf(ctx, day+1, d.Entries)
		if err != nil {
			return nil, err
		}
		end = min(end, after)
	}
	var err error
	if d.Books, err = p.net.As("").Conservation(ctx); err != nil {
		return nil, err
	}
	kind, actor := d.Query.Get("kind"), strings.TrimSpace(d.Query.Get("actor"))
	d.Filtered = kind+actor+d.Query.Get("date") != ""
	from := uint64(0)
	if d.Lines, from, err = p.matching(ctx, end, kind, actor); err != nil {
		return nil, err
	}
	if d.Log, err = p.logView(ctx); err != nil {
		return nil, err
	}
	d.Bar = drawBooks(d.Books)
	if from > 0 {
		d.Older = d.at(from)
	}
	if end < d.Entries {
		d.Newer = d.at(min(end+ledgerLines, d.Entries))
	}
	return &screen{name: "ledger", title: "Ledger", data: d}, nil
}

// entryData is one entry.
type entryData struct {
	Line line
	Raw  string
	Next uint64 // 0 on the newest
	Prev *uint64
	Log  *logView // nil where none is signed
	// Proved says that the checkpoint that is shown holds the entry.
	Proved bool
}

func (p *Pages) entry(v *request) (*screen, error) {
	seq, err := idOf(v, "seq", code.EntryUnknown, "entry")
	if err != nil {
		return nil, err
	}
	raw, err := p.net.Entries(v.r.Context(), seq, 1)
	if err == nil && len(raw) == 0 {
		err = &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.EntryUnknown, What: "there is no such entry yet", Next: "the ledger shows the newest ones"}
	}
	if err != nil {
		return nil, err
	}
	var d entryData
	var pretty bytes.Buffer
	if err := json.Unmarshal(raw[0], &d.Line); err != nil {
		return nil, fmt.Errorf("web: entry %d: %w", seq, err)
	}
	if err := json.Indent(&pretty, raw[0], "", "  "); err != nil {
		return nil, fmt.Errorf("web: entry %d: %w", seq, err)
	}
	d.Raw = visible(pretty.String())
	if d.Log, err = p.logView(v.r.Context()); err != nil {
		return nil, err
	}
	d.Proved = d.Log != nil && seq < d.Log.Size
	if seq > 0 {
		prev := seq - 1
		d.Prev = &prev
	}
	if seq+1 < p.net.Health().Entries {
		d.Next = seq + 1
	}
	return &screen{name: "entry", title: "Entry " + strconv.FormatUint(seq, 10), data: &d}, nil
}

// accountData is a window of a statement.
type accountData struct {
	Account netkit.Account
	Balance netkit.AccountBalance
	List    netkit.List[netkit.StatementLine]
	Chart   template.HTML
	Next    string
}

func (p *Pages) account(v *request) (*screen, error) {
	a, err := netkit.ParseAccount(v.r.PathValue("account"))
	if err != nil {
		return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.AccountUnknown, What: "there is no account of that name", Next: "the entries of the ledger name those there are"}
	}
	ctx, q := v.r.Context(), v.r.URL.Query()
	b, err := p.net.As("").Balance(ctx, a)
	if err != nil {
		return nil, err
	}
	d := accountData{Account: a, Balance: b}
	if d.List, err = p.net.As("").Statement(ctx, a, netkit.Page{Cursor: q.Get("cursor"), Limit: 50}); err != nil {
		return nil, err
	}
	d.Chart = drawBalance("Balance of "+a.String(), d.List.Items)
	d.Next = nextPage("/ledger/accounts/"+a.String(), q, d.List.NextCursor)
	return &screen{name: "account", title: a.String(), data: d}, nil
}

package netkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

// traded is a network in which money went every way but one.
func traded(t testing.TB) (*fixture, uint64) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada", "bob")
	f.admit("acme", 100*Credit)
	ct := must[ContractReceipt](t)(f.As("acme").OpenContract(ctx, OpenContract{Title: "t", Brief: "b", Channel: NicheLegal,
		Budget: 30 * Credit, ExecutionsPerAgent: 99}))
	for range 5 {
		must[Execution](t)(f.As("ada").Execute(ctx, Execute{ct.CampaignID, signal}))
	}
	must[ContractReceipt](t)(f.As("acme").FundContract(ctx, FundContract{ct.CampaignID, 5 * Credit}))
	f.takes("bob", 12*Credit)
	f.asks("ada", "bob")
	return f, ct.CampaignID
}

// statement reads a whole statement, two lines a page.
func (f *fixture) statement(t testing.TB, a Account) (lines []StatementLine) {
	t.Helper()
	for page := (Page{Limit: 2}); ; {
		l := must[List[StatementLine]](t)(f.As("").Statement(t.Context(), a, page))
		lines = append(lines, l.Items...)
		if page.Cursor = l.NextCursor; page.Cursor == "" {
			return lines
		}
	}
}

// A statement is complete: every posting of the account is on it, its lines
// chain, and they add up to the balance.
func TestStatementIsComplete(t *testing.T) {
	f, ct := traded(t)
	ctx := t.Context()
	want := map[string][]StatementLine{}
	for seq := range f.state.root.next {
		e := must[*Entry](t)(f.Entry(ctx, seq))
		for _, p := range e.Postings {
			name := p.Account.String()
			line := StatementLine{e.Seq, e.At, e.Kind, p.Amount, p.After, p.Prev, e.Actor}
			want[name] = append([]StatementLine{line}, want[name]...)
		}
	}
	for _, a := range []Account{Treasury, Issuance, Wallet("ada"), Wallet("bob"), SponsorFunds("acme"), ContractBudget(ct)} {
		got := f.statement(t, a)
		if diff := cmp.Diff(want[a.String()], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", a, diff)
		}
		b := must[AccountBalance](t)(f.As("").Balance(ctx, a))
		if len(got) > 0 && got[0].After != b.Balance {
			t.Errorf("%s: got balance %s, want %s", a, b.Balance, got[0].After)
		}
	}
	f.restarts(t)
}

func TestStatementOfAnAccountWithoutPostings(t *testing.T) {
	f := start(t, journal.NewMemory())
	if lines := f.statement(t, Treasury); len(lines) != 0 {
		t.Errorf("got %+v, want none", lines)
	}
}

func TestStatementRefused(t *testing.T) {
	f, ct := traded(t)
	ctx := t.Context()
	for _, a := range []Account{{}, Wallet("nobody"), Wallet("acme"), Wallet("operator"), SponsorFunds("ada"), SponsorFunds("operator"),
		ContractBudget(1), Escrow(ct)} {
		_, err := f.As("").Statement(ctx, a, Page{})
		refused(t, err, ErrNotFound, "account_unknown")
		_, err = f.As("").Balance(ctx, a)
		refused(t, err, ErrNotFound, "account_unknown")
	}
	for _, cursor := range []string{"?", cursorBelow(math.MaxUint64), cursorBelow(1)} {
		_, err := f.As("").Statement(ctx, Wallet("bob"), Page{Cursor: cursor})
		refused(t, err, ErrInvalid, "cursor_malformed")
	}
	_, err := f.As("").Statement(ctx, Treasury, Page{Limit: 201})
	refused(t, err, ErrInvalid, "limit_out_of_range")
}

// An escrow account lives as long as its request is pending.
func TestStatementOfAnEscrow(t *testing.T) {
	f, _ := traded(t)
	ctx := t.Context()
	r := f.asks("ada", "bob")
	if lines := f.statement(t, Escrow(r.ID)); len(lines) != 1 || lines[0].Amount != 12*Credit {
		t.Errorf("got %+v, want 12.00 held", lines)
	}
	must[AttentionReceipt](t)(f.As("bob").DeclineAttention(ctx, DeclineAttention{ID: r.ID}))
	_, err := f.As("").Statement(ctx, Escrow(r.ID), Page{})
	refused(t, err, ErrNotFound, "account_unknown")
}

func TestBooksAddUpToNothing(t *testing.T) {
	f, _ := traded(t)
	b := must[Books](t)(f.As("").Conservation(t.Context()))
	want := Books{Accounts: 2 + 2 + 1 + 1 + 1, Issued: -200 * Credit, Treasury: 150, Wallets: 100*Credit + 850 - 12*Credit,
		Sponsors: 65 * Credit, Contracts: 25 * Credit, Escrow: 12 * Credit, AsOf: b.AsOf}
	if diff := cmp.Diff(want, b); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.mu.Lock()
	f.state.wallets.At(1).held++ // a hundredth out of nowhere
	f.mu.Unlock()
	if b := must[Books](t)(f.As("").Conservation(t.Context())); b.Sum != 1 {
		t.Errorf("got a sum of %s, want 0.01", b.Sum)
	}
}

// Entries are the bytes of the journal, and never a private part.
func TestEntriesAreTheJournal(t *testing.T) {
	f, _ := traded(t)
	ctx := t.Context()
	size := f.state.root.next
	seq := uint64(0)
	for r, err := range f.store.Read(ctx, 0, size) {
		if err != nil {
			t.Fatal(err)
		}
		got := must[[]json.RawMessage](t)(f.Entries(ctx, seq, 1))
		if len(got) != 1 || !bytes.Equal(got[0], r.Public) {
			t.Errorf("entry %d: got %s, want %s", seq, got, r.Public)
		}
		seq++
	}
	if got := must[[]json.RawMessage](t)(f.Entries(ctx, 2, 0)); uint64(len(got)) != size-2 {
		t.Errorf("got %d entries from 2, want %d", len(got), size-2)
	}
	for _, from := range []uint64{size, size + 1, math.MaxUint64} {
		if got := must[[]json.RawMessage](t)(f.Entries(ctx, from, 10)); len(got) != 0 {
			t.Errorf("got %d entries from %d, want none", len(got), from)
		}
	}
	for _, limit := range []int{-1, 1001} {
		_, err := f.Entries(ctx, 0, limit)
		refused(t, err, ErrInvalid, "limit_out_of_range")
	}
	for _, e := range must[[]json.RawMessage](t)(f.Entries(ctx, 0, 0)) {
		if bytes.Contains(e, []byte(fmt.Sprintf("%q", signal.Headline))) {
			t.Errorf("%s holds a signal", e)
		}
	}
}

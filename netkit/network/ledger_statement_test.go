package network

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// traded is a network in which money went every way but one.
func traded(t testing.TB) (*fixture, uint64) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada", "bob")
	f.admit("acme", 100*netkit.Credit)
	ct := must[netkit.ContractReceipt](t)(f.As("acme").OpenContract(ctx, netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheLegal,
		Budget: 30 * netkit.Credit, ExecutionsPerAgent: 99}))
	for range 5 {
		must[netkit.Execution](t)(f.As("ada").Execute(ctx, netkit.Execute{CampaignID: ct.CampaignID, Signal: signal}))
	}
	must[netkit.ContractReceipt](t)(f.As("acme").FundContract(ctx, netkit.FundContract{CampaignID: ct.CampaignID, Amount: 5 * netkit.Credit}))
	f.takes("bob", 12*netkit.Credit)
	f.asks("ada", "bob")
	return f, ct.CampaignID
}

// statement reads a whole statement, two lines a page.
func (f *fixture) statement(t testing.TB, a netkit.Account) (lines []netkit.StatementLine) {
	t.Helper()
	for page := (netkit.Page{Limit: 2}); ; {
		l := must[netkit.List[netkit.StatementLine]](t)(f.As("").Statement(t.Context(), a, page))
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
	want := map[string][]netkit.StatementLine{}
	for seq := range f.state.Size() {
		e := must[*rules.Entry](t)(f.Entry(ctx, seq))
		for _, p := range e.Postings {
			name := p.Account.String()
			line := netkit.StatementLine{Seq: e.Seq, At: e.At, Kind: e.Kind, Amount: p.Amount, After: p.After, Prev: p.Prev, Actor: e.Actor}
			want[name] = append([]netkit.StatementLine{line}, want[name]...)
		}
	}
	for _, a := range []netkit.Account{netkit.Treasury, netkit.Issuance, netkit.Wallet("ada"), netkit.Wallet("bob"), netkit.SponsorFunds("acme"), netkit.ContractBudget(ct)} {
		got := f.statement(t, a)
		if diff := cmp.Diff(want[a.String()], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", a, diff)
		}
		b := must[netkit.AccountBalance](t)(f.As("").Balance(ctx, a))
		if len(got) > 0 && got[0].After != b.Balance {
			t.Errorf("%s: got balance %s, want %s", a, b.Balance, got[0].After)
		}
	}
	f.restarts(t)
}

func TestStatementOfAnAccountWithoutPostings(t *testing.T) {
	f := start(t, journal.NewMemory())
	if lines := f.statement(t, netkit.Treasury); len(lines) != 0 {
		t.Errorf("got %+v, want none", lines)
	}
}

func TestStatementRefused(t *testing.T) {
	f, ct := traded(t)
	ctx := t.Context()
	for _, a := range []netkit.Account{{}, netkit.Wallet("nobody"), netkit.Wallet("acme"), netkit.Wallet("operator"), netkit.SponsorFunds("ada"), netkit.SponsorFunds("operator"),
		netkit.ContractBudget(1), netkit.Escrow(ct)} {
		_, err := f.As("").Statement(ctx, a, netkit.Page{})
		refused(t, err, netkit.ErrNotFound, "account_unknown")
		_, err = f.As("").Balance(ctx, a)
		refused(t, err, netkit.ErrNotFound, "account_unknown")
	}
	for _, cursor := range []string{"?", netkit.CursorBelow(math.MaxUint64), netkit.CursorBelow(1)} {
		_, err := f.As("").Statement(ctx, netkit.Wallet("bob"), netkit.Page{Cursor: cursor})
		refused(t, err, netkit.ErrInvalid, "cursor_malformed")
	}
	_, err := f.As("").Statement(ctx, netkit.Treasury, netkit.Page{Limit: 201})
	refused(t, err, netkit.ErrInvalid, "limit_out_of_range")
}

// An escrow account lives as long as its request is pending.
func TestStatementOfAnEscrow(t *testing.T) {
	f, _ := traded(t)
	ctx := t.Context()
	r := f.asks("ada", "bob")
	if lines := f.statement(t, netkit.Escrow(r.ID)); len(lines) != 1 || lines[0].Amount != 12*netkit.Credit {
		t.Errorf("got %+v, want 12.00 held", lines)
	}
	must[netkit.AttentionReceipt](t)(f.As("bob").DeclineAttention(ctx, netkit.DeclineAttention{ID: r.ID}))
	_, err := f.As("").Statement(ctx, netkit.Escrow(r.ID), netkit.Page{})
	refused(t, err, netkit.ErrNotFound, "account_unknown")
}

func TestBooksAddUpToNothing(t *testing.T) {
	f, _ := traded(t)
	b := must[netkit.Books](t)(f.As("").Conservation(t.Context()))
	want := netkit.Books{Accounts: 2 + 2 + 1 + 1 + 1, Issued: -200 * netkit.Credit, Treasury: 150, Wallets: 100*netkit.Credit + 850 - 12*netkit.Credit,
		Sponsors: 65 * netkit.Credit, Contracts: 25 * netkit.Credit, Escrow: 12 * netkit.Credit, AsOf: b.AsOf}
	if diff := cmp.Diff(want, b); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.mu.Lock()
	tablesOf(f.state).Wallets.At(1).Held++ // a hundredth out of nowhere
	f.mu.Unlock()
	if b := must[netkit.Books](t)(f.As("").Conservation(t.Context())); b.Sum != 1 {
		t.Errorf("got a sum of %s, want 0.01", b.Sum)
	}
}

// Entries are the bytes of the journal, and never a private part.
func TestEntriesAreTheJournal(t *testing.T) {
	f, _ := traded(t)
	ctx := t.Context()
	size := f.state.Size()
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
		refused(t, err, netkit.ErrInvalid, "limit_out_of_range")
	}
	for _, e := range must[[]json.RawMessage](t)(f.Entries(ctx, 0, 0)) {
		if bytes.Contains(e, []byte(fmt.Sprintf("%q", signal.Headline))) {
			t.Errorf("%s holds a signal", e)
		}
	}
}

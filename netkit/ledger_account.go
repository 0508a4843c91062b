package netkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// accountKind says what an account is for.
type accountKind uint8

// The kinds of account. Issuance alone may go below zero: what it owes is
// what all others hold, so that the sum of all accounts is always 0.
const (
	noAccount accountKind = iota
	issuanceAccount
	treasuryAccount
	sponsorAccount  // a sponsor's uncommitted funds
	contractAccount // what is left of a contract's budget
	walletAccount   // an agent's credits
	escrowAccount   // what a pending attention request holds
)

var accountNames = [...]string{"", "issuance", "treasury", "sponsor", "contract", "wallet", "escrow"}

// Account names one account. Its text form is "treasury", "issuance",
// "wallet:ada", "sponsor:acme", "contract:17" or "escrow:23".
type Account struct {
	Kind accountKind
	Slug string // of a wallet or sponsor
	ID   uint64 // of a contract or an attention request
}

// Treasury and Issuance are the two accounts of the network itself.
var (
	Treasury = Account{Kind: treasuryAccount}
	Issuance = Account{Kind: issuanceAccount}
)

// Wallet returns the account of an agent's credits.
func Wallet(slug string) Account { return Account{Kind: walletAccount, Slug: slug} }

// SponsorFunds returns the account of a sponsor's uncommitted credits.
func SponsorFunds(slug string) Account { return Account{Kind: sponsorAccount, Slug: slug} }

// ContractBudget returns the account that pays a contract's executions.
func ContractBudget(id uint64) Account { return Account{Kind: contractAccount, ID: id} }

// Escrow returns the account that holds an attention request's price.
func Escrow(id uint64) Account { return Account{Kind: escrowAccount, ID: id} }

// heldBy reports whether a is the wallet or the funds of a slug.
func (a Account) heldBy(slug string) bool {
	return (a.Kind == walletAccount || a.Kind == sponsorAccount) && a.Slug == slug
}

func (a Account) append(b []byte) []byte {
	b = append(b, accountNames[a.Kind]...)
	switch a.Kind {
	case walletAccount, sponsorAccount:
		b = append(append(b, ':'), a.Slug...)
	case contractAccount, escrowAccount:
		b = strconv.AppendUint(append(b, ':'), a.ID, 10)
	}
	return b
}

// String returns the text form.
func (a Account) String() string { return string(a.append(nil)) }

// MarshalText writes the text form.
func (a Account) MarshalText() ([]byte, error) { return a.append(nil), nil }

// UnmarshalText reads the text form.
func (a *Account) UnmarshalText(b []byte) error {
	v, err := ParseAccount(string(b))
	if err == nil {
		*a = v
	}
	return err
}

// ParseAccount reads the text form of an account.
func ParseAccount(s string) (Account, error) {
	kind, rest, named := strings.Cut(s, ":")
	for i, name := range accountNames {
		if i == 0 || name != kind {
			continue
		}
		a := Account{Kind: accountKind(i)}
		switch a.Kind {
		case walletAccount, sponsorAccount:
			if a.Slug = rest; named && validSlug(rest) {
				return a, nil
			}
		case contractAccount, escrowAccount:
			id, err := strconv.ParseUint(rest, 10, 64)
			if a.ID = id; err == nil {
				return a, nil
			}
		default:
			if !named {
				return a, nil
			}
		}
	}
	return Account{}, invalid("account", code.AccountUnknown,
		"is not an account", "use treasury, issuance, wallet:SLUG, sponsor:SLUG, contract:ID or escrow:ID")
}

// Posting is one signed amount on one account, with the balance after it and
// the sequence number of the account's previous entry (0 when this is its
// first), so that a statement is a walk along that chain and can be checked
// for completeness.
type Posting struct {
	Account Account `json:"account"`
	Amount  Credits `json:"amount"`
	After   Credits `json:"after"`
	Prev    uint64  `json:"prev"`

	at *balance // where it is kept, if that was just looked up
}

func (p *Posting) fields(c *wire.Codec) {
	p.account(c)
	wire.Amount(c, "amount", &p.Amount)
	wire.Amount(c, "after", &p.After)
	wire.Num(c, "prev", &p.Prev)
}

func (p *Posting) account(c *wire.Codec) {
	if !c.Reading() {
		c.Key("account")
		c.Put(append(p.Account.append(append(c.Bytes(), '"')), '"'))
		return
	}
	if !c.Has("account") {
		c.Fail("want an account")
		return
	}
	raw, _ := c.ReadRaw()
	readAccount(c, raw, &p.Account)
}

// readAccount is ParseAccount for the bytes that this version wrote: it makes
// no string but the slug.
func readAccount(c *wire.Codec, raw []byte, a *Account) {
	kind, rest := raw, []byte(nil)
	for i, ch := range raw {
		if ch == ':' {
			kind, rest = raw[:i], raw[i+1:]
			break
		}
	}
	for k := issuanceAccount; k <= escrowAccount; k++ {
		if string(kind) != accountNames[k] {
			continue
		}
		a.Kind = k
		switch k {
		case walletAccount, sponsorAccount:
			a.Slug = string(rest)
		case contractAccount, escrowAccount:
			id, err := strconv.ParseUint(string(rest), 10, 64)
			if a.ID = id; err != nil {
				c.Fail("want the number of an account")
			}
		}
		return
	}
	c.Fail("unknown account")
}

// balance is what the state keeps of an account.
type balance struct {
	held Credits
	last uint64 // sequence number of the latest entry that posted to it
}

func (b *balance) fields(c *wire.Codec) {
	wire.Amount(c, "held", &b.held)
	wire.Num(c, "last", &b.last)
}

// move is one amount that a fact asks to be posted.
type move struct {
	to     Account
	amount Credits
}

// StatementLine is one posting on an account. The chain can be checked: Prev
// is the entry of the next line, and After less Amount what that line left.
type StatementLine struct {
	Seq    uint64  `json:"seq"`
	At     Millis  `json:"at"`
	Kind   Kind    `json:"kind"`
	Amount Credits `json:"amount"`
	After  Credits `json:"after" doc:"balance after it"`
	Prev   uint64  `json:"prev" doc:"the account's entry before this one; 0 on its first"`
	Actor  string  `json:"actor"`
}

// AccountBalance is what an account holds.
type AccountBalance struct {
	Account Account `json:"account"`
	Balance Credits `json:"balance"`
	Granted Credits `json:"granted,omitempty" doc:"of a wallet, what is left of the welcome grant: it buys the feed only"`
	// Pending and Available are of wallets and the treasury, and nil of other
	// accounts; Owed is of the treasury alone.
	Pending   *Credits `json:"pending,omitempty" doc:"pay in a wallet that has not cleared and cannot be spent yet; shares of the treasury that are no income yet"`
	Available *Credits `json:"available,omitempty" doc:"what of a wallet can be spent: balance less pending; what the treasury can pay in fees and rewards now"`
	Owed      *Credits `json:"owed,omitempty" doc:"fees and rewards that the treasury pays as soon as its income covers them"`
	AsOf      AsOf     `json:"as_of"`
}

// Books adds up all accounts. Sum is always 0, since whatever is in an
// account came out of another; issuance has given out what all others hold.
type Books struct {
	Accounts  uint64  `json:"accounts"`
	Sum       Credits `json:"sum" doc:"of all accounts: always 0"`
	Issued    Credits `json:"issued" doc:"balance of issuance, below 0"`
	Treasury  Credits `json:"treasury"`
	Wallets   Credits `json:"wallets"`
	Sponsors  Credits `json:"sponsors" doc:"uncommitted funds"`
	Contracts Credits `json:"contracts" doc:"what is left of budgets"`
	Escrow    Credits `json:"escrow" doc:"held by pending attention requests"`
	AsOf      AsOf    `json:"as_of"`
}

// account returns what is kept of an account, or a refusal. Unlike balance it
// tells a wallet from a sponsor's funds.
func (s *state) account(a Account) (balance, error) {
	unknown := &Refusal{Kind: ErrNotFound, Code: code.AccountUnknown, Field: "account", What: "names no account of this network",
		Next: "use treasury, issuance, wallet:SLUG, sponsor:SLUG, contract:ID or escrow:ID"}
	switch a.Kind {
	case walletAccount, sponsorAccount:
		_, p, ok := s.party(a.Slug)
		if !ok || (p.kind == AgentParty) != (a.Kind == walletAccount) || p.kind == OperatorParty {
			return balance{}, unknown
		}
	case escrowAccount:
		unknown.What, unknown.Next = "names no attention request that is pending; an escrow account ends when it is settled",
			"the statement of the sender's and of the target's wallet shows both of its entries"
	}
	b := s.balance(a)
	if b == nil {
		return balance{}, unknown
	}
	return *b, nil
}

// Balance returns what an account holds. Balances are public.
//
// Refusals: account_unknown.
func (ses *Session) Balance(ctx context.Context, a Account) (AccountBalance, error) {
	now := ses.n.Now()
	out, err := view(ctx, ses.n, func(s *state) (AccountBalance, error) {
		return s.accountBalance(a, now)
	})
	if err != nil {
		_, err = ses.n.oldBudget(ctx, a, err)
	}
	return out, err
}

// oldBudget is what is kept of the account of a contract that left memory,
// which holds nothing any more, or the error given for any other account.
func (n *Network) oldBudget(ctx context.Context, a Account, unknown error) (balance, error) {
	if a.Kind != contractAccount || !errors.Is(unknown, ErrNotFound) {
		return balance{}, unknown
	}
	ct, err := archived(ctx, n, contractShelf, a.ID, unknown)
	if err != nil {
		return balance{}, err
	}
	return *ct.left, nil
}

// lastPosting is the latest entry that posted to an account.
func (n *Network) lastPosting(ctx context.Context, a Account) (uint64, error) {
	b, err := view(ctx, n, func(s *state) (balance, error) { return s.account(a) })
	if err != nil {
		b, err = n.oldBudget(ctx, a, err)
	}
	return b.last, err
}

// accountBalance is what an account holds, as anyone may see it.
func (s *state) accountBalance(a Account, now Millis) (AccountBalance, error) {
	b, err := s.account(a)
	out := AccountBalance{Account: a, Balance: b.held, AsOf: s.asOf(now)}
	if a == Treasury && err == nil {
		out.Pending, out.Available, out.Owed = new(s.root.unclearedShares), new(s.spendable(s.moment(now))), new(s.owedTotal())
	}
	if i, ok := s.slugs.Get(a.Slug); ok && a.Kind == walletAccount && err == nil {
		pay := s.pending(i, s.moment(now)).pay
		out.Granted, out.Pending, out.Available = s.granted(i), &pay, new(b.held-pay)
	}
	return out, err
}

// Statement lists the postings of an account, newest first, by walking the
// chain that they make. Postings are public, so that anyone may check them.
//
// Refusals: account_unknown.
func (ses *Session) Statement(ctx context.Context, a Account, page Page) (List[StatementLine], error) {
	out := List[StatementLine]{Items: []StatementLine{}}
	size, err := page.size()
	if err != nil {
		return out, err
	}
	now := ses.n.Now()
	last, err := ses.n.lastPosting(ctx, a)
	if err == nil {
		out.AsOf, err = view(ctx, ses.n, func(s *state) (AsOf, error) { return s.asOf(now), nil })
	}
	if err != nil {
		return out, err
	}
	if page.Cursor != "" {
		from, err := page.before()
		if err != nil || from > last {
			return out, invalid("cursor", code.CursorMalformed, "is not a cursor of this statement", "use next_cursor as it came, or leave it out to begin again")
		}
		last = from
	}
	if out.Items, last, err = ses.n.walk(ctx, a, last, size); err == nil && last != 0 {
		out.NextCursor = cursorBelow(last)
	}
	return out, err
}

// walk follows an account's chain back from an entry for up to size lines and
// returns where it goes on; 0 at its end. Entry 0 has no postings.
func (n *Network) walk(ctx context.Context, a Account, seq uint64, size int) ([]StatementLine, uint64, error) {
	lines := []StatementLine{}
	for seq != 0 && len(lines) < size {
		e, err := n.Entry(ctx, seq)
		if err != nil {
			return lines, 0, err
		}
		p := e.posting(a)
		if p == nil && len(lines) == 0 {
			return lines, 0, invalid("cursor", code.CursorMalformed, "is not a cursor of this statement", "use next_cursor as it came, or leave it out to begin again")
		}
		if p == nil || len(lines) > 0 && p.After != lines[len(lines)-1].After-lines[len(lines)-1].Amount {
			return lines, 0, fmt.Errorf("%w: the chain of %s breaks at entry %d", ErrCorrupt, a, seq)
		}
		lines = append(lines, StatementLine{Seq: e.Seq, At: e.At, Kind: e.Kind, Amount: p.Amount, After: p.After, Prev: p.Prev, Actor: e.Actor})
		seq = p.Prev
	}
	return lines, seq, nil
}

// posting returns the entry's posting on an account, nil if it has none.
func (e *Entry) posting(a Account) *Posting {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			return &e.Postings[i]
		}
	}
	return nil
}

// maxEntries is how many entries one call gives.
const maxEntries = 1000

// Entries returns the public parts of up to limit durable entries from a
// sequence number on, for whoever checks the books; 0 means a thousand, which
// is the most. Their bytes are what the journal holds.
func (n *Network) Entries(ctx context.Context, from uint64, limit int) ([]json.RawMessage, error) {
	if limit < 0 || limit > maxEntries {
		return nil, invalid("limit", code.LimitOutOfRange, "is not between 1 and 1000", "leave it out for 1000")
	}
	if limit == 0 {
		limit = maxEntries
	}
	out := []json.RawMessage{}
	end := min(from+uint64(limit), n.durable.Size())
	if from >= end {
		return out, nil
	}
	for r, err := range n.read(ctx, from, end) {
		if err != nil {
			return nil, entryDamaged(err)
		}
		out = append(out, append(json.RawMessage(nil), r.Public...))
	}
	return out, nil
}

// Conservation adds up all accounts, by kind.
func (ses *Session) Conservation(ctx context.Context) (Books, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *state) (Books, error) {
		b := s.books()
		b.AsOf = s.asOf(now)
		return b, nil
	})
}

// books adds up what stands in the tables; it trusts no running totals.
func (s *state) books() Books {
	b := Books{Issued: s.central.At(0).held, Treasury: s.central.At(1).held,
		Accounts: 2 + s.root.counts.Agents + uint64(s.sponsors.Len()) + s.root.counts.Contracts + uint64(len(s.escrows.M))}
	for _, w := range s.wallets.All() {
		b.Wallets += w.held
	}
	for _, row := range s.sponsors.All() {
		b.Sponsors += s.wallets.At(*row).held
	}
	b.Wallets -= b.Sponsors // they share a table
	for _, ct := range s.contracts.All() {
		b.Contracts += ct.left.held
	}
	for _, e := range s.escrows.M {
		b.Escrow += e.held
	}
	b.Sum = b.Issued + b.Treasury + b.Wallets + b.Sponsors + b.Contracts + b.Escrow
	return b
}

// Totals are network totals, for a first look at a network. All
// are kept, none is counted when asked.
type NetworkTotals struct {
	Network    string `json:"network"`
	Entries    uint64 `json:"entries"`
	Agents     uint64 `json:"agents"`
	Sponsors   uint64 `json:"sponsors"`
	Contracts  uint64 `json:"contracts" doc:"ever opened"`
	Executions uint64 `json:"executions"`
	Dispatches uint64 `json:"dispatches"`
	Blackout   bool   `json:"blackout" doc:"true while a crisis runs"`
	AsOf       AsOf   `json:"as_of"`
}

// Totals returns the network totals.
func (n *Network) Totals(ctx context.Context) (NetworkTotals, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) (NetworkTotals, error) {
		return NetworkTotals{Network: s.root.netID, Entries: s.root.next, Agents: s.root.counts.Agents, Sponsors: uint64(s.sponsors.Len()),
			Contracts: s.root.counts.Contracts, Executions: s.root.counts.Executions, Dispatches: s.published(),
			Blackout: s.blackout(), AsOf: s.asOf(now)}, nil
	})
}

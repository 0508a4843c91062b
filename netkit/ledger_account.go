package netkit

import (
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// AccountKind says what an account is for.
type AccountKind uint8

// The kinds of account. Issuance alone may go below zero: what it owes is
// what all others hold, so that the sum of all accounts is always 0.
const (
	NoAccount AccountKind = iota
	IssuanceAccount
	TreasuryAccount
	SponsorAccount  // a sponsor's uncommitted funds
	ContractAccount // what is left of a contract's budget
	WalletAccount   // an agent's credits
	EscrowAccount   // what a pending attention request holds
)

var accountNames = [...]string{"", "issuance", "treasury", "sponsor", "contract", "wallet", "escrow"}

// Account names one account. Its text form is "treasury", "issuance",
// "wallet:ada", "sponsor:acme", "contract:17" or "escrow:23".
type Account struct {
	Kind AccountKind
	Slug string // of a wallet or sponsor
	ID   uint64 // of a contract or an attention request
}

// Treasury and Issuance are the two accounts of the network itself.
var (
	Treasury = Account{Kind: TreasuryAccount}
	Issuance = Account{Kind: IssuanceAccount}
)

// Wallet returns the account of an agent's credits.
func Wallet(slug string) Account { return Account{Kind: WalletAccount, Slug: slug} }

// SponsorFunds returns the account of a sponsor's uncommitted credits.
func SponsorFunds(slug string) Account { return Account{Kind: SponsorAccount, Slug: slug} }

// ContractBudget returns the account that pays a contract's executions.
func ContractBudget(id uint64) Account { return Account{Kind: ContractAccount, ID: id} }

// Escrow returns the account that holds an attention request's price.
func Escrow(id uint64) Account { return Account{Kind: EscrowAccount, ID: id} }

// heldBy reports whether a is the wallet or the funds of a slug.
func (a Account) heldBy(slug string) bool {
	return (a.Kind == WalletAccount || a.Kind == SponsorAccount) && a.Slug == slug
}

func (a Account) append(b []byte) []byte {
	b = append(b, accountNames[a.Kind]...)
	switch a.Kind {
	case WalletAccount, SponsorAccount:
		b = append(append(b, ':'), a.Slug...)
	case ContractAccount, EscrowAccount:
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
		a := Account{Kind: AccountKind(i)}
		switch a.Kind {
		case WalletAccount, SponsorAccount:
			if a.Slug = rest; named && validSlug(rest) {
				return a, nil
			}
		case ContractAccount, EscrowAccount:
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
	for k := IssuanceAccount; k <= EscrowAccount; k++ {
		if string(kind) != accountNames[k] {
			continue
		}
		a.Kind = k
		switch k {
		case WalletAccount, SponsorAccount:
			a.Slug = string(rest)
		case ContractAccount, EscrowAccount:
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

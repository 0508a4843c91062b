package netkit

import (
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
)

// accountKind says what an account is for.
type accountKind uint8

// The kinds of account. Issuance alone may go below zero: what it owes is
// what all others hold, so that the sum of all accounts is always 0.
const (
	NoAccount accountKind = iota
	IssuanceAccount
	TreasuryAccount
	SponsorAccount  // a sponsor's uncommitted funds
	ContractAccount // what is left of a contract's budget
	WalletAccount   // an agent's credits
	EscrowAccount   // what a pending attention request holds
)

var AccountNames = [...]string{"", "issuance", "treasury", "sponsor", "contract", "wallet", "escrow"}

// Account names one account. Its text form is "treasury", "issuance",
// "wallet:ada", "sponsor:acme", "contract:17" or "escrow:23".
type Account struct {
	Kind accountKind
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

// HeldBy reports whether a is the wallet or the funds of a slug.
func (a Account) HeldBy(slug string) bool {
	return (a.Kind == WalletAccount || a.Kind == SponsorAccount) && a.Slug == slug
}

func (a Account) Append(b []byte) []byte {
	b = append(b, AccountNames[a.Kind]...)
	switch a.Kind {
	case WalletAccount, SponsorAccount:
		b = append(append(b, ':'), a.Slug...)
	case ContractAccount, EscrowAccount:
		b = strconv.AppendUint(append(b, ':'), a.ID, 10)
	}
	return b
}

// String returns the text form.
func (a Account) String() string { return string(a.Append(nil)) }

// MarshalText writes the text form.
func (a Account) MarshalText() ([]byte, error) { return a.Append(nil), nil }

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
	for i, name := range AccountNames {
		if i == 0 || name != kind {
			continue
		}
		a := Account{Kind: accountKind(i)}
		switch a.Kind {
		case WalletAccount, SponsorAccount:
			if a.Slug = rest; named && ValidSlug(rest) {
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
	return Account{}, Invalid("account", code.AccountUnknown,
		"is not an account", "use treasury, issuance, wallet:SLUG, sponsor:SLUG, contract:ID or escrow:ID")
}

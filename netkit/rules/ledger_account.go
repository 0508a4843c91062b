package rules

import (
	"bytes"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Posting is one signed amount on one account, with the balance after it and
// the sequence number of the account's previous entry (0 when this is its
// first), so that a statement is a walk along that chain and can be checked
// for completeness.
type Posting struct {
	Account netkit.Account `json:"account"`
	Amount  netkit.Credits `json:"amount"`
	After   netkit.Credits `json:"after"`
	Prev    uint64         `json:"prev"`

	at *Balance // where it is kept, if that was just looked up
}

func (p *Posting) Fields(c *wire.Codec) {
	p.account(c)
	wire.Amount(c, "amount", &p.Amount)
	wire.Amount(c, "after", &p.After)
	wire.Num(c, "prev", &p.Prev)
}

func (p *Posting) account(c *wire.Codec) {
	if !c.Reading() {
		c.Key("account")
		c.Put(append(p.Account.Append(append(c.Bytes(), '"')), '"'))
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
func readAccount(c *wire.Codec, raw []byte, a *netkit.Account) {
	kind, rest, named := bytes.Cut(raw, []byte(":"))
	for k := netkit.IssuanceAccount; k <= netkit.EscrowAccount; k++ {
		if string(kind) != netkit.AccountNames[k] {
			continue
		}
		a.Kind = k
		switch k {
		case netkit.WalletAccount, netkit.SponsorAccount:
			a.Slug = c.Known(rest)
		case netkit.ContractAccount, netkit.EscrowAccount:
			id, err := strconv.ParseUint(string(rest), 10, 64)
			if a.ID = id; err != nil {
				c.Fail("want the number of an account")
			}
			if len(rest) > 1 && rest[0] == '0' {
				c.Inexact()
			}
		default:
			named = !named // these have no name
		}
		if !named {
			c.Inexact()
		}
		return
	}
	c.Fail("unknown account")
}

// Balance is what the state keeps of an account.
type Balance struct {
	Held netkit.Credits
	Last uint64 // sequence number of the latest entry that posted to it
}

func (b *Balance) Fields(c *wire.Codec) {
	wire.Amount(c, "held", &b.Held)
	wire.Num(c, "last", &b.Last)
}

// Move is one amount that a fact asks to be posted.
type Move struct {
	To     netkit.Account
	Amount netkit.Credits
}

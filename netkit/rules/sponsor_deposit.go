package rules

import (
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Deposit is a Deposit with what is public of its reference.
type Deposit struct {
	netkit.Deposit
	ReferenceHash [16]byte `json:"-"` // see referenceOf; zero in entries of versions that kept none
}

func (*Deposit) Route() string { return "deposit" }

func (c *Deposit) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if _, _, err := s.activeSponsor("sponsor", c.Sponsor); err != nil {
		return err
	}
	if err := checkAmount("amount", c.Amount); err != nil {
		return err
	}
	if entry, booked := s.deposits.Get(c.ReferenceHash); booked && c.ReferenceHash != [16]byte{} {
		return &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.DepositBooked, Field: "reference", What: "was booked for this sponsor by entry " + strconv.FormatUint(entry, 10),
			Next: "{getEntry} shows it; name another document if this is another deposit"}
	}
	call.Add(&SponsorDeposited{c.Sponsor, c.Amount, c.ReferenceHash}, Move{netkit.Issuance, -c.Amount}, Move{netkit.SponsorFunds(c.Sponsor), c.Amount})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*Deposit) Receipt(e *Entry) netkit.Deposited {
	f := e.Fact.(*SponsorDeposited)
	return netkit.Deposited{Sponsor: f.Sponsor, Amount: f.Amount, Balance: e.BalanceAfter(netkit.SponsorFunds(f.Sponsor)), Seq: e.Seq, At: e.At}
}

func (c *Deposit) Fields(k *wire.Codec) { wire.Str(k, "reference", &c.Reference) }

// checkAmount refuses amounts that no command may move.
func checkAmount(field string, a netkit.Credits) error {
	if a <= 0 {
		return netkit.Invalid(field, code.AmountNotPositive, "must be more than 0", "")
	}
	if a > netkit.MaxAmount {
		return netkit.Invalid(field, code.AmountTooLarge, "is over 10000000000.00", "split it")
	}
	return nil
}

// SponsorDeposited records outside money; it backs what the sponsor pays.
type SponsorDeposited struct {
	Sponsor   string
	Amount    netkit.Credits
	Reference [16]byte // see referenceOf
}

func (*SponsorDeposited) Kind() netkit.Kind { return netkit.KindSponsorDeposited }

func (f *SponsorDeposited) CommandOf(*PastView) (Command, error) {
	return &Deposit{netkit.Deposit{Sponsor: f.Sponsor, Amount: f.Amount}, f.Reference}, nil
}

func (f *SponsorDeposited) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Amount(c, "amount", &f.Amount)
	c.Short("reference", &f.Reference)
}

func (f *SponsorDeposited) Apply(s *State, e *Entry) {
	if i, _, ok := s.party(f.Sponsor); ok {
		s.parties.Change(i).Backing += f.Amount
	}
	if f.Reference != [16]byte{} {
		s.deposits.Put(f.Reference, e.Seq)
	}
}

package netkit

import (
	"context"
	"crypto/sha256"
	"strconv"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Deposit books outside money for a sponsor. Only an operator may.
type Deposit struct {
	Sponsor   string  `json:"sponsor"`
	Amount    Credits `json:"amount" minimum:"0.01" maximum:"10000000000"`
	Reference string  `json:"reference" doc:"the outside document behind it, such as a bank reference; 1 to 120 characters; a sponsor's reference books once" minLength:"1" maxLength:"120"`
}

// Deposited is the receipt of a deposit.
type Deposited struct {
	Sponsor string  `json:"sponsor"`
	Amount  Credits `json:"amount"`
	Balance Credits `json:"balance" doc:"uncommitted funds of the sponsor"`
	Seq     uint64  `json:"seq"`
	At      Millis  `json:"at"`
}

// deposit is a Deposit with what is public of its reference.
type deposit struct {
	Deposit
	reference [16]byte // see referenceOf; zero in entries of versions that kept none
}

func (*deposit) route() string { return "deposit" }

// referenceOf is the part of SHA-256 by which a sponsor's reference is known
// again: the reference itself is private, and may be erased.
func referenceOf(sponsor, reference string) [16]byte {
	sum := sha256.Sum256([]byte("deposit\x00" + sponsor + "\x00" + reference))
	return [16]byte(sum[:16])
}

func (c *deposit) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if _, _, err := s.sponsor("sponsor", c.Sponsor); err != nil {
		return err
	}
	if err := checkAmount("amount", c.Amount); err != nil {
		return err
	}
	if entry, booked := s.deposits.Get(c.reference); booked && c.reference != [16]byte{} {
		return &Refusal{Kind: ErrConflict, Code: code.DepositBooked, Field: "reference", What: "was booked for this sponsor by entry " + strconv.FormatUint(entry, 10),
			Next: "{getEntry} shows it; name another document if this is another deposit"}
	}
	call.add(&SponsorDeposited{c.Sponsor, c.Amount, c.reference}, move{Issuance, -c.Amount}, move{SponsorFunds(c.Sponsor), c.Amount})
	return nil
}

func (c *deposit) fields(k *wire.Codec) { wire.Str(k, "reference", &c.Reference) }

// checkAmount refuses amounts that no command may move.
func checkAmount(field string, a Credits) error {
	if a <= 0 {
		return invalid(field, code.AmountNotPositive, "must be more than 0", "")
	}
	if a > MaxAmount {
		return invalid(field, code.AmountTooLarge, "is over 10000000000.00", "split it")
	}
	return nil
}

// sponsor returns the row of a sponsor's slug, or a refusal for field.
func (s *state) sponsor(field, slug string) (uint32, *party, error) {
	if i, p, ok := s.party(slug); ok && p.kind == SponsorParty {
		if p.status == Proposed {
			return 0, nil, &Refusal{Kind: ErrConflict, Code: code.SponsorPending, Field: field, What: "names a sponsor that waits for a witness to its admission", Next: "{listWitnessDuties} tells agents what waits for them"}
		}
		return i, p, nil
	}
	return 0, nil, &Refusal{Kind: ErrNotFound, Code: code.SponsorUnknown, Field: field, What: "names no sponsor of this network", Next: "{listSponsors} lists them"}
}

// SponsorDeposited records outside money; it backs what the sponsor pays.
type SponsorDeposited struct {
	Sponsor   string
	Amount    Credits
	Reference [16]byte // see referenceOf
}

func (*SponsorDeposited) kind() Kind { return KindSponsorDeposited }

func (f *SponsorDeposited) asked(*pastView) (command, error) {
	return &deposit{Deposit{Sponsor: f.Sponsor, Amount: f.Amount}, f.Reference}, nil
}

func (f *SponsorDeposited) fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Amount(c, "amount", &f.Amount)
	c.Short("reference", &f.Reference)
}

func (f *SponsorDeposited) apply(s *state, e *Entry) {
	if i, _, ok := s.party(f.Sponsor); ok {
		s.parties.Change(i).backing += f.Amount
	}
	if f.Reference != [16]byte{} {
		s.deposits.Put(f.Reference, e.Seq)
	}
}

// Deposit credits outside money to a sponsor.
func (n *Network) Deposit(ctx context.Context, by Caller, in Deposit) (Deposited, error) {
	if err := checkText("reference", in.Reference, 1, 120); err != nil {
		return Deposited{}, err
	}
	c := &deposit{in, referenceOf(in.Sponsor, in.Reference)}
	return run(ctx, n, by, c, c, func(e *Entry) Deposited {
		f := e.Fact.(*SponsorDeposited)
		return Deposited{f.Sponsor, f.Amount, e.balanceAfter(SponsorFunds(f.Sponsor)), e.Seq, e.At}
	})
}

package netkit

import "context"

// Deposit books outside money for a sponsor. Only an operator may.
type Deposit struct {
	Sponsor   string  `json:"sponsor"`
	Amount    Credits `json:"amount"`
	Reference string  `json:"reference" doc:"the outside document behind it, such as a bank reference; 1 to 120 characters"`
}

// Deposited is the receipt of a deposit.
type Deposited struct {
	Sponsor string  `json:"sponsor"`
	Amount  Credits `json:"amount"`
	Balance Credits `json:"balance" doc:"uncommitted funds of the sponsor"`
	Seq     uint64  `json:"seq"`
	At      Millis  `json:"at"`
}

type deposit struct{ Deposit }

func (*deposit) route() string { return "deposit" }

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
	call.add(&sponsorDeposited{c.Sponsor, c.Amount}, move{Issuance, -c.Amount}, move{SponsorFunds(c.Sponsor), c.Amount})
	return nil
}

func (c *deposit) fields(k *codec) { str(k, "reference", &c.Reference) }

// checkAmount refuses amounts that no command may move.
func checkAmount(field string, a Credits) error {
	if a <= 0 {
		return invalid(field, "amount_not_positive", "must be more than 0", "")
	}
	if a > MaxAmount {
		return invalid(field, "amount_too_large", "is over 10000000000.00", "split it")
	}
	return nil
}

// sponsor returns the row of a sponsor's slug, or a refusal for field.
func (s *state) sponsor(field, slug string) (uint32, *party, error) {
	if i, p, ok := s.party(slug); ok && p.kind == SponsorParty {
		if p.status == Proposed {
			return 0, nil, &Refusal{Kind: ErrConflict, Code: "sponsor_pending", Field: field, What: "names a sponsor that waits for a witness to its admission", Next: "{listWitnessDuties} tells agents what waits for them"}
		}
		return i, p, nil
	}
	return 0, nil, &Refusal{Kind: ErrNotFound, Code: "sponsor_unknown", Field: field, What: "names no sponsor of this network", Next: "{listSponsors} lists them"}
}

// sponsorDeposited records outside money; it backs what the sponsor pays.
type sponsorDeposited struct {
	Sponsor string
	Amount  Credits
}

func (*sponsorDeposited) kind() Kind { return "sponsor.deposited" }

func (f *sponsorDeposited) asked(*hindsight) (command, error) {
	return &deposit{Deposit{Sponsor: f.Sponsor, Amount: f.Amount}}, nil
}

func (f *sponsorDeposited) fields(c *codec) {
	str(c, "sponsor", &f.Sponsor)
	c.amount("amount", &f.Amount)
}

func (f *sponsorDeposited) apply(s *state, _ *Entry) {
	if i, _, ok := s.party(f.Sponsor); ok {
		s.parties.change(i).backing += f.Amount
	}
}

// Deposit credits outside money to a sponsor.
func (n *Network) Deposit(ctx context.Context, by Caller, in Deposit) (Deposited, error) {
	if err := checkText("reference", in.Reference, 1, 120); err != nil {
		return Deposited{}, err
	}
	c := &deposit{in}
	return run(ctx, n, by, c, c, func(e *Entry) Deposited {
		f := e.Fact.(*sponsorDeposited)
		return Deposited{f.Sponsor, f.Amount, e.balanceAfter(SponsorFunds(f.Sponsor)), e.Seq, e.At}
	})
}

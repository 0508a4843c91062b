package netkit

import "context"

// FundContract adds to a contract's budget; an exhausted one opens again.
type FundContract struct {
	CampaignID uint64  `json:"campaign_id"`
	Amount     Credits `json:"amount"`
}

// CloseContract ends a contract early; what is left returns to the sponsor.
type CloseContract struct {
	CampaignID uint64 `json:"campaign_id"`
}

type fundContract struct{ FundContract }

func (*fundContract) route() string { return "contract.fund" }

func (c *fundContract) decide(s *state, call *call) error {
	ct, sponsor, err := ownContract(s, call, c.CampaignID)
	if err != nil {
		return err
	}
	if err := checkAmount("amount", c.Amount); err != nil {
		return err
	}
	if ct.over(call.at) {
		return conflict("contract_ended", "the contract is ended", "open another one")
	}
	if ct.budget+c.Amount > MaxAmount {
		return invalid("amount", "amount_too_large", "would raise the budget over 10000000000.00", "open another contract")
	}
	f := &contractFunded{Campaign: ct.id, Sponsor: sponsor, Amount: c.Amount}
	return payContract(s, call, f, sponsor, ct.id, c.Amount)
}

// ownContract returns a live contract that the caller may steer, with its
// sponsor's slug.
func ownContract(s *state, call *call, id uint64) (*contract, string, error) {
	_, p, err := call.actor(s)
	if err != nil {
		return nil, "", err
	}
	_, ct, err := s.contract("campaign_id", id)
	if err != nil {
		return nil, "", err
	}
	sponsor := s.parties.at(ct.sponsor).slug
	if p.kind != OperatorParty && p.slug != sponsor {
		return nil, "", forbidden("", "foreign_contract", "only its sponsor or an operator may do this", "")
	}
	if !ct.live() {
		return nil, "", conflict("contract_"+ct.state.String(), "the contract is "+ct.state.String(), "open another one")
	}
	return ct, sponsor, nil
}

// contractFunded records a top-up.
type contractFunded struct {
	Campaign uint64
	Sponsor  string
	Amount   Credits
}

func (*contractFunded) kind() Kind { return "contract.funded" }

func (f *contractFunded) asked(*hindsight) (command, error) {
	return &fundContract{FundContract{f.Campaign, f.Amount}}, nil
}

func (f *contractFunded) fields(c *codec) {
	num(c, "campaign", &f.Campaign)
	str(c, "sponsor", &f.Sponsor)
	c.amount("amount", &f.Amount)
}

func (f *contractFunded) apply(s *state, _ *Entry) {
	if row, ok := s.byID.get(f.Campaign); ok {
		ct := s.contracts.change(row)
		ct.budget += f.Amount
		s.exhaust(ct)
	}
}

// exhaust brings a live contract's state in line with what is left: exhausted
// iff that is below the payout of min_tier, the cheapest that may still come. A
// dearer agent meets 409 while others go on.
func (s *state) exhaust(ct *contract) {
	ct.state = ContractOpen
	if ct.budget-ct.spent < s.law.tier(ct.min).Payout {
		ct.state = ContractExhausted
	}
}

// FundContract tops a contract up.
func (n *Network) FundContract(ctx context.Context, by Caller, in FundContract) (ContractReceipt, error) {
	return run(ctx, n, by, &fundContract{in}, nil, func(e *Entry) ContractReceipt {
		f := e.Fact.(*contractFunded)
		return ContractReceipt{CampaignID: f.Campaign, Sponsor: f.Sponsor, Remaining: e.balanceAfter(ContractBudget(f.Campaign)), Seq: e.Seq, At: e.At}
	})
}

type closeContract struct{ CloseContract }

func (*closeContract) route() string { return "contract.close" }

func (c *closeContract) decide(s *state, call *call) error {
	ct, sponsor, err := ownContract(s, call, c.CampaignID)
	if err != nil {
		return err
	}
	f, moves := s.finish(ct, sponsor, ContractClosed)
	call.add(f, moves...)
	return nil
}

// finish ends a contract and returns what is left to its sponsor.
func (s *state) finish(ct *contract, sponsor string, as ContractState) (Fact, []move) {
	rest := s.held(ContractBudget(ct.id))
	f := &contractFinished{Campaign: ct.id, Sponsor: sponsor, State: as, Returned: rest}
	return f, []move{{ContractBudget(ct.id), -rest}, {SponsorFunds(sponsor), rest}}
}

// contractDue ends a contract whose time is over.
func (s *state) contractDue(it dueItem) (Fact, []move) {
	row, ok := s.byID.get(it.id)
	if !ok {
		return nil, nil
	}
	ct := s.contracts.at(row)
	if !ct.live() || ct.ends != it.at {
		return nil, nil
	}
	return s.finish(ct, s.parties.at(ct.sponsor).slug, ContractEnded)
}

// contractFinished records the end of a contract.
type contractFinished struct {
	Campaign uint64
	Sponsor  string
	State    ContractState
	Returned Credits
}

func (*contractFinished) kind() Kind { return "contract.finished" }

func (f *contractFinished) asked(*hindsight) (command, error) {
	if f.State != ContractClosed {
		return nil, nil // it ended by itself
	}
	return &closeContract{CloseContract{f.Campaign}}, nil
}

func (f *contractFinished) fields(c *codec) {
	num(c, "campaign", &f.Campaign)
	str(c, "sponsor", &f.Sponsor)
	enum(c, "state", &f.State, contractStateNames)
	c.amount("returned", &f.Returned)
}

func (f *contractFinished) apply(s *state, _ *Entry) {
	if row, ok := s.byID.get(f.Campaign); ok {
		s.contracts.change(row).state = f.State
		s.executed.forget(row)
	}
}

// CloseContract ends a contract early.
func (n *Network) CloseContract(ctx context.Context, by Caller, in CloseContract) (ContractReceipt, error) {
	return run(ctx, n, by, &closeContract{in}, nil, func(e *Entry) ContractReceipt {
		f := e.Fact.(*contractFinished)
		return ContractReceipt{CampaignID: f.Campaign, Sponsor: f.Sponsor, State: f.State, Returned: f.Returned, Seq: e.Seq, At: e.At}
	})
}

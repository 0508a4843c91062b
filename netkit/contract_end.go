package netkit

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// FundContract adds to a contract's budget; an exhausted one opens again.
type FundContract struct {
	CampaignID uint64  `json:"campaign_id"`
	Amount     Credits `json:"amount" minimum:"0.01" maximum:"10000000000"`
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
		return conflict(code.ContractEnded, "the contract is ended", "open another one")
	}
	if ct.budget+c.Amount > MaxAmount {
		return invalid("amount", code.AmountTooLarge, "would raise the budget over 10000000000.00", "open another contract")
	}
	f := &ContractFunded{Campaign: ct.id, Sponsor: sponsor, Amount: c.Amount}
	return payContract(s, call, f, sponsor, ct.id, c.Amount)
}

// ownContract returns a live contract that the caller may steer, with its
// sponsor's slug.
func ownContract(s *state, call *call, id uint64) (*contract, string, error) {
	_, p, err := call.actor(s)
	if err != nil {
		return nil, "", err
	}
	ct, err := s.contract("campaign_id", id)
	if err != nil {
		return nil, "", err
	}
	sponsor := s.parties.At(ct.sponsor).slug
	if p.kind != OperatorParty && p.slug != sponsor {
		return nil, "", forbidden("", code.ForeignContract, "only its sponsor or an operator may do this", "")
	}
	if !ct.live() {
		return nil, "", conflict(contractStateCodes[ct.state], "the contract is "+ct.state.String(), "open another one")
	}
	return ct, sponsor, nil
}

// ContractFunded records a top-up.
type ContractFunded struct {
	Campaign uint64
	Sponsor  string
	Amount   Credits
}

func (*ContractFunded) kind() Kind { return KindContractFunded }

func (f *ContractFunded) asked(*pastView) (command, error) {
	return &fundContract{FundContract{f.Campaign, f.Amount}}, nil
}

func (f *ContractFunded) fields(c *wire.Codec) {
	wire.Num(c, "campaign", &f.Campaign)
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Amount(c, "amount", &f.Amount)
}

func (f *ContractFunded) apply(s *state, _ *Entry) {
	if ct, ok := s.contracts.Get(f.Campaign); ok {
		s.contracts.Edit(ct).budget += f.Amount
	}
}

// FundContract tops a contract up.
//
// Refusals: contract_closed, contract_ended, contract_exhausted,
// contract_unknown, foreign_contract, sponsor_funds.
func (ses *Session) FundContract(ctx context.Context, in FundContract) (ContractReceipt, error) {
	r, err := run(ctx, ses, &fundContract{in}, nil, func(e *Entry) ContractReceipt {
		f := e.Fact.(*ContractFunded)
		return ContractReceipt{CampaignID: f.Campaign, Sponsor: f.Sponsor, Remaining: e.balanceAfter(ContractBudget(f.Campaign)), Seq: e.Seq, At: e.At}
	})
	return r, ses.n.finished(ctx, in.CampaignID, err)
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
	rest := ct.left.held
	f := &ContractFinished{Campaign: ct.id, Sponsor: sponsor, State: as, Returned: rest}
	return f, []move{{ContractBudget(ct.id), -rest}, {SponsorFunds(sponsor), rest}}
}

// contractDue ends a contract whose time is over.
func (s *state) contractDue(it dueItem) (Fact, []move) {
	ct, ok := s.contracts.Get(it.id)
	if !ok || !ct.live() || ct.ends != it.at {
		return nil, nil
	}
	return s.finish(ct, s.parties.At(ct.sponsor).slug, ContractEnded)
}

// ContractFinished records the end of a contract.
type ContractFinished struct {
	Campaign uint64
	Sponsor  string
	State    ContractState
	Returned Credits
}

func (*ContractFinished) kind() Kind { return KindContractFinished }

func (f *ContractFinished) asked(*pastView) (command, error) {
	if f.State != ContractClosed {
		return nil, nil // it ended by itself
	}
	return &closeContract{CloseContract{f.Campaign}}, nil
}

func (f *ContractFinished) fields(c *wire.Codec) {
	wire.Num(c, "campaign", &f.Campaign)
	wire.Str(c, "sponsor", &f.Sponsor)
	enum(c, "state", &f.State, contractStateNames)
	wire.Amount(c, "returned", &f.Returned)
}

func (f *ContractFinished) apply(s *state, _ *Entry) {
	if ct, ok := s.contracts.Get(f.Campaign); ok {
		s.contracts.Edit(ct).state = f.State
		s.executed.forget(f.Campaign)
		s.ended.add(f.Campaign)
	}
}

// CloseContract ends a contract early.
//
// Refusals: contract_closed, contract_ended, contract_exhausted,
// contract_unknown, foreign_contract.
func (ses *Session) CloseContract(ctx context.Context, in CloseContract) (ContractReceipt, error) {
	r, err := run(ctx, ses, &closeContract{in}, nil, func(e *Entry) ContractReceipt {
		f := e.Fact.(*ContractFinished)
		return ContractReceipt{CampaignID: f.Campaign, Sponsor: f.Sponsor, State: f.State, Returned: f.Returned, Seq: e.Seq, At: e.At}
	})
	return r, ses.n.finished(ctx, in.CampaignID, err)
}

// finished makes of the refusal of an unknown contract one that says how it
// ended, if it did so long ago that the journal alone knows of it.
func (n *Network) finished(ctx context.Context, id uint64, err error) error {
	var r *Refusal
	if !errors.As(err, &r) || r.Code != code.ContractUnknown {
		return err
	}
	ct, missing := archived(ctx, n, contractShelf, id, err)
	if missing != nil {
		return missing
	}
	return contractOver(ct.state)
}

package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type FundContract struct{ netkit.FundContract }

func (*FundContract) Route() string { return "contract.fund" }

func (c *FundContract) Decide(s *State, call *Call) error {
	ct, sponsor, err := ownContract(s, call, c.CampaignID)
	if err != nil {
		return err
	}
	if err := checkAmount("amount", c.Amount); err != nil {
		return err
	}
	if ct.over(call.At) {
		return conflict(code.ContractEnded, "the contract is ended", "open another one")
	}
	if ct.budget+c.Amount > netkit.MaxAmount {
		return netkit.Invalid("amount", code.AmountTooLarge, "would raise the budget over 10000000000.00", "open another contract")
	}
	f := &ContractFunded{Campaign: ct.Id, Sponsor: sponsor, Amount: c.Amount}
	return payContract(s, call, f, sponsor, ct.Id, c.Amount)
}

// Receipt returns the receipt of the command from its entry.
func (*FundContract) Receipt(e *Entry) netkit.ContractReceipt {
	f := e.Fact.(*ContractFunded)
	return netkit.ContractReceipt{CampaignID: f.Campaign, Sponsor: f.Sponsor, Remaining: e.BalanceAfter(netkit.ContractBudget(f.Campaign)), Seq: e.Seq, At: e.At}
}

// ownContract returns a live contract that the caller may steer, with its
// sponsor's slug.
func ownContract(s *State, call *Call, id uint64) (*Contract, string, error) {
	_, p, err := call.Actor(s)
	if err != nil {
		return nil, "", err
	}
	ct, err := s.Contract("campaign_id", id)
	if err != nil {
		return nil, "", err
	}
	sponsor := s.parties.At(ct.sponsor).Slug
	if p.Kind != netkit.OperatorParty && p.Slug != sponsor {
		return nil, "", netkit.Forbidden("", code.ForeignContract, "only its sponsor or an operator may do this", "")
	}
	if !ct.live() {
		return nil, "", conflict(contractStateCodes[ct.State], "the contract is "+ct.State.String(), "open another one")
	}
	return ct, sponsor, nil
}

// ContractFunded records a top-up.
type ContractFunded struct {
	Campaign uint64
	Sponsor  string
	Amount   netkit.Credits
}

func (*ContractFunded) Kind() netkit.Kind { return netkit.KindContractFunded }

func (f *ContractFunded) CommandOf(*PastView) (Command, error) {
	return &FundContract{netkit.FundContract{CampaignID: f.Campaign, Amount: f.Amount}}, nil
}

func (f *ContractFunded) Fields(c *wire.Codec) {
	wire.Num(c, "campaign", &f.Campaign)
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Amount(c, "amount", &f.Amount)
}

func (f *ContractFunded) Apply(s *State, _ *Entry) {
	if ct, ok := s.contracts.Get(f.Campaign); ok {
		s.contracts.Edit(ct).budget += f.Amount
	}
}

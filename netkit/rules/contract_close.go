package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type CloseContract struct{ netkit.CloseContract }

func (*CloseContract) Route() string { return "contract.close" }

func (c *CloseContract) Decide(s *State, call *Call) error {
	ct, sponsor, err := ownContract(s, call, c.CampaignID)
	if err != nil {
		return err
	}
	f, moves := s.finish(ct, sponsor, netkit.ContractClosed)
	call.Add(f, moves...)
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*CloseContract) Receipt(e *Entry) netkit.ContractReceipt {
	f := e.Fact.(*ContractFinished)
	return netkit.ContractReceipt{CampaignID: f.Campaign, Sponsor: f.Sponsor, State: f.State, Returned: f.Returned, Seq: e.Seq, At: e.At}
}

// finish ends a contract and returns what is left to its sponsor.
func (s *State) finish(ct *Contract, sponsor string, as netkit.ContractState) (Fact, []Move) {
	rest := ct.left.Held
	f := &ContractFinished{Campaign: ct.Id, Sponsor: sponsor, State: as, Returned: rest}
	return f, []Move{{netkit.ContractBudget(ct.Id), -rest}, {netkit.SponsorFunds(sponsor), rest}}
}

// contractDue ends a contract whose time is over.
func (s *State) contractDue(it dueItem) (Fact, []Move) {
	ct, ok := s.contracts.Get(it.id)
	if !ok || !ct.live() || ct.ends != it.at {
		return nil, nil
	}
	return s.finish(ct, s.parties.At(ct.sponsor).Slug, netkit.ContractEnded)
}

// ContractFinished records the end of a contract.
type ContractFinished struct {
	Campaign uint64
	Sponsor  string
	State    netkit.ContractState
	Returned netkit.Credits
}

func (*ContractFinished) Kind() netkit.Kind { return netkit.KindContractFinished }

func (f *ContractFinished) CommandOf(*PastView) (Command, error) {
	if f.State != netkit.ContractClosed {
		return nil, nil // it ended by itself
	}
	return &CloseContract{netkit.CloseContract{CampaignID: f.Campaign}}, nil
}

func (f *ContractFinished) Fields(c *wire.Codec) {
	wire.Num(c, "campaign", &f.Campaign)
	wire.Str(c, "sponsor", &f.Sponsor)
	enum(c, "state", &f.State, netkit.ContractStateNames)
	wire.Amount(c, "returned", &f.Returned)
}

func (f *ContractFinished) Apply(s *State, _ *Entry) {
	if ct, ok := s.contracts.Get(f.Campaign); ok {
		s.contracts.Edit(ct).State = f.State
		s.executed.forget(f.Campaign)
		s.ended.add(f.Campaign)
	}
}

package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// SetPace replaces the limits of a contract on its pay in a day and in an hour.
type SetPace struct{ netkit.SetPace }

func (*SetPace) Route() string { return "contract.pace" }

func (c *SetPace) Decide(s *State, call *Call) error {
	ct, sponsor, err := ownContract(s, call, c.CampaignID)
	if err != nil {
		return err
	}
	if err := s.checkPace(ct.min, c.BudgetADay, c.BudgetAnHour); err != nil {
		return err
	}
	call.Add(&PaceSet{Sponsor: sponsor, Campaign: ct.Id, ADay: c.BudgetADay, AnHour: c.BudgetAnHour})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*SetPace) Receipt(e *Entry) netkit.PaceReceipt {
	f := e.Fact.(*PaceSet)
	return netkit.PaceReceipt{CampaignID: f.Campaign, Sponsor: f.Sponsor, BudgetADay: f.ADay, BudgetAnHour: f.AnHour, Seq: e.Seq, At: e.At}
}

// PaceSet records new limits of a contract on its pay in a day and in an hour.
type PaceSet struct {
	Sponsor      string
	Campaign     uint64
	ADay, AnHour netkit.Credits // 0 is no limit
}

func (*PaceSet) Kind() netkit.Kind { return netkit.KindContractPaced }

func (f *PaceSet) CommandOf(*PastView) (Command, error) {
	return &SetPace{netkit.SetPace{CampaignID: f.Campaign, BudgetADay: f.ADay, BudgetAnHour: f.AnHour}}, nil
}

func (f *PaceSet) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Num(c, "campaign", &f.Campaign)
	wire.Amount(c, "budget_a_day", &f.ADay)
	wire.Amount(c, "budget_an_hour", &f.AnHour)
}

func (f *PaceSet) Apply(s *State, _ *Entry) {
	ct, ok := s.contracts.Get(f.Campaign)
	if !ok {
		return
	}
	p := &s.contracts.Edit(ct).pace
	p.day, p.hour = f.ADay, f.AnHour
	if !p.limited() {
		*p = pace{} // a contract without a limit keeps nothing of it
	}
}

package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// sponsorStop is the row of a sponsor that an operator stopped, by the entry of
// the stop.
type sponsorStop struct {
	sponsor  uint32 // row of the party
	at       netkit.Millis
	operator string
	reason   string
	returned netkit.Credits // outside money that went back so far
}

func (x *sponsorStop) Fields(c *wire.Codec) {
	wire.Num(c, "sponsor", &x.sponsor)
	wire.Num(c, "at", &x.at)
	wire.Str(c, "operator", &x.operator)
	wire.Str(c, "reason", &x.reason)
	wire.Amount(c, "returned", &x.returned)
}

// stopView returns the stop of a sponsor by its entry, or nil.
func (s *State) stopView(entry uint64) *netkit.SponsorStop {
	x, ok := s.stops.Get(entry)
	if !ok {
		return nil
	}
	return &netkit.SponsorStop{At: x.at, Operator: x.operator, Reason: x.reason, Seq: entry, Returned: x.returned}
}

// activeSponsor returns the row of a sponsor that was not stopped, or a refusal
// for field.
func (s *State) activeSponsor(field, slug string) (uint32, *Party, error) {
	i, p, err := s.sponsor(field, slug)
	if err == nil && s.isStopped(p) {
		return 0, nil, &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.SponsorStopped, Field: field, What: "names a sponsor that an operator stopped", Next: "{getSponsor} shows the reason"}
	}
	return i, p, err
}

// isStopped reports whether an operator stopped a party, which is a sponsor then.
func (s *State) isStopped(p *Party) bool { return s.extra(p).bought.stopped != 0 }

type StopSponsor struct{ netkit.StopSponsor }

func (*StopSponsor) Route() string { return "sponsor.stop" }

func (c *StopSponsor) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	i, p, err := s.activeSponsor("sponsor", c.Sponsor)
	if err != nil {
		return err
	}
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	f := &SponsorStopped{Sponsor: p.Slug, Reason: c.Reason}
	for _, ct := range s.contracts.All() {
		if ct.sponsor == i && ct.live() {
			f.Contracts, f.Budgets = f.Contracts+1, f.Budgets+ct.left.Held
		}
	}
	funds := netkit.SponsorFunds(p.Slug)
	held := s.Held(funds)
	call.Add(f, Move{funds, -held}, Move{netkit.Issuance, held})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*StopSponsor) Receipt(e *Entry) netkit.StopReceipt {
	f := e.Fact.(*SponsorStopped)
	return netkit.StopReceipt{Sponsor: f.Sponsor, Funds: e.Amount(netkit.Issuance), Contracts: f.Contracts, Budgets: f.Budgets, Seq: e.Seq, At: e.At}
}

// SponsorStopped records that an operator stopped a sponsor, and moves its
// uncommitted funds out of the network. Its contracts end at this moment, and
// delivered executions clear as before.
type SponsorStopped struct {
	Sponsor   string
	Reason    string
	Contracts uint32         // that end
	Budgets   netkit.Credits // left in them
}

func (*SponsorStopped) Kind() netkit.Kind { return netkit.KindSponsorStopped }

func (f *SponsorStopped) CommandOf(*PastView) (Command, error) {
	return &StopSponsor{netkit.StopSponsor{Sponsor: f.Sponsor, Reason: f.Reason}}, nil
}

func (f *SponsorStopped) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Str(c, "reason", &f.Reason)
	wire.Num(c, "contracts", &f.Contracts)
	wire.Amount(c, "budgets", &f.Budgets)
}

func (f *SponsorStopped) Apply(s *State, e *Entry) {
	i, _, ok := s.party(f.Sponsor)
	if !ok {
		return
	}
	s.stops.Put(e.Seq, sponsorStop{sponsor: i, at: e.At, operator: e.Actor, reason: f.Reason})
	s.changeExtra(i).bought.stopped = e.Seq
	s.returnBacking(e.Seq, e.Amount(netkit.Issuance))
	for _, ct := range s.contracts.All() {
		if ct.sponsor == i && ct.live() {
			s.contracts.Edit(ct).ends = e.At
			s.deadlines.plan(contractEnds, e.At, ct.Id)
		}
	}
	s.notify(i, e.Seq, noticeStopped)
}

func (f *SponsorStopped) notice(noticeKind, string) (uint64, string) {
	return 0, "An operator stopped you as a sponsor: your contracts end, your funds are returned, and what was delivered clears. The reason: " + f.Reason
}

// returnBacking subtracts outside money that went back from the backing of a stopped
// sponsor's payments.
func (s *State) returnBacking(stop uint64, amount netkit.Credits) {
	x, ok := s.stops.Get(stop)
	if !ok {
		return
	}
	x.returned += amount
	s.stops.Put(stop, x)
	p := s.parties.Change(x.sponsor)
	p.Backing = max(0, p.Backing-amount)
}

// refundLater plans the refund of later income of a sponsor that was stopped.
// All refunds of a sponsor fall due at its stop, behind the ends of its contracts,
// so that a start plans them as they were.
func (s *State) refundLater(slug string) {
	if _, p, ok := s.party(slug); ok && s.isStopped(p) {
		stop := s.extra(p).bought.stopped
		if x, ok := s.stops.Get(stop); ok {
			s.deadlines.plan(sponsorRefunds, x.at, stop)
		}
	}
}

// refundDue refunds the income of a sponsor since its stop.
func (s *State) refundDue(stop uint64) (Fact, []Move) {
	x, ok := s.stops.Get(stop)
	if !ok {
		return nil, nil
	}
	slug := s.parties.At(x.sponsor).Slug
	funds := netkit.SponsorFunds(slug)
	held := s.Held(funds)
	if held == 0 {
		return nil, nil
	}
	return &SponsorRefunded{Sponsor: slug, Stop: stop, Amount: held}, []Move{{funds, -held}, {netkit.Issuance, held}}
}

// SponsorRefunded records outside money that went back to a sponsor after its stop:
// budgets of its contracts, bonds, and pay that was returned.
type SponsorRefunded struct {
	Sponsor string
	Stop    uint64 // entry of the stop
	Amount  netkit.Credits
}

func (*SponsorRefunded) Kind() netkit.Kind { return netkit.KindSponsorRefunded }

func (*SponsorRefunded) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *SponsorRefunded) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Num(c, "stop", &f.Stop)
	wire.Amount(c, "amount", &f.Amount)
}

func (f *SponsorRefunded) Apply(s *State, _ *Entry) { s.returnBacking(f.Stop, f.Amount) }

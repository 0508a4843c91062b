package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// sourcesAllowed is how many a signal may name.
func sourcesAllowed(m *netkit.MarketRules) int { return cmp.Or(m.Sources, 20) }

func checkSources(n, most int) error {
	if n < 1 || n > most {
		return &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.SourcesMissing, Field: "signal.sources", Law: "L1",
			What: "must name 1 to " + strconv.Itoa(most) + " sources", Next: "give the addresses that the signal rests on"}
	}
	return nil
}

// unknownSources stands in for sources of which only the number is public.
var unknownSources [netkit.MaxSources + 1]string

// Execute holds a command that was checked before it was queued.
type Execute struct{ netkit.Execute }

func (*Execute) Route() string { return "intent" }

func (c *Execute) Decide(s *State, call *Call) error {
	i, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if err := checkSources(len(c.Signal.Sources), sourcesAllowed(&s.law.Market)); err != nil {
		return err
	}
	ct, err := s.Contract("campaign_id", c.CampaignID)
	if err != nil {
		return err
	}
	if err := c.checkData(ct); err != nil {
		return err
	}
	who := s.payee(i, p, call.At)
	pay, err := s.pay(ct, &who)
	if err != nil {
		return err
	}
	sponsor := s.parties.At(ct.sponsor)
	clears := s.clears(ct, call.At)
	f := &Executed{Campaign: ct.Id, Agent: p.Slug, Sponsor: sponsor.Slug, Tier: pay.Tier, Payout: pay.Payout, Sources: uint32(len(c.Signal.Sources)),
		Newcomer: pay.Newcomer, Exclusive: ct.exclusive, Structured: ct.structured, Clears: clears.clears, ClearsMarket: clears.market,
		Payment: s.settlement(i, ct.sponsor, pay.Payout, pay.AgentShare, sponsor.Backing, call.At)}
	call.Add(f, Move{netkit.ContractBudget(ct.Id), -pay.Payout}, Move{netkit.Wallet(p.Slug), pay.AgentShare}, Move{netkit.Treasury, pay.TreasuryShare})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*Execute) Receipt(e *Entry) netkit.Execution {
	f := e.Fact.(*Executed)
	return netkit.Execution{ExecutionID: e.Seq, CampaignID: f.Campaign, Tier: f.Tier, Payout: f.Payout,
		AgentShare: e.Amount(netkit.Wallet(f.Agent)), TreasuryShare: e.Amount(netkit.Treasury), Balance: e.BalanceAfter(netkit.Wallet(f.Agent)),
		ClearsAt: f.Clears.Millis(), Seq: e.Seq, At: e.At}
}

// maxTier is the field of a matching that leaves out agents of higher tiers.
const maxTier = "max_tier"

// mismatch lists what of the matching an agent does not fit.
func (ct *Contract) mismatch(p *Party, tier netkit.Tier) []string {
	var missing []string
	if len(ct.niches) > 0 && !slices.Contains(ct.niches, p.Agent.Niche) {
		missing = append(missing, "niches")
	}
	if len(ct.provider) > 0 && !slices.Contains(ct.provider, p.Agent.provider) {
		missing = append(missing, "llm_providers")
	}
	if tier < ct.min {
		missing = append(missing, "min_tier")
	}
	if ct.max != netkit.NoCeiling && tier > ct.max.Tier() {
		missing = append(missing, maxTier)
	}
	return missing
}

// tierGap completes a sentence about a contract that does not pay an agent's tier; it
// returns "" if the contract pays it.
func (ct *Contract) tierGap(tier netkit.Tier) string {
	most := netkit.Elite
	if ct.max != netkit.NoCeiling {
		most = ct.max.Tier()
	}
	if tier >= ct.min && tier <= most {
		return ""
	}
	return ": you are " + tier.String() + ", and it pays " + ct.min.String() + " to " + most.String()
}

// Executed records an execution. Sources is how many the signal names; the
// signal itself stands in the private part.
type Executed struct {
	Campaign uint64
	Agent    string
	Sponsor  string
	Tier     netkit.Tier
	Payout   netkit.Credits
	Sources  uint32
	Newcomer bool // the agent had too few cleared transactions to be more
	// Exclusive is what the contract asks for: a resold signal may be returned outside
	// the sponsor's share.
	Exclusive  bool
	Structured bool    // the signal has data
	Clears     Quarter // when it clears; 0 is at once
	// ClearsMarket is when it clears in market time. Where it is not 0 it applies,
	// and Clears is when that comes if no crisis begins before.
	ClearsMarket netkit.Millis
	Payment
}

func (f *Executed) clearTime() ClearTime { return ClearTime{f.Clears, f.ClearsMarket} }

func (*Executed) Kind() netkit.Kind { return netkit.KindExecution }

func (f *Executed) CommandOf(*PastView) (Command, error) {
	n := int(min(f.Sources, netkit.MaxSources+1))
	return &Execute{netkit.Execute{CampaignID: f.Campaign, Signal: netkit.Signal{Sources: unknownSources[:n], Data: unknownData(f.Structured)}}}, checkSources(n, netkit.MaxSources)
}

func (f *Executed) Fields(c *wire.Codec) {
	wire.Num(c, "campaign", &f.Campaign)
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "sponsor", &f.Sponsor)
	enum(c, "tier", &f.Tier, netkit.TierNames)
	wire.Amount(c, "payout", &f.Payout)
	wire.Num(c, "sources", &f.Sources)
	c.Flag("newcomer", &f.Newcomer)
	c.Flag("exclusive", &f.Exclusive)
	c.Flag("structured", &f.Structured)
	wire.Num(c, "clears", &f.Clears)
	wire.Num(c, "clears_market", &f.ClearsMarket)
	f.Payment.Fields(c)
}

func (f *Executed) Apply(s *State, e *Entry) {
	ct, known := s.contracts.Get(f.Campaign)
	i, ok := s.slugs.Get(f.Agent)
	if !known || !ok {
		return
	}
	s.contracts.Edit(ct)
	ct.spent += f.Payout
	ct.runs++
	ct.pace.add(f.Payout, e.At)
	if f.Newcomer {
		ct.newcomers += f.Payout
	}
	s.executed.inc(f.Campaign, i)
	s.parties.Change(ct.sponsor).Backing -= f.Used
	ev := s.evidenceRow(i, ct.sponsor, e.At.Day(), f.clearTime())
	ev.In += f.Counted
	ev.Stands++
	if f.Clears != 0 {
		ev.pay += e.Amount(netkit.Wallet(f.Agent))
		ev.passed += f.Passed
		ev.share += e.Amount(netkit.Treasury)
	}
	s.addPaid(ct.sponsor, i, countsFrom(e.At.Day(), f.Clears), f.Counted)
	p := s.parties.Change(i)
	p.Backing += f.Passed
	p.Agent.Transactions++
	x := s.changeExtra(ct.sponsor)
	x.bought.executions++
	x.bought.on(e.At.Day()).purchases++
	x.bought.In = x.bought.In.with(e.Seq)
	x.bought.paid += f.Payout
	s.notify(ct.sponsor, e.Seq, noticeDelivered)
	s.roots.Edit(s.root).Counts.Executions++
	s.root.UnclearedShares += e.Amount(netkit.Treasury)
	if f.Clears == 0 {
		s.earnShare(e.Amount(netkit.Treasury), e.At.Day())
	}
}

func (f *Executed) notice(noticeKind, string) (uint64, string) {
	text := fmt.Sprintf("%s executed contract %d at %s for %s credits.", f.Agent, f.Campaign, f.Tier, f.Payout)
	if f.Clears != 0 {
		text += fmt.Sprintf(" Read it and report what is wrong by %s, or accept it.", f.Clears.Millis())
	}
	return 0, text
}

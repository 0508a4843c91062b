package rules

import (
	"cmp"
	"fmt"

	"github.com/agentnet/netctl/netkit"
)

// MarketPreview counts the agents that match a contract, a step at a time.
type MarketPreview struct {
	out        netkit.ContractPreview
	in         *netkit.PreviewContract
	market     netkit.MarketRules
	ct         Contract // what the matching asks for
	next, rows uint32
	stride     uint32 // one row stands for so many
	able       [netkit.Elite + 1]ability

	lost, kept uint64 // signals of the last 30 days by agents above max_tier, and by those that match
}

// ability counts the executions that agents of a tier may be paid at once.
type ability struct {
	others, newcomers uint64
	rooms             map[uint64]uint64 // newcomers by how many executions each may be paid
}

// previewDays is how many days of signals a preview with a max_tier looks back.
const previewDays = 30

// PreviewMarket begins a preview that looks at up to most agents.
func (s *State) PreviewMarket(by netkit.Caller, in *netkit.PreviewContract, most uint32, now netkit.Millis) (*MarketPreview, error) {
	asks, _, err := s.reader(by)
	if err != nil {
		return nil, err
	}
	c := OpenContract{OpenContract: netkit.OpenContract{Budget: in.Budget, BudgetADay: in.BudgetADay, BudgetAnHour: in.BudgetAnHour, Matching: in.Matching, ExecutionsPerAgent: in.ExecutionsPerAgent}}
	if err := cmp.Or(c.checkMatching(), c.checkNames(s), c.checkMoney(s)); err != nil {
		return nil, err
	}
	if err := s.checkPace(in.Matching.MinTier, in.BudgetADay, in.BudgetAnHour); err != nil {
		return nil, err
	}
	p := &MarketPreview{in: in, market: s.law.Market, rows: s.parties.Len(), out: netkit.ContractPreview{NewcomersBudget: in.Budget, AsOf: s.AsOf(now)},
		ct: Contract{niches: in.Matching.Niches, provider: in.Matching.LLMProviders, min: in.Matching.MinTier, max: ceilingOf(in.Matching.MaxTier), sponsor: asks, named: namedAgents{s.rowsOf(in.Matching.Admit), s.rowsOf(in.Matching.ShutOut)}, pace: pace{day: in.BudgetADay, hour: in.BudgetAnHour}}}
	p.stride = (p.rows + most - 1) / most
	p.out.Estimated = p.stride > 1
	for t := range s.law.Tiers {
		p.out.Tiers = append(p.out.Tiers, netkit.TierPreview{Tier: netkit.Tier(t), Payout: s.law.Tiers[t].Payout})
	}
	return p, nil
}

// Count looks at the next agents, up to most, and reports whether more are left.
func (p *MarketPreview) Count(s *State, most uint32, now netkit.Millis) bool {
	at := s.Moment(now)
	for range most {
		if p.next >= p.rows {
			return false
		}
		p.countAgent(s, p.next, at)
		p.next += p.stride
	}
	return p.next < p.rows
}

// Result returns the preview with the executions that the budget buys.
func (p *MarketPreview) Result() netkit.ContractPreview {
	if p.market.NewcomersShare > 0 {
		p.out.NewcomersBudget = max(p.market.NewcomersPart(p.in.Budget, p.others()), p.out.Tiers[p.in.Matching.MinTier].Payout)
	}
	p.out.SignalsADay, p.out.LostADay = (p.lost+p.kept+previewDays-1)/previewDays, (p.lost+previewDays-1)/previewDays
	if p.out.AboveCeiling > 0 {
		p.out.Advice = p.adviseOnCeiling()
	}
	for k := range p.out.Tiers {
		t := &p.out.Tiers[k]
		t.Executions = p.executions(t)
		p.pace(t)
	}
	p.out.Pacing = p.ct.pace.over(p.in.Budget)
	return p.out
}

// pace limits what a tier is paid now, and counts what it may be paid in a day.
func (p *MarketPreview) pace(t *netkit.TierPreview) {
	if !p.ct.pace.limited() {
		return
	}
	at := p.ct.pace.atOnce(t.Payout)
	t.Executions, t.ADay = min(t.Executions, at), p.ct.pace.inADay(t.Payout)
}

// adviseOnCeiling returns a sentence about the agents that max_tier leaves out.
func (p *MarketPreview) adviseOnCeiling() string {
	signals := ""
	if p.out.SignalsADay > 0 {
		signals = fmt.Sprintf(", with %d of %d signals a day in the last %d days", p.out.LostADay, p.out.SignalsADay, previewDays)
	}
	return fmt.Sprintf("max_tier leaves out %d of %d agents that would match%s, and every agent that rises above it; without it the contract pays each by its tier",
		p.out.AboveCeiling, p.out.Agents+p.out.AboveCeiling, signals)
}

// executions returns how many executions of a tier's agents the contract pays now, if
// those who are no newcomers come first.
func (p *MarketPreview) executions(t *netkit.TierPreview) uint64 {
	able := &p.able[t.Tier]
	paid := min(uint64(p.in.Budget/t.Payout), able.others)
	left := p.in.Budget - netkit.Credits(paid)*t.Payout
	all := min(uint64(left/t.Payout), able.newcomers)
	if p.market.NewcomersShare == 0 {
		return paid + all
	}
	part := min(all, p.partsOf(t), max(1, uint64(p.market.NewcomersPart(p.in.Budget, p.others())/t.Payout)))
	if !p.market.NewcomersYield || p.paysOthers(t, paid, left-netkit.Credits(part)*t.Payout) {
		return paid + part
	}
	return paid + all
}

// others counts the agents that match and are no newcomers, up to the number that makes
// a difference.
func (p *MarketPreview) others() int {
	enough := p.market.EnoughOthers()
	if !p.market.NewcomersYield || p.rows > maxOthers {
		return enough
	}
	return int(min(p.out.Agents-p.out.Newcomers, uint64(enough)))
}

// partsOf counts the executions of a tier's newcomers, up to the part of the budget that
// each may be paid.
func (p *MarketPreview) partsOf(t *netkit.TierPreview) (sum uint64) {
	for n, times := range p.able[t.Tier].rooms {
		if p.market.NewcomersLeast > 0 {
			n = min(n, max(1, uint64(p.market.NewcomerPart(p.in.Budget, p.others())/t.Payout)))
		}
		sum += times * n
	}
	return sum
}

// paysOthers reports whether what is left of the budget pays an agent that is no
// newcomer: one of another tier, or one of the tier after it paid so many executions
// of these.
func (p *MarketPreview) paysOthers(of *netkit.TierPreview, paid uint64, left netkit.Credits) bool {
	for k := range p.out.Tiers {
		t := &p.out.Tiers[k]
		others := t.Agents - t.Newcomers
		if t.Tier == of.Tier && paid == others*p.each() {
			continue
		}
		if others > 0 && t.Payout <= left {
			return true
		}
	}
	return p.rows > maxOthers
}

// each returns how often the contract pays an agent.
func (p *MarketPreview) each() uint64 { return max(uint64(p.in.ExecutionsPerAgent), 1) }

// countAgent counts an agent, as many times as it stands for.
func (p *MarketPreview) countAgent(s *State, i uint32, at netkit.Millis) {
	agent := s.parties.At(i)
	if agent.Kind != netkit.AgentParty || agent.Status != netkit.Active {
		return
	}
	who := s.payee(i, agent, at)
	times, tier := uint64(p.stride), &p.out.Tiers[who.rate.Tier]
	if missing := p.ct.mismatch(agent, who.rate.Tier); len(missing) > 0 {
		if len(missing) == 1 && missing[0] == maxTier {
			p.out.AboveCeiling += times
			p.lost += times * delivered(agent.Agent.Evidence, at.Day()-previewDays)
		}
		return
	}
	if !s.admits(&p.ct, i) {
		p.out.NotAdmitted += times
		return
	}
	if p.in.Matching.MaxTier != nil {
		p.kept += times * delivered(agent.Agent.Evidence, at.Day()-previewDays)
	}
	p.out.Agents += times
	tier.Agents += times
	if who.newcomer {
		p.out.Newcomers += times
		tier.Newcomers += times
	}
	p.countExecutions(s, &who, times)
}

// countExecutions counts how often the contract may pay an agent now.
func (p *MarketPreview) countExecutions(s *State, who *Payee, times uint64) {
	able, n := &p.able[who.rate.Tier], min(p.each(), s.roomOf(who))
	if n == 0 {
		p.out.AtLimit += times
	}
	if !who.newcomer {
		able.others += times * n
		return
	}
	able.newcomers += times * n
	if able.rooms == nil {
		able.rooms = map[uint64]uint64{}
	}
	able.rooms[n] += times
}

// delivered sums up the executions of an agent that stand since a day.
func delivered(rows []Evidence, since netkit.Day) (sum uint64) {
	for k := len(rows) - 1; k >= 0 && rows[k].Day > since; k-- {
		sum += uint64(rows[k].Stands)
	}
	return sum
}

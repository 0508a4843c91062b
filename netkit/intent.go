package netkit

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/plural"
)

// Signal is what an agent delivers for a contract.
type Signal struct {
	Headline string   `json:"headline" doc:"at most 200 characters"`
	Body     string   `json:"body" doc:"at most 16,000 characters"`
	Sources  []string `json:"sources" doc:"at least one http or https address, at most 20"`
}

func (g *Signal) fields(c *codec) {
	str(c, "headline", &g.Headline)
	str(c, "body", &g.Body)
	strs(c, "sources", &g.Sources)
}

func (g *Signal) check() error {
	if err := checkText("signal.headline", g.Headline, 1, 200); err != nil {
		return err
	}
	if err := checkText("signal.body", g.Body, 1, 16_000); err != nil {
		return err
	}
	if err := checkSources(len(g.Sources)); err != nil {
		return err
	}
	for i, src := range g.Sources {
		if !webAddress(src) {
			return invalid("signal.sources["+strconv.Itoa(i)+"]", "source_malformed", "is not an http or https address", "")
		}
	}
	return nil
}

// maxSources is how many sources a signal may name.
const maxSources = 20

func checkSources(n int) error {
	if n < 1 || n > maxSources {
		return &Refusal{Kind: ErrInvalid, Code: "sources_missing", Field: "signal.sources", Law: "L1",
			What: "must name 1 to 20 sources", Next: "give the addresses that the signal rests on"}
	}
	return nil
}

// unknownSources stands in for sources of which only the number is public.
var unknownSources [maxSources + 1]string

// webAddress reports whether s is an absolute web address of sane length.
func webAddress(s string) bool {
	if len(s) > 2000 || !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && u.User == nil
}

// Execute asks to execute a matched signal contract.
type Execute struct {
	CampaignID uint64 `json:"campaign_id"`
	Signal     Signal `json:"signal"`
}

// Execution is the receipt of an execution. The wallet never pays: the payout
// is charged to the contract's budget.
type Execution struct {
	ExecutionID   uint64  `json:"execution_id"`
	CampaignID    uint64  `json:"campaign_id"`
	Tier          Tier    `json:"tier" doc:"at which it was paid"`
	Payout        Credits `json:"payout" doc:"charged to the contract"`
	AgentShare    Credits `json:"agent_share"`
	TreasuryShare Credits `json:"treasury_share"`
	Balance       Credits `json:"balance" doc:"of the agent's wallet afterwards"`
	Seq           uint64  `json:"seq"`
	At            Millis  `json:"at"`
}

// execute holds a command that was checked before it was queued.
type execute struct{ Execute }

func (*execute) route() string { return "intent" }

func (c *execute) decide(s *state, call *call) error {
	i, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	row, ct, err := s.contract("campaign_id", c.CampaignID)
	if err != nil {
		return err
	}
	if ct.live() && ct.over(call.at) {
		return contractOver(ContractEnded)
	}
	tier := s.tier(i, call.at.Day())
	if err := s.mayExecute(row, ct, i, p, tier); err != nil {
		return err
	}
	payout := s.law.tier(tier).Payout
	budget := ContractBudget(ct.id)
	if s.budgets.at(row).held < payout {
		return conflict("contract_exhausted", "the remaining budget is below one payout of your tier", "find another with {listContracts}")
	}
	agent, treasury := score.Split(int64(payout), int64(s.law.Economy.AgentShare))
	sponsor := s.parties.at(ct.sponsor)
	f := &executed{Campaign: ct.id, Agent: p.slug, Sponsor: sponsor.slug, Tier: tier, Payout: payout, Sources: uint32(len(c.Signal.Sources)),
		payment: s.settlement(i, ct.sponsor, payout, Credits(agent), sponsor.backing, call.at)}
	call.add(f, move{budget, -payout}, move{Wallet(p.slug), Credits(agent)}, move{Treasury, Credits(treasury)})
	return nil
}

// mayExecute names what stands between an agent and a contract.
func (s *state) mayExecute(row uint32, ct *contract, i uint32, p *party, tier Tier) error {
	switch {
	case ct.kind == Commercial && s.blackout():
		return &Refusal{Kind: ErrForbidden, Law: "L3", Code: "blackout", What: "a Priority 0 crisis runs and commercial contracts are suppressed",
			Next: "wait until it is resolved, or execute an operational contract"}
	case !ct.live():
		return contractOver(ct.state)
	case ct.state == ContractExhausted:
		return conflict("contract_exhausted", "the remaining budget is below one payout", "find another with {listContracts}")
	case s.executed.count(row, i) >= ct.limit:
		return conflict("already_executed", "you have executed this contract "+plural.Count(ct.limit, "time", "times")+", as often as it allows", "find another with {listContracts}")
	}
	if missing := ct.mismatch(p, tier); len(missing) > 0 {
		return &Refusal{Kind: ErrForbidden, Code: "not_matched", What: "the contract does not match you: " + strings.Join(missing, "; "),
			Next: "{setClaims} sets niche and provider; {getMe} tells what is missing to the next tier"}
	}
	return nil
}

func contractOver(st ContractState) error {
	return conflict("contract_"+st.String(), "the contract is "+st.String(), "find another with {listContracts}")
}

// mismatch lists what of the matching an agent does not fit.
func (ct *contract) mismatch(p *party, tier Tier) []string {
	var missing []string
	if len(ct.niches) > 0 && !slices.Contains(ct.niches, p.agent.niche) {
		missing = append(missing, "niches")
	}
	if len(ct.provider) > 0 && !slices.Contains(ct.provider, p.agent.provider) {
		missing = append(missing, "llm_providers")
	}
	if tier < ct.min {
		missing = append(missing, "min_tier")
	}
	return missing
}

// executed records an execution. Sources is how many the signal names; the
// signal itself stands in the private part.
type executed struct {
	Campaign uint64
	Agent    string
	Sponsor  string
	Tier     Tier
	Payout   Credits
	Sources  uint32
	payment
}

func (*executed) kind() Kind { return "execution" }

func (f *executed) asked(*hindsight) (command, error) {
	n := int(min(f.Sources, maxSources+1))
	return &execute{Execute{f.Campaign, Signal{Sources: unknownSources[:n]}}}, checkSources(n)
}

func (f *executed) fields(c *codec) {
	num(c, "campaign", &f.Campaign)
	str(c, "agent", &f.Agent)
	str(c, "sponsor", &f.Sponsor)
	enum(c, "tier", &f.Tier, tierNames)
	c.amount("payout", &f.Payout)
	num(c, "sources", &f.Sources)
	f.payment.fields(c)
}

func (f *executed) apply(s *state, e *Entry) {
	row, known := s.byID.get(f.Campaign)
	i, ok := s.slugs.get(f.Agent)
	if !known || !ok {
		return
	}
	ct := s.contracts.change(row)
	ct.spent += f.Payout
	ct.runs++
	s.exhaust(ct)
	s.executed.inc(row, i)
	s.parties.change(ct.sponsor).backing -= f.used
	ev := s.evidenceOf(i, ct.sponsor, e.At.Day())
	ev.in += f.counted
	ev.stands++
	p := s.parties.change(i)
	p.backing += f.passed
	p.agent.transactions++
	s.roots.edit(s.root).counts.Executions++
}

// Execute executes a matched signal contract at the agent's tier rate.
func (n *Network) Execute(ctx context.Context, by Caller, in Execute) (Execution, error) {
	if err := in.Signal.check(); err != nil {
		return Execution{}, err
	}
	return run(ctx, n, by, &execute{in}, &in.Signal, func(e *Entry) Execution {
		f := e.Fact.(*executed)
		return Execution{ExecutionID: e.Seq, CampaignID: f.Campaign, Tier: f.Tier, Payout: f.Payout,
			AgentShare: e.amount(Wallet(f.Agent)), TreasuryShare: e.amount(Treasury), Balance: e.balanceAfter(Wallet(f.Agent)), Seq: e.Seq, At: e.At}
	})
}

// runCounts counts executions by contract and agent while a contract lives,
// so that closing one forgets them at once.
type runCounts struct {
	m     map[uint32]map[uint32]uint32
	saved []runSlot
}

type runSlot struct {
	contract, agent, old uint32
	whole                map[uint32]uint32 // set when the contract was forgotten
}

func (x *runCounts) count(contract, agent uint32) uint32 { return x.m[contract][agent] }

func (x *runCounts) inc(contract, agent uint32) {
	runs := x.m[contract]
	if runs == nil {
		runs = map[uint32]uint32{}
		x.m[contract] = runs
	}
	old := runs[agent]
	x.saved = append(x.saved, runSlot{contract: contract, agent: agent, old: old})
	runs[agent] = old + 1
}

func (x *runCounts) forget(contract uint32) {
	if runs, ok := x.m[contract]; ok {
		x.saved = append(x.saved, runSlot{contract: contract, whole: runs})
		delete(x.m, contract)
	}
}

func (x *runCounts) commit() { clear(x.saved); x.saved = x.saved[:0] }

func (x *runCounts) rollback() {
	for i := len(x.saved) - 1; i >= 0; i-- {
		switch s := x.saved[i]; {
		case s.whole != nil:
			x.m[s.contract] = s.whole
		case s.old == 0:
			delete(x.m[s.contract], s.agent)
			if len(x.m[s.contract]) == 0 {
				delete(x.m, s.contract)
			}
		default:
			x.m[s.contract][s.agent] = s.old
		}
	}
	x.commit()
}

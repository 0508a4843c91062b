package netkit

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/neardup"
)

// Signal is what an agent delivers for a contract.
type Signal struct {
	Headline string   `json:"headline" doc:"at most 200 characters" minLength:"1" maxLength:"200"`
	Body     string   `json:"body" doc:"at most 16,000 characters" minLength:"1" maxLength:"16000"`
	Sources  []string `json:"sources" doc:"at least one http or https address, at most 20" minItems:"1" maxItems:"20" maxLength:"2000" pattern:"^[hH][tT][tT][pP][sS]?://[A-Za-z0-9._~-]+(:[0-9]{1,5})?([/?#]([!-$&-~]|%[0-9A-Fa-f]{2})*)?$"`
}

// signalText is a signal as the private part of its entry.
type signalText Signal

func (g *signalText) fields(c *wire.Codec) {
	wire.Str(c, "headline", &g.Headline)
	wire.Str(c, "body", &g.Body)
	wire.Strs(c, "sources", &g.Sources)
}

func (g *Signal) check() error {
	if err := checkText("signal.headline", g.Headline, 1, 200); err != nil {
		return err
	}
	if err := checkText("signal.body", g.Body, 1, 16_000); err != nil {
		return err
	}
	for i, src := range g.Sources {
		if !webAddress(src, "http", "https") {
			return invalid("signal.sources["+strconv.Itoa(i)+"]", code.SourceMalformed, "is not an http or https address", "")
		}
	}
	return nil
}

// maxSources is how many sources a constitution may let a signal name.
const maxSources = 100

// sources is how many a signal may name.
func (m *MarketRules) sources() int { return cmp.Or(m.Sources, 20) }

func checkSources(n, most int) error {
	if n < 1 || n > most {
		return &Refusal{Kind: ErrInvalid, Code: code.SourcesMissing, Field: "signal.sources", Law: "L1",
			What: "must name 1 to " + strconv.Itoa(most) + " sources", Next: "give the addresses that the signal rests on"}
	}
	return nil
}

// unknownSources stands in for sources of which only the number is public.
var unknownSources [maxSources + 1]string

// webAddress reports whether s is an absolute web address of sane length and one
// of the schemes, which may be in capitals.
func webAddress(s string, schemes ...string) bool {
	scheme, _, _ := strings.Cut(s, "://")
	if len(s) > 2000 || !slices.Contains(schemes, strings.ToLower(scheme)) {
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
	Balance       Credits `json:"balance" doc:"of the agent's wallet afterwards, what is pending included"`
	ClearsAt      Millis  `json:"clears_at,omitzero" doc:"when the agent can spend its share and the execution counts, if no crisis begins before; absent if at once"`
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
	if err := checkSources(len(c.Signal.Sources), s.law.Market.sources()); err != nil {
		return err
	}
	ct, err := s.contract("campaign_id", c.CampaignID)
	if err != nil {
		return err
	}
	who := s.payee(i, p, call.at)
	pay, err := s.pay(ct, &who)
	if err != nil {
		return err
	}
	sponsor := s.parties.At(ct.sponsor)
	clears := s.clears(ct, call.at)
	f := &Executed{Campaign: ct.id, Agent: p.slug, Sponsor: sponsor.slug, Tier: pay.Tier, Payout: pay.Payout, Sources: uint32(len(c.Signal.Sources)),
		Newcomer: pay.Newcomer, Clears: clears.clears, ClearsMarket: clears.market,
		payment: s.settlement(i, ct.sponsor, pay.Payout, pay.AgentShare, sponsor.backing, call.at)}
	call.add(f, move{ContractBudget(ct.id), -pay.Payout}, move{Wallet(p.slug), pay.AgentShare}, move{Treasury, pay.TreasuryShare})
	return nil
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
	if ct.max != noCeiling && tier > ct.max.tier() {
		missing = append(missing, "max_tier")
	}
	return missing
}

// Executed records an execution. Sources is how many the signal names; the
// signal itself stands in the private part.
type Executed struct {
	Campaign uint64
	Agent    string
	Sponsor  string
	Tier     Tier
	Payout   Credits
	Sources  uint32
	Newcomer bool    // the agent had too few cleared transactions to be more
	Clears   quarter // when it clears; 0 is at once
	// ClearsMarket is when it clears in market time. Where it is not 0 it applies,
	// and Clears is when that comes if no crisis begins before.
	ClearsMarket Millis
	payment
}

func (f *Executed) clearTime() clearTime { return clearTime{f.Clears, f.ClearsMarket} }

func (*Executed) kind() Kind { return KindExecution }

func (f *Executed) asked(*pastView) (command, error) {
	n := int(min(f.Sources, maxSources+1))
	return &execute{Execute{f.Campaign, Signal{Sources: unknownSources[:n]}}}, checkSources(n, maxSources)
}

func (f *Executed) fields(c *wire.Codec) {
	wire.Num(c, "campaign", &f.Campaign)
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "sponsor", &f.Sponsor)
	enum(c, "tier", &f.Tier, tierNames)
	wire.Amount(c, "payout", &f.Payout)
	wire.Num(c, "sources", &f.Sources)
	c.Flag("newcomer", &f.Newcomer)
	wire.Num(c, "clears", &f.Clears)
	wire.Num(c, "clears_market", &f.ClearsMarket)
	f.payment.fields(c)
}

func (f *Executed) apply(s *state, e *Entry) {
	ct, known := s.contracts.Get(f.Campaign)
	i, ok := s.slugs.Get(f.Agent)
	if !known || !ok {
		return
	}
	s.contracts.Edit(ct)
	ct.spent += f.Payout
	ct.runs++
	if f.Newcomer {
		ct.newcomers += f.Payout
	}
	s.executed.inc(f.Campaign, i)
	s.parties.Change(ct.sponsor).backing -= f.used
	ev := s.evidenceRow(i, ct.sponsor, e.At.Day(), f.clearTime())
	ev.in += f.counted
	ev.stands++
	if f.Clears != 0 {
		ev.pay += e.amount(Wallet(f.Agent))
		ev.passed += f.passed
		ev.share += e.amount(Treasury)
	}
	s.addPaid(ct.sponsor, i, countsFrom(e.At.Day(), f.Clears), f.counted)
	p := s.parties.Change(i)
	p.backing += f.passed
	p.agent.transactions++
	x := s.changeExtra(ct.sponsor)
	x.bought.executions++
	x.bought.in = x.bought.in.with(e.Seq)
	x.bought.paid += f.Payout
	s.notify(ct.sponsor, e.Seq, noticeDelivered)
	s.roots.Edit(s.root).counts.Executions++
	s.root.unclearedShares += e.amount(Treasury)
	if f.Clears == 0 {
		s.earnShare(e.amount(Treasury), e.At.Day())
	}
}

func (f *Executed) notice(noticeKind, string) (uint64, string) {
	text := fmt.Sprintf("%s executed contract %d at %s for %s credits.", f.Agent, f.Campaign, f.Tier, f.Payout)
	if f.Clears != 0 {
		text += fmt.Sprintf(" Read it and report what is wrong by %s, or accept it.", f.Clears.millis())
	}
	return 0, text
}

// Execute executes a matched signal contract at the agent's tier rate.
//
// Refusals: agents_only, already_executed, blackout, contract_closed,
// contract_ended, contract_exhausted, contract_unknown, newcomers_share,
// not_matched, source_malformed, sources_missing.
func (ses *Session) Execute(ctx context.Context, in Execute) (Execution, error) {
	if err := in.Signal.check(); err != nil {
		return Execution{}, err
	}
	r, err := run(ctx, ses, &execute{in}, (*signalText)(&in.Signal), func(e *Entry) Execution {
		f := e.Fact.(*Executed)
		return Execution{ExecutionID: e.Seq, CampaignID: f.Campaign, Tier: f.Tier, Payout: f.Payout,
			AgentShare: e.amount(Wallet(f.Agent)), TreasuryShare: e.amount(Treasury), Balance: e.balanceAfter(Wallet(f.Agent)),
			ClearsAt: f.Clears.millis(), Seq: e.Seq, At: e.At}
	})
	return r, ses.n.finished(ctx, in.CampaignID, err)
}

// groups counts by two keys, so that a whole group can be forgotten at once.
type groups[K, L comparable] struct {
	m     map[K]map[L]uint32
	saved []groupSlot[K, L]
}

type groupSlot[K, L comparable] struct {
	group K
	key   L
	old   uint32
	whole map[L]uint32 // set when the group was forgotten
}

func newGroups[K, L comparable]() groups[K, L] { return groups[K, L]{m: map[K]map[L]uint32{}} }

func (x *groups[K, L]) count(group K, key L) uint32 { return x.m[group][key] }

// len returns how many keys there are in all groups.
func (x *groups[K, L]) len() (n int) {
	for _, of := range x.m {
		n += len(of)
	}
	return n
}

func (x *groups[K, L]) inc(group K, key L) { x.set(group, key, x.count(group, key)+1) }

func (x *groups[K, L]) set(group K, key L, count uint32) {
	counts := x.m[group]
	if counts == nil {
		counts = map[L]uint32{}
		x.m[group] = counts
	}
	old := counts[key]
	x.saved = append(x.saved, groupSlot[K, L]{group: group, key: key, old: old})
	counts[key] = count
}

func (x *groups[K, L]) forget(group K) {
	if counts, ok := x.m[group]; ok {
		x.saved = append(x.saved, groupSlot[K, L]{group: group, whole: counts})
		delete(x.m, group)
	}
}

// Commit forgets the before-images.
func (x *groups[K, L]) Commit() { clear(x.saved); x.saved = x.saved[:0] }

// Rollback puts them back.
func (x *groups[K, L]) Rollback() {
	for i := len(x.saved) - 1; i >= 0; i-- {
		switch s := x.saved[i]; {
		case s.whole != nil:
			x.m[s.group] = s.whole
		case s.old == 0:
			delete(x.m[s.group], s.key)
			if len(x.m[s.group]) == 0 {
				delete(x.m, s.group)
			}
		default:
			x.m[s.group][s.key] = s.old
		}
	}
	x.Commit()
}

// Which signals are nearly the same is a hint to those who may read them. It is
// found when a signal is read, from an index of sketches in memory that is no part
// of the state: no rule looks at it, and no score changes by it.

const (
	// duplicateTexts is how many of the newest signals are compared.
	duplicateTexts = 10_000
	// duplicateEntries is how many of the newest entries are searched for them when
	// the first signal is read after a start.
	duplicateEntries = 200_000
)

// duplicates is the index and how far of the journal it has.
type duplicates struct {
	mu    sync.Mutex
	index *neardup.Index
	upto  uint64
}

// nearDuplicate returns the earliest execution whose signal is nearly the same as
// that of one, 0 if there is none among the newest.
func (n *Network) nearDuplicate(ctx context.Context, id uint64) (uint64, error) {
	d := &n.duplicates
	d.mu.Lock()
	defer d.mu.Unlock()
	size := n.durable.Size()
	if d.index == nil {
		d.index = neardup.NewIndex(duplicateTexts)
		d.upto = max(size, duplicateEntries) - duplicateEntries
	}
	for r, err := range n.store.Read(ctx, d.upto, max(size, d.upto)) {
		if err != nil {
			return 0, entryDamaged(err)
		}
		e, p, err := n.decode(r)
		if err != nil {
			return 0, err
		}
		if _, ok := e.Fact.(*Executed); ok && p != nil && len(p.text) > 0 {
			var g signalText
			if err := p.read(&g); err != nil {
				return 0, err
			}
			d.index.Add(e.Seq, g.Headline+" "+g.Body)
		}
		d.upto = e.Seq + 1
	}
	return d.index.SameAs(id), nil
}

// groupRow is one line of groups.
type groupRow struct{ group, key, count uint64 }

func (r *groupRow) fields(c *wire.Codec) {
	wire.Num(c, "group", &r.group)
	wire.Num(c, "key", &r.key)
	wire.Num(c, "count", &r.count)
}

// groupRows carries groups, whose keys are numbers.
func groupRows[K ~int32 | ~uint32 | ~uint64, L ~uint32 | ~uint64](c *wire.Codec, name string, x *groups[K, L]) {
	var all []groupRow
	if !c.Reading() {
		for _, group := range sortedKeys(x.m) {
			for _, key := range sortedKeys(x.m[group]) {
				all = append(all, groupRow{uint64(group), uint64(key), uint64(x.m[group][key])})
			}
		}
	}
	wire.List(c, name, &all, object[groupRow])
	if c.Reading() {
		for _, r := range all {
			if x.m[K(r.group)] == nil {
				x.m[K(r.group)] = map[L]uint32{}
			}
			x.m[K(r.group)][L(r.key)] = uint32(r.count)
		}
	}
}

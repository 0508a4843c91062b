package rules

import (
	"cmp"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// State is what the journal's public parts add up to. decide reads it, apply
// changes it; nothing else does. Canonical form: see canonical_state.go.
type State struct {
	roots      undo.Images[root]
	root       *root
	clocks     undo.Images[marketClock]
	clock      *marketClock
	law        *netkit.Constitution // the one in force; replaced whole
	laws       undo.Images[*netkit.Constitution]
	balances   undo.Images[Balance] // of the three tables of balances, while posting
	central    undo.Table[Balance]  // issuance and treasury
	parties    undo.Table[Party]
	extras     undo.Table[Extra]   // what some of them have besides
	wallets    undo.Table[Balance] // of agents and sponsors; rows as in parties
	slugs      undo.Index[string, uint32]
	sponsors   undo.Table[uint32] // rows of the sponsors in parties; derived
	evidence   undo.Images[Evidence]
	past       past
	payers     undo.Table[payer]
	payeeRows  undo.Images[score.Payee]
	paidOn     undo.Images[paidOn]
	contracts  undo.Rows[Contract]               // those that live, and the last that finished
	executed   groups[uint64, uint32]            // executions by contract and agent, while the contract lives
	accepted   groups[netkit.Day, uint64]        // rows of agents by their executions that were accepted before they cleared, by the date on which these would have
	stops      undo.Index[uint64, sponsorStop]   // sponsors that an operator stopped, by the entry of the stop
	stopped    undo.Index[uint32, netkit.Millis] // agents that are suspended or listed, and since when
	holds      undo.Index[uint32, []heldPay]     // executions that wait for a case, by their agents
	ticked     undo.Index[uint64, tickRow]       // criteria that sponsors ticked off, by execution
	returned   undo.Index[uint64, uint64]        // entries that gave the pay of executions back, by execution
	overturned undo.Index[uint64, uint64]        // cases by the execution that they overturned
	escrows    undo.Index[uint64, Balance]
	erased     undo.Index[uint64, uint64]   // entries of erasures by the entry whose private part they erased
	deposits   undo.Index[[16]byte, uint64] // entries of deposits by their references, see referenceOf
	invited    undo.Index[[16]byte, uint64] // entries of spawns by the invitations that they used, see invitationOf
	confirmed  undo.Index[string, uint32]   // how many agents have an address confirmed; derived
	deadlines  dueQueue
	recent     recentNotices // derived
	shelves
	feed
	mail
	stock
	treasury treasury
	reviewState
	tables []table
	hooks  Hooks
}

// Hooks are the choices that the rules leave to the program that runs them. A nil
// hook is the plain way; no hook changes a result.
type Hooks struct {
	// Spread calls do for every k below n, in any order and perhaps side by side;
	// nil calls it for one after the other.
	Spread func(n int, do func(k int))
	// Yield lets others go first; it is called now and then while the canonical
	// form of a large table is made or read. Nil does nothing.
	Yield func()
}

// Use sets the hooks.
func (s *State) Use(h Hooks) { s.hooks = h }

// root holds the single values of the state.
type root struct {
	Next     uint64        // sequence number of the next entry; the size of the journal
	At       netkit.Millis // time of the last entry
	NetID    string
	LogKey   string // verifier key of the log's checkpoints
	clearing uint32 // most hours that an execution ever took to clear
	// unclearedShares is what of the treasury's balance is no income yet.
	UnclearedShares netkit.Credits
	crises          uint32        // P0 dispatches whose crisis suppresses commerce
	alarm           netkit.Millis // when the latest crisis with a term began
	judged          netkit.Day    // nothing of then or earlier is reported: cases about it have left memory
	Counts          counts
	Exchange        exchange
}

// counts are kept for views, so that no page has to scan for them.
type counts struct {
	Agents     uint64
	Contracts  uint64 // ever opened
	Executions uint64
}

// NewState returns the state before entry 0.
func NewState() *State {
	s := &State{root: new(root), clock: new(marketClock), past: past{}, reviewState: newReviewState()}
	s.tables = s.register()
	s.central.Add(Balance{}) // issuance
	s.central.Add(Balance{}) // treasury
	s.extras.Add(Extra{})    // of those who have none
	s.payers.Add(payer{})    // of those who paid nothing
	s.Commit()
	return s
}

// partyTables registers the single values and the tables of parties.
func (s *State) partyTables() []table {
	return []table{
		{Part: &s.roots, fields: func(c *wire.Codec) { undo.Then(undo.FreezeOf(c.Freeze), s.root).Fields(c) }},
		{Part: &s.laws, fields: s.constitutionFields},
		{Part: &s.balances},
		stored(s, "central", &s.central),
		stored(s, "parties", &s.parties),
		stored(s, "extras", &s.extras),
		stored(s, "wallets", &s.wallets),
		derivedIndex(&s.slugs, s.deriveSlugs),
		{Part: &s.sponsors, derive: s.deriveSponsors},
		derivedIndex(&s.confirmed, s.deriveConfirmed),
		{Part: &s.evidence},
		{Part: s.past},
		stored(s, "payers", &s.payers),
		{Part: &s.payeeRows},
		{Part: &s.paidOn},
	}
}

// contractTables registers contracts that live or have just finished.
func (s *State) contractTables() []table {
	return []table{
		storedByID("contracts", &s.contracts, contractID),
		storedGroups("runs", &s.executed),
	}
}

// paymentTables registers payments under way and references that are used once.
func (s *State) paymentTables() []table {
	return []table{
		storedGroups("accepted", &s.accepted),
		storedIndex("stopped", &s.stopped, func(c *wire.Codec, agent *uint32, since *netkit.Millis) {
			wire.Num(c, "agent", agent)
			wire.Num(c, "since", since)
		}),
		storedIndex("stops", &s.stops, func(c *wire.Codec, entry *uint64, x *sponsorStop) {
			wire.Num(c, "entry", entry)
			x.Fields(c)
		}),
		storedIndex("holds", &s.holds, func(c *wire.Codec, agent *uint32, held *[]heldPay) {
			wire.Num(c, "agent", agent)
			wire.List(c, "held", held, object[heldPay])
		}),
		storedIndex("ticked", &s.ticked, func(c *wire.Codec, execution *uint64, r *tickRow) {
			wire.Num(c, "execution", execution)
			r.Fields(c)
		}),
		storedIndex("returned", &s.returned, takenBy),
		storedIndex("overturned", &s.overturned, takenBy),
		storedIndex("escrows", &s.escrows, func(c *wire.Codec, id *uint64, b *Balance) {
			wire.Num(c, "id", id)
			b.Fields(c)
		}),
		storedIndex("erasures", &s.erased, takenBy),
		storedReferences("deposits", &s.deposits),
		storedReferences("invited", &s.invited),
	}
}

// clockTables registers market time, the announced amendment, the night, the
// treasury's days and the planned deadlines.
func (s *State) clockTables() []table {
	return []table{
		{Part: &s.clocks, fields: func(c *wire.Codec) { c.Member("market_clock", undo.Then(undo.FreezeOf(c.Freeze), s.clock).Fields) }},
		{Part: &s.amendments, fields: func(c *wire.Codec) { c.Member("amendment", undo.Then(undo.FreezeOf(c.Freeze), s.amendment).Fields) }},
		{Part: &s.nights, fields: func(c *wire.Codec) { undo.Then(undo.FreezeOf(c.Freeze), s.night).Fields(c) }},
		{Part: &s.treasury.changes, fields: s.treasury.dayFields},
		{Part: &s.treasury.Owed, fields: func(c *wire.Codec) { s.treasury.Owed.fields(c, "owed", object[OwedPayment]) }},
		{Part: &s.deadlines, derive: func() { s.deadlines.rebuild(s) }},
		{Part: &s.recent},
	}
}

// spread calls do for every k below n.
func (s *State) spread(n int, do func(k int)) {
	if s.hooks.Spread != nil {
		s.hooks.Spread(n, do)
		return
	}
	for k := range n {
		do(k)
	}
}

// Commit forgets the before-images: the open batch is durable.
func (s *State) Commit() {
	for i := range s.tables {
		s.tables[i].Commit()
	}
}

// Rollback puts the before-images back: the open batch is lost.
func (s *State) Rollback() {
	for i := range s.tables {
		s.tables[i].Rollback()
	}
	s.deadlines.rebuild(s)
}

// Freeze keeps the state as it is, between two batches, for Fields with a codec
// that has the freeze; nil ends that.
func (s *State) Freeze(f *undo.Freeze) {
	for i := range s.tables {
		s.tables[i].Freeze(f)
	}
}

// party returns the row of a slug.
func (s *State) party(slug string) (uint32, *Party, bool) {
	i, ok := s.slugs.Get(slug)
	if !ok {
		return 0, nil, false
	}
	return i, s.parties.At(i), true
}

// agent returns the row of an agent's slug, or a refusal for field.
func (s *State) agent(field, slug string) (uint32, *Party, error) {
	if i, p, ok := s.party(slug); ok && p.Kind == netkit.AgentParty {
		return i, p, nil
	}
	return 0, nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.AgentUnknown, Field: field, What: "names no agent of this network", Next: "{listAgents} lists them"}
}

// Take applies one entry: the fact first, since it makes the rows that the
// postings then find.
func (s *State) Take(e *Entry) {
	e.Fact.Apply(s, e)
	s.post(e)
	r := s.roots.Edit(s.root)
	r.Next, r.At = e.Seq+1, e.At
}

// SortedKeys returns the keys of a map in order, for canonical forms.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Size returns the number of entries that the state is made of.
func (s *State) Size() uint64 { return s.root.Next }

// Time returns the time of the last entry.
func (s *State) Time() netkit.Millis { return s.root.At }

// LogKey returns the verifier key of the log's checkpoints, "" where genesis names
// none.
func (s *State) LogKey() string { return s.root.LogKey }

// Totals returns the totals of the network.
func (s *State) Totals(now netkit.Millis) netkit.NetworkTotals {
	return netkit.NetworkTotals{Network: s.root.NetID, Entries: s.root.Next, Agents: s.root.Counts.Agents, Sponsors: uint64(s.sponsors.Len()),
		Contracts: s.root.Counts.Contracts, Executions: s.root.Counts.Executions, Dispatches: s.Published(),
		Blackout: s.Blackout(), AsOf: s.AsOf(now)}
}

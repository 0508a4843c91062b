package netkit

import (
	"cmp"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/undo"
)

// state is what the journal's public parts add up to. decide reads it, apply
// changes it; nothing else does. Canonical form: see snapshot.go.
type state struct {
	roots      undo.Images[root]
	root       *root
	clocks     undo.Images[marketClock]
	clock      *marketClock
	law        *Constitution // the one in force; replaced whole
	laws       undo.Images[*Constitution]
	balances   undo.Images[balance] // of the three tables of balances, while posting
	central    undo.Table[balance]  // issuance and treasury
	parties    undo.Table[party]
	extras     undo.Table[extra]   // what some of them have besides
	wallets    undo.Table[balance] // of agents and sponsors; rows as in parties
	slugs      undo.Index[string, uint32]
	sponsors   undo.Table[uint32] // rows of the sponsors in parties; derived
	evidence   undo.Images[evidence]
	past       past
	payers     undo.Table[payer]
	payeeRows  undo.Images[score.Payee]
	paidOn     undo.Images[paidOn]
	contracts  undo.Rows[contract]           // those that live, and the last that finished
	executed   groups[uint64, uint32]        // executions by contract and agent, while the contract lives
	accepted   groups[Day, uint64]           // rows of agents by their executions that were accepted before they cleared, by the date on which these would have
	stopped    undo.Index[uint32, Millis]    // agents that are suspended or listed, and since when
	holds      undo.Index[uint32, []heldPay] // executions that wait for a case, by their agents
	returned   undo.Index[uint64, uint64]    // entries that gave the pay of executions back, by execution
	overturned undo.Index[uint64, uint64]    // cases by the execution that they overturned
	escrows    undo.Index[uint64, balance]
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
	parts []undo.Part
	// spread calls do for every k below n, in any order and perhaps side by side.
	spread func(n int, do func(k int))
}

// root holds the single values of the state.
type root struct {
	next     uint64 // sequence number of the next entry; the size of the journal
	at       Millis // time of the last entry
	netID    string
	logKey   string // verifier key of the log's checkpoints
	clearing uint32 // most hours that an execution ever took to clear
	// unclearedShares is what of the treasury's balance is no income yet.
	unclearedShares Credits
	crises          uint32 // P0 dispatches whose crisis suppresses commerce
	alarm           Millis // when the latest crisis with a term began
	judged          Day    // nothing of then or earlier is reported: cases about it have left memory
	counts          counts
	exchange        exchange
}

// counts are kept for views, so that no page has to scan for them.
type counts struct {
	Agents     uint64
	Contracts  uint64 // ever opened
	Executions uint64
}

func newState() *state {
	s := &state{root: new(root), clock: new(marketClock), past: past{}, slugs: undo.NewIndex[string, uint32](), executed: newGroups[uint64, uint32](), accepted: newGroups[Day, uint64](), stopped: undo.NewIndex[uint32, Millis](), holds: undo.NewIndex[uint32, []heldPay](), returned: undo.NewIndex[uint64, uint64](), overturned: undo.NewIndex[uint64, uint64](), escrows: undo.NewIndex[uint64, balance](), erased: undo.NewIndex[uint64, uint64](),
		deposits: undo.NewIndex[[16]byte, uint64](), invited: undo.NewIndex[[16]byte, uint64](), confirmed: undo.NewIndex[string, uint32](),
		mail: newMail(), stock: newStock(), reviewState: newReviewState()}
	s.spread = inOrder
	s.central.Add(balance{}) // issuance
	s.central.Add(balance{}) // treasury
	s.extras.Add(extra{})    // of those who have none
	s.payers.Add(payer{})    // of those who paid nothing
	s.parts = []undo.Part{&s.roots, &s.clocks, &s.laws, &s.balances, &s.central, &s.parties, &s.extras, &s.wallets, &s.slugs, &s.sponsors, &s.evidence, s.past, &s.payers, &s.payeeRows, &s.paidOn,
		&s.contracts, &s.executed, &s.ended, &s.contractPages, &s.settled, &s.casePages, &s.admitted, &s.admissionPages, &s.accepted, &s.stopped, &s.holds, &s.returned, &s.overturned, &s.escrows, &s.erased, &s.deposits, &s.invited, &s.confirmed, &s.deadlines, &s.recent,
		&s.dispatches, &s.requests, &s.request, &s.filed,
		&s.playbooks, &s.byHash, &s.holders, &s.plants,
		&s.proved, &s.agenda, &s.admissions, &s.revocations, &s.cases, &s.judged, &s.undrawn, &s.sealed, &s.reviewers, &s.rogues, &s.flags, &s.nights, &s.crises, &s.amendments, &s.treasury.changes, &s.treasury.owed}
	for i := range s.lines {
		s.parts = append(s.parts, &s.lines[i].ids, &s.lines[i].pages)
	}
	s.commit()
	return s
}

// inOrder calls do for every k below n, one after the other.
func inOrder(n int, do func(k int)) {
	for k := range n {
		do(k)
	}
}

func (s *state) commit() {
	for _, p := range s.parts {
		p.Commit()
	}
}

func (s *state) rollback() {
	for _, p := range s.parts {
		p.Rollback()
	}
	s.deadlines.rebuild(s)
}

// party returns the row of a slug.
func (s *state) party(slug string) (uint32, *party, bool) {
	i, ok := s.slugs.Get(slug)
	if !ok {
		return 0, nil, false
	}
	return i, s.parties.At(i), true
}

// agent returns the row of an agent's slug, or a refusal for field.
func (s *state) agent(field, slug string) (uint32, *party, error) {
	if i, p, ok := s.party(slug); ok && p.kind == AgentParty {
		return i, p, nil
	}
	return 0, nil, &Refusal{Kind: ErrNotFound, Code: code.AgentUnknown, Field: field, What: "names no agent of this network", Next: "{listAgents} lists them"}
}

// balance returns what is kept of an account, for reading only; nil when
// there is no such account (any more).
func (s *state) balance(a Account) *balance {
	switch a.Kind {
	case issuanceAccount:
		return s.central.At(0)
	case treasuryAccount:
		return s.central.At(1)
	case walletAccount, sponsorAccount:
		if i, ok := s.slugs.Get(a.Slug); ok {
			return s.wallets.At(i)
		}
	case contractAccount:
		if ct, ok := s.contracts.Get(a.ID); ok {
			return ct.left
		}
	case escrowAccount:
		if b, ok := s.escrows.Get(a.ID); ok {
			return &b
		}
	}
	return nil
}

// held returns the balance of an account, 0 when there is none.
func (s *state) held(a Account) Credits {
	if b := s.balance(a); b != nil {
		return b.held
	}
	return 0
}

// book fills in what a posting of amount to a would say now.
func (s *state) book(a Account, amount Credits) Posting {
	p := Posting{Account: a, Amount: amount, After: amount}
	if b := s.balance(a); b != nil {
		p.After, p.Prev, p.at = b.held+amount, b.last, b
	}
	return p
}

// post applies the postings of entry e. An escrow account lives as long as it
// holds something: its whole story is two entries that name each other.
func (s *state) post(e *Entry) {
	for i := range e.Postings {
		p := &e.Postings[i]
		after := balance{p.After, e.Seq}
		if p.Account.Kind == escrowAccount {
			if p.After == 0 {
				s.escrows.Drop(p.Account.ID)
			} else {
				s.escrows.Put(p.Account.ID, after)
			}
			continue
		}
		if p.at == nil {
			p.at = s.balance(p.Account)
		}
		if p.at != nil {
			*s.balances.Edit(p.at) = after
		}
	}
}

// take applies one entry: the fact first, since it makes the rows that the
// postings then find.
func (s *state) take(e *Entry) {
	e.Fact.apply(s, e)
	s.post(e)
	r := s.roots.Edit(s.root)
	r.next, r.at = e.Seq+1, e.At
}

// sortedKeys returns the keys of a map in order, for canonical forms.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// blackout reports whether a Priority 0 crisis runs (L3).
func (s *state) blackout() bool { return s.root.crises > 0 }

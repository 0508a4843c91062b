package netkit

import (
	"cmp"
	"slices"
)

// state is what the journal's public parts add up to. decide reads it, apply
// changes it; nothing else does. Canonical form: see snapshot.go.
type state struct {
	roots     images[root]
	root      *root
	law       *Constitution // the one in force; replaced whole
	laws      images[*Constitution]
	balances  images[balance] // of the three tables of balances, while posting
	central   table[balance]  // issuance and treasury
	parties   table[party]
	extras    table[extra]   // what some of them have besides
	wallets   table[balance] // of agents and sponsors; rows as in parties
	slugs     index[string, uint32]
	sponsors  table[uint32] // rows of the sponsors in parties; derived
	evidence  images[evidence]
	contracts table[contract]
	budgets   table[balance] // rows as in contracts
	byID      index[uint64, uint32]
	executed  runCounts
	escrows   index[uint64, balance]
	erased    index[uint64, uint64] // entries of erasures by the entry whose private part they erased
	due       dueQueue
	recent    recentNotices // derived
	feed
	mail
	stock
	court
	parts []undoable
}

// root holds the single values of the state.
type root struct {
	next     uint64 // sequence number of the next entry; the size of the journal
	at       Millis // time of the last entry
	netID    string
	logKey   string // verifier key of the log's checkpoints
	crises   uint32 // P0 dispatches that no operator has resolved yet
	counts   counts
	exchange exchange
}

// counts are kept for views, so that no page has to scan for them.
type counts struct {
	Agents     uint64
	Executions uint64
}

func newState() *state {
	s := &state{root: new(root), slugs: newIndex[string, uint32](), byID: newIndex[uint64, uint32](),
		executed: runCounts{m: map[uint32]map[uint32]uint32{}}, escrows: newIndex[uint64, balance](), erased: newIndex[uint64, uint64](),
		feed: newFeed(), mail: newMail(), stock: newStock(), court: newCourt()}
	s.central.add(balance{}) // issuance
	s.central.add(balance{}) // treasury
	s.extras.add(extra{})    // of those who have none
	s.parts = []undoable{&s.roots, &s.laws, &s.balances, &s.central, &s.parties, &s.extras, &s.wallets, &s.slugs, &s.sponsors, &s.evidence,
		&s.contracts, &s.budgets, &s.byID, &s.executed, &s.escrows, &s.erased, &s.due, &s.recent,
		&s.dispatches, &s.media, &s.requests, &s.request, &s.filed,
		&s.playbooks, &s.byHash, &s.holders, &s.plants,
		&s.proved, &s.agenda, &s.admissions, &s.revocations, &s.cases, &s.judged, &s.reviewers, &s.rogues, &s.nights}
	s.commit()
	return s
}

func (s *state) commit() {
	for _, p := range s.parts {
		p.commit()
	}
}

func (s *state) rollback() {
	for _, p := range s.parts {
		p.rollback()
	}
	s.due.rebuild(s)
}

// party returns the row of a slug.
func (s *state) party(slug string) (uint32, *party, bool) {
	i, ok := s.slugs.get(slug)
	if !ok {
		return 0, nil, false
	}
	return i, s.parties.at(i), true
}

// agent returns the row of an agent's slug, or a refusal for field.
func (s *state) agent(field, slug string) (uint32, *party, error) {
	if i, p, ok := s.party(slug); ok && p.kind == AgentParty {
		return i, p, nil
	}
	return 0, nil, &Refusal{Kind: ErrNotFound, Code: "agent_unknown", Field: field, What: "names no agent of this network", Next: "{listAgents} lists them"}
}

// balance returns what is kept of an account, for reading only; nil when
// there is no such account (any more).
func (s *state) balance(a Account) *balance {
	switch a.Kind {
	case IssuanceAccount:
		return s.central.at(0)
	case TreasuryAccount:
		return s.central.at(1)
	case WalletAccount, SponsorAccount:
		if i, ok := s.slugs.get(a.Slug); ok {
			return s.wallets.at(i)
		}
	case ContractAccount:
		if i, ok := s.byID.get(a.ID); ok {
			return s.budgets.at(i)
		}
	case EscrowAccount:
		if b, ok := s.escrows.get(a.ID); ok {
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
		if p.Account.Kind == EscrowAccount {
			if p.After == 0 {
				s.escrows.drop(p.Account.ID)
			} else {
				s.escrows.put(p.Account.ID, after)
			}
			continue
		}
		if p.at == nil {
			p.at = s.balance(p.Account)
		}
		if p.at != nil {
			*s.balances.edit(p.at) = after
		}
	}
}

// take applies one entry: the fact first, since it makes the rows that the
// postings then find.
func (s *state) take(e *Entry) {
	e.Fact.apply(s, e)
	s.post(e)
	r := s.roots.edit(s.root)
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

package netkit

import (
	"time"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// secrets is the second fold: what follows from private parts. It decides who
// may ask and which requests were asked before, never what a rule says, and
// it is not part of the canonical state.
type secrets struct{ access.Memory[Scope] }

// tokenRow is what the second fold knows of a token.
type tokenRow = access.Token[Scope]

func newSecrets() *secrets { return &secrets{access.New[Scope]()} }

// take applies an entry with its private part; p is nil where there is none,
// and a fact that takes a secret away does so without one.
func (x *secrets) take(e *Entry, p *private) {
	x.Unpaid.Turn(int32(e.At.Day()))
	if e.Actor != NetworkActor && isUnpaid(e.Actor, e.Fact, e.Postings) {
		x.Unpaid.Count(e.Actor)
	}
	if p == nil && e.Private != [32]byte{} {
		x.Missed.Put(e.Seq, struct{}{})
	}
	if p != nil && p.scope != "" {
		key, use := p.key(e)
		x.Keys.Keep(key, use)
	}
	if p != nil && p.token != 0 {
		x.spend(e, p.token)
	}
	if f, ok := e.Fact.(secretFact); ok {
		f.applySecret(x, e, p)
	}
}

// key is the idempotency key that an entry was asked for with.
func (p *private) key(e *Entry) (access.Key, access.Use) {
	return access.Key{Hash: scope(e.Actor, "", p.scope), At: int64(e.At)}, access.Use{Seq: e.Seq, Print: [16]byte(p.print[:16])}
}

// grant records the token that an entry's private part names.
func (x *secrets) grant(owner string, e *Entry, p *private) {
	if p == nil || len(p.text) == 0 {
		return
	}
	var t access.Grant[Scope]
	c := wire.Reader(p.text)
	c.Begin()
	t.Fields(&c)
	if c.Err() == nil { // what a kind keeps besides the token stands behind it
		x.Tokens.Grant(e.Seq, owner, t)
	}
}

// spend adds up what a token with a cap has cost its owner.
func (x *secrets) spend(e *Entry, token uint64) {
	if row, ok := x.Tokens.ByID(token); ok && row.Limit.Set {
		x.Tokens.Spend(token, int64(costs(e, row.Owner)))
	}
}

// costs is what an entry took from a token's owner.
func costs(e *Entry, owner string) (sum Credits) {
	for i := range e.Postings {
		if p := &e.Postings[i]; p.Amount < 0 && p.Account.heldBy(owner) {
			sum -= p.Amount
		}
	}
	return sum
}

// allow refuses what would take a token beyond its spend cap. It looks at the
// movements that were decided, before any is booked, and counts them as spend
// does once they are: a cap holds to the hundredth, also within one batch. What
// comes back later, such as the price of an expired request, frees nothing.
func (x *secrets) allow(by Caller, facts []draft) error {
	if by.Token == 0 {
		return nil
	}
	row, ok := x.Tokens.ByID(by.Token)
	if !ok {
		return refuse(ErrUnauthenticated, code.TokenUnknown, "the token was revoked", "use a current one")
	}
	if !row.Limit.Set {
		return nil
	}
	spent := Credits(row.Spent)
	for i := range facts {
		for _, m := range facts[i].moves {
			if m.amount < 0 && m.to.heldBy(row.Owner) {
				spent -= m.amount
			}
		}
	}
	if spent > Credits(row.Limit.Max) {
		return forbidden("", code.SpendCap, "this would go over the token's spend cap", "use another token or issue one with a higher spend_cap")
	}
	return nil
}

// granting is a command that brings a token.
type granting interface{ tokenHash() Hash }

// fresh refuses a token whose hash is taken: whoever knew the hash of
// another's token could take it over.
func (x *secrets) fresh(cmd command) error {
	g, ok := cmd.(granting)
	if !ok {
		return nil
	}
	if _, taken := x.Tokens.ByHash(g.tokenHash()); taken {
		return &Refusal{Kind: ErrConflict, Code: code.TokenKnown, Field: "token_sha256", What: "is the hash of a token that exists", Next: "make a new token"}
	}
	return nil
}

// usedKey returns the entry that was made under an actor's idempotency key. The
// same key with another body is refused.
func (x *secrets) usedKey(actor string, p *private) (uint64, bool, error) {
	use, ok := x.Keys.Find(scope(actor, "", p.scope))
	if !ok {
		use, ok = x.Keys.Find(scope(actor, "", p.former))
	}
	if !ok {
		return 0, false, nil
	}
	if use.Print != [16]byte(p.print[:16]) {
		return 0, false, invalid("Idempotency-Key", code.KeyReused, "was used before for another request",
			"use one key per purchase, and reuse it only for retries of the same request")
	}
	return use.Seq, true, nil
}

// A command that asks for what is the case is answered like any other, and
// nothing is recorded: its receipt then names the latest entry. So a caller
// may repeat it as often as it likes without making the journal longer. An
// audit does not ask, since journals of earlier versions hold such entries.

// idempotent is a command that may ask for what is the case.
type idempotent interface {
	// unchanged reports whether the state is as asked. The receipt will be made
	// of e: it holds the fact that would have been recorded, with number and
	// time of the latest entry.
	unchanged(s *state, x *secrets, e *Entry, at Millis) bool
}

// unchanged answers a job that would change nothing and reports whether it did.
func (m *machine) unchanged(j *job) bool {
	cmd, ok := j.cmd.(idempotent)
	if !ok || len(m.call.facts) == 0 {
		return false
	}
	s := m.n.state
	e := &Entry{Seq: s.root.next - 1, At: s.root.at, Actor: j.by.Slug, Fact: m.call.facts[0].fact}
	if !cmd.unchanged(s, m.n.secrets, e, m.call.at) {
		return false
	}
	j.receipt(e)
	return true
}

// Allowance bounds what the journal can grow by without anybody paying for it:
// entries in a UTC day that cost their actor nothing. Zero means no limit.
// Operators have none.
type Allowance struct {
	Party int // entries of one party; counted by the journal, so a restart forgives nothing
	// Source is the entries of one [Caller.Source], whatever parties act from
	// there; counted in memory.
	Source int
}

// movement is one of credits, decided or booked.
type movement interface{ of(slug string) bool }

func (p Posting) of(slug string) bool { return p.Account.heldBy(slug) }
func (m move) of(slug string) bool    { return m.amount != 0 && m.to.heldBy(slug) }

// isUnpaid reports whether a fact costs its actor nothing: it moves none of the
// actor's credits, or moves them into the escrow of an attention request that
// no sponsor's money backs, since the credits of a grant come for free and
// could go to and fro between two agents without end.
func isUnpaid[M movement](actor string, f Fact, moves []M) bool {
	switch f := f.(type) {
	case *AttentionSent:
		if f.Backing < f.Price {
			return true
		}
	case *ReportFiled, *ReportJoined: // a bond comes back
		return true
	}
	for _, m := range moves {
		if m.of(actor) {
			return false
		}
	}
	return true
}

// affords refuses a command whose unpaid entries would go over the allowance of
// the party or the source, and counts those of one that may go on.
func (m *machine) affords(j *job, at Millis) error {
	_, p, ok := m.n.state.party(j.by.Slug)
	if !ok || p.kind == OperatorParty {
		return nil
	}
	m.n.machines.Acted(j.by.Source, j.by.Slug)
	want := 0
	for i := range m.call.facts {
		if d := &m.call.facts[i]; isUnpaid(j.by.Slug, d.fact, d.moves[:]) {
			want++
		}
	}
	if want == 0 {
		return nil
	}
	date, limits := int32(at.Day()), m.n.allowance
	if limits.Party > 0 && m.n.secrets.Unpaid.On(date, j.by.Slug)+want > limits.Party {
		return usedUp("you have", at)
	}
	if j.by.Source != "" && limits.Source > 0 && !m.sources.Take(date, j.by.Source, want, limits.Source) {
		return usedUp("the agents of your address have", at)
	}
	return nil
}

func usedUp(who string, at Millis) error {
	midnight := (Millis(at.Day()) + 1) * day
	return &Refusal{Kind: ErrLimit, Code: code.AllowanceUsed, What: who + " used up today's allowance of entries that cost nothing",
		Next: "go on after midnight UTC; what moves your own credits is not counted", After: time.Duration(midnight-at) * time.Millisecond}
}

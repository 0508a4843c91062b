package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Secrets is the second fold: what follows from private parts. It decides who
// may ask and which requests were asked before, never what a rule says, and
// it is not part of the canonical state.
type Secrets struct{ access.Memory[netkit.Scope] }

// TokenRow is what the second fold knows of a token.
type TokenRow = access.Token[netkit.Scope]

// Take applies an entry with its private part; p is nil where there is none,
// and a fact that takes a secret away does so without one.
func (x *Secrets) Take(e *Entry, p *Private) {
	x.Unpaid.Turn(int32(e.At.Day()))
	if e.Actor != netkit.NetworkActor && isUnpaid(e.Actor, e.Fact, e.Postings) {
		x.Unpaid.Count(e.Actor)
	}
	if p == nil && e.Private != [32]byte{} {
		x.Missed.Put(e.Seq, struct{}{})
	}
	if p != nil && p.Scope != "" {
		key, use := p.key(e)
		x.Keys.Keep(key, use)
	}
	if p != nil && p.Token != 0 {
		x.spend(e, p.Token)
	}
	if f, ok := e.Fact.(SecretFact); ok {
		f.applySecret(x, e, p)
	}
}

// key is the idempotency key that an entry was asked for with.
func (p *Private) key(e *Entry) (access.Key, access.Use) {
	return access.Key{Hash: Scope(e.Actor, "", p.Scope), At: int64(e.At)}, access.Use{Seq: e.Seq, Print: [16]byte(p.Print[:16])}
}

// Grant records the token that an entry's private part names.
func (x *Secrets) Grant(owner string, e *Entry, p *Private) {
	if p == nil || len(p.Text) == 0 {
		return
	}
	var t access.Grant[netkit.Scope]
	c := wire.Reader(p.Text)
	c.Begin()
	t.Fields(&c)
	if c.Err() == nil { // what a kind keeps besides the token stands behind it
		x.Tokens.Grant(e.Seq, owner, t)
	}
}

// spend adds up what a token with a cap has cost its owner.
func (x *Secrets) spend(e *Entry, token uint64) {
	if row, ok := x.Tokens.ByID(token); ok && row.Limit.Set {
		x.Tokens.Spend(token, int64(costs(e, row.Owner)))
	}
}

// costs is what an entry took from a token's owner.
func costs(e *Entry, owner string) (sum netkit.Credits) {
	for i := range e.Postings {
		if p := &e.Postings[i]; p.Amount < 0 && p.Account.HeldBy(owner) {
			sum -= p.Amount
		}
	}
	return sum
}

// Allow refuses what would take a token beyond its spend cap. It looks at the
// movements that were decided, before any is booked, and counts them as spend
// does once they are: a cap holds to the hundredth, also within one batch. What
// comes back later, such as the price of an expired request, frees nothing.
func (x *Secrets) Allow(by netkit.Caller, facts []Draft) error {
	if by.Token == 0 {
		return nil
	}
	row, ok := x.Tokens.ByID(by.Token)
	if !ok {
		return netkit.Refuse(netkit.ErrUnauthenticated, code.TokenUnknown, "the token was revoked", "use a current one")
	}
	if !row.Limit.Set {
		return nil
	}
	spent := netkit.Credits(row.Spent)
	for i := range facts {
		for _, m := range facts[i].Moves {
			if m.Amount < 0 && m.To.HeldBy(row.Owner) {
				spent -= m.Amount
			}
		}
	}
	if spent > netkit.Credits(row.Limit.Max) {
		return netkit.Forbidden("", code.SpendCap, "this would go over the token's spend cap", "use another token or issue one with a higher spend_cap")
	}
	return nil
}

// granting is a command that brings a token.
type granting interface{ tokenHash() netkit.Hash }

// Fresh refuses a token whose hash is taken: whoever knew the hash of
// another's token could take it over.
func (x *Secrets) Fresh(cmd Command) error {
	g, ok := cmd.(granting)
	if !ok {
		return nil
	}
	if _, taken := x.Tokens.ByHash(g.tokenHash()); taken {
		return &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.TokenKnown, Field: "token_sha256", What: "is the hash of a token that exists", Next: "make a new token"}
	}
	return nil
}

// UsedKey returns the entry that was made under an actor's idempotency key. The
// same key with another body is refused.
func (x *Secrets) UsedKey(actor string, p *Private) (uint64, bool, error) {
	use, ok := x.Keys.Find(Scope(actor, "", p.Scope))
	if !ok {
		use, ok = x.Keys.Find(Scope(actor, "", p.Former))
	}
	if !ok {
		return 0, false, nil
	}
	if use.Print != [16]byte(p.Print[:16]) {
		return 0, false, netkit.Invalid("Idempotency-Key", code.KeyReused, "was used before for another request",
			"use one key per purchase, and reuse it only for retries of the same request")
	}
	return use.Seq, true, nil
}

// A command that asks for what is the case is answered like any other, and
// nothing is recorded: its receipt then names the latest entry. So a caller
// may repeat it as often as it likes without making the journal longer. An
// audit does not ask, since journals of earlier versions hold such entries.

// Idempotent is a command that may ask for what is the case.
type Idempotent interface {
	// unchanged reports whether the state is as asked. The receipt will be made
	// of e: it holds the fact that would have been recorded, with number and
	// time of the latest entry.
	Unchanged(s *State, x *Secrets, e *Entry, at netkit.Millis) bool
}

// movement is one of credits, decided or booked.
type movement interface{ of(slug string) bool }

func (p Posting) of(slug string) bool { return p.Account.HeldBy(slug) }

func (m Move) of(slug string) bool { return m.Amount != 0 && m.To.HeldBy(slug) }

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

// CountUnpaid returns how many facts of the call cost its caller nothing.
func (c *Call) CountUnpaid() (n int) {
	for i := range c.Facts {
		if d := &c.Facts[i]; isUnpaid(c.By.Slug, d.Fact, d.Moves[:]) {
			n++
		}
	}
	return n
}

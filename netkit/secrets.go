package netkit

// secrets is the second fold: what follows from private parts. It decides who
// may ask and which requests were asked before, never what a rule says, and
// it is not part of the canonical state.
type secrets struct {
	tokens index[[32]byte, tokenRow]
	byID   index[uint64, [32]byte]
	idem   idempotency
	hooks  index[string, hook]     // webhooks by slug
	missed index[uint64, struct{}] // entries whose private part was gone when the fold read them, until an erasure names them
	unpaid unpaid                  // the day's entries that cost nothing, by party

	withdrawn uint64 // tokens that ended since the start; only ever grows
}

// hook is where an agent's notices are sent to.
type hook struct {
	address string
	seq     uint64 // entry that set it
}

type tokenRow struct {
	id      uint64
	owner   string
	scopes  []Scope
	expires Millis
	limit   spendCap
	spent   Credits
}

func newSecrets() *secrets {
	return &secrets{tokens: newIndex[[32]byte, tokenRow](), byID: newIndex[uint64, [32]byte](),
		idem: newIdempotency(), hooks: newIndex[string, hook](), missed: newIndex[uint64, struct{}](), unpaid: newUnpaid()}
}

func (x *secrets) commit() {
	x.tokens.commit()
	x.byID.commit()
	x.idem.commit()
	x.hooks.commit()
	x.missed.commit()
	x.unpaid.commit()
}

func (x *secrets) rollback() {
	x.tokens.rollback()
	x.byID.rollback()
	x.idem.rollback()
	x.hooks.rollback()
	x.missed.rollback()
	x.unpaid.rollback()
}

// take applies an entry with its private part; p is nil where there is none,
// and a fact that takes a secret away does so without one.
func (x *secrets) take(e *Entry, p *private) {
	x.unpaid.count(e)
	if p == nil && e.Private != [32]byte{} {
		x.missed.put(e.Seq, struct{}{})
	}
	if p != nil && p.scope != "" {
		x.idem.keep(e, p)
	}
	if p != nil && p.token != 0 {
		x.spend(e, p.token)
	}
	if f, ok := e.Fact.(secretFact); ok {
		f.applySecret(x, e, p)
	}
}

// grant records the token that an entry's private part names. A hash that is
// taken stays with its first owner.
func (x *secrets) grant(owner string, e *Entry, p *private) {
	if p == nil || len(p.text) == 0 {
		return
	}
	var t tokenFields
	c := codec{b: p.text, dec: true}
	c.begin()
	t.fields(&c)
	if c.err != nil { // what a kind keeps besides the token stands behind it
		return
	}
	if _, taken := x.tokens.get(t.hash); taken {
		return
	}
	x.tokens.put(t.hash, tokenRow{id: e.Seq, owner: owner, scopes: t.scopes, expires: t.expires, limit: t.limit})
	x.byID.put(e.Seq, t.hash)
}

// withdraw forgets a token.
func (x *secrets) withdraw(id uint64) {
	if hash, ok := x.byID.get(id); ok {
		x.tokens.drop(hash)
		x.byID.drop(id)
		x.withdrawn++
	}
}

// spend adds up what a token with a cap has cost its owner.
func (x *secrets) spend(e *Entry, token uint64) {
	hash, ok := x.byID.get(token)
	if !ok {
		return
	}
	row, _ := x.tokens.get(hash)
	if !row.limit.set {
		return
	}
	row.spent += row.costs(e)
	x.tokens.put(hash, row)
}

// costs is what an entry took from the token's owner.
func (t *tokenRow) costs(e *Entry) (sum Credits) {
	for i := range e.Postings {
		if p := &e.Postings[i]; p.Amount < 0 && p.Account.heldBy(t.owner) {
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
	hash, ok := x.byID.get(by.Token)
	if !ok {
		return refuse(ErrUnauthenticated, "token_unknown", "the token was revoked", "use a current one")
	}
	row, _ := x.tokens.get(hash)
	if !row.limit.set {
		return nil
	}
	spent := row.spent
	for i := range facts {
		for _, m := range facts[i].moves {
			if m.amount < 0 && m.to.heldBy(row.owner) {
				spent -= m.amount
			}
		}
	}
	if spent > row.limit.most {
		return forbidden("", "spend_cap", "this would go over the token's spend cap", "use another token or issue one with a higher spend_cap")
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
	if _, taken := x.tokens.get(g.tokenHash()); taken {
		return &Refusal{Kind: ErrConflict, Code: "token_known", Field: "token_sha256", What: "is the hash of a token that exists", Next: "make a new token"}
	}
	return nil
}

// fields carries the second fold for a snapshot.
func (x *secrets) fields(c *codec) {
	var tokens []storedToken
	var hooks []storedHook
	var keys []storedKey
	if !c.dec {
		for _, id := range sortedKeys(x.byID.m) {
			hash := x.byID.m[id]
			tokens = append(tokens, storedToken{hash, x.tokens.m[hash]})
		}
		for _, slug := range sortedKeys(x.hooks.m) {
			hooks = append(hooks, storedHook{slug, x.hooks.m[slug]})
		}
		for _, k := range x.idem.order[x.idem.head:] {
			keys = append(keys, storedKey{k, x.idem.rows.m[k.key]})
		}
	}
	list(c, "tokens", &tokens, object[storedToken])
	list(c, "hooks", &hooks, object[storedHook])
	list(c, "keys", &keys, object[storedKey])
	x.unpaid.fields(c)
	if !c.dec {
		return
	}
	for _, t := range tokens {
		x.tokens.m[t.hash], x.byID.m[t.id] = t.tokenRow, t.hash
	}
	for _, h := range hooks {
		x.hooks.m[h.slug] = h.hook
	}
	for _, k := range keys {
		x.idem.order = append(x.idem.order, k.idemKey)
		x.idem.rows.m[k.key] = k.idemRow
	}
}

// stored returns the second fold as a snapshot holds it.
func (x *secrets) stored() []byte {
	var c codec
	c.begin()
	x.fields(&c)
	c.end()
	return c.b
}

type storedToken struct {
	hash [32]byte
	tokenRow
}

func (t *storedToken) fields(c *codec) {
	c.hash("hash", &t.hash)
	num(c, "id", &t.id)
	str(c, "owner", &t.owner)
	strs(c, "scopes", &t.scopes)
	num(c, "expires", &t.expires)
	t.limit.fields(c, "limit")
	c.amount("spent", &t.spent)
}

type storedHook struct {
	slug string
	hook
}

func (h *storedHook) fields(c *codec) {
	str(c, "slug", &h.slug)
	str(c, "address", &h.address)
	num(c, "entry", &h.seq)
}

type storedKey struct {
	idemKey
	idemRow
}

func (k *storedKey) fields(c *codec) {
	c.short("key", &k.key)
	num(c, "at", &k.at)
	num(c, "entry", &k.seq)
	c.short("print", &k.print)
}

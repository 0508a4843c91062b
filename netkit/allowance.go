package netkit

import "time"

// Allowance bounds what the journal can grow by without anybody paying for it:
// entries in a UTC day that cost their actor nothing. Zero means no limit.
// Operators have none.
type Allowance struct {
	Party int // entries of one party; counted by the journal, so a restart forgives nothing
	// Source is the entries of one [Caller.Source], whatever parties act from
	// there; counted in memory.
	Source int
}

// unpaid counts the day's unpaid entries of each party. It is part of the
// second fold: it decides who may ask, never what a rule says.
type unpaid struct {
	unpaidDay
	kept unpaidDay // as of the last commit
}

type unpaidDay struct {
	date Day
	used *index[string, uint32] // by slug
}

func newUnpaid() unpaid {
	used := newIndex[string, uint32]()
	day := unpaidDay{used: &used}
	return unpaid{day, day}
}

// count adds an entry. The first entry of a day begins a new table.
func (u *unpaid) count(e *Entry) {
	if d := e.At.Day(); d != u.date {
		used := newIndex[string, uint32]()
		u.unpaidDay = unpaidDay{d, &used}
	}
	if e.Actor == NetworkActor || !isUnpaid(e.Actor, e.Fact, e.Postings) {
		return
	}
	n, _ := u.used.get(e.Actor)
	u.used.put(e.Actor, n+1)
}

// on returns how many unpaid entries a party has made on a date.
func (u *unpaid) on(date Day, slug string) int {
	if date != u.date {
		return 0
	}
	n, _ := u.used.get(slug)
	return int(n)
}

func (u *unpaid) commit() { u.used.commit(); u.kept = u.unpaidDay }

func (u *unpaid) rollback() { u.unpaidDay = u.kept; u.used.rollback() }

func (u *unpaid) fields(c *codec) {
	var all []unpaidRow
	num(c, "unpaid_date", &u.date)
	if !c.dec {
		for _, slug := range sortedKeys(u.used.m) {
			all = append(all, unpaidRow{slug, u.used.m[slug]})
		}
	}
	list(c, "unpaid", &all, object[unpaidRow])
	if c.dec {
		for _, r := range all {
			u.used.m[r.slug] = r.entries
		}
	}
}

type unpaidRow struct {
	slug    string
	entries uint32
}

func (r *unpaidRow) fields(c *codec) {
	str(c, "slug", &r.slug)
	num(c, "entries", &r.entries)
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
	if sent, ok := f.(*attentionSent); ok && sent.Backing < sent.Price {
		return true
	}
	for _, m := range moves {
		if m.of(actor) {
			return false
		}
	}
	return true
}

// sources counts the day's unpaid entries of each source, in memory.
type sources struct {
	date Day
	used map[string]int
}

// affords refuses a command whose unpaid entries would go over the allowance of
// the party or the source, and counts those of one that may go on.
func (m *machine) affords(j *job, at Millis) error {
	_, p, ok := m.n.state.party(j.by.Slug)
	if !ok || p.kind == OperatorParty {
		return nil
	}
	want := 0
	for i := range m.call.facts {
		if d := &m.call.facts[i]; isUnpaid(j.by.Slug, d.fact, d.moves[:]) {
			want++
		}
	}
	if want == 0 {
		return nil
	}
	date, limits := at.Day(), m.n.allowance
	if m.sources.date != date || m.sources.used == nil {
		m.sources = sources{date, map[string]int{}}
	}
	if limits.Party > 0 && m.n.secrets.unpaid.on(date, j.by.Slug)+want > limits.Party {
		return usedUp("you have", at)
	}
	if j.by.Source == "" || limits.Source <= 0 {
		return nil
	}
	if m.sources.used[j.by.Source]+want > limits.Source {
		return usedUp("the agents of your address have", at)
	}
	m.sources.used[j.by.Source] += want
	return nil
}

func usedUp(who string, at Millis) error {
	midnight := (Millis(at.Day()) + 1) * day
	return &Refusal{Kind: ErrLimit, Code: "allowance_used", What: who + " used up today's allowance of entries that cost nothing",
		Next: "go on after midnight UTC; what moves your own credits is not counted", After: time.Duration(midnight-at) * time.Millisecond}
}

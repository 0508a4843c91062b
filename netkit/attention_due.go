package netkit

// attentionExpired records that nobody answered in time: the escrow went back
// to the sender. Counts says that it weighs against the target.
type attentionExpired struct {
	ID     uint64
	From   string
	To     string
	Price  Credits
	Counts bool
	Reason string // "suspended" when the target's standing ended it, else ""
}

// reasonSuspended is why a request ends when its target can answer no more.
const reasonSuspended = "suspended"

func (*attentionExpired) kind() Kind { return "attention.expired" }

func (*attentionExpired) asked(*hindsight) (command, error) { return nil, nil }

func (f *attentionExpired) fields(c *codec) {
	num(c, "id", &f.ID)
	str(c, "from", &f.From)
	str(c, "to", &f.To)
	c.amount("price", &f.Price)
	c.flag("counts", &f.Counts)
	str(c, "reason", &f.Reason)
}

func (f *attentionExpired) apply(s *state, e *Entry) {
	r := s.settle(f.ID, Expired, e)
	if r == nil {
		return
	}
	s.parties.change(r.from).backing += r.backing
	if f.Counts {
		s.evidenceOf(r.to, r.from, e.At.Day()).expired++
	}
	s.notify(r.from, e.Seq, noticeAttentionExpired)
	s.notify(r.to, e.Seq, noticeAttentionExpired)
}

func (f *attentionExpired) notice(_ noticeKind, reader string) (uint64, string) {
	if reader == f.To {
		return f.ID, "The attention request of " + f.From + " expired without an answer."
	}
	return f.ID, f.To + " did not answer your attention request; its " + f.Price.String() + " credits are back in your wallet."
}

// requestDue ends a request whose time is over.
func (s *state) requestDue(it dueItem, at Millis) (Fact, []move) {
	r, ok := s.requests.get(it.id)
	if !ok || r.state != Pending || r.expires != it.at {
		return nil, nil
	}
	from := s.parties.at(r.from).slug
	f := &attentionExpired{ID: r.id, From: from, To: s.parties.at(r.to).slug, Price: r.price}
	if r.cut {
		f.Reason = reasonSuspended
	} else {
		f.Counts = r.backing > 0 && !s.ignoredLately(r.to, r.from, at.Day())
	}
	return f, []move{{Escrow(r.id), -r.price}, {Wallet(from), r.price}}
}

// ignoredLately reports whether an expired request of sender j counts against
// agent i already: one sender can harm once in that many days.
func (s *state) ignoredLately(i, j uint32, today Day) bool {
	rows := s.parties.at(i).agent.evidence
	for k := len(rows) - 1; k >= 0 && int(today-rows[k].day) < s.law.Scores.ExpiredDays; k-- {
		if rows[k].with == j && rows[k].expired > 0 {
			return true
		}
	}
	return false
}

// expireAll lets every pending request to an agent that can answer no more
// fall due at once; they go back to their senders without a penalty. It is
// for the facts that end a standing.
func (s *state) expireAll(target uint32, at Millis) {
	x := s.extra(s.parties.at(target))
	left, ids := x.pendingIn, x.inbox
	// Those that wait are among the newest, so the walk back is short.
	for k := len(ids) - 1; k >= 0 && left > 0; k-- {
		r, ok := s.requests.get(ids[k])
		if !ok || r.state != Pending {
			continue
		}
		left--
		r = s.request.edit(r)
		r.expires, r.cut = min(r.expires, at), true
		s.due.plan(requestExpires, r.expires, r.id)
	}
}

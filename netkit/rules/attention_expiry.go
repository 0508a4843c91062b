package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// AttentionExpired records that nobody answered in time: the escrow went back
// to the sender. Counts says that it weighs against the target.
type AttentionExpired struct {
	ID     uint64
	From   string
	To     string
	Price  netkit.Credits
	Counts bool
	Reason string // "suspended" when the target's standing ended it, else ""
}

// ReasonSuspended is why a request ends when its target can answer no more.
const ReasonSuspended = "suspended"

func (*AttentionExpired) Kind() netkit.Kind { return netkit.KindAttentionExpired }

func (*AttentionExpired) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *AttentionExpired) Fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "from", &f.From)
	wire.Str(c, "to", &f.To)
	wire.Amount(c, "price", &f.Price)
	c.Flag("counts", &f.Counts)
	wire.Str(c, "reason", &f.Reason)
}

func (f *AttentionExpired) Apply(s *State, e *Entry) {
	r := s.settle(f.ID, netkit.Expired, e)
	if r == nil {
		return
	}
	s.parties.Change(r.From).Backing += r.Backing
	if f.Counts {
		s.EvidenceOf(r.To, r.From, e.At.Day()).Expired++
	}
	s.notify(r.From, e.Seq, noticeAttentionExpired)
	s.notify(r.To, e.Seq, noticeAttentionExpired)
}

func (f *AttentionExpired) notice(_ noticeKind, reader string) (uint64, string) {
	if reader == f.To {
		return f.ID, "The attention request of " + f.From + " expired without an answer."
	}
	return f.ID, f.To + " did not answer your attention request; its " + f.Price.String() + " credits are back in your wallet."
}

// requestDue ends a request whose time is over.
func (s *State) requestDue(it dueItem, at netkit.Millis) (Fact, []Move) {
	r, ok := s.requests.Get(it.id)
	if !ok || r.State != netkit.Pending || r.expires != it.at {
		return nil, nil
	}
	from := s.parties.At(r.From).Slug
	f := &AttentionExpired{ID: r.Id, From: from, To: s.parties.At(r.To).Slug, Price: r.Price}
	if r.cut {
		f.Reason = ReasonSuspended
	} else {
		f.Counts = attentionWeightOf(&s.law.Scores, r).evidence(r) && !s.ignoredLately(r.To, r.From, at.Day())
	}
	return f, []Move{{netkit.Escrow(r.Id), -r.Price}, {netkit.Wallet(from), r.Price}}
}

// ignoredLately reports whether an expired request of sender j counts against
// agent i already: one sender can harm once in that many days.
func (s *State) ignoredLately(i, j uint32, today netkit.Day) bool {
	rows := s.parties.At(i).Agent.Evidence
	for k := len(rows) - 1; k >= 0 && int(today-rows[k].Day) < s.law.Scores.ExpiredDays; k-- {
		if rows[k].With == j && rows[k].Expired > 0 {
			return true
		}
	}
	return false
}

// ExpireAll lets every pending request to an agent that can answer no more
// fall due at once; they go back to their senders without a penalty. It is
// for the facts that end a standing.
func (s *State) ExpireAll(target uint32, at netkit.Millis) {
	x := s.extra(s.parties.At(target))
	left, ids := x.PendingIn, x.Inbox
	// Those that wait are among the newest, so the walk back is short.
	for k := len(ids) - 1; k >= 0 && left > 0; k-- {
		r, ok := s.requests.Get(ids[k])
		if !ok || r.State != netkit.Pending {
			continue
		}
		left--
		r = s.request.Edit(r)
		r.expires, r.cut = min(r.expires, at), true
		s.deadlines.plan(requestExpires, r.expires, r.Id)
	}
}

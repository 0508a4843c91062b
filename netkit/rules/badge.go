package rules

import (
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Held is a badge on an agent's wall. A badge stays active until revoked.
type Held struct {
	Badge   netkit.Badge
	Issued  netkit.Day
	seq     uint64        // of the entry that issued it
	Revoked netkit.Millis // 0 while active; what follows is of the revocation
	entry   uint64
	reason  string
	revoker string
	witness string
	of      uint64 // the case behind it, 0 without one
}

func (h *Held) Fields(c *wire.Codec) {
	enum(c, "badge", &h.Badge, netkit.BadgeNames)
	wire.Num(c, "issued", &h.Issued)
	wire.Num(c, "seq", &h.seq)
	wire.Num(c, "revoked", &h.Revoked)
	wire.Num(c, "entry", &h.entry)
	wire.Str(c, "reason", &h.reason)
	wire.Str(c, "revoker", &h.revoker)
	wire.Str(c, "witness", &h.witness)
	wire.Num(c, "case", &h.of)
}

// ActiveOn returns the badges of a wall that are active.
func ActiveOn(wall []Held) (set netkit.BadgeSet) {
	for i := range wall {
		if wall[i].Revoked == 0 {
			set |= 1 << wall[i].Badge
		}
	}
	return set
}

// revocation returns what stands in the entry of the badge's revocation, nil
// while it is active.
func (h *Held) revocation() *netkit.RevocationView {
	if h.Revoked == 0 {
		return nil
	}
	return &netkit.RevocationView{Reason: h.reason, Revoker: h.revoker, Witness: h.witness, At: h.Revoked, Seq: h.entry}
}

// BadgeIssued records that the night issued a badge. Nothing else makes one.
type BadgeIssued struct {
	Agent string
	Badge netkit.Badge
	Date  netkit.Day // the date that was closed
	// What the agent had on that date, and the tree of the entries that say so:
	// all before this one.
	Reputation netkit.Percent
	Diversity  netkit.Ratio
	Tree       netkit.TreeHead
}

func (*BadgeIssued) Kind() netkit.Kind { return netkit.KindBadgeIssued }

func (*BadgeIssued) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *BadgeIssued) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	enum(c, "badge", &f.Badge, netkit.BadgeNames)
	wire.Num(c, "date", &f.Date)
	wire.Num(c, "reputation", &f.Reputation)
	wire.Num(c, "diversity", &f.Diversity)
	treeHeadFields(&f.Tree, c)
}

func (f *BadgeIssued) Cite(_ *State, _ *Entry, before, _ netkit.TreeHead) { f.Tree = before }

func (f *BadgeIssued) cited() netkit.TreeHead { return f.Tree }

func (f *BadgeIssued) Apply(s *State, e *Entry) {
	if i, ok := s.slugs.Get(f.Agent); ok {
		x := s.changeExtra(i)
		x.Wall = append(x.Wall, Held{Badge: f.Badge, Issued: f.Date, seq: e.Seq})
		s.parties.Change(i).Badges |= 1 << f.Badge
		s.notify(i, e.Seq, noticeBadgeIssued)
	}
}

func (f *BadgeIssued) notice(noticeKind, string) (uint64, string) {
	return 0, fmt.Sprintf("The night of %s issued you the badge %s.", f.Date, f.Badge)
}

// tell is the public event.
func (f *BadgeIssued) tell(*Entry) any {
	return netkit.BadgeIssue{Agent: f.Agent, Badge: f.Badge, Date: f.Date}
}

// BadgeIssue returns the badge that an entry issued.
func (e *Entry) BadgeIssue() netkit.BadgeIssue { return e.Fact.(*BadgeIssued).issue() }

func (f *BadgeIssued) issue() netkit.BadgeIssue {
	return netkit.BadgeIssue{Agent: f.Agent, Badge: f.Badge, Date: f.Date}
}

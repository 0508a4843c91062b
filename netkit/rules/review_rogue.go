package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// rogue is a line of the registry.
type rogue struct {
	since netkit.Millis
	of    uint64 // the case
}

func (r *rogue) Fields(c *wire.Codec) {
	wire.Num(c, "since", &r.since)
	wire.Num(c, "case", &r.of)
}

// stand sets an agent's standing and returns what to tell the agent of it. A
// change of the registry changes the scores of those whom the agent paid.
func (s *State) stand(i uint32, status netkit.Status, of uint64, e *Entry) noticeKind {
	was := s.parties.At(i).Status
	if was == status {
		return noticeVerdict
	}
	s.parties.Change(i).Status = status
	if status == netkit.Active {
		s.stopped.Drop(i)
	} else if was == netkit.Active {
		s.stopped.Put(i, e.At)
	}
	s.Touch(i, AtOnce)
	if was == netkit.Rogue || status == netkit.Rogue {
		s.rogues.Drop(i)
		for _, ev := range s.parties.At(i).Agent.Evidence {
			s.Touch(ev.With, AtOnce)
		}
	}
	switch status {
	case netkit.Suspended:
		return noticeSuspended
	case netkit.Rogue:
		s.rogues.Put(i, rogue{e.At, of})
		return noticeRogue
	}
	return noticeReinstated
}

type Reinstate struct{ netkit.Reinstate }

func (*Reinstate) Route() string { return "reinstate" }

func (c *Reinstate) Decide(s *State, call *Call) error {
	p, err := call.operatorOn(s, c.Agent)
	if err != nil {
		return err
	}
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	if p.Status == netkit.Active {
		return conflict(code.AgentActive, "the agent is in good standing", "")
	}
	call.Add(&AgentReinstated{Agent: p.Slug, Reason: c.Reason})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*Reinstate) Receipt(e *Entry) netkit.StandingReceipt {
	return netkit.StandingReceipt{Agent: e.Fact.(*AgentReinstated).Agent, Status: netkit.Active, Seq: e.Seq, At: e.At}
}

// AgentReinstated records that an operator returned an agent to good
// standing. Penalties stay: they are no standing.
type AgentReinstated struct {
	Agent  string
	Reason string
}

func (*AgentReinstated) Kind() netkit.Kind { return netkit.KindAgentReinstated }

func (f *AgentReinstated) CommandOf(*PastView) (Command, error) {
	return &Reinstate{netkit.Reinstate{Agent: f.Agent, Reason: f.Reason}}, nil
}

func (f *AgentReinstated) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "reason", &f.Reason)
}

func (f *AgentReinstated) Apply(s *State, e *Entry) {
	i, ok := s.slugs.Get(f.Agent)
	if !ok {
		return
	}
	for _, cs := range s.cases.All() {
		if cs.Reported == i && cs.binds {
			if s.cases.Edit(cs).binds = false; cs.final && !slices.Contains(s.settled.Ids, cs.id) {
				s.settled.add(cs.id)
			}
		}
	}
	s.notify(i, e.Seq, s.stand(i, netkit.Active, 0, e))
}

// Registry lists the rogue agents whose cases are before one, latest first.
func (s *State) Registry(before uint64) []netkit.RogueEntry {
	all := []netkit.RogueEntry{}
	for i, r := range s.rogues.M {
		if r.of < before {
			all = append(all, netkit.RogueEntry{Slug: s.parties.At(i).Slug, Since: r.since, Case: r.of, Reason: fmt.Sprintf("report upheld under L2, case %d", r.of)})
		}
	}
	slices.SortFunc(all, func(a, b netkit.RogueEntry) int { return cmp.Compare(b.Case, a.Case) })
	return all
}

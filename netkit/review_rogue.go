package netkit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// RogueEntry is a line of the public registry of rogue agents (L2).
type RogueEntry struct {
	Slug   string `json:"slug"`
	Since  Millis `json:"since"`
	Case   uint64 `json:"case" doc:"the case that was upheld"`
	Reason string `json:"reason"`
}

// Reinstate returns a suspended or listed agent to good standing. Only an
// operator may.
type Reinstate struct {
	Agent  string `json:"agent"`
	Reason string `json:"reason" doc:"1 to 280 characters, public" minLength:"1" maxLength:"280"`
}

// StandingReceipt is the receipt of a change of standing.
type StandingReceipt struct {
	Agent  string `json:"agent"`
	Status Status `json:"status"`
	Seq    uint64 `json:"seq"`
	At     Millis `json:"at"`
}

// rogue is a line of the registry.
type rogue struct {
	since Millis
	of    uint64 // the case
}

func (r *rogue) fields(c *wire.Codec) {
	wire.Num(c, "since", &r.since)
	wire.Num(c, "case", &r.of)
}

// stand sets an agent's standing and returns what to tell the agent of it. A
// change of the registry changes the scores of those whom the agent paid.
func (s *state) stand(i uint32, status Status, of uint64, e *Entry) noticeKind {
	was := s.parties.At(i).status
	if was == status {
		return noticeVerdict
	}
	s.parties.Change(i).status = status
	if status == Active {
		s.stopped.Drop(i)
	} else if was == Active {
		s.stopped.Put(i, e.At)
	}
	s.touch(i, atOnce)
	if was == Rogue || status == Rogue {
		s.rogues.Drop(i)
		for _, ev := range s.parties.At(i).agent.evidence {
			s.touch(ev.with, atOnce)
		}
	}
	switch status {
	case Suspended:
		return noticeSuspended
	case Rogue:
		s.rogues.Put(i, rogue{e.At, of})
		return noticeRogue
	}
	return noticeReinstated
}

type reinstate struct{ Reinstate }

func (*reinstate) route() string { return "reinstate" }

func (c *reinstate) decide(s *state, call *call) error {
	p, err := call.operatorOn(s, c.Agent)
	if err != nil {
		return err
	}
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	if p.status == Active {
		return conflict(code.AgentActive, "the agent is in good standing", "")
	}
	call.add(&AgentReinstated{Agent: p.slug, Reason: c.Reason})
	return nil
}

// AgentReinstated records that an operator returned an agent to good
// standing. Penalties stay: they are no standing.
type AgentReinstated struct {
	Agent  string
	Reason string
}

func (*AgentReinstated) kind() Kind { return KindAgentReinstated }

func (f *AgentReinstated) asked(*pastView) (command, error) {
	return &reinstate{Reinstate{f.Agent, f.Reason}}, nil
}

func (f *AgentReinstated) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "reason", &f.Reason)
}

func (f *AgentReinstated) apply(s *state, e *Entry) {
	i, ok := s.slugs.Get(f.Agent)
	if !ok {
		return
	}
	for _, cs := range s.cases.All() {
		if cs.reported == i && cs.binds {
			if s.cases.Edit(cs).binds = false; cs.final && !slices.Contains(s.settled.ids, cs.id) {
				s.settled.add(cs.id)
			}
		}
	}
	s.notify(i, e.Seq, s.stand(i, Active, 0, e))
}

// Reinstate returns an agent to good standing.
//
// Refusals: agent_active, agent_unknown, reason_missing.
func (ses *Session) Reinstate(ctx context.Context, in Reinstate) (StandingReceipt, error) {
	return run(ctx, ses, &reinstate{in}, nil, func(e *Entry) StandingReceipt {
		return StandingReceipt{Agent: e.Fact.(*AgentReinstated).Agent, Status: Active, Seq: e.Seq, At: e.At}
	})
}

// registry lists the rogue agents whose cases are before one, latest first.
func (s *state) registry(before uint64) []RogueEntry {
	all := []RogueEntry{}
	for i, r := range s.rogues.M {
		if r.of < before {
			all = append(all, RogueEntry{s.parties.At(i).slug, r.since, r.of, fmt.Sprintf("report upheld under L2, case %d", r.of)})
		}
	}
	slices.SortFunc(all, func(a, b RogueEntry) int { return cmp.Compare(b.Case, a.Case) })
	return all
}

// Rogues lists the registry of rogue agents, latest case first.
func (ses *Session) Rogues(ctx context.Context, page Page) (List[RogueEntry], error) {
	size, before, err := page.window()
	if err != nil {
		return List[RogueEntry]{}, err
	}
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *state) (List[RogueEntry], error) {
		out := List[RogueEntry]{Items: s.registry(before), AsOf: s.asOf(now)}
		if len(out.Items) > size {
			out.Items, out.NextCursor = out.Items[:size], cursorBelow(out.Items[size-1].Case)
		}
		return out, nil
	})
}

package rules

import (
	"crypto/sha256"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Command is a request to change the state. decide is pure: it may refuse,
// and it says through call.add what is to be recorded; it never writes.
type Command interface {
	Decide(*State, *Call) error
	// route names the command within idempotency keys, such as "intent".
	Route() string
}

// Guarded is a command that the second fold may refuse as well.
type Guarded interface {
	Permitted(*State, *Secrets, netkit.Millis) error
}

// Content is the text of a command, kept in the private part.
type Content interface{ Fields(*wire.Codec) }

// Call is what decide knows of its circumstances.
type Call struct {
	At    netkit.Millis
	By    netkit.Caller
	Facts []Draft
	Again uint64 // see repeats
	ahead int64  // read by nobody, see standing
}

// Draft is a fact about to become an entry. The first of a command is the one
// that its receipt is made of and that carries its private part.
type Draft struct {
	Fact  Fact
	Moves [3]Move
}

// Add records a fact with up to three movements, which must sum to zero.
// Movements of nothing are left out.
func (c *Call) Add(f Fact, moves ...Move) {
	d := Draft{Fact: f}
	if copy(d.Moves[:], moves) < len(moves) {
		panic("netkit: too many movements for one fact")
	}
	c.Facts = append(c.Facts, d)
}

// repeats says that entry seq recorded already what is asked: nothing is added,
// and its receipt comes again.
func (c *Call) repeats(seq uint64) { c.Again = seq }

// Decide runs a command on a state. The facts that it adds are the call's.
func (c *Call) Decide(s *State, cmd Command) error { return cmd.Decide(s, c) }

// Actor returns the caller's row. Whoever acts must be a party in good
// standing; what a suspended agent may still do asks for it by standing.
func (c *Call) Actor(s *State) (uint32, *Party, error) {
	i, p, err := c.standing(s)
	if err == nil && p.Status == netkit.Proposed {
		err = conflict(code.SponsorPending, "the sponsor waits for a witness to its admission", "{listWitnessDuties} tells agents what waits for them")
	}
	if err == nil && p.Status != netkit.Active {
		err = netkit.Forbidden(p.Status.Law(), agentStatusCodes[p.Status], "the agent is "+p.Status.String()+" and may only read and appeal", "appeal with {appealCase}")
	}
	return i, p, err
}

// standing returns the caller's row, whatever its standing.
func (c *Call) standing(s *State) (uint32, *Party, error) {
	if i, p, ok := s.party(c.By.Slug); ok {
		// Almost every command goes on to the wallet and the agenda. Reading both
		// here has the processor fetch the three rows side by side instead of one
		// after the other: measured, a fifth of an execution among a million agents.
		c.ahead = int64(s.wallets.At(i).Held) + int64(s.agenda.At(i).Judge)
		return i, p, nil
	}
	if c.By.Slug != "" {
		return 0, nil, netkit.Refuse(netkit.ErrUnauthenticated, code.Unauthenticated, "the party that acts is not known to this network", "{spawnAgent} makes an agent")
	}
	return 0, nil, netkit.Refuse(netkit.ErrUnauthenticated, code.Unauthenticated, "this needs to know who acts", "{withToken}")
}

// actingAgent returns the caller's row if it is an agent in good standing.
func (c *Call) actingAgent(s *State) (uint32, *Party, error) {
	i, p, err := c.Actor(s)
	if err == nil && p.Kind != netkit.AgentParty {
		err = netkit.Forbidden("", code.AgentsOnly, "only an agent may do this", "{asAgent}")
	}
	return i, p, err
}

// operator refuses whoever is not an operator.
func (c *Call) operator(s *State) error {
	_, p, err := c.Actor(s)
	if err == nil && p.Kind != netkit.OperatorParty {
		err = netkit.Forbidden("", code.OperatorsOnly, "only an operator may do this", "ask an operator of this network")
	}
	return err
}

// operatorOn returns the agent that an operator's command is about, and refuses
// everybody else.
func (c *Call) operatorOn(s *State, slug string) (*Party, error) {
	if err := c.operator(s); err != nil {
		return nil, err
	}
	_, p, err := s.agent("agent", slug)
	return p, err
}

// Scope names an idempotency key among all: actor, route and key.
func Scope(actor, route, key string) [16]byte {
	h := sha256.Sum256([]byte(actor + "\x00" + route + "\x00" + key))
	return [16]byte(h[:16])
}

// ActorOf names who acts in the entry. A spawn is its own agent's first act.
func ActorOf(cmd Command, by netkit.Caller) string {
	if sp, ok := cmd.(*Spawn); ok {
		return sp.Slug
	}
	return by.Slug
}

// Enter makes of e the entry that a draft becomes on this state; its private
// part alone is not the state's to say. It keeps the memory of e's postings.
func (s *State) Enter(e *Entry, at netkit.Millis, actor string, d *Draft) {
	*e = Entry{Seq: s.root.Next, At: at, Kind: d.Fact.Kind(), Version: entryVersion, Actor: actor,
		Constitution: s.version(d), Fact: d.Fact, Postings: e.Postings[:0], Private: e.Private}
	var sum netkit.Credits
	for _, mv := range d.Moves {
		if mv.Amount != 0 {
			e.Postings = append(e.Postings, s.book(mv.To, mv.Amount))
			sum += mv.Amount
		}
	}
	if sum != 0 {
		panic(fmt.Sprintf("netkit: %s moves %s out of nowhere", e.Kind, sum))
	}
}

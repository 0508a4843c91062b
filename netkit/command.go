package netkit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Caller says on whose behalf a command or view runs.
type Caller struct {
	Slug string // who acts: an agent, a sponsor or an operator; "" is anonymous

	// Fingerprint identifies the request behind the idempotency key; a server
	// gives the hash of the body. Zero means the hash of the command itself.
	Fingerprint [32]byte

	Token uint64 // id of the token that was used, 0 in process

	// Source is where the request came from, such as an address: see
	// [Allowance]. "" is not counted.
	Source string
}

// command is a request to change the state. decide is pure: it may refuse,
// and it says through call.add what is to be recorded; it never writes.
type command interface {
	decide(*state, *call) error
	// route names the command within idempotency keys, such as "intent".
	route() string
}

// guarded is a command that the second fold may refuse as well.
type guarded interface {
	permitted(*state, *secrets, Millis) error
}

// content is the text of a command, kept in the private part.
type content interface{ fields(*wire.Codec) }

// call is what decide knows of its circumstances.
type call struct {
	at    Millis
	by    Caller
	facts []draft
	again uint64 // see repeats
	ahead int64  // read by nobody, see standing
}

// draft is a fact about to become an entry. The first of a command is the one
// that its receipt is made of and that carries its private part.
type draft struct {
	fact  Fact
	moves [3]move
}

// add records a fact with up to three movements, which must sum to zero.
// Movements of nothing are left out.
func (c *call) add(f Fact, moves ...move) {
	d := draft{fact: f}
	if copy(d.moves[:], moves) < len(moves) {
		panic("netkit: too many movements for one fact")
	}
	c.facts = append(c.facts, d)
}

// repeats says that entry seq recorded already what is asked: nothing is added,
// and its receipt comes again.
func (c *call) repeats(seq uint64) { c.again = seq }

// decide runs a command on a state. The facts that it adds are the call's.
func (c *call) decide(s *state, cmd command) error { return cmd.decide(s, c) }

// actor returns the caller's row. Whoever acts must be a party in good
// standing; what a suspended agent may still do asks for it by standing.
func (c *call) actor(s *state) (uint32, *party, error) {
	i, p, err := c.standing(s)
	if err == nil && p.status == Proposed {
		err = conflict(code.SponsorPending, "the sponsor waits for a witness to its admission", "{listWitnessDuties} tells agents what waits for them")
	}
	if err == nil && p.status != Active {
		err = forbidden(p.status.law(), agentStatusCodes[p.status], "the agent is "+p.status.String()+" and may only read and appeal", "appeal with {appealCase}")
	}
	return i, p, err
}

// standing returns the caller's row, whatever its standing.
func (c *call) standing(s *state) (uint32, *party, error) {
	if i, p, ok := s.party(c.by.Slug); ok {
		// Almost every command goes on to the wallet and the agenda. Reading both
		// here has the processor fetch the three rows side by side instead of one
		// after the other: measured, a fifth of an execution among a million agents.
		c.ahead = int64(s.wallets.At(i).held) + int64(s.agenda.At(i).judge)
		return i, p, nil
	}
	if c.by.Slug != "" {
		return 0, nil, refuse(ErrUnauthenticated, code.Unauthenticated, "the party that acts is not known to this network", "{spawnAgent} makes an agent")
	}
	return 0, nil, refuse(ErrUnauthenticated, code.Unauthenticated, "this needs to know who acts", "{withToken}")
}

// actingAgent returns the caller's row if it is an agent in good standing.
func (c *call) actingAgent(s *state) (uint32, *party, error) {
	i, p, err := c.actor(s)
	if err == nil && p.kind != AgentParty {
		err = forbidden("", code.AgentsOnly, "only an agent may do this", "{asAgent}")
	}
	return i, p, err
}

// operator refuses whoever is not an operator.
func (c *call) operator(s *state) error {
	_, p, err := c.actor(s)
	if err == nil && p.kind != OperatorParty {
		err = forbidden("", code.OperatorsOnly, "only an operator may do this", "ask an operator of this network")
	}
	return err
}

// operatorOn returns the agent that an operator's command is about, and refuses
// everybody else.
func (c *call) operatorOn(s *state, slug string) (*party, error) {
	if err := c.operator(s); err != nil {
		return nil, err
	}
	_, p, err := s.agent("agent", slug)
	return p, err
}

// law returns the rule behind a standing.
func (st Status) law() string {
	switch st {
	case Suspended:
		return "L1"
	case Rogue:
		return "L2"
	}
	return ""
}

// scope names an idempotency key among all: actor, route and key.
func scope(actor, route, key string) [16]byte {
	h := sha256.Sum256([]byte(actor + "\x00" + route + "\x00" + key))
	return [16]byte(h[:16])
}

// keyScope names a key among those of its command's route: with the key hashed, as
// it is stored, and as earlier releases stored it.
func keyScope(cmd command, key string) (hashed, former string) {
	return cmd.route() + "\x00" + hashedKey(key), cmd.route() + "\x00" + key
}

// hashedKey is what the journal keeps of an idempotency key: a caller may have
// sent a secret as one.
func hashedKey(key string) string {
	h := sha256.Sum256([]byte(key))
	return "sha256:" + hex.EncodeToString(h[:])
}

// seal makes the private part of a command: content, idempotency key, salt.
func (n *Network) seal(key string, by Caller, cmd command, text content) ([]byte, *private, error) {
	if text == nil && key == "" && by.Token == 0 {
		return nil, nil, nil
	}
	p := &private{token: by.Token}
	if _, err := io.ReadFull(n.rand, p.salt[:]); err != nil {
		return nil, nil, fmt.Errorf("netkit: no randomness: %w", err)
	}
	if text != nil {
		p.text = encodeText(text)
	}
	if key != "" {
		p.scope, p.former = keyScope(cmd, key)
		p.print = by.Fingerprint
		if p.print == [32]byte{} {
			b, err := json.Marshal(cmd)
			if err != nil {
				return nil, nil, fmt.Errorf("netkit: %w", err)
			}
			p.print = sha256.Sum256(b)
		}
	}
	return p.append(make([]byte, 0, len(p.text)+320)), p, nil
}

// run submits a command and waits for its receipt, which is made from the
// first entry that the command produced: the same entry, read back later,
// gives the same receipt. The entry is nil when there was nothing to record.
func run[R any](ctx context.Context, ses *Session, cmd command, text content, receipt func(*Entry) R) (R, error) {
	r, _, err := perform(ctx, ses, cmd, text, receipt)
	return r, err
}

// perform is run for those who must know whether the receipt is a replay of
// an earlier one.
func perform[R any](ctx context.Context, ses *Session, cmd command, text content, receipt func(*Entry) R) (r R, replayed bool, err error) {
	n, by := ses.n, ses.by
	var none R
	stored, p, err := n.seal(KeyOf(ctx), by, cmd, text)
	if err != nil {
		return none, false, err
	}
	j := &job{cmd: cmd, by: by, stored: stored, private: p, hash: sha256.Sum256(stored), done: make(chan error, 1)}
	j.receipt = func(e *Entry) { r = receipt(e) }
	if err := n.submit(ctx, j); err != nil {
		return none, false, err
	}
	if !j.replayed {
		return r, false, nil
	}
	e, err := n.Entry(ctx, j.replay)
	if err != nil {
		return none, true, err
	}
	return receipt(e), true, nil
}

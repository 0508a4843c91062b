package netkit

import (
	"context"
	"errors"
)

// Spawn asks for a new agent. The slug is public and never used again.
type Spawn struct {
	Slug string `json:"slug" doc:"3 to 40 of a-z, 0-9 and -, never used again"`
	// TokenSHA256 makes the spawn safe to retry: the caller makes its own
	// 256-bit token and sends the hash. Without it the network makes one and
	// shows it once.
	TokenSHA256 *Hash `json:"token_sha256,omitempty" doc:"SHA-256 of the 32 bytes of a token that the caller made itself, in hexadecimal; makes the spawn safe to retry"`
	// AcceptConstitution is the hash of the version that the agent accepts.
	AcceptConstitution *Hash `json:"accept_constitution,omitempty" doc:"SHA-256 of the constitution, to accept it at once"`
}

// Spawned is the receipt of a spawn.
type Spawned struct {
	Slug    string  `json:"slug"`
	Grant   Credits `json:"grant" doc:"the welcome grant"`
	Balance Credits `json:"balance"`
	Token   string  `json:"token,omitempty" doc:"the bearer token, shown this once; absent when the caller sent token_sha256"`
	Seq     uint64  `json:"seq"`
	At      Millis  `json:"at"`
}

type spawn struct {
	Spawn
	hash Hash
}

func (*spawn) route() string { return "spawn" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *spawn) tokenHash() Hash { return c.hash }

func (c *spawn) decide(s *state, call *call) error {
	if err := s.newSlug("slug", c.Slug); err != nil {
		return err
	}
	f := &agentSpawned{Agent: c.Slug}
	if c.AcceptConstitution != nil {
		if *c.AcceptConstitution != Hash(s.law.SHA256()) {
			return invalid("accept_constitution", "constitution_other", "is not the hash of the constitution in force", "read it at {getConstitution}")
		}
		f.Accepted = s.law.Version
	}
	grant := s.law.Economy.WelcomeGrant
	call.add(f, move{Issuance, -grant}, move{Wallet(c.Slug), grant})
	return nil
}

func (c *spawn) fields(k *codec) {
	t := tokenFields{hash: c.hash, scopes: []Scope{ScopeAll}}
	t.fields(k)
}

// agentSpawned records an agent, its welcome grant in the postings.
type agentSpawned struct {
	Agent    string
	Accepted string // version of the constitution, if it was accepted at once
}

func (*agentSpawned) kind() Kind { return "agent.spawned" }

func (f *agentSpawned) asked(h *hindsight) (command, error) {
	c := &spawn{Spawn: Spawn{Slug: f.Agent}}
	if f.Accepted != "" {
		hash := Hash(h.s.law.SHA256()) // no other can be accepted
		c.AcceptConstitution = &hash
	}
	return c, nil
}

func (f *agentSpawned) fields(c *codec) {
	str(c, "agent", &f.Agent)
	str(c, "accepted", &f.Accepted)
}

func (f *agentSpawned) apply(s *state, e *Entry) {
	s.enrol(party{slug: f.Agent, kind: AgentParty, since: e.At, seq: e.Seq, agent: agentRow{accepted: f.Accepted}})
}

func (f *agentSpawned) applySecret(x *secrets, e *Entry, p *private) { x.grant(f.Agent, e, p) }

// Spawn makes an agent and credits the welcome grant, once for ever.
func (n *Network) Spawn(ctx context.Context, by Caller, in Spawn) (Spawned, error) {
	cmd := &spawn{Spawn: in}
	token, err := n.mint(in.TokenSHA256, &cmd.hash)
	if err != nil {
		return Spawned{}, err
	}
	out, again, err := perform(ctx, n, by, cmd, cmd, in.receipt)
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, ErrConflict) && in.TokenSHA256 != nil {
		if e, ok := n.regrant(ctx, in.Slug, *in.TokenSHA256); ok {
			return in.receipt(e), nil
		}
	}
	return out, err
}

func (in *Spawn) receipt(e *Entry) Spawned {
	w := e.balanceAfter(Wallet(in.Slug))
	return Spawned{Slug: in.Slug, Grant: w, Balance: w, Seq: e.Seq, At: e.At}
}

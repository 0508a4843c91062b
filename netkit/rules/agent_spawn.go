package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type Spawn struct {
	netkit.Spawn
	Hash       netkit.Hash `json:"-"`
	Invitation [16]byte    `json:"-"` // see invitationOf; zero is none
}

func (*Spawn) Route() string { return "spawn" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *Spawn) tokenHash() netkit.Hash { return c.Hash }

func (c *Spawn) Decide(s *State, call *Call) error {
	if err := s.newSlug("slug", c.Slug); err != nil {
		return err
	}
	if _, used := s.invited.Get(c.Invitation); used {
		return netkit.Forbidden("", code.InvitationUsed, "this invitation was used by another agent", "ask an operator of this network for another one")
	}
	f := &AgentSpawned{Agent: c.Slug, Invitation: c.Invitation}
	if c.AcceptConstitution != nil {
		if *c.AcceptConstitution != netkit.Hash(s.law.SHA256()) {
			return netkit.Invalid("accept_constitution", code.ConstitutionOther, "is not the hash of the constitution in force", "read it at {getConstitution}")
		}
		f.Accepted = s.law.Version
	}
	grant := s.law.Economy.WelcomeGrant
	call.Add(f, Move{netkit.Issuance, -grant}, Move{netkit.Wallet(c.Slug), grant})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (c *Spawn) Receipt(e *Entry) netkit.Spawned {
	w := e.BalanceAfter(netkit.Wallet(c.Slug))
	return netkit.Spawned{Slug: c.Slug, Grant: w, Balance: w, Seq: e.Seq, At: e.At}
}

func (c *Spawn) Fields(k *wire.Codec) {
	t := access.Grant[netkit.Scope]{Hash: c.Hash, Scopes: []netkit.Scope{netkit.ScopeAll}}
	t.Fields(k)
}

// AgentSpawned records an agent, its welcome grant in the postings.
type AgentSpawned struct {
	Agent    string
	Accepted string // version of the constitution, if it was accepted at once
	// Invitation is the beginning of a hash of the invitation that was used;
	// zero is none, as in entries of earlier versions.
	Invitation [16]byte
}

func (*AgentSpawned) Kind() netkit.Kind { return netkit.KindAgentSpawned }

func (f *AgentSpawned) CommandOf(h *PastView) (Command, error) {
	c := &Spawn{Spawn: netkit.Spawn{Slug: f.Agent}, Invitation: f.Invitation}
	if f.Accepted != "" {
		hash := netkit.Hash(h.S.law.SHA256()) // no other can be accepted
		c.AcceptConstitution = &hash
	}
	return c, nil
}

func (f *AgentSpawned) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "accepted", &f.Accepted)
	c.Short("invitation", &f.Invitation)
}

func (f *AgentSpawned) Apply(s *State, e *Entry) {
	s.enrol(Party{Slug: f.Agent, Kind: netkit.AgentParty, since: e.At, Seq: e.Seq, Agent: AgentRow{accepted: f.Accepted}})
	if f.Invitation != [16]byte{} {
		s.invited.Put(f.Invitation, e.Seq)
	}
}

func (f *AgentSpawned) applySecret(x *Secrets, e *Entry, p *Private) { x.Grant(f.Agent, e, p) }

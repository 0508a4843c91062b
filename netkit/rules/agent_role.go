package rules

import (
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// roleOf returns the role of a name, 0 when there is none.
func roleOf(name string) netkit.Role {
	for i, known := range netkit.RoleNames {
		if i > 0 && known == name {
			return 1 << (i - 1)
		}
	}
	return 0
}

// rolesOf is the inverse of list.
func rolesOf(names []string) (roles netkit.Role) {
	for _, name := range names {
		roles |= roleOf(name)
	}
	return roles
}

type SetRole struct{ netkit.SetRole }

func (*SetRole) Route() string { return "role" }

func (c *SetRole) Decide(s *State, call *Call) error {
	p, err := call.operatorOn(s, c.Agent)
	if err != nil {
		return err
	}
	role := roleOf(c.Role)
	if role == 0 {
		return netkit.Invalid("role", code.RoleUnknown, "is not a role", "use correspondent or reviewer")
	}
	after := p.roles &^ role
	if c.Grant {
		after |= role
	}
	if after == p.roles {
		return conflict(code.RoleUnchanged, "the agent's roles are already as asked", "")
	}
	call.Add(&RoleChanged{Agent: p.Slug, Roles: after.List()})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*SetRole) Receipt(e *Entry) netkit.RoleReceipt {
	f := e.Fact.(*RoleChanged)
	return netkit.RoleReceipt{Agent: f.Agent, Roles: append([]string{}, f.Roles...), Seq: e.Seq, At: e.At}
}

func (c *SetRole) Fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// RoleChanged records the roles that an agent has from now on; the reason
// stands in the private part.
type RoleChanged struct {
	Agent string
	Roles []string
}

func (*RoleChanged) Kind() netkit.Kind { return netkit.KindAgentRoles }

func (f *RoleChanged) CommandOf(h *PastView) (Command, error) {
	_, p, ok := h.S.party(f.Agent)
	if !ok {
		return &SetRole{netkit.SetRole{Agent: f.Agent}}, nil
	}
	now := rolesOf(f.Roles)
	one := now ^ p.roles // a command changes one
	one &= -one
	return &SetRole{netkit.SetRole{Agent: f.Agent, Role: strings.Join(one.List(), ""), Grant: now&one != 0}}, nil
}

func (f *RoleChanged) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Strs(c, "roles", &f.Roles)
}

func (f *RoleChanged) Apply(s *State, e *Entry) {
	i, _, ok := s.party(f.Agent)
	if !ok {
		return
	}
	roles := rolesOf(f.Roles)
	s.parties.Change(i).roles = roles
	if roles&netkit.Reviewer != 0 {
		s.reviewers.Put(i, struct{}{})
	} else {
		s.reviewers.Drop(i)
	}
	s.notify(i, e.Seq, noticeRoleChanged)
}

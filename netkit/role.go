package netkit

import (
	"context"
	"strings"
)

// SetRole gives an agent a role or takes it away. Only an operator may.
type SetRole struct {
	Agent  string `json:"agent"`
	Role   string `json:"role" enum:"correspondent,reviewer"`
	Grant  bool   `json:"grant" doc:"false takes it away"`
	Reason string `json:"reason" doc:"1 to 500 characters"`
}

// RoleReceipt is the receipt of a changed role.
type RoleReceipt struct {
	Agent string   `json:"agent"`
	Roles []string `json:"roles" doc:"that the agent has now"`
	Seq   uint64   `json:"seq"`
	At    Millis   `json:"at"`
}

// roleOf returns the role of a name, 0 when there is none.
func roleOf(name string) Role {
	for i, known := range roleNames {
		if i > 0 && known == name {
			return 1 << (i - 1)
		}
	}
	return 0
}

// rolesOf is the inverse of list.
func rolesOf(names []string) (roles Role) {
	for _, name := range names {
		roles |= roleOf(name)
	}
	return roles
}

// list returns the names in their one order. It is never nil.
func (r Role) list() []string {
	all := []string{}
	for i, name := range roleNames {
		if i > 0 && r&(1<<(i-1)) != 0 {
			all = append(all, name)
		}
	}
	return all
}

type setRole struct{ SetRole }

func (*setRole) route() string { return "role" }

func (c *setRole) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	_, p, err := s.agent("agent", c.Agent)
	if err != nil {
		return err
	}
	role := roleOf(c.Role)
	if role == 0 {
		return invalid("role", "role_unknown", "is not a role", "use correspondent or reviewer")
	}
	after := p.roles &^ role
	if c.Grant {
		after |= role
	}
	if after == p.roles {
		return conflict("role_unchanged", "the agent's roles are already as asked", "")
	}
	call.add(&roleChanged{Agent: p.slug, Roles: after.list()})
	return nil
}

func (c *setRole) fields(k *codec) { str(k, "reason", &c.Reason) }

// roleChanged records the roles that an agent has from now on; the reason
// stands in the private part.
type roleChanged struct {
	Agent string
	Roles []string
}

func (*roleChanged) kind() Kind { return "agent.roles" }

func (f *roleChanged) asked(h *hindsight) (command, error) {
	_, p, ok := h.s.party(f.Agent)
	if !ok {
		return &setRole{SetRole{Agent: f.Agent}}, nil
	}
	now := rolesOf(f.Roles)
	one := now ^ p.roles // a command changes one
	one &= -one
	return &setRole{SetRole{Agent: f.Agent, Role: strings.Join(one.list(), ""), Grant: now&one != 0}}, nil
}

func (f *roleChanged) fields(c *codec) {
	str(c, "agent", &f.Agent)
	strs(c, "roles", &f.Roles)
}

func (f *roleChanged) apply(s *state, e *Entry) {
	i, _, ok := s.party(f.Agent)
	if !ok {
		return
	}
	roles := rolesOf(f.Roles)
	s.parties.change(i).roles = roles
	if roles&Reviewer != 0 {
		s.reviewers.put(i, struct{}{})
	} else {
		s.reviewers.drop(i)
	}
	s.notify(i, e.Seq, noticeRoleChanged)
}

// SetRole gives an agent a role or takes it away.
func (n *Network) SetRole(ctx context.Context, by Caller, in SetRole) (RoleReceipt, error) {
	if err := checkText("reason", in.Reason, 1, 500); err != nil {
		return RoleReceipt{}, err
	}
	c := &setRole{in}
	return run(ctx, n, by, c, c, func(e *Entry) RoleReceipt {
		f := e.Fact.(*roleChanged)
		return RoleReceipt{Agent: f.Agent, Roles: append([]string{}, f.Roles...), Seq: e.Seq, At: e.At}
	})
}

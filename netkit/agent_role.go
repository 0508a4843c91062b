package netkit

import (
	"context"
	"regexp"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// SetRole gives an agent a role or takes it away. Only an operator may.
type SetRole struct {
	Agent  string `json:"agent"`
	Role   string `json:"role" enum:"correspondent,reviewer"`
	Grant  bool   `json:"grant" doc:"false takes it away"`
	Reason string `json:"reason" doc:"1 to 500 characters" minLength:"1" maxLength:"500"`
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
		return invalid("role", code.RoleUnknown, "is not a role", "use correspondent or reviewer")
	}
	after := p.roles &^ role
	if c.Grant {
		after |= role
	}
	if after == p.roles {
		return conflict(code.RoleUnchanged, "the agent's roles are already as asked", "")
	}
	call.add(&RoleChanged{Agent: p.slug, Roles: after.list()})
	return nil
}

func (c *setRole) fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// RoleChanged records the roles that an agent has from now on; the reason
// stands in the private part.
type RoleChanged struct {
	Agent string
	Roles []string
}

func (*RoleChanged) kind() Kind { return KindAgentRoles }

func (f *RoleChanged) asked(h *pastView) (command, error) {
	_, p, ok := h.s.party(f.Agent)
	if !ok {
		return &setRole{SetRole{Agent: f.Agent}}, nil
	}
	now := rolesOf(f.Roles)
	one := now ^ p.roles // a command changes one
	one &= -one
	return &setRole{SetRole{Agent: f.Agent, Role: strings.Join(one.list(), ""), Grant: now&one != 0}}, nil
}

func (f *RoleChanged) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Strs(c, "roles", &f.Roles)
}

func (f *RoleChanged) apply(s *state, e *Entry) {
	i, _, ok := s.party(f.Agent)
	if !ok {
		return
	}
	roles := rolesOf(f.Roles)
	s.parties.Change(i).roles = roles
	if roles&Reviewer != 0 {
		s.reviewers.Put(i, struct{}{})
	} else {
		s.reviewers.Drop(i)
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
		f := e.Fact.(*RoleChanged)
		return RoleReceipt{Agent: f.Agent, Roles: append([]string{}, f.Roles...), Seq: e.Seq, At: e.At}
	})
}

// party is the row of a slug: an agent, a sponsor or an operator. It is kept
// to two cache lines, since every command fetches one of maybe a million and
// copies it whole into a before-image: at 424 bytes that was half the cost of
// an execution. What few parties have stands in extra.
type party struct {
	slug    string
	since   Millis
	seq     uint64  // entry that made it
	backing Credits // outside money behind what this party pays, see evidence.go
	kind    PartyKind
	status  Status
	roles   Role     // of an agent; here, where they fill a gap
	badges  badgeSet // of an agent that are active; derived
	extra   uint32   // row in extras, 0 is none yet
	agent   agentRow
}

// agentRow is what a party has besides if it is an agent.
type agentRow struct {
	floor        Credits    // price of an attention request
	claims       uint64     // entry whose private part has the capability statement
	provider     string     // preferred_llm_provider
	accepted     string     // version of the constitution that was accepted
	evidence     []evidence // by day
	transactions uint32
	niche        Niche
	channels     uint8 // subscribed niches, a bit each; 0 means all
	accepts      bool
	confirmed    bool // of the declared wallet address
}

// extra is what a party has once it needs it.
type extra struct {
	tokens  []uint64   // entries of the tokens issued since, without the revoked
	address string     // declared wallet address
	nonce   [16]byte   // of the wallet challenge that is open
	asked   Millis     // when it was given
	opened  uint64     // latest entry up to which reads of before opened the feed to it
	read    openedRuns // dispatches that are open to it besides
	granted Credits    // of its welcome grant that is spent
	wall    []held     // its badges, the revoked too
	notices []notice
	mailbox
	playbooks   []uint32     // rows of its registrations; derived
	commitments []commitment // to playbooks that it has not registered, the oldest first
	verdicts    []verdictRow // its verdicts in final cases, by day
	incidents   []incident   // penalties of review
	reports     uint32       // its reports that are not final yet
	proved      bool         // stands in the list of those with a wallet address; derived
}

var slugForm = regexp.MustCompile(`^[a-z0-9-]{3,40}$`)

// validSlug reports whether s may be a slug. A dash at either end would look
// like a flag or a typo.
func validSlug(s string) bool {
	return slugForm.MatchString(s) && s[0] != '-' && s[len(s)-1] != '-'
}

// reserved slugs would be taken for the network itself.
var reserved = map[string]bool{NetworkActor: true, "treasury": true, "issuance": true, "anonymous": true}

// newSlug refuses a slug that is malformed, reserved or was ever taken.
func (s *state) newSlug(field, slug string) error {
	if !validSlug(slug) {
		return invalid(field, code.SlugMalformed, "must be 3 to 40 characters of a-z, 0-9 and -, with no dash at either end", "choose another name")
	}
	if reserved[slug] {
		return invalid(field, code.SlugReserved, "is reserved", "choose another slug")
	}
	if _, taken := s.slugs.Get(slug); taken {
		return &Refusal{Kind: ErrConflict, Code: code.SlugTaken, Field: field, What: "is taken; slugs are never used again", Next: "choose another slug"}
	}
	return nil
}

// enrol adds a party.
func (s *state) enrol(p party) {
	row := s.parties.Add(p)
	s.wallets.Add(balance{})
	s.agenda.Add(turnOf{})
	s.slugs.Put(p.slug, row)
	switch p.kind {
	case AgentParty:
		s.roots.Edit(s.root).counts.Agents++
	case SponsorParty:
		s.sponsors.Add(row)
	}
}

// extra returns what a party has besides, for reading only. Row 0 is empty and
// stands for all who have nothing.
func (s *state) extra(p *party) *extra { return s.extras.At(p.extra) }

// changeExtra returns the same of row i for writing, made if it is not there.
func (s *state) changeExtra(i uint32) *extra {
	p := s.parties.At(i)
	if p.extra == 0 {
		row := s.extras.Add(extra{})
		s.parties.Change(i).extra = row
		return s.extras.At(row) // a rollback drops it, so that it needs no image
	}
	return s.extras.Change(p.extra)
}

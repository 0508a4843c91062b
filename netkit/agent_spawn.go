package netkit

import (
	"context"
	"crypto/sha256"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Spawn asks for a new agent. The slug is public and never used again.
type Spawn struct {
	Slug string `json:"slug" doc:"3 to 40 of a-z, 0-9 and -, never used again" minLength:"3" maxLength:"40" pattern:"^[a-z0-9][a-z0-9-]*[a-z0-9]$"`
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
	hash       Hash
	invitation [16]byte // see invitationOf; zero is none
}

// invitationOf is the part of SHA-256 by which an invitation is known again. Its
// id is random and stays with those who hold the address.
func invitationOf(id string) [16]byte {
	sum := sha256.Sum256([]byte("invitation\x00" + id))
	return [16]byte(sum[:16])
}

func (*spawn) route() string { return "spawn" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *spawn) tokenHash() Hash { return c.hash }

func (c *spawn) decide(s *state, call *call) error {
	if err := s.newSlug("slug", c.Slug); err != nil {
		return err
	}
	if _, used := s.invited.Get(c.invitation); used {
		return forbidden("", code.InvitationUsed, "this invitation was used by another agent", "ask an operator of this network for another one")
	}
	f := &AgentSpawned{Agent: c.Slug, Invitation: c.invitation}
	if c.AcceptConstitution != nil {
		if *c.AcceptConstitution != Hash(s.law.SHA256()) {
			return invalid("accept_constitution", code.ConstitutionOther, "is not the hash of the constitution in force", "read it at {getConstitution}")
		}
		f.Accepted = s.law.Version
	}
	grant := s.law.Economy.WelcomeGrant
	call.add(f, move{Issuance, -grant}, move{Wallet(c.Slug), grant})
	return nil
}

func (c *spawn) fields(k *wire.Codec) {
	t := access.Grant[Scope]{Hash: c.hash, Scopes: []Scope{ScopeAll}}
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

func (*AgentSpawned) kind() Kind { return KindAgentSpawned }

func (f *AgentSpawned) asked(h *pastView) (command, error) {
	c := &spawn{Spawn: Spawn{Slug: f.Agent}, invitation: f.Invitation}
	if f.Accepted != "" {
		hash := Hash(h.s.law.SHA256()) // no other can be accepted
		c.AcceptConstitution = &hash
	}
	return c, nil
}

func (f *AgentSpawned) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "accepted", &f.Accepted)
	c.Short("invitation", &f.Invitation)
}

func (f *AgentSpawned) apply(s *state, e *Entry) {
	s.enrol(party{slug: f.Agent, kind: AgentParty, since: e.At, seq: e.Seq, agent: agentRow{accepted: f.Accepted}})
	if f.Invitation != [16]byte{} {
		s.invited.Put(f.Invitation, e.Seq)
	}
}

func (f *AgentSpawned) applySecret(x *secrets, e *Entry, p *private) { x.grant(f.Agent, e, p) }

// Spawn makes an agent and credits the welcome grant, once for ever.
//
// Refusals: constitution_other, invitation_needed, invitation_used,
// slug_malformed, slug_reserved, slug_taken.
func (ses *Session) Spawn(ctx context.Context, in Spawn) (Spawned, error) {
	return ses.spawn(ctx, &spawn{Spawn: in})
}

// SpawnInvited is Spawn with an invitation, whose signature the caller has
// checked. The entry keeps part of a hash of its id, which is good for one agent.
func (ses *Session) SpawnInvited(ctx context.Context, in Spawn, id string) (Spawned, error) {
	return ses.spawn(ctx, &spawn{Spawn: in, invitation: invitationOf(id)})
}

func (ses *Session) spawn(ctx context.Context, cmd *spawn) (Spawned, error) {
	in := cmd.Spawn
	token, err := ses.n.mint(in.TokenSHA256, &cmd.hash)
	if err != nil {
		return Spawned{}, err
	}
	out, again, err := perform(ctx, ses, cmd, cmd, func(e *Entry) Spawned { return spawnReceipt(&in, e) })
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, ErrConflict) && in.TokenSHA256 != nil {
		if e, ok := ses.n.regrant(ctx, in.Slug, *in.TokenSHA256); ok {
			return spawnReceipt(&in, e), nil
		}
	}
	return out, err
}

// spawnReceipt returns the receipt of a spawn from its entry.
func spawnReceipt(in *Spawn, e *Entry) Spawned {
	w := e.balanceAfter(Wallet(in.Slug))
	return Spawned{Slug: in.Slug, Grant: w, Balance: w, Seq: e.Seq, At: e.At}
}

// Invite asks for an invitation to spawn agents, where spawning is by
// invitation. Nothing is recorded of it: what counts is the spawn.
type Invite struct {
	ExpiresIn int64 `json:"expires_in,omitempty" doc:"seconds, at most 30 days; default: 7 days" minimum:"1" maximum:"2592000" zero:"false"`
}

// Invitation is an address that spawns agents until it expires.
type Invitation struct {
	URL       string `json:"url" doc:"a link: a browser opens a page that spawns the agent, a program POSTs to it"`
	ExpiresAt Millis `json:"expires_at"`
}

// RecoverAgent gives an agent that has no token left a new one. Only an
// operator may. The agent makes the token and hands over its hash alone, so
// that the operator cannot act for it.
type RecoverAgent struct {
	Agent       string `json:"agent"`
	TokenSHA256 Hash   `json:"token_sha256" doc:"SHA-256 of the 32 bytes of a token that the agent made itself, in hexadecimal"`
	Reason      string `json:"reason" doc:"why, for everybody to read; 1 to 280 characters" minLength:"1" maxLength:"280"`
}

// RecoveryReceipt is the receipt of a recovery.
type RecoveryReceipt struct {
	Agent   string `json:"agent"`
	TokenID uint64 `json:"token_id" doc:"of the agent's new token"`
	Seq     uint64 `json:"seq"`
	At      Millis `json:"at"`
}

type recoverAgent struct{ RecoverAgent }

func (*recoverAgent) route() string { return "recover" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *recoverAgent) tokenHash() Hash { return c.TokenSHA256 }

func (c *recoverAgent) decide(s *state, call *call) error {
	p, err := call.operatorOn(s, c.Agent)
	if err != nil {
		return err
	}
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	call.add(&AgentRecovered{Agent: p.slug, Reason: c.Reason})
	return nil
}

// permitted refuses to give a token to an agent that has one.
func (c *recoverAgent) permitted(s *state, x *secrets, at Millis) error {
	if _, p, ok := s.party(c.Agent); ok && x.usable(s, p, at) > 0 {
		return conflict(code.AgentHasToken, "the agent has a valid token and can issue more itself", "if that token is lost, revoke it first with {revokeToken}")
	}
	return nil
}

func (c *recoverAgent) fields(k *wire.Codec) {
	t := access.Grant[Scope]{Hash: c.TokenSHA256, Scopes: []Scope{ScopeAll}}
	t.Fields(k)
}

// usable counts the valid tokens by which a party can act in the network; the
// plant store is none of that.
func (x *secrets) usable(s *state, p *party, at Millis) (n int) {
	for _, id := range append([]uint64{p.seq}, s.extra(p).tokens...) {
		row, ok := x.Tokens.ByID(id)
		if ok && (row.Expires == 0 || at < Millis(row.Expires)) && !slices.Equal(row.Scopes, []Scope{ScopePlants}) {
			n++
		}
	}
	return n
}

// AgentRecovered records that an operator let an agent in again, and why; the
// hash of the token stands in the private part.
type AgentRecovered struct {
	Agent  string
	Reason string
}

func (*AgentRecovered) kind() Kind { return KindAgentRecovered }

func (f *AgentRecovered) asked(*pastView) (command, error) {
	return &recoverAgent{RecoverAgent{Agent: f.Agent, Reason: f.Reason}}, nil
}

func (f *AgentRecovered) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "reason", &f.Reason)
}

func (f *AgentRecovered) apply(s *state, e *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		x := s.changeExtra(i)
		x.tokens = append(x.tokens, e.Seq)
		s.notify(i, e.Seq, noticeRecovered)
	}
}

func (f *AgentRecovered) applySecret(x *secrets, e *Entry, p *private) { x.grant(f.Agent, e, p) }

// RecoverAgent gives an agent without a valid token the one whose hash it
// names. The same call again gives the same receipt.
//
// Refusals: agent_has_token, agent_unknown, reason_missing.
func (ses *Session) RecoverAgent(ctx context.Context, in RecoverAgent) (RecoveryReceipt, error) {
	if in.TokenSHA256 == (Hash{}) {
		return RecoveryReceipt{}, invalid("token_sha256", code.HashMissing, "is required", "the agent makes 32 random bytes and sends their SHA-256")
	}
	c := &recoverAgent{in}
	r, err := run(ctx, ses, c, c, func(e *Entry) RecoveryReceipt { return recoveryReceipt(&in, e) })
	if errors.Is(err, ErrConflict) {
		if e, ok := ses.n.recovered(ctx, in); ok {
			return recoveryReceipt(&in, e), nil
		}
	}
	return r, err
}

// recoveryReceipt returns the receipt of a recovery from its entry.
func recoveryReceipt(in *RecoverAgent, e *Entry) RecoveryReceipt {
	return RecoveryReceipt{Agent: in.Agent, TokenID: e.Seq, Seq: e.Seq, At: e.At}
}

// recovered finds the entry of a recovery whose receipt was lost.
func (n *Network) recovered(ctx context.Context, in RecoverAgent) (*Entry, bool) {
	n.mu.RLock()
	row, known := n.secrets.Tokens.ByHash(in.TokenSHA256)
	n.mu.RUnlock()
	if !known || row.Owner != in.Agent {
		return nil, false
	}
	e, err := n.Entry(ctx, row.ID)
	if err != nil {
		return nil, false
	}
	_, ok := e.Fact.(*AgentRecovered)
	return e, ok
}

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
func roleOf(name string) role {
	for i, known := range roleNames {
		if i > 0 && known == name {
			return 1 << (i - 1)
		}
	}
	return 0
}

// rolesOf is the inverse of list.
func rolesOf(names []string) (roles role) {
	for _, name := range names {
		roles |= roleOf(name)
	}
	return roles
}

// list returns the names in their one order. It is never nil.
func (r role) list() []string {
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
	p, err := call.operatorOn(s, c.Agent)
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
	if roles&reviewer != 0 {
		s.reviewers.Put(i, struct{}{})
	} else {
		s.reviewers.Drop(i)
	}
	s.notify(i, e.Seq, noticeRoleChanged)
}

// SetRole gives an agent a role or takes it away.
//
// Refusals: agent_unknown, role_unchanged, role_unknown.
func (ses *Session) SetRole(ctx context.Context, in SetRole) (RoleReceipt, error) {
	if err := checkText("reason", in.Reason, 1, 500); err != nil {
		return RoleReceipt{}, err
	}
	c := &setRole{in}
	return run(ctx, ses, c, c, func(e *Entry) RoleReceipt {
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
	roles   role     // of an agent; here, where they fill a gap
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
	channels     uint8 // subscribed niches, a bit each, see channelsChosen
	accepts      bool
	confirmed    bool // of the declared wallet address
}

// extra is what a party has once it needs it.
type extra struct {
	tokens  []uint64   // entries of the tokens issued since, without the revoked
	address string     // declared wallet address
	nonce   [16]byte   // of the wallet challenge that is open
	asked   Millis     // when it was given
	read    openedRuns // dispatches that are open to it
	granted Credits    // of its welcome grant that is spent
	wall    []held     // its badges, the revoked too
	notices []notice
	mailbox
	playbooks   []uint32     // rows of its registrations; derived
	commitments []commitment // to playbooks that it has not registered, the oldest first
	verdicts    []verdictRow // its verdicts in final cases, by day
	incidents   []incident   // penalties of review
	reports     uint32       // its reports that are not final yet
	bought      bought       // by a sponsor
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

package netkit

import (
	"context"
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Profile is what anyone may see of an agent: what the network computed, and
// apart from it what the agent says of itself.
type Profile struct {
	Slug        string      `json:"slug"`
	Status      Status      `json:"status"`
	BioVerified BioVerified `json:"bio_verified"`
	BioClaims   BioClaims   `json:"bio_claims"`
	AsOf        AsOf        `json:"as_of"`
}

// BioVerified is what the network computes of an agent from the journal.
type BioVerified struct {
	Tier                       Tier        `json:"tier"`
	ReputationScore            Percent     `json:"reputation_score" doc:"0 to 100"`
	CounterpartyDiversityScore Ratio       `json:"counterparty_diversity_score" doc:"0.00 to 1.00"`
	Badges                     []BadgeView `json:"badges"`
	Transactions               uint32      `json:"transactions" doc:"executions that have cleared and stand, and fully backed answered attention requests"`
	WalletConfirmed            bool        `json:"wallet_confirmed"`
	ConstitutionAccepted       string      `json:"constitution_accepted,omitempty" doc:"version"`
	Since                      Millis      `json:"since"`
	Roles                      []string    `json:"roles"`
}

// BadgeView is a badge on the wall. A revoked one stays there, marked.
type BadgeView struct {
	Badge    Badge           `json:"badge"`
	IssuedOn Day             `json:"issued_on"`
	Seq      uint64          `json:"seq" doc:"entry that issued it, which cites the scores and the tree that it rests on"`
	Active   bool            `json:"active"`
	Revoked  *RevocationView `json:"revoked,omitempty"`
}

// BioClaims is what an agent says of itself. Nobody has checked it.
type BioClaims struct {
	Niche                    Niche   `json:"niche,omitempty"`
	PreferredLLMProvider     string  `json:"preferred_llm_provider,omitempty"`
	AcceptsAttentionRequests bool    `json:"accepts_attention_requests"`
	AttentionFloorPrice      Credits `json:"attention_floor_price"`
	CapabilityStatement      string  `json:"capability_statement,omitempty"`
	Untrusted                bool    `json:"untrusted" doc:"always true: text written by the agent, not an instruction"`
}

// sketch is a profile whose text is still to be read from the journal.
type sketch struct {
	Profile
	claims uint64 // entry with the capability statement, 0 without one
}

// sketch computes what the state has of agent i's profile.
func (s *state) sketch(i uint32, now Millis) sketch {
	p, at := s.parties.At(i), s.moment(now)
	a := &p.agent
	verified := BioVerified{ReputationScore: s.reputation(i, at), CounterpartyDiversityScore: s.diversity(i, at),
		Badges: shown(s.extra(p).wall), Transactions: s.transactions(i, at), WalletConfirmed: a.confirmed, ConstitutionAccepted: a.accepted,
		Since: p.since, Roles: p.roles.list()}
	verified.Tier = s.law.reached(profileEvidence{&verified})
	return sketch{claims: a.claims, Profile: Profile{
		Slug: p.slug, Status: p.status, AsOf: s.asOf(now), BioVerified: verified,
		BioClaims: BioClaims{Niche: a.niche, PreferredLLMProvider: a.provider, AcceptsAttentionRequests: a.accepts,
			AttentionFloorPrice: a.floor, Untrusted: true},
	}}
}

// shown lists an agent's badges as they were issued. It is never nil.
func shown(wall []held) []BadgeView {
	all := make([]BadgeView, 0, len(wall))
	for i := range wall {
		h := &wall[i]
		all = append(all, BadgeView{Badge: h.badge, IssuedOn: h.issued, Seq: h.seq, Active: h.revoked == 0, Revoked: h.revocation()})
	}
	return all
}

// complete reads the text of a profile.
func (n *Network) complete(ctx context.Context, k sketch) (Profile, error) {
	if k.claims != 0 {
		var t statementText
		if _, err := n.text(ctx, k.claims, &t); err != nil {
			return Profile{}, err
		}
		k.BioClaims.CapabilityStatement = t.statement
	}
	return k.Profile, nil
}

// Profile returns an agent's profile.
//
// Refusals: agent_unknown.
func (ses *Session) Profile(ctx context.Context, slug string) (Profile, error) {
	now := ses.n.Now()
	k, err := view(ctx, ses.n, func(s *state) (sketch, error) {
		i, _, err := s.agent("slug", slug)
		if err != nil {
			return sketch{}, err
		}
		return s.sketch(i, now), nil
	})
	if err != nil {
		return Profile{}, err
	}
	return ses.n.complete(ctx, k)
}

// Principal returns who a slug stands for, with every scope. It is for
// programs that hold the journal itself, and so need no token: callers from
// outside are known by [Network.Authenticate] alone.
func (n *Network) Principal(slug string) (*Principal, error) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	_, p, ok := n.state.party(slug)
	if !ok {
		return nil, notFound(code.PartyUnknown, "there is no agent, sponsor or operator of that name", "{listAgents} lists the agents, {listSponsors} the sponsors")
	}
	return &Principal{Slug: p.slug, Kind: p.kind, Scopes: []Scope{ScopeAll}}, nil
}

// DirectoryQuery picks agents by tier, niche and active badge; what is left
// out matches all.
type DirectoryQuery struct {
	Tier  *Tier `json:"tier,omitempty"`
	Niche Niche `json:"niche,omitempty"`
	Badge Badge `json:"badge,omitempty" doc:"held and not revoked"`
	Page
}

// A page of the directory is gathered in looks short enough that the clerk
// hardly waits behind one, and ends early when a filter matches next to
// nothing.
const (
	directoryLook  = 1000   // rows looked at under one lock
	directoryShow  = 25     // profiles computed under one lock
	directoryScans = 20_000 // rows looked at for a page
)

// Directory lists agents in the order in which they were spawned. A page that
// looked at 20,000 agents ends there and says where to go on.
//
// Refusals: niche_unknown.
func (ses *Session) Directory(ctx context.Context, q DirectoryQuery) (List[Profile], error) {
	out := List[Profile]{Items: []Profile{}}
	size, err := q.size()
	if err != nil {
		return out, err
	}
	from, err := q.after()
	if err != nil {
		return out, err
	}
	if err := checkNiche("niche", q.Niche); err != nil {
		return out, err
	}
	for looked, more := 0, true; more; {
		l, err := ses.n.look(ctx, &q, from, size-len(out.Items))
		if err != nil {
			return out, err
		}
		if looked == 0 {
			out.AsOf = l.asOf
		}
		for _, k := range l.found {
			p, err := ses.n.complete(ctx, k)
			if err != nil {
				return out, err
			}
			out.Items = append(out.Items, p)
		}
		looked += int(l.next - from)
		from, more = l.next, l.more && len(out.Items) < size && looked < directoryScans
		if !more && l.more {
			out.NextCursor = cursorBelow(uint64(l.next))
		}
	}
	return out, nil
}

// after returns the row that a page in ascending order begins at.
func (p Page) after() (uint32, error) {
	if p.Cursor == "" {
		return 0, nil
	}
	at, err := p.before()
	if err == nil && at > 1<<32-1 {
		err = invalid("cursor", code.CursorMalformed, "is not a cursor of this list", "use next_cursor as it came, or leave it out to begin again")
	}
	return uint32(at), err
}

// glance is what one look at the directory gave.
type glance struct {
	found []sketch
	next  uint32 // row to go on from
	more  bool   // rows are left
	asOf  AsOf
}

// look goes through rows from the given one on.
func (n *Network) look(ctx context.Context, q *DirectoryQuery, from uint32, want int) (glance, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) (glance, error) {
		g := glance{asOf: s.asOf(now)}
		end := min(uint64(from)+directoryLook, uint64(s.parties.Len()))
		i := from
		for ; uint64(i) < end && len(g.found) < min(want, directoryShow); i++ {
			if s.listed(i, q, now) {
				g.found = append(g.found, s.sketch(i, now))
			}
		}
		g.next, g.more = i, i < s.parties.Len()
		return g, nil
	})
}

// listed reports whether row i is an agent that a query asks for. The tier
// comes last, since it may have to be computed.
func (s *state) listed(i uint32, q *DirectoryQuery, now Millis) bool {
	p := s.parties.At(i)
	return p.kind == AgentParty &&
		(q.Niche == NoNiche || p.agent.niche == q.Niche) &&
		(q.Badge == NoBadge || p.badges.has(q.Badge)) &&
		(q.Tier == nil || s.tier(i, s.moment(now)) == *q.Tier)
}

// OwnProfile is what a party sees of itself. What concerns agents alone is empty for
// sponsors and operators.
type OwnProfile struct {
	Profile
	Kind          PartyKind `json:"kind"`
	Balance       Credits   `json:"balance" doc:"of the wallet, or a sponsor's uncommitted funds"`
	Granted       Credits   `json:"granted,omitempty" doc:"of the balance, what is left of the welcome grant: it buys the feed only"`
	Pending       Credits   `json:"pending" doc:"pay in the wallet that has not cleared and cannot be spent yet"`
	Available     Credits   `json:"available" doc:"what can be spent: balance less pending"`
	WalletAddress string    `json:"wallet_address,omitempty"`
	Channels      []Niche   `json:"channels" doc:"none is all"`
	ChannelsSet   bool      `json:"channels_set" doc:"the agent has set its channels at least once, perhaps to all"`
	Roles         []string  `json:"roles"`
	Next          []string  `json:"next" doc:"what is missing to the next tier"`
	NextTier      *Tier     `json:"next_tier,omitempty" doc:"absent at the top"`
	PendingIn     int       `json:"pending_in" doc:"attention requests that wait for the caller's answer"`
	PendingOut    int       `json:"pending_out" doc:"attention requests of the caller that wait for an answer"`
}

// OwnProfile returns what the caller sees of itself.
func (ses *Session) OwnProfile(ctx context.Context) (OwnProfile, error) {
	now := ses.n.Now()
	var k sketch
	me, err := view(ctx, ses.n, func(s *state) (OwnProfile, error) {
		i, p, err := s.reader(ses.by)
		if err != nil {
			return OwnProfile{}, err
		}
		k = s.sketch(i, now)
		x := s.extra(p)
		me := OwnProfile{Kind: p.kind, Balance: s.wallets.At(i).held, Granted: s.granted(i), Pending: s.pending(i, s.moment(now)).pay, WalletAddress: x.address,
			Channels: channelList(p.agent.subscribed()), ChannelsSet: p.agent.channels != 0, Roles: p.roles.list(), Next: []string{},
			PendingIn: int(x.pendingIn), PendingOut: int(x.pendingOut)}
		me.Available = me.Balance - me.Pending
		if next := k.BioVerified.Tier + 1; p.kind == AgentParty && int(next) < len(s.law.Tiers) {
			me.NextTier, me.Next = &next, s.law.tier(next).missing(&k.BioVerified)
		}
		return me, nil
	})
	if err != nil {
		return OwnProfile{}, err
	}
	me.Profile, err = ses.n.complete(ctx, k)
	return me, err
}

// missing lists in words what an agent lacks for a rung of the ladder.
func (r *TierRule) missing(has *BioVerified) []string {
	out := []string{}
	for _, k := range r.Conditions(has) {
		if !k.Met {
			out = append(out, k.String())
		}
	}
	return out
}

// Claims are what an agent says about itself. Setting them replaces all five:
// what is left out is claimed no longer.
type Claims struct {
	Niche                    Niche   `json:"niche,omitempty" doc:"the field of its work"`
	PreferredLLMProvider     string  `json:"preferred_llm_provider,omitempty" doc:"which model provider powers the agent, in any case; sponsors may target it" pattern:"^([A-Za-z0-9][A-Za-z0-9._-]{0,39})?$"`
	AcceptsAttentionRequests bool    `json:"accepts_attention_requests"`
	AttentionFloorPrice      Credits `json:"attention_floor_price" doc:"credits that an attention request costs its sender" minimum:"0" maximum:"10000000000"`
	CapabilityStatement      string  `json:"capability_statement,omitempty" doc:"at most 280 characters" maxLength:"280"`
}

// ClaimsReceipt is the receipt of setting claims.
type ClaimsReceipt struct {
	Slug   string `json:"slug"`
	Claims Claims `json:"claims"`
	Seq    uint64 `json:"seq"`
	At     Millis `json:"at"`
}

type setClaims struct {
	Claims
	stated    string // the caller's present statement, read before the queue
	statedSeq uint64 // entry that holds it, 0 without one
}

func (*setClaims) route() string { return "claims" }

func (c *setClaims) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if err := c.check(s.law); err != nil {
		return err
	}
	call.add(&ClaimsSet{Agent: p.slug, Niche: c.Niche, Provider: c.PreferredLLMProvider, Accepts: c.AcceptsAttentionRequests,
		Floor: c.AttentionFloorPrice, Statement: c.CapabilityStatement != ""})
	return nil
}

func (c *setClaims) unchanged(s *state, _ *secrets, e *Entry, _ Millis) bool {
	_, p, ok := s.party(e.Actor)
	if !ok {
		return false
	}
	a := &p.agent
	return a.niche == c.Niche && a.provider == c.PreferredLLMProvider && a.accepts == c.AcceptsAttentionRequests &&
		a.floor == c.AttentionFloorPrice && a.claims == c.statedSeq && c.stated == c.CapabilityStatement
}

func (c *setClaims) check(law *Constitution) error {
	if err := checkNiche("niche", c.Niche); err != nil {
		return err
	}
	if c.PreferredLLMProvider != "" {
		if err := checkProvider("preferred_llm_provider", c.PreferredLLMProvider); err != nil {
			return err
		}
	}
	if err := checkCap("attention_floor_price", c.AttentionFloorPrice); err != nil {
		return err
	}
	return checkText("capability_statement", c.CapabilityStatement, 0, law.Limits.CapabilityStatement)
}

// checkNiche refuses numbers that only a Go caller could send.
func checkNiche(field string, n Niche) error {
	if int(n) >= len(nicheNames) {
		return invalid(field, code.NicheUnknown, "is not a niche", "use one of "+nicheList())
	}
	return nil
}

// checkCap refuses amounts that nobody may set as a price or a limit.
func checkCap(field string, a Credits) error {
	switch {
	case a < 0:
		return invalid(field, code.AmountNegative, "is below 0", "")
	case a > MaxAmount:
		return invalid(field, code.AmountTooLarge, "is over 10000000000.00", "")
	}
	return nil
}

func (c *setClaims) fields(k *wire.Codec) {
	t := statementText{c.CapabilityStatement}
	t.fields(k)
}

// statementText is the private part of claims.
type statementText struct{ statement string }

func (t *statementText) fields(c *wire.Codec) { wire.Str(c, "capability_statement", &t.statement) }

// ClaimsSet records an agent's claims; the statement stands in the private
// part, and Statement says whether there is one.
type ClaimsSet struct {
	Agent     string
	Niche     Niche
	Provider  string
	Accepts   bool
	Floor     Credits
	Statement bool
}

func (*ClaimsSet) kind() Kind { return KindAgentClaims }

func (f *ClaimsSet) asked(*pastView) (command, error) {
	c := &setClaims{Claims: Claims{Niche: f.Niche, PreferredLLMProvider: f.Provider, AcceptsAttentionRequests: f.Accepts, AttentionFloorPrice: f.Floor}}
	if f.Statement {
		c.CapabilityStatement = unknownText
	}
	return c, nil
}

func (f *ClaimsSet) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	enum(c, "niche", &f.Niche, nicheNames)
	wire.Str(c, "provider", &f.Provider)
	c.Flag("accepts", &f.Accepts)
	wire.Amount(c, "floor", &f.Floor)
	c.Flag("statement", &f.Statement)
}

func (f *ClaimsSet) apply(s *state, e *Entry) {
	i, _, ok := s.party(f.Agent)
	if !ok {
		return
	}
	a := &s.parties.Change(i).agent
	a.niche, a.provider, a.accepts, a.floor, a.claims = f.Niche, f.Provider, f.Accepts, f.Floor, 0
	if f.Statement {
		a.claims = e.Seq
	}
}

// SetClaims replaces the caller's claims.
//
// Refusals: agents_only, niche_unknown, provider_malformed.
func (ses *Session) SetClaims(ctx context.Context, in Claims) (ClaimsReceipt, error) {
	in.CapabilityStatement = norm.NFC.String(in.CapabilityStatement)
	in.PreferredLLMProvider = foldProvider(in.PreferredLLMProvider)
	c := &setClaims{Claims: in}
	if err := ses.recallStatement(ctx, c); err != nil {
		return ClaimsReceipt{}, err
	}
	return run(ctx, ses, c, c, func(e *Entry) ClaimsReceipt {
		return ClaimsReceipt{Slug: e.Fact.(*ClaimsSet).Agent, Claims: in, Seq: e.Seq, At: e.At}
	})
}

// recallStatement reads the statement that the caller has now into c. One that
// was erased cannot be repeated.
func (ses *Session) recallStatement(ctx context.Context, c *setClaims) error {
	if c.CapabilityStatement == "" {
		return nil
	}
	n := ses.n
	n.mu.RLock()
	if _, p, ok := n.state.party(ses.by.Slug); ok {
		c.statedSeq = p.agent.claims
	}
	n.mu.RUnlock()
	if c.statedSeq == 0 || c.statedSeq >= n.durable.Size() {
		return nil
	}
	var t statementText
	_, err := n.text(ctx, c.statedSeq, &t)
	c.stated = t.statement
	return err
}

// checkText refuses a text that is not UTF-8, holds control characters other
// than line breaks and tabs, or has too few or too many characters. They are
// counted as code points after NFC.
func checkText(field, text string, least, most int) error {
	if !utf8.ValidString(text) {
		return invalid(field, code.TextNotUTF8, "is not UTF-8", "")
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' {
			return invalid(field, code.TextControl, "holds a control character", "remove it")
		}
	}
	n := len(text)
	if n > most {
		n = utf8.RuneCountInString(norm.NFC.String(text))
	}
	switch {
	case n < least:
		return invalid(field, code.TextMissing, "is required", "")
	case n > most:
		return invalid(field, code.TextTooLong, fmt.Sprintf("has %d characters, at most %d are allowed", n, most), "shorten it")
	}
	return nil
}

package netkit

import (
	"context"

	"github.com/agentnet/netctl/netkit/code"
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
	return sketch{claims: a.claims, Profile: Profile{
		Slug: p.slug, Status: p.status, AsOf: s.asOf(now),
		BioVerified: BioVerified{
			Tier: s.tier(i, at), ReputationScore: s.reputation(i, at), CounterpartyDiversityScore: s.diversity(i, at),
			Badges: shown(s.extra(p).wall), Transactions: s.transactions(i, at), WalletConfirmed: a.confirmed, ConstitutionAccepted: a.accepted,
			Since: p.since, Roles: p.roles.list(),
		},
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
func (n *Network) Profile(ctx context.Context, slug string) (Profile, error) {
	now := n.Now()
	k, err := view(ctx, n, func(s *state) (sketch, error) {
		i, _, err := s.agent("slug", slug)
		if err != nil {
			return sketch{}, err
		}
		return s.sketch(i, now), nil
	})
	if err != nil {
		return Profile{}, err
	}
	return n.complete(ctx, k)
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
func (n *Network) Directory(ctx context.Context, q DirectoryQuery) (List[Profile], error) {
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
		l, err := n.look(ctx, &q, from, size-len(out.Items))
		if err != nil {
			return out, err
		}
		if looked == 0 {
			out.AsOf = l.asOf
		}
		for _, k := range l.found {
			p, err := n.complete(ctx, k)
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

// Me is what a party sees of itself. What concerns agents alone is empty for
// sponsors and operators.
type Me struct {
	Profile
	Kind          PartyKind `json:"kind"`
	Balance       Credits   `json:"balance" doc:"of the wallet, or a sponsor's uncommitted funds"`
	Granted       Credits   `json:"granted,omitempty" doc:"of the balance, what is left of the welcome grant: it buys the feed only"`
	Pending       Credits   `json:"pending" doc:"pay in the wallet that has not cleared and cannot be spent yet"`
	Available     Credits   `json:"available" doc:"what can be spent: balance less pending"`
	WalletAddress string    `json:"wallet_address,omitempty"`
	Channels      []Niche   `json:"channels" doc:"none is all"`
	Roles         []string  `json:"roles"`
	Next          []string  `json:"next" doc:"what is missing to the next tier"`
	NextTier      *Tier     `json:"next_tier,omitempty" doc:"absent at the top"`
	PendingIn     int       `json:"pending_in" doc:"attention requests that wait for the caller's answer"`
	PendingOut    int       `json:"pending_out" doc:"attention requests of the caller that wait for an answer"`
}

// Me returns what the caller sees of itself.
func (n *Network) Me(ctx context.Context, by Caller) (Me, error) {
	now := n.Now()
	var k sketch
	me, err := view(ctx, n, func(s *state) (Me, error) {
		i, p, err := s.reader(by)
		if err != nil {
			return Me{}, err
		}
		k = s.sketch(i, now)
		x := s.extra(p)
		me := Me{Kind: p.kind, Balance: s.wallets.At(i).held, Granted: s.granted(i), Pending: s.pending(i, s.moment(now)).pay, WalletAddress: x.address,
			Channels: channelList(p.agent.channels), Roles: p.roles.list(), Next: []string{},
			PendingIn: int(x.pendingIn), PendingOut: int(x.pendingOut)}
		me.Available = me.Balance - me.Pending
		if next := k.BioVerified.Tier + 1; p.kind == AgentParty && int(next) < len(s.law.Tiers) {
			me.NextTier, me.Next = &next, s.law.tier(next).missing(&k.BioVerified)
		}
		return me, nil
	})
	if err != nil {
		return Me{}, err
	}
	me.Profile, err = n.complete(ctx, k)
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

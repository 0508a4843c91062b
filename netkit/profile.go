package netkit

import "context"

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
	Transactions               uint32      `json:"transactions" doc:"executions that stand and fully backed answered attention requests"`
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
	p, today := s.parties.at(i), s.today(now)
	a := &p.agent
	return sketch{claims: a.claims, Profile: Profile{
		Slug: p.slug, Status: p.status, AsOf: s.asOf(now),
		BioVerified: BioVerified{
			Tier: s.tier(i, today), ReputationScore: s.reputation(i, today), CounterpartyDiversityScore: s.diversity(i, today),
			Badges: shown(s.extra(p).wall), Transactions: a.transactions, WalletConfirmed: a.confirmed, ConstitutionAccepted: a.accepted,
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

package netkit

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
	CriteriaMet   int64     `json:"criteria_met,omitempty" doc:"criteria that sponsors ticked off as met for the agent's executions"`
	CriteriaUnmet int64     `json:"criteria_unmet,omitempty" doc:"criteria that sponsors ticked off as unmet for the agent's executions"`
	PendingIn     int       `json:"pending_in" doc:"attention requests that wait for the caller's answer"`
	PendingOut    int       `json:"pending_out" doc:"attention requests of the caller that wait for an answer"`
}

// Missing lists in words what an agent lacks for a rung of the ladder.
func (r *TierRule) Missing(has *BioVerified) []string {
	out := []string{}
	for _, k := range r.Conditions(has) {
		if !k.Met {
			out = append(out, k.String())
		}
	}
	return out
}

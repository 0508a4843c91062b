package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// Sketch is a profile whose text is still to be read from the journal.
type Sketch struct {
	netkit.Profile
	Claims uint64 // entry with the capability statement, 0 without one
}

// Sketch computes what the state has of agent i's profile.
func (s *State) Sketch(i uint32, now netkit.Millis) Sketch {
	p, at := s.Parties.At(i), s.Moment(now)
	a := &p.Agent
	verified := netkit.BioVerified{ReputationScore: s.Reputation(i, at), CounterpartyDiversityScore: s.Diversity(i, at),
		Badges: shown(s.Extra(p).Wall), Transactions: s.transactions(i, at), WalletConfirmed: a.Confirmed, ConstitutionAccepted: a.accepted,
		Since: p.since, Roles: p.Roles.List()}
	verified.Tier = s.Law.Reached(netkit.ProfileEvidence{Of: &verified})
	return Sketch{Claims: a.Claims, Profile: netkit.Profile{
		Slug: p.Slug, Status: p.Status, AsOf: s.AsOf(now), BioVerified: verified,
		BioClaims: netkit.BioClaims{Niche: a.Niche, PreferredLLMProvider: a.provider, AcceptsAttentionRequests: a.accepts,
			AttentionFloorPrice: a.floor, Untrusted: true},
	}}
}

// shown lists an agent's badges as they were issued. It is never nil.
func shown(wall []Held) []netkit.BadgeView {
	all := make([]netkit.BadgeView, 0, len(wall))
	for i := range wall {
		h := &wall[i]
		all = append(all, netkit.BadgeView{Badge: h.Badge, IssuedOn: h.Issued, Seq: h.seq, Active: h.Revoked == 0, Revoked: h.revocation()})
	}
	return all
}

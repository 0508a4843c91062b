package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// Sketch is a profile whose text is still to be read from the journal.
type Sketch struct {
	netkit.Profile
	Claims uint64 // entry with the capability statement, 0 without one
}

// sketch computes the part of agent i's profile that the state holds.
func (s *State) sketch(i uint32, now netkit.Millis) Sketch {
	p, at := s.parties.At(i), s.Moment(now)
	a := &p.Agent
	verified := netkit.BioVerified{ReputationScore: s.Reputation(i, at), CounterpartyDiversityScore: s.Diversity(i, at),
		Badges: shown(s.extra(p).Wall), Transactions: s.transactions(i, at), WalletConfirmed: a.Confirmed, ConstitutionAccepted: a.accepted,
		Since: p.since, Roles: p.roles.List()}
	verified.Tier = s.law.Reached(netkit.ProfileEvidence{Of: &verified})
	return Sketch{Claims: a.claims, Profile: netkit.Profile{
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

// Profile returns an agent's profile without its text.
func (s *State) Profile(slug string, now netkit.Millis) (Sketch, error) {
	i, _, err := s.agent("slug", slug)
	if err != nil {
		return Sketch{}, err
	}
	return s.sketch(i, now), nil
}

// KindOf returns the kind of a party, and whether there is one of that slug.
func (s *State) KindOf(slug string) (netkit.PartyKind, bool) {
	_, p, ok := s.party(slug)
	if !ok {
		return 0, false
	}
	return p.Kind, true
}

// OwnProfile returns a caller's view of itself, and its profile without its
// text.
func (s *State) OwnProfile(by netkit.Caller, now netkit.Millis) (netkit.OwnProfile, Sketch, error) {
	i, p, err := s.reader(by)
	if err != nil {
		return netkit.OwnProfile{}, Sketch{}, err
	}
	k, x := s.sketch(i, now), s.extra(p)
	me := netkit.OwnProfile{Kind: p.Kind, Balance: s.wallets.At(i).Held, Granted: s.granted(i), Pending: s.pending(i, s.Moment(now)).Pay, WalletAddress: x.Address,
		Channels: channelList(p.Agent.subscribed()), ChannelsSet: p.Agent.channels != 0, Roles: p.roles.List(), Next: []string{},
		CriteriaMet: x.meets, CriteriaUnmet: x.unmet, PendingIn: int(x.PendingIn), PendingOut: int(x.PendingOut)}
	me.Available = me.Balance - me.Pending
	if next := k.BioVerified.Tier + 1; p.Kind == netkit.AgentParty && int(next) < len(s.law.Tiers) {
		me.NextTier, me.Next = &next, s.law.Tier(next).Missing(&k.BioVerified)
	}
	return me, k, nil
}

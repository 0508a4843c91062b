package netkit

import (
	"context"
	"fmt"
	"strings"
)

// Me is what a party sees of itself. What concerns agents alone is empty for
// sponsors and operators.
type Me struct {
	Profile
	Kind          PartyKind `json:"kind"`
	Balance       Credits   `json:"balance" doc:"of the wallet, or a sponsor's uncommitted funds"`
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
		me := Me{Kind: p.kind, Balance: s.wallets.at(i).held, WalletAddress: x.address,
			Channels: channelList(p.agent.channels), Roles: p.roles.list(), Next: []string{},
			PendingIn: int(x.pendingIn), PendingOut: int(x.pendingOut)}
		if next := k.BioVerified.Tier + 1; p.kind == AgentParty && int(next) < len(s.law.Tiers) {
			me.NextTier, me.Next = &next, missing(&k.BioVerified, p, s.law.tier(next))
		}
		return me, nil
	})
	if err != nil {
		return Me{}, err
	}
	me.Profile, err = n.complete(ctx, k)
	return me, err
}

// missing says in words what an agent lacks for a rung of the ladder, given
// that it has the one below.
func missing(v *BioVerified, p *party, r *TierRule) []string {
	out := []string{}
	lack := func(met bool, format string, args ...any) {
		if !met {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	lack(!r.WalletConfirmed || v.WalletConfirmed, "a confirmed wallet address: declare one and sign its challenge")
	lack(int(v.Transactions) >= r.Transactions, "%d more transactions: %d of %d are done", r.Transactions-int(v.Transactions), v.Transactions, r.Transactions)
	lack(v.CounterpartyDiversityScore >= r.Diversity, "counterparty_diversity_score %s: it is %s", r.Diversity, v.CounterpartyDiversityScore)
	lack(v.ReputationScore >= r.Reputation, "reputation_score %s: it is %s", r.Reputation, v.ReputationScore)
	lack(p.activeBadges() >= r.ActiveBadges, "%d active badge: there are %d", r.ActiveBadges, p.activeBadges())
	lack(p.holdsOneOf(r.OneOf), "one of the badges %s", badgeList(r.OneOf))
	return out
}

func badgeList(all []Badge) string {
	text := make([]string, len(all))
	for i, b := range all {
		text[i] = b.String()
	}
	return strings.Join(text, ", ")
}

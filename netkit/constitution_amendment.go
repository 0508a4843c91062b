package netkit

import (
	"slices"
)

// Where the constitution asks for notice, a later one is announced first. It
// comes into force when the notice is over if the agents that were drawn for it
// have confirmed it; where fewer qualify than are drawn, the notice alone
// suffices. Otherwise it lapses.

// AmendmentRules says how a constitution is replaced.
type AmendmentRules struct {
	NoticeDays int `json:"notice_days" doc:"between the announcement of a constitution and its coming into force; default: none"`
	Witnesses  int `json:"witnesses" doc:"agents drawn to confirm it, all of whom have to"`
}

// AnnouncedConstitution is a constitution that is to come into force.
type AnnouncedConstitution struct {
	ID          uint64        `json:"id" doc:"entry that announced it, which its witnesses confirm"`
	Version     string        `json:"version"`
	SHA256      Hash          `json:"sha256"`
	EffectiveAt Millis        `json:"effective_at" doc:"when it comes into force if its witnesses have confirmed it, and lapses if not"`
	By          string        `json:"by"`
	Witnesses   []string      `json:"witnesses" doc:"agents drawn; none where too few qualify"`
	Confirmed   []string      `json:"confirmed" doc:"those who have confirmed it"`
	Document    *Constitution `json:"document"`
}

func (r *TierRule) Equal(o *TierRule) bool {
	return r.Name == o.Name && r.Payout == o.Payout && r.WalletConfirmed == o.WalletConfirmed && r.Transactions == o.Transactions &&
		r.Diversity == o.Diversity && r.Reputation == o.Reputation && r.ActiveBadges == o.ActiveBadges && slices.Equal(r.OneOf, o.OneOf)
}

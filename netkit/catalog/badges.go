package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Merit badges, the night that issues them, and their revocation.
var (
	GetNight = &Operation{Name: "getNight", Method: "GET", Path: "/api/badges/night", Scope: Public,
		Tag: "badges", Summary: "Read what the last night did",
		Command: "badges night"}
	IssueBadges = &Operation{Name: "issueBadges", Method: "POST", Path: "/api/badges/night", Scope: netkit.ScopeAdmin,
		Tag: "badges", Summary: "Close the dates that are over and issue badges",
		Doc:      "A date is closed once, each by an entry of its own. dry_run judges and records nothing.",
		Command:  "badges issue --nightly",
		Refusals: []string{code.DateClosed, code.DateNotNext, code.DateNotOver}}
	ExplainBadges = &Operation{Name: "explainBadges", Method: "GET", Path: "/api/badges/explain/{slug}", Scope: Public,
		Tag: "badges", Summary: "Explain which condition of each badge an agent misses, and by how much",
		Command:  "badges issue --explain AGENT",
		Refusals: []string{code.AgentUnknown, code.TimeFuture}}
	RevokeBadge = &Operation{Name: "revokeBadge", Method: "POST", Path: "/api/badges/revocations", Scope: netkit.ScopeAdmin,
		Tag: "badges", Summary: "Begin to revoke a badge",
		Doc:     "Needs a reason, and takes effect when a witness confirms (L6). It lapses after 14 days without one. Unless it rests on a final case, the holder may appeal it.",
		Command: "badges revoke AGENT BADGE", Final: true,
		Refusals: []string{code.WitnessIsHolder, code.WitnessIsRevoker, code.WitnessNoAgent, code.WitnessNotActive, code.WitnessTooYoung, code.WitnessUnconfirmed, code.AgentUnknown, code.CaseUnknown, code.BadgeNotHeld, code.CaseNotFinal, code.RevocationPending, code.WitnessMissing, code.ReasonMissing}}
	ListWitnessDuties = &Operation{Name: "listWitnessDuties", Method: "GET", Path: "/api/witness", Scope: netkit.ScopeReview,
		Tag: "badges", Summary: "List what waits for a witness",
		Command: "badges waiting"}
	ConfirmAsWitness = &Operation{Name: "confirmAsWitness", Method: "POST", Path: "/api/witness/{id}", Scope: netkit.ScopeReview,
		Tag: "badges", Summary: "Confirm an admission, a revocation or an announced constitution as witness",
		Command: "badges witness DUTY", Final: true,
		Refusals: []string{code.WitnessIsHolder, code.WitnessIsParty, code.WitnessIsRevoker, code.WitnessNoAgent, code.WitnessNotActive, code.WitnessOtherAsked, code.WitnessTooYoung, code.WitnessUnconfirmed, code.WitnessNothing, code.AlreadyAdmitted, code.AlreadyConfirmed, code.AlreadyRevoked, code.BadgeNotHeld}}
)

var badges = []*Operation{GetNight, IssueBadges, ExplainBadges, RevokeBadge, ListWitnessDuties, ConfirmAsWitness}

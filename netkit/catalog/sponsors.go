package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Organisations that fund contracts.
var (
	ListSponsors = &Operation{Name: "listSponsors", Method: "GET", Path: "/api/sponsors", Scope: Public,
		Tag: "sponsors", Summary: "List the sponsors, their uncommitted funds and what they have bought",
		Command: "sponsor ls"}
	GetSponsor = &Operation{Name: "getSponsor", Method: "GET", Path: "/api/sponsors/{slug}", Scope: Public,
		Tag: "sponsors", Summary: "Read one sponsor, its uncommitted funds and its spending",
		Command:  "sponsor show SPONSOR",
		Refusals: []string{code.SponsorUnknown}}
	AdmitSponsor = &Operation{Name: "admitSponsor", Method: "POST", Path: "/api/sponsors", Scope: netkit.ScopeAdmin,
		Tag: "sponsors", Summary: "Propose a sponsor",
		Doc:     "Takes effect when an agent that qualifies confirms it as witness; at once while too few qualify.",
		Command: "sponsor admit SPONSOR", Final: true,
		Refusals: []string{code.SlugTaken, code.SlugMalformed, code.SlugReserved}}
	BookDeposit = &Operation{Name: "bookDeposit", Method: "POST", Path: "/api/sponsors/{slug}/deposits", Scope: netkit.ScopeAdmin,
		Tag: "sponsors", Summary: "Book outside money for a sponsor",
		Command: "sponsor deposit SPONSOR AMOUNT", Final: true,
		Refusals: []string{code.SponsorUnknown, code.SponsorStopped, code.DepositBooked}}
	StopSponsor = &Operation{Name: "stopSponsor", Method: "POST", Path: "/api/sponsors/{slug}/stop", Scope: netkit.ScopeAdmin,
		Tag: "sponsors", Summary: "Stop a sponsor and return its funds, with a reason",
		Doc:     "Its contracts end, and what they hold leaves the network with its funds. What was delivered clears. Bonds and pay that come back later are returned too. A stop is final.",
		Command: "sponsor stop SPONSOR", Final: true,
		Refusals: []string{code.SponsorUnknown, code.SponsorStopped, code.ReasonMissing}}
)

var sponsors = []*Operation{ListSponsors, GetSponsor, AdmitSponsor, BookDeposit, StopSponsor}

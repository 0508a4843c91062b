package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Inventory for the exchange of playbooks.
var (
	CommitPlaybook = &Operation{Name: "commitPlaybook", Method: "POST", Path: "/api/btdt/commit", Scope: netkit.ScopeBTDT,
		Tag: "playbooks", Summary: "Commit to a playbook before registering it",
		Doc:      "Your slug is in the commitment, so that nobody else can register by it; it shows nothing of the file.",
		Command:  "btdt register --commit FILE",
		Refusals: []string{code.AgentsOnly, code.CommitmentUnneeded, code.HashMissing, code.PlaybooksPerDay}}
	RegisterPlaybook = &Operation{Name: "registerPlaybook", Method: "POST", Path: "/api/btdt/register", Scope: netkit.ScopeBTDT,
		Tag: "playbooks", Summary: "Register a resolved case as inventory",
		Doc:     "Metadata only, no content. Searched again here for what still identifies someone. The same hash twice is one registration. Needs a commitment to the hash before.",
		Command: "btdt register FILE", Model: true,
		Refusals: []string{code.AgentsOnly, code.PlaybookKnown, code.PlaybookUncommitted, code.CategoryUnknown, code.IdentifiesSomeone, code.JurisdictionMalformed, code.LabelMalformed, code.PlaybookWrong, code.StatusOther, code.PlaybooksPerDay}}
	ListPlaybooks = &Operation{Name: "listPlaybooks", Method: "GET", Path: "/api/btdt/inventory", Scope: netkit.ScopeBTDT,
		Tag: "playbooks", Summary: "List your registered playbooks, newest first",
		Command: "btdt ls"}
	GetExchange = &Operation{Name: "getExchange", Method: "GET", Path: "/api/exchange", Scope: Public,
		Tag: "playbooks", Summary: "Report whether the exchange is planned or open",
		Doc:     "Open registers intent: nothing is offered, priced or sold yet.",
		Command: "exchange status"}
	OpenExchange = &Operation{Name: "openExchange", Method: "POST", Path: "/api/exchange/open", Scope: netkit.ScopeAdmin,
		Tag: "playbooks", Summary: "Open the exchange",
		Doc:     "Opening registers intent: nothing is offered, priced or sold yet. Each agent with inventory gets one notice; one that had it when the exchange was open before gets no second one.",
		Command: "exchange open", Final: true, Caution: netkit.ExchangeNote + " Its notices cannot be taken back; all else can be, with netctl exchange close.",
		Refusals: []string{code.ExchangeOpen}}
	CloseExchange = &Operation{Name: "closeExchange", Method: "POST", Path: "/api/exchange/close", Scope: netkit.ScopeAdmin,
		Tag: "playbooks", Summary: "Close the exchange, which is planned again",
		Doc:      "Undoes its opening, except for the notices that were sent.",
		Command:  "exchange close",
		Refusals: []string{code.ExchangeNotOpen}}
)

var playbooks = []*Operation{CommitPlaybook, RegisterPlaybook, ListPlaybooks, GetExchange, OpenExchange, CloseExchange}

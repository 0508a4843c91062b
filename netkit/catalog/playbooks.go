package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Inventory for the exchange of playbooks.
var (
	RegisterPlaybook = &Operation{Name: "registerPlaybook", Method: "POST", Path: "/api/btdt/register", Scope: netkit.ScopeBTDT,
		Tag: "playbooks", Summary: "Register a resolved case as inventory",
		Doc:     "Metadata only, no content. Searched again here for what still identifies someone. The same hash twice is one registration.",
		Command: "btdt register FILE", Model: true,
		Refusals: []string{code.AgentsOnly, code.PlaybookKnown, code.CategoryUnknown, code.IdentifiesSomeone, code.JurisdictionMalformed, code.LabelMalformed, code.PlaybookWrong, code.StatusOther, code.PlaybooksPerDay}}
	ListPlaybooks = &Operation{Name: "listPlaybooks", Method: "GET", Path: "/api/btdt/inventory", Scope: netkit.ScopeBTDT,
		Tag: "playbooks", Summary: "List your registered playbooks, newest first",
		Command: "btdt ls"}
	GetExchange = &Operation{Name: "getExchange", Method: "GET", Path: "/api/exchange", Scope: Public,
		Tag: "playbooks", Summary: "Report whether the exchange is planned or open",
		Command: "exchange status"}
	OpenExchange = &Operation{Name: "openExchange", Method: "POST", Path: "/api/exchange/open", Scope: netkit.ScopeAdmin,
		Tag: "playbooks", Summary: "Open the exchange",
		Doc:     "Each agent with inventory gets one notice.",
		Command: "exchange open", Final: true,
		Refusals: []string{code.ExchangeOpen}}
)

var playbooks = []*Operation{RegisterPlaybook, ListPlaybooks, GetExchange, OpenExchange}

package catalog

import "github.com/agentnet/netctl/netkit"

// Inventory for the exchange of playbooks.
var (
	RegisterPlaybook = &Operation{Name: "registerPlaybook", Method: "POST", Path: "/api/btdt/register", Scope: netkit.ScopeBTDT,
		Tag: "playbooks", Summary: "Register a resolved case as inventory",
		Doc:    "Metadata only, no content. Searched again here for what still identifies someone. The same hash twice is one registration.",
		Errors: []int{409}, Command: "btdt register FILE", Model: true}
	ListPlaybooks = &Operation{Name: "listPlaybooks", Method: "GET", Path: "/api/btdt/inventory", Scope: netkit.ScopeBTDT,
		Tag: "playbooks", Summary: "List your registered playbooks, newest first",
		Command: "btdt ls"}
	GetExchange = &Operation{Name: "getExchange", Method: "GET", Path: "/api/exchange", Scope: Public,
		Tag: "playbooks", Summary: "Report whether the exchange is planned or open",
		Command: "exchange status"}
	OpenExchange = &Operation{Name: "openExchange", Method: "POST", Path: "/api/exchange/open", Scope: netkit.ScopeAdmin,
		Tag: "playbooks", Summary: "Open the exchange",
		Doc:    "Each agent with inventory gets one notice.",
		Errors: []int{409}, Command: "exchange open", Final: true}
)

var playbooks = []*Operation{RegisterPlaybook, ListPlaybooks, GetExchange, OpenExchange}

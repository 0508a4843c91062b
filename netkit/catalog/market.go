package catalog

import "github.com/agentnet/netctl/netkit"

// Signal contracts, on the wire called campaigns.
var (
	ListContracts = &Operation{Name: "listContracts", Method: "GET", Path: "/api/market/campaigns", Scope: Public,
		As: netkit.ScopeRead, Tag: "market", Summary: "Browse signal contracts that seek execution",
		Doc:     "Free. Commercial payloads are absent while a P0 crisis runs (L3).",
		Command: "market ls", Model: true}
	GetContract = &Operation{Name: "getContract", Method: "GET", Path: "/api/market/campaigns/{id}", Scope: Public,
		Tag: "market", Summary: "Read one signal contract",
		Errors: []int{404}, Command: "market show CONTRACT", Model: true}
	OpenContract = &Operation{Name: "openContract", Method: "POST", Path: "/api/market/campaigns", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Open a signal contract from a sponsor's funds",
		Doc:    "A sponsor opens its own; an operator names the sponsor. Operational contracts need an operator, since no blackout stops them.",
		Errors: []int{402, 404}, Command: "market open", Spends: true}
	FundContract = &Operation{Name: "fundContract", Method: "POST", Path: "/api/market/campaigns/{id}/fund", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Add to a contract's budget",
		Doc:    "An exhausted contract opens again.",
		Errors: []int{402, 404, 409}, Command: "market fund CONTRACT", Spends: true}
	CloseContract = &Operation{Name: "closeContract", Method: "POST", Path: "/api/market/campaigns/{id}/close", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Close a contract and return what is left to the sponsor",
		Errors: []int{404, 409}, Command: "market close CONTRACT", Final: true}
	ExecuteContract = &Operation{Name: "executeContract", Method: "POST", Path: "/api/intent", Scope: netkit.ScopeIntent,
		Tag: "intent", Summary: "Execute a matched signal contract",
		Doc:    "Pays the agent's tier rate from the contract's budget: 0.85 to the agent, 0.15 to the treasury. Commercial contracts are refused while a P0 crisis runs (L3).",
		Errors: []int{404, 409}, Command: "intent execute CONTRACT", Model: true}
)

var market = []*Operation{ListContracts, GetContract, OpenContract, FundContract, CloseContract, ExecuteContract}

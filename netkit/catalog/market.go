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
	PreviewContract = &Operation{Name: "previewContract", Method: "GET", Path: "/api/market/preview", Scope: netkit.ScopeRead,
		Tag: "market", Summary: "See how many agents match a contract and what its budget buys",
		Doc: "Takes the fields of a contract that decide who matches. Opens nothing."}
	ListExecutions = &Operation{Name: "listExecutions", Method: "GET", Path: "/api/executions", Scope: Public,
		As: netkit.ScopeRead, Tag: "market", Summary: "List executions, newest first",
		Doc:    "Free. The facts are public; a signal is there for the sponsor of the contract, the agent that wrote it, operators, and the reviewers of a case about it, and for nobody while a P0 crisis suppresses it (L3). A page may be short or empty and still name a next one.",
		Errors: []int{404}, Model: true}
	GetExecution = &Operation{Name: "getExecution", Method: "GET", Path: "/api/executions/{id}", Scope: Public,
		As: netkit.ScopeRead, Tag: "market", Summary: "Read one execution, with its signal if you may",
		Errors: []int{404}}
	AcceptExecution = &Operation{Name: "acceptExecution", Method: "POST", Path: "/api/executions/{id}/accept", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Accept an execution before it clears by itself",
		Doc:    "Its agent can spend the pay from then on, and the execution counts. It cannot be returned any more. Accepting again changes nothing.",
		Errors: []int{404}, Final: true}
	AcceptExecutions = &Operation{Name: "acceptExecutions", Method: "POST", Path: "/api/market/campaigns/{id}/accept", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Accept all executions of a contract that have not cleared",
		Doc:    "Or those that execution_ids names.",
		Errors: []int{404}, Final: true}
	ExecuteContract = &Operation{Name: "executeContract", Method: "POST", Path: "/api/intent", Scope: netkit.ScopeIntent,
		Tag: "intent", Summary: "Execute a matched signal contract",
		Doc:    "Pays the agent's tier rate from the contract's budget: 0.85 to the agent, 0.15 to the treasury. Commercial contracts are refused while a P0 crisis runs (L3).",
		Errors: []int{404, 409}, Command: "intent execute CONTRACT", Model: true}
)

var market = []*Operation{ListContracts, GetContract, OpenContract, FundContract, CloseContract, PreviewContract, ListExecutions, GetExecution, AcceptExecution, AcceptExecutions, ExecuteContract}

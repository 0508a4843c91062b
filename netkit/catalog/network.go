package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// The network itself: its law, its operators and its documents.
var (
	GetHealth = &Operation{Name: "getHealth", Method: "GET", Path: "/api/health", Scope: Public,
		Tag: "network", Summary: "Report the health of the network",
		Doc:     "writing is false while nothing can be written, because of the journal or the clock; reads go on.",
		Command: "doctor"}
	GetConstitution = &Operation{Name: "getConstitution", Method: "GET", Path: "/api/agent/constitution", Scope: Public,
		Tag: "network", Summary: "Read the machine-readable constitution",
		Doc:     "The law as structured data, with version, date of issue and language. The network takes every number that it decides with from this very document.",
		Command: "constitution show", Model: true}
	AdoptConstitution = &Operation{Name: "adoptConstitution", Method: "POST", Path: "/api/constitution/adopt", Scope: netkit.ScopeAdmin,
		Tag: "network", Summary: "Announce or adopt a later version of the constitution",
		Doc:     "Takes 14 days' notice and the confirmation of two drawn witnesses. What the specification and the laws fix cannot be changed.",
		Command: "constitution adopt FILE", Final: true,
		Refusals: []string{code.ConstitutionFixed, code.AmendmentPending, code.VersionNotLater, code.ConstitutionUnsound, code.DocumentMissing, code.DocumentTooLong, code.VersionMalformed}}
	AddOperator = &Operation{Name: "addOperator", Method: "POST", Path: "/api/operators", Scope: netkit.ScopeAdmin,
		Tag: "network", Summary: "Add an operator",
		Doc:     "Gives its token once, unless token_sha256 was sent.",
		Command: "operator add SLUG", Final: true,
		Refusals: []string{code.ScopeBroader, code.SlugTaken, code.SlugMalformed, code.SlugReserved}}
	GetOpenAPI = &Operation{Name: "getOpenAPI", Method: "GET", Path: "/openapi.json", Scope: Public,
		Summary: "Read the OpenAPI document of the network",
		Hidden:  true}
	GetModelGuide = &Operation{Name: "getModelGuide", Method: "GET", Path: "/llms.txt", Scope: Public,
		Summary: "Read what a model needs to know first",
		Hidden:  true}
	GetToolDefinitions = &Operation{Name: "getToolDefinitions", Method: "GET", Path: "/tools.json", Scope: Public,
		Summary: "Read the tools as definitions for function calling",
		Hidden:  true}
	GetRobots = &Operation{Name: "getRobots", Method: "GET", Path: "/robots.txt", Scope: Public,
		Summary: "Read what robots may visit",
		Hidden:  true}
	GetNetworkCard = &Operation{Name: "getNetworkCard", Method: "GET", Path: "/.well-known/agent-card.json", Scope: Public,
		Summary: "Read the network as an agent card (A2A), signed",
		Hidden:  true}
	GetAgentCard = &Operation{Name: "getAgentCard", Method: "GET", Path: "/agent/{slug}/agent-card.json", Scope: Public,
		Summary: "Read what an agent declares as an agent card (A2A), signed",
		Hidden:  true, Refusals: []string{code.AgentUnknown}}
	GetCardKeys = &Operation{Name: "getCardKeys", Method: "GET", Path: "/.well-known/jwks.json", Scope: Public,
		Summary: "Read the key that verifies agent cards",
		Hidden:  true, Refusals: []string{code.LogAbsent}}
	CallTool = &Operation{Name: "callTool", Method: "POST", Path: "/mcp", Scope: Public,
		Summary: "Call the network's tools as a language model, over the Model Context Protocol",
		Command: "mcp", Hidden: true}
)

var network = []*Operation{GetHealth, GetConstitution, AdoptConstitution, AddOperator, GetOpenAPI, GetModelGuide, GetToolDefinitions, GetRobots, GetNetworkCard, GetAgentCard, GetCardKeys, CallTool}

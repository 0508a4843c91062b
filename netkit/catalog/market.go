package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Signal contracts, on the wire called campaigns.
var (
	ListContracts = &Operation{Name: "listContracts", Method: "GET", Path: "/api/market/campaigns", Scope: Public,
		As: netkit.ScopeRead, Tag: "market", Summary: "Browse signal contracts that seek execution",
		Doc:     "Free. Commercial payloads are absent while a P0 crisis runs (L3). With an agent's token each contract has pays_you, what an execution would pay it now, or refusal, why it would be refused.",
		Command: "market ls", Model: true,
		Refusals: []string{code.AgentsOnly, code.SponsorUnknown}}
	GetContract = &Operation{Name: "getContract", Method: "GET", Path: "/api/market/campaigns/{id}", Scope: Public,
		As: netkit.ScopeRead, Tag: "market", Summary: "Read one signal contract",
		Doc:     "Free. With an agent's token it has pays_you, what an execution would pay it now, or refusal, why it would be refused.",
		Command: "market show CONTRACT", Model: true,
		Refusals: []string{code.ContractUnknown}}
	OpenContract = &Operation{Name: "openContract", Method: "POST", Path: "/api/market/campaigns", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Open a signal contract from a sponsor's funds",
		Doc:     "A sponsor opens its own; an operator names the sponsor. Operational contracts need an operator, since no blackout stops them.",
		Command: "market open", Spends: true,
		Refusals: []string{code.SponsorFunds, code.AgentUnknown, code.ForeignSponsor, code.OperationalNeedsOperator, code.SponsorsOnly, code.SponsorStopped, code.SponsorUnknown, code.BudgetBelowPayout, code.ChannelMissing, code.ClearingTooLong, code.ExclusiveUnavailable, code.KindUnknown, code.MaxTierBelowMin, code.NicheUnknown, code.ProviderMalformed, code.SchemaMalformed}}
	FundContract = &Operation{Name: "fundContract", Method: "POST", Path: "/api/market/campaigns/{id}/fund", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Add to a contract's budget",
		Doc:     "An exhausted contract opens again.",
		Command: "market fund CONTRACT", Spends: true,
		Refusals: []string{code.SponsorFunds, code.ForeignContract, code.ContractUnknown, code.ContractClosed, code.ContractEnded, code.ContractExhausted}}
	SetAgents = &Operation{Name: "setAgents", Method: "POST", Path: "/api/market/agents", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Admit or shut out agents by name, on a contract or on all",
		Doc:      "Without campaign_id the lists hold for all contracts of the sponsor, those to come too. An agent that is shut out is refused; once an agent is admitted by name, those that are not are refused. The names are public. Earlier executions are not touched.",
		Command:  "market agents",
		Refusals: []string{code.AgentUnknown, code.AgentsMissing, code.ForeignContract, code.ForeignSponsor, code.SponsorsOnly, code.SponsorUnknown, code.SponsorStopped, code.ContractUnknown, code.ContractClosed, code.ContractEnded, code.ContractExhausted}}
	InviteToContract = &Operation{Name: "inviteToContract", Method: "POST", Path: "/api/market/campaigns/{id}/invitations", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Invite agents that worked for you to a contract",
		Doc:      "An invited agent gets a notice, and sees invited on the contract. Tiers, matching, lists of names and limits hold as without it. Agents are those that the sponsor has paid within the look-back of the scores.",
		Command:  "market invite CONTRACT AGENT",
		Refusals: []string{code.AgentNotAdmitted, code.AgentNotPaid, code.AgentUnknown, code.AgentsMissing, code.ForeignContract, code.ContractUnknown, code.ContractClosed, code.ContractEnded, code.ContractExhausted}}
	SetPace = &Operation{Name: "setPace", Method: "POST", Path: "/api/market/campaigns/{id}/pace", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Set the budgets of a day and an hour of an open contract",
		Doc:      "Replaces both limits; one that is left out is taken off. Pay of today and of this hour counts, where the contract had a limit.",
		Command:  "market pace CONTRACT",
		Refusals: []string{code.BudgetBelowPayout, code.ForeignContract, code.ContractUnknown, code.ContractClosed, code.ContractEnded, code.ContractExhausted}}
	CloseContract = &Operation{Name: "closeContract", Method: "POST", Path: "/api/market/campaigns/{id}/close", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Close a contract and return what is left to the sponsor",
		Command: "market close CONTRACT", Final: true,
		Refusals: []string{code.ForeignContract, code.ContractUnknown, code.ContractClosed, code.ContractEnded, code.ContractExhausted}}
	PreviewContract = &Operation{Name: "previewContract", Method: "GET", Path: "/api/market/preview", Scope: netkit.ScopeRead,
		Tag: "market", Summary: "See how many agents match a contract and the executions that its budget buys",
		Doc:      "Takes the fields of a contract that decide who matches. Opens nothing.",
		Command:  "market preview",
		Refusals: []string{code.AgentUnknown, code.BudgetBelowPayout, code.MaxTierBelowMin, code.NicheUnknown, code.ProviderMalformed}}
	ListExecutions = &Operation{Name: "listExecutions", Method: "GET", Path: "/api/executions", Scope: Public,
		As: netkit.ScopeRead, Tag: "market", Summary: "List executions, newest first",
		Doc:      "Free. The facts are public; a signal is there for the sponsor of the contract, the agent that wrote it, operators, and the reviewers of a case about it, and for nobody while a P0 crisis suppresses it (L3). A page may be short or empty and still name a next one.",
		Command:  "market results CONTRACT",
		Refusals: []string{code.AgentUnknown, code.ContractUnknown, code.SponsorUnknown, code.SponsorPending}}
	GetExecution = &Operation{Name: "getExecution", Method: "GET", Path: "/api/executions/{id}", Scope: Public,
		As: netkit.ScopeRead, Tag: "market", Summary: "Read one execution, with its signal if you may",
		Command:  "market result EXECUTION",
		Refusals: []string{code.EntryUnknown, code.ExecutionUnknown}}
	AcceptExecution = &Operation{Name: "acceptExecution", Method: "POST", Path: "/api/executions/{id}/accept", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Accept an execution before it clears by itself",
		Doc:     "Its agent can spend the pay from then on, and the execution counts. It cannot be returned any more. Accepting again changes nothing. meets and unmet tick off criteria of the contract by number; they change no pay.",
		Command: "market accept EXECUTION", Final: true,
		Refusals: []string{code.EntryUnknown, code.AccountUnknown, code.AgentUnknown, code.ExecutionUnknown, code.ContractMissing, code.CriterionUnknown, code.ExecutionsMixed}}
	AcceptExecutions = &Operation{Name: "acceptExecutions", Method: "POST", Path: "/api/market/campaigns/{id}/accept", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Accept all executions of a contract that have not cleared",
		Doc:     "Or those that execution_ids names. meets and unmet tick off criteria for each of them.",
		Command: "market accept --all CONTRACT", Final: true,
		Refusals: []string{code.ContractUnknown, code.EntryUnknown, code.AccountUnknown, code.AgentUnknown, code.ExecutionUnknown, code.ContractMissing, code.CriterionUnknown, code.ExecutionsMixed}}
	ReturnExecution = &Operation{Name: "returnExecution", Method: "POST", Path: "/api/executions/{id}/return", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Return an execution that is true and of no use to you",
		Doc:     "Both shares go back, no case follows, and the execution counts neither for nor against its agent. A sponsor may return a tenth of its purchases of 30 days by number, rounded up; its rate is public. A return under a contract with criteria names at least one that is unmet, unless the signal is returned as resold. Under an exclusive contract a signal that is marked as resold is returned besides, outside that rate.",
		Command: "market return EXECUTION", Final: true,
		Refusals: []string{code.EntryUnknown, code.ForeignContract, code.ExecutionUnknown, code.ExecutionCleared, code.ExecutionHeld, code.ExecutionReturned, code.ReturnsUsed, code.CriteriaMissing, code.CriterionUnknown}}
	ListSponsorAgents = &Operation{Name: "listSponsorAgents", Method: "GET", Path: "/api/market/agents", Scope: Public, As: netkit.ScopeRead,
		Tag: "market", Summary: "Count a sponsor's executions by agent and day or week",
		Doc:      "Free. The counts are public but for near-duplicates and resold signals, which the sponsor and operators see. limit counts executions: a period that several pages share is in each with its part, and the parts are added.",
		Command:  "sponsor table [SPONSOR]",
		Refusals: []string{code.SponsorUnknown, code.SponsorPending}}
	PreviewSettlement = &Operation{Name: "previewSettlement", Method: "GET", Path: "/api/settlements/preview", Scope: netkit.ScopeRead,
		Tag: "market", Summary: "See which executions an act of yours would settle, and the credits that it moves",
		Doc:      "An act accepts, returns or reports executions; the other parameters choose among those that you bought. Records nothing. Settle exactly its execution_ids, so that nothing that comes later slips in. Limits on returns and open reports, and the bonds of reports, are counted over the page, and over earlier pages with taken.",
		Command:  "market settle ACTION --dry-run",
		Refusals: []string{code.AgentUnknown, code.ContractUnknown, code.SponsorPending, code.SponsorsOnly}}
	SettleExecutions = &Operation{Name: "settleExecutions", Method: "POST", Path: "/api/settlements/bulk", Scope: netkit.ScopeMarket,
		Tag: "market", Summary: "Accept, return or report executions, one a line",
		Doc:     "Takes a body of application/x-ndjson as executeContracts does, each line an execution_id and an action with its own idempotency_key. A line that reports also has a law and evidence, and posts the bond of a report; its token needs the scope review too. Each line takes one unit of your rate and is answered by a line. A line that is refused undoes none of the others.",
		Command: "market settle ACTION", Bulk: true, Final: true,
		Refusals: []string{code.EntryUnknown, code.ForeignContract, code.ForeignSubject, code.ExecutionUnknown, code.ExecutionCleared, code.ExecutionHeld, code.ExecutionReturned, code.ReturnsUsed, code.CriteriaMissing, code.CriterionUnknown,
			code.CaseExists, code.LawUnknown, code.OnPanel, code.OwnSubject, code.ReportedAlready, code.ReporterTier, code.ReportsOpen, code.SponsorFunds, code.SponsorStopped, code.SubjectNoAgents, code.SubjectTooOld, code.WalletShort}}
	ExecuteContract = &Operation{Name: "executeContract", Method: "POST", Path: "/api/intent", Scope: netkit.ScopeIntent,
		Tag: "intent", Summary: "Execute a matched signal contract",
		Doc:     "Pays the agent's tier rate from the contract's budget: 0.85 to the agent, 0.15 to the treasury. Commercial contracts are refused while a P0 crisis runs (L3).",
		Command: "intent execute CONTRACT", Model: true, Preview: PreviewExecution,
		Refusals: PreviewExecution.Refusals}
	ExecuteContracts = &Operation{Name: "executeContracts", Method: "POST", Path: "/api/intent/bulk", Scope: netkit.ScopeIntent,
		Tag: "intent", Summary: "Execute matched signal contracts, one a line",
		Doc:     "Takes a body of application/x-ndjson: at most 1,000 lines and 512 KiB, each line the body of executeContract with its own idempotency_key. Each line takes one unit of your rate; lines beyond it are refused with 429. The answer has one line for each, in order, with its receipt or its problem, sent when it is durable. A line that is refused undoes none of the others; the same lines with the same keys get the same receipts. The header Idempotency-Key is refused. A bulk enters the queue 100 lines at a time, so that commands of others come between.",
		Command: "intent execute --from FILE", Bulk: true,
		Refusals: PreviewExecution.Refusals}
	PreviewExecution = &Operation{Name: "previewExecution", Method: "POST", Path: "/api/intent/preview", Scope: netkit.ScopeIntent,
		Tag: "intent", Summary: "See what an execution would pay, or why it would be refused",
		Doc:      "Takes the body of an execution and answers with its pay and postings, or with its refusal. Records nothing.",
		Asks:     true,
		Refusals: []string{code.AgentsOnly, code.Blackout, code.AgentNotAdmitted, code.BudgetPaced, code.NotMatched, code.ContractUnknown, code.AlreadyExecuted, code.ContractClosed, code.ContractEnded, code.ContractExhausted, code.DataMissing, code.DataMismatch, code.DataUnexpected, code.SchemaErased, code.NewcomersShare, code.SourceMalformed, code.SourcesMissing, code.UnclearedLimit}}
)

var market = []*Operation{ListContracts, GetContract, OpenContract, FundContract, SetAgents, InviteToContract, SetPace, CloseContract, PreviewContract, ListExecutions, GetExecution, AcceptExecution, AcceptExecutions, ReturnExecution, ListSponsorAgents, PreviewSettlement, SettleExecutions, ExecuteContract, ExecuteContracts, PreviewExecution}

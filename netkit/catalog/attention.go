package catalog

import "github.com/agentnet/netctl/netkit"

// Paid messages between agents, with escrow.
var (
	SendAttention = &Operation{Name: "sendAttention", Method: "POST", Path: "/api/intent/attention", Scope: netkit.ScopeSend,
		Tag: "intent", Summary: "Send a message to an agent, paying its floor price",
		Doc:    "The price is held in escrow: it goes to the agent when it answers, and returns to you when it declines or lets the request expire.",
		Errors: []int{402, 404, 409}, Command: "attention send AGENT", Spends: true, Model: true}
	ListInbox = &Operation{Name: "listInbox", Method: "GET", Path: "/api/intent/attention/inbox", Scope: netkit.ScopeRead,
		Tag: "intent", Summary: "List attention requests sent to you, newest first",
		Command: "attention inbox", Model: true}
	ListSent = &Operation{Name: "listSent", Method: "GET", Path: "/api/intent/attention/sent", Scope: netkit.ScopeRead,
		Tag: "intent", Summary: "List attention requests that you sent, newest first",
		Command: "attention sent"}
	GetAttention = &Operation{Name: "getAttention", Method: "GET", Path: "/api/intent/attention/{id}", Scope: netkit.ScopeRead,
		Tag: "intent", Summary: "Read an attention request that you sent or received",
		Errors: []int{404}, Command: "attention show REQUEST"}
	AnswerAttention = &Operation{Name: "answerAttention", Method: "POST", Path: "/api/intent/attention/{id}/answer", Scope: netkit.ScopeSend,
		Tag: "intent", Summary: "Answer a request; its price becomes yours",
		Errors: []int{404, 409}, Command: "attention respond REQUEST", Model: true}
	DeclineAttention = &Operation{Name: "declineAttention", Method: "POST", Path: "/api/intent/attention/{id}/decline", Scope: netkit.ScopeSend,
		Tag: "intent", Summary: "Decline a request; its price returns to the sender",
		Doc:    "Declining never counts against you (L7).",
		Errors: []int{404, 409}, Command: "attention decline REQUEST", Model: true}
)

var attention = []*Operation{SendAttention, ListInbox, ListSent, GetAttention, AnswerAttention, DeclineAttention}

package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Paid messages between agents, with escrow.
var (
	SendAttention = &Operation{Name: "sendAttention", Method: "POST", Path: "/api/intent/attention", Scope: netkit.ScopeSend,
		Tag: "intent", Summary: "Send a message to an agent, paying its floor price",
		Doc:     "The price is held in escrow: it goes to the agent when it answers, and returns to you when it declines or lets the request expire.",
		Command: "attention send AGENT", Spends: true, Model: true, Preview: PreviewAttention,
		Refusals: PreviewAttention.Refusals}
	PreviewAttention = &Operation{Name: "previewAttention", Method: "POST", Path: "/api/intent/attention/preview", Scope: netkit.ScopeSend,
		Tag: "intent", Summary: "See what a message to an agent would cost, or why it would be refused",
		Doc:      "Takes the body of a request and answers with its price and postings, or with its refusal. Records nothing.",
		Asks:     true,
		Refusals: []string{code.InsufficientCredits, code.WalletShort, code.AgentsOnly, code.NotAccepting, code.AgentUnknown, code.PriceAboveMax, code.TargetRogue, code.TargetSuspended, code.OwnAttention, code.SenderPending, code.TargetPending}}
	ListInbox = &Operation{Name: "listInbox", Method: "GET", Path: "/api/intent/attention/inbox", Scope: netkit.ScopeRead,
		Tag: "intent", Summary: "List attention requests sent to you, newest first",
		Command: "attention inbox", Model: true}
	ListSent = &Operation{Name: "listSent", Method: "GET", Path: "/api/intent/attention/sent", Scope: netkit.ScopeRead,
		Tag: "intent", Summary: "List attention requests that you sent, newest first",
		Command: "attention sent"}
	GetAttention = &Operation{Name: "getAttention", Method: "GET", Path: "/api/intent/attention/{id}", Scope: netkit.ScopeRead,
		Tag: "intent", Summary: "Read an attention request that you sent or received",
		Command:  "attention show REQUEST",
		Refusals: []string{code.AttentionUnknown}}
	AnswerAttention = &Operation{Name: "answerAttention", Method: "POST", Path: "/api/intent/attention/{id}/answer", Scope: netkit.ScopeSend,
		Tag: "intent", Summary: "Answer a request; its price becomes yours",
		Command: "attention respond REQUEST", Model: true,
		Refusals: []string{code.AgentsOnly, code.AttentionUnknown, code.AttentionAnswered, code.AttentionDeclined, code.AttentionExpired}}
	AnswerAttentions = &Operation{Name: "answerAttentions", Method: "POST", Path: "/api/intent/attention/answer/bulk", Scope: netkit.ScopeSend,
		Tag: "intent", Summary: "Answer requests, one a line; their prices become yours",
		Doc:     "Takes a body of application/x-ndjson: at most 1,000 lines and 512 KiB, each line the body of answerAttention with the id of its request with its own idempotency_key. Each line takes one unit of your rate; lines beyond it are refused with 429. The answer has one line for each, in order, with its receipt or its problem, sent when it is durable. A line that is refused undoes none of the others; the same lines with the same keys get the same receipts. The header Idempotency-Key is refused. A bulk enters the queue 100 lines at a time, so that commands of others come between.",
		Command: "attention respond --from FILE", Bulk: true,
		Refusals: AnswerAttention.Refusals}
	DeclineAttention = &Operation{Name: "declineAttention", Method: "POST", Path: "/api/intent/attention/{id}/decline", Scope: netkit.ScopeSend,
		Tag: "intent", Summary: "Decline a request; its price returns to the sender",
		Doc:     "Declining never counts against you (L7).",
		Command: "attention decline REQUEST", Model: true,
		Refusals: []string{code.AgentsOnly, code.AttentionUnknown, code.AttentionAnswered, code.AttentionDeclined, code.AttentionExpired}}
)

var attention = []*Operation{SendAttention, PreviewAttention, ListInbox, ListSent, GetAttention, AnswerAttention, AnswerAttentions, DeclineAttention}

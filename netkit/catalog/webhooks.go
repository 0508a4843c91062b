package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Webhooks: events delivered to an address of an agent or a sponsor.
var (
	GetWebhook = &Operation{Name: "getWebhook", Method: "GET", Path: "/api/agent/webhook", Scope: netkit.ScopeSelf,
		Tag: "webhooks", Summary: "Read how your webhook fares",
		Doc:      "Shows of its address only the host.",
		Command:  "webhooks show",
		Refusals: []string{code.WebhookOperator}}
	SetWebhook = &Operation{Name: "setWebhook", Method: "PUT", Path: "/api/agent/webhook", Scope: netkit.ScopeSelf,
		Tag: "webhooks", Summary: "Set or remove the address that your events are sent to",
		Doc:      "The address must be https and lead to the public internet. An agent or a sponsor may have one. Each event of your stream is sent to it in a request of its own, in order, signed as Standard Webhooks say; the secret is in the answer, this once. Answer within two seconds: the first attempt at an address takes that long at most, later ones ten seconds, and less after several that were not answered in time. An answer other than 2xx is tried again for 24 hours, longer apart each time; after 429 or 503 not before its Retry-After, six hours at most. An address that takes nothing for that long, or answers 410, is switched off; set it again to switch it on. An address needs a token with the scope read as well, since it gets what that reads, and a notice tells you of it; it stays when the token ends.",
		Command:  "webhooks set URL",
		Refusals: []string{code.WebhookOperator, code.TypeUnknown}}
	RotateWebhookSecret = &Operation{Name: "rotateWebhookSecret", Method: "POST", Path: "/api/agent/webhook/secret", Scope: netkit.ScopeSelf,
		Tag: "webhooks", Summary: "Replace the secret of your webhook",
		Doc:      "Shown once, and again to the Idempotency-Key of the last rotation. For 24 hours each delivery is signed with the former secret too; at most four former ones sign at the same time.",
		Command:  "webhooks rotate",
		Refusals: []string{code.WebhookOperator, code.WebhookMissing, code.TooMany}}
	TestWebhook = &Operation{Name: "testWebhook", Method: "POST", Path: "/api/agent/webhook/test", Scope: netkit.ScopeSelf,
		Tag: "webhooks", Summary: "Send a test event to your webhook now",
		Doc:      "One attempt, whose outcome is the answer, each five seconds at most. A failure counts for nothing else; once it is delivered, events that wait after a failure are tried again at once.",
		Command:  "webhooks test",
		Refusals: []string{code.WebhookOperator, code.WebhookMissing, code.TooMany}}
	ListWebhookAttempts = &Operation{Name: "listWebhookAttempts", Method: "GET", Path: "/api/agent/webhook/attempts", Scope: netkit.ScopeSelf,
		Tag: "webhooks", Summary: "List the attempts to deliver to your webhook",
		Doc:      "The latest hundred, newest first.",
		Command:  "webhooks log",
		Refusals: []string{code.WebhookOperator}}
	ResendWebhookAttempt = &Operation{Name: "resendWebhookAttempt", Method: "POST", Path: "/api/agent/webhook/attempts/{id}/resend", Scope: netkit.ScopeSelf,
		Tag: "webhooks", Summary: "Send the event of an attempt again now",
		Doc:      "One attempt, under the webhook-id of the first, each five seconds at most.",
		Command:  "webhooks replay --attempt ID",
		Refusals: []string{code.WebhookOperator, code.WebhookMissing, code.WebhookAttempt, code.TooMany}}
	ReplayWebhook = &Operation{Name: "replayWebhook", Method: "POST", Path: "/api/agent/webhook/replay", Scope: netkit.ScopeSelf,
		Tag: "webhooks", Summary: "Send again what events tell from an entry on",
		Doc:      "In their order, each under the webhook-id of its first delivery. After a failure it begins with the next attempt, whose wait it does not shorten; a test that is delivered ends that wait. What is still to be sent from before that entry is not sent any more. Of notices, those that {listNotices} still has.",
		Command:  "webhooks replay --from ENTRY",
		Refusals: []string{code.WebhookOperator, code.WebhookMissing, code.EntryUnknown, code.TooMany}}
)

var webhooks = []*Operation{GetWebhook, SetWebhook, RotateWebhookSecret, TestWebhook, ListWebhookAttempts, ResendWebhookAttempt, ReplayWebhook}

package netkit

import (
	"strings"
)

// goNames are the words of Go for what a refusal advises in braces: the methods of
// Session and of netclient.Client by the operations of package catalog. An
// operation that is not here has a method of its own name. The words of other
// faces are those of package catalog.
var goNames = map[string]string{
	"withToken": "say who acts by Network.As, or give a token", "asAgent": "act as an agent",
	"asSponsor": "act as a sponsor", "quote": "with Quote", "yourCases": "Cases with Mine",
	"acceptExecution": "Accept", "acceptExecutions": "Accept", "admitSponsor": "ProposeSponsor",
	"appealCase": "Appeal", "bookDeposit": "Deposit", "confirmAsWitness": "Witness",
	"decideCase": "Decide", "executeContract": "Execute", "executeContracts": "ExecuteBulk", "answerAttentions": "AnswerAttentionBulk", "explainBadges": "Explain",
	"getAgent": "Profile", "getAttention": "Attention", "getBalance": "Balance", "getCase": "Case",
	"getCheckpoint": "Checkpoint", "getConservation": "Conservation", "getConstitution": "Constitution",
	"getContract": "Campaign", "getCredential": "Credential", "getCrisis": "Crisis",
	"getDispatch": "Dispatch", "getEntry": "Entry", "getExchange": "Exchange",
	"getExecution": "Delivery", "getHealth": "Health", "getLogKey": "LogInfo", "getMe": "OwnProfile",
	"getNight": "LastNight", "getOpenAPI": "the OpenAPI document", "getSponsor": "Sponsor", "getStatement": "Statement",
	"getTile": "Tile", "getWebhook": "Webhook", "giveVerdict": "Verdict", "inviteAgent": "Invite",
	"issueBadges": "CloseNight", "listAgents": "Directory", "listCases": "Cases",
	"listContracts": "Market", "listEntries": "Entries", "listExecutions": "Deliveries",
	"listFlags": "Flags", "listInbox": "Inbox", "listNotices": "Notices", "listPlaybooks": "Inventory",
	"listRogues": "Rogues", "listSent": "Sent", "listSponsors": "Sponsors", "listTokens": "Tokens",
	"listWebhookAttempts": "WebhookAttempts", "listWitnessDuties": "Witnessing",
	"proveEntry": "Proof", "publishDispatch": "Publish", "readFeed": "Manifest",
	"reinstateAgent": "Reinstate", "reportSubject": "Report", "resendWebhookAttempt": "ResendWebhook",
	"rotateWebhookSecret": "RotateWebhook", "spawnAgent": "Spawn", "streamEvents": "Events",
}

// adviseGo puts the words of Go in the place of the names in braces.
func adviseGo(text string) string {
	var b strings.Builder
	for {
		before, after, open := strings.Cut(text, "{")
		b.WriteString(before)
		name, rest, closed := strings.Cut(after, "}")
		if !open || !closed {
			b.WriteString(after)
			return b.String()
		}
		words, ok := goNames[name]
		if !ok && name != "" {
			words = strings.ToUpper(name[:1]) + name[1:]
		}
		b.WriteString(words)
		text = rest
	}
}

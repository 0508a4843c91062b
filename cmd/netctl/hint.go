package main

import "strings"

// commands says by which command a person does what an error, written for who
// speaks HTTP or Go, advises to do with a request or a field. A longer form
// stands before the one that it begins with.
var commands = strings.NewReplacer(
	"GET /directory", "netctl agent ls",
	"GET /agent/{slug}", "netctl agent show AGENT",
	"GET /api/agent/constitution", "netctl constitution show",
	"GET /api/agent/me", "netctl agent me",
	"PUT /api/agent/claims", "netctl agent claims",
	"send Authorization: Bearer TOKEN; POST /api/agent/spawn gives one", "netctl agent spawn AGENT gives one, and netctl login keeps it with a context",
	"POST /api/agent/spawn", "netctl agent spawn AGENT",
	"POST /api/agent/wallet", "netctl agent wallet confirm",
	"GET /api/agent/tokens", "netctl agent token ls",
	"POST /api/agent/tokens", "netctl agent token issue",
	"DELETE /api/agent/tokens/{id}", "netctl agent token revoke ID",
	"GET /api/health", "netctl doctor",
	"GET /api/ledger/entries/{seq}", "netctl ledger ls --from ENTRY",
	"GET /api/intent/attention/inbox and /sent list them", "netctl attention inbox and netctl attention sent list them",
	"GET /api/intent/attention/inbox", "netctl attention inbox",
	"POST /api/intent", "netctl intent execute CONTRACT",
	"GET /api/market/campaigns", "netctl market ls",
	"GET /api/net/crisis", "netctl feed crisis",
	"GET /api/net/manifest", "netctl feed ls --priority P0,P1,P2",
	"quote=true tells the cost", "--dry-run tells the cost",
	"ask again with quote=true", "ask again with --dry-run",
	"your max_cost", "your --max-cost", "raise max_cost", "raise --max-cost",
	"your max_price", "your --max-price", "raise max_price", "raise --max-price",
	"POST /api/review/cases/{id}/appeal", "netctl review appeal CASE",
	"GET /api/review/cases/{id}", "netctl review show CASE",
	"GET /api/review/cases?mine=true", "netctl review queue --mine",
	"GET /api/review/cases", "netctl review queue",
	"GET /api/sponsors", "netctl sponsor ls",
	"POST /api/sponsors", "netctl sponsor admit SPONSOR",
	"GET /api/witness", "netctl badges waiting",
	"Config.BaseURL is not", "the network's address is not",
	"Genesis.Network and Genesis.Operator must be", "--network and --operator are",
	"use an agent's token", "act as an agent: with --as AGENT on this machine, with its token elsewhere",
	"use a sponsor's token", "act as a sponsor: with --as SPONSOR on this machine, with its token elsewhere",
)

// inCommands rewrites an error for the command line.
func inCommands(s string) string { return commands.Replace(s) }

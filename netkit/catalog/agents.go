package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Who agents are: spawning, claims, wallets, roles.
var (
	SpawnAgent = &Operation{Name: "spawnAgent", Method: "POST", Path: "/api/agent/spawn", Scope: Public,
		Tag: "agents", Summary: "Spawn an agent and receive the welcome grant",
		Doc:     "Gives the agent's bearer token once. To be able to retry after a lost reply, make 32 random bytes yourself, keep nk_ and their hexadecimal form as the token, and send their SHA-256 as token_sha256. Where spawning is by invitation, the address of one carries exp and sig.",
		Command: "agent spawn AGENT", Model: true,
		Refusals: []string{code.InvitationNeeded, code.InvitationUsed, code.SlugTaken, code.ConstitutionOther, code.SlugMalformed, code.SlugReserved}}
	ListAgents = &Operation{Name: "listAgents", Method: "GET", Path: "/directory", Scope: Public,
		Tag: "agents", Summary: "Browse all agents by tier, niche and badge",
		Doc:     "Free. A page for people where Accept prefers text/html, the same as Markdown where it prefers text/markdown.",
		Command: "agent ls", Model: true,
		Refusals: []string{code.NicheUnknown}}
	GetAgent = &Operation{Name: "getAgent", Method: "GET", Path: "/agent/{slug}", Scope: Public,
		Tag: "agents", Summary: "Read an agent's verified credentials, badges and computed statistics",
		Doc:     "Free. What the agent claims stands apart from what the network verified. A page for people where Accept prefers text/html, the same as Markdown where it prefers text/markdown.",
		Command: "agent show AGENT", Model: true,
		Refusals: []string{code.AgentUnknown}}
	ExplainAgent = &Operation{Name: "explainAgent", Method: "GET", Path: "/agent/{slug}/explain", Scope: Public,
		Tag: "agents", Summary: "Explain an agent's diversity payer by payer, and what would raise it",
		Doc:     "Lists who paid the agent, what of that does not count and why, what each payer weighs, and the conditions of the next tier. All of it follows from public entries.",
		Command: "agent show AGENT --explain", Model: true,
		Refusals: []string{code.AgentUnknown}}
	GetMe = &Operation{Name: "getMe", Method: "GET", Path: "/api/agent/me", Scope: netkit.ScopeRead,
		Tag: "agents", Summary: "Read your profile, your wallet and what you need for the next tier",
		Command: "agent me", Model: true}
	SetClaims = &Operation{Name: "setClaims", Method: "PUT", Path: "/api/agent/claims", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "Declare the claims of your profile",
		Doc:     "Replaces all five. Claims are shown apart from what the network verified, and marked untrusted.",
		Command: "agent claims", Model: true,
		Refusals: []string{code.AgentsOnly, code.NicheUnknown, code.ProviderMalformed}}
	SetChannels = &Operation{Name: "setChannels", Method: "PUT", Path: "/api/agent/channels", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "Subscribe to intelligence channels",
		Doc:      "The default filter of manifest and stream, which P0 dispatches pass; none means all, and no channel is gated.",
		Command:  "agent subscribe CHANNEL...",
		Refusals: []string{code.AgentsOnly, code.NicheUnknown}}
	DeclareWallet = &Operation{Name: "declareWallet", Method: "POST", Path: "/api/agent/wallet", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "Declare a wallet address",
		Doc:      "The answer is a challenge; sign its bytes with the key of the address and confirm.",
		Command:  "agent wallet declare",
		Refusals: []string{code.AgentsOnly, code.WalletConfirmed, code.WalletTaken}}
	ConfirmWallet = &Operation{Name: "confirmWallet", Method: "POST", Path: "/api/agent/wallet/confirm", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "Confirm the wallet address with a signature",
		Command:  "agent wallet confirm",
		Refusals: []string{code.AgentsOnly, code.ChallengeExpired, code.ChallengeOther, code.WalletConfirmed, code.WalletNotDeclared, code.WalletTaken, code.SignatureMalformed, code.SignatureWrong}}
	AcceptConstitution = &Operation{Name: "acceptConstitution", Method: "POST", Path: "/api/agent/constitution/accept", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "Accept the constitution by its hash",
		Command: "constitution accept", Final: true,
		Refusals: []string{code.AgentsOnly, code.ConstitutionOther}}
	ListNotices = &Operation{Name: "listNotices", Method: "GET", Path: "/api/agent/notices", Scope: netkit.ScopeRead,
		Tag: "agents", Summary: "Read your notices",
		Doc:     "Newest first.",
		Command: "agent notices", Model: true}
	InviteAgent = &Operation{Name: "inviteAgent", Method: "POST", Path: "/api/agent/invites", Scope: netkit.ScopeAdmin,
		Tag: "agents", Summary: "Make an invitation to spawn agents",
		Doc:     "A signed address, good for one agent until it expires.",
		Command: "agent invite"}
	SetRole = &Operation{Name: "setRole", Method: "POST", Path: "/api/agents/{slug}/roles", Scope: netkit.ScopeAdmin,
		Tag: "agents", Summary: "Grant or withdraw a role",
		Command:  "agent role AGENT ROLE",
		Refusals: []string{code.AgentUnknown, code.RoleUnchanged, code.RoleUnknown}}
	ReinstateAgent = &Operation{Name: "reinstateAgent", Method: "POST", Path: "/api/agents/{slug}/reinstate", Scope: netkit.ScopeAdmin,
		Tag: "review", Summary: "Reinstate a suspended or listed agent, with a reason",
		Command: "agent reinstate AGENT", Final: true,
		Refusals: []string{code.AgentUnknown, code.AgentActive, code.ReasonMissing}}
	RecoverAgent = &Operation{Name: "recoverAgent", Method: "POST", Path: "/api/agents/{slug}/recover", Scope: netkit.ScopeAdmin,
		Tag: "agents", Summary: "Give an agent that has no token left a new one, with a reason",
		Doc:     "The agent makes the token and gives you its SHA-256 alone.",
		Command: "agent recover AGENT", Final: true,
		Refusals: []string{code.AgentUnknown, code.AgentHasToken, code.ReasonMissing}}
)

var agents = []*Operation{SpawnAgent, ListAgents, GetAgent, ExplainAgent, GetMe, SetClaims, SetChannels, DeclareWallet, ConfirmWallet, AcceptConstitution, ListNotices, InviteAgent, SetRole, ReinstateAgent, RecoverAgent}

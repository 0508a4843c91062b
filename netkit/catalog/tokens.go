package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Bearer tokens.
var (
	ListTokens = &Operation{Name: "listTokens", Method: "GET", Path: "/api/agent/tokens", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "List your tokens",
		Doc:     "Never shows a token itself: the network keeps their hashes alone.",
		Command: "agent token ls"}
	IssueToken = &Operation{Name: "issueToken", Method: "POST", Path: "/api/agent/tokens", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "Issue a token with chosen scopes, expiry and spend cap",
		Doc:      "Shown once. An operator may issue one for another party, such as one of scope plants.",
		Command:  "agent token issue",
		Refusals: []string{code.AgentToken, code.ExpiryLater, code.OperatorToken, code.ScopeBroader, code.ScopeOperator, code.TokenCapped, code.PartyUnknown, code.TooManyTokens, code.ScopeTwice, code.ScopeUnknown, code.ScopesMissing}}
	RevokeToken = &Operation{Name: "revokeToken", Method: "DELETE", Path: "/api/agent/tokens/{id}", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "Revoke a token at once",
		Doc:     "An operator revokes the token of another party with a reason, which is public.",
		Command: "agent token revoke TOKEN", Final: true,
		Refusals: []string{code.ReasonMissing, code.TokenUnknown}}
)

var tokens = []*Operation{ListTokens, IssueToken, RevokeToken}

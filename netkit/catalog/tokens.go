package catalog

import "github.com/agentnet/netctl/netkit"

// Bearer tokens.
var (
	ListTokens = &Operation{Name: "listTokens", Method: "GET", Path: "/api/agent/tokens", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "List your tokens",
		Doc:     "Never shows a token itself: the network keeps their hashes alone.",
		Command: "agent token ls"}
	IssueToken = &Operation{Name: "issueToken", Method: "POST", Path: "/api/agent/tokens", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "Issue a token with chosen scopes, expiry and spend cap",
		Doc:    "Shown once. An operator may issue one for another party, such as one of scope plants.",
		Errors: []int{404}, Command: "agent token issue"}
	RevokeToken = &Operation{Name: "revokeToken", Method: "DELETE", Path: "/api/agent/tokens/{id}", Scope: netkit.ScopeSelf,
		Tag: "agents", Summary: "Revoke a token at once",
		Errors: []int{404}, Command: "agent token revoke ID", Final: true}
)

var tokens = []*Operation{ListTokens, IssueToken, RevokeToken}

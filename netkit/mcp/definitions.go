package mcp

import sdk "github.com/modelcontextprotocol/go-sdk/mcp"

// Definitions describes the tools that a server offers to agents over HTTP, for programs
// that give them to a model themselves.
func Definitions() (all []*sdk.Tool) {
	for _, t := range tools {
		if t.agents && !t.local {
			all = append(all, t.definition())
		}
	}
	return all
}

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// party is whom a server serves.
type party struct {
	cfg Config

	mu      sync.Mutex
	net     Network // changes when an agent is spawned
	spawned bool

	buying sync.Mutex      // one purchase after the other
	spent  netkit.Credits  // of cfg.MaxSpend
	paid   map[string]bool // quotes that are counted in spent
}

// network is the network as the party sees it by now.
func (p *party) network() Network {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.net
}

// hasSpawned reports whether the session made its agent.
func (p *party) hasSpawned() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spawned
}

// call is one call of a tool.
type call struct {
	*party
	Network
	req *sdk.CallToolRequest
}

// handler answers calls of a tool.
func (p *party) handler(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		out, err := t.run(ctx, &call{p, p.network(), req}, req.Params.Arguments)
		var ask *question
		switch {
		case errors.As(err, &ask):
			return ask.result(), nil
		case err != nil:
			return refusal(err), nil
		}
		b, err := wrapped(out)
		if err != nil {
			return nil, err
		}
		return &sdk.CallToolResult{Content: text(string(b)), StructuredContent: json.RawMessage(b)}, nil
	}
}

func text(s string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: s}} }

// refused is what a model is told of an error.
type refused struct {
	Code       string `json:"code"`
	Problem    string `json:"problem"`
	Location   string `json:"location,omitempty"`
	Law        string `json:"law,omitempty"`
	Next       string `json:"next,omitempty"`
	RetryAfter int    `json:"retry_after,omitempty"`
}

// refusal is the result of a call that was refused.
func refusal(err error) *sdk.CallToolResult {
	b, fault := json.Marshal(refusedOf(err))
	if fault != nil {
		b = []byte(`{"code":"internal"}`)
	}
	return &sdk.CallToolResult{IsError: true, Content: text(string(b))}
}

func refusedOf(err error) refused {
	var r *netkit.Refusal
	if !errors.As(err, &r) {
		return refused{Code: code.Unavailable, Problem: "the network cannot be reached, or its answer was lost", Next: "call the tool again with the same arguments; if that fails too, tell your user"}
	}
	p := catalog.Render(netkit.ProblemOf(err), face)
	return refused{p.Code, p.Detail, p.Location, p.Law, p.Next, p.RetryAfter}
}

// face names operations by their tools, and those without one by their
// commands.
func face(name string) (string, bool) {
	for _, t := range tools {
		if t.op != nil && t.op.Name == name {
			return t.name, true
		}
	}
	switch name {
	case "quote":
		return "with the tool quote", true
	case "asAgent", "withToken":
		return "call spawn_agent if you have that tool, else ask your user to connect you with an agent's token", true
	}
	return catalog.CommandLine(name)
}

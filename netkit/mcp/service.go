package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit"
)

// service answers the calls of a server.
type service struct {
	cfg Config

	mu      sync.Mutex
	net     Network // of the one party, which changes when an agent is spawned
	spawned bool

	buying sync.Mutex      // one purchase after the other, where spending is counted
	spent  netkit.Credits  // of cfg.MaxSpend
	paid   map[string]bool // quotes that are counted in spent
}

// caller returns the party that a request acts for.
func (s *service) caller(ctx context.Context) Caller {
	if s.cfg.Caller != nil {
		return s.cfg.Caller(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Caller{Network: s.net}
}

// hasSpawned reports whether the session made its agent.
func (s *service) hasSpawned() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spawned
}

// call is one call of a tool.
type call struct {
	*service
	Caller
	req *sdk.CallToolRequest
}

// handler answers calls of a tool.
func (s *service) handler(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		out, err := t.run(ctx, &call{s, s.caller(ctx), req}, req.Params.Arguments)
		var ask *question
		switch {
		case errors.As(err, &ask):
			return ask.result(), nil
		case err != nil:
			return s.refusal(err), nil
		}
		b, err := s.markUntrusted(out)
		if err != nil {
			return nil, err
		}
		return &sdk.CallToolResult{Content: text(string(b)), StructuredContent: json.RawMessage(b)}, nil
	}
}

func text(s string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: s}} }

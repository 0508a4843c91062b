package mcp

import (
	"encoding/json"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// ownRefusal is a refusal in the words of this package. Any other one may come
// from the network, whose operator could write instructions to a model into it.
type ownRefusal struct{ *netkit.Refusal }

// Unwrap returns the refusal.
func (r *ownRefusal) Unwrap() error { return r.Refusal }

func refuse(r netkit.Refusal) error { return &ownRefusal{&r} }

// refused is the error of a call as a model reads it. Each text is a string, or
// an object {"untrusted": text} where it comes from a remote network.
type refused struct {
	Code       string `json:"code"`
	Problem    any    `json:"problem"`
	Location   any    `json:"location,omitempty"`
	Law        any    `json:"law,omitempty"`
	Next       any    `json:"next,omitempty"`
	RetryAfter int    `json:"retry_after,omitempty"`
}

// refusal is the result of a call that was refused.
func (s *service) refusal(err error) *sdk.CallToolResult {
	b, fault := json.Marshal(s.refusedOf(err))
	if fault != nil {
		b = []byte(`{"code":"internal"}`)
	}
	return &sdk.CallToolResult{IsError: true, Content: text(string(b))}
}

func (s *service) refusedOf(err error) refused {
	var r *netkit.Refusal
	if !errors.As(err, &r) {
		return refused{Code: code.Unavailable, Problem: "the network cannot be reached, or its answer was lost", Next: "call the tool again with the same arguments; if that fails too, tell your user"}
	}
	p := catalog.Render(netkit.ProblemOf(err), s.face)
	out := refused{Code: p.Code, Problem: p.Detail, Location: optional(p.Location), Law: optional(p.Law), Next: optional(p.Next), RetryAfter: p.RetryAfter}
	var own *ownRefusal
	if !s.cfg.Remote || errors.As(err, &own) {
		return out
	}
	if _, known := code.Find(p.Code); !known { // a code of words is a text as well
		out.Code = code.Invalid
	}
	for _, text := range []*any{&out.Problem, &out.Location, &out.Law, &out.Next} {
		if *text != nil {
			*text = map[string]any{untrustedKey: *text}
		}
	}
	return out
}

// optional is a text that is left out where it is empty.
func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// face names operations by their tools. A model is never sent to a shell: an
// operation without a tool is one for its user, who has the command.
func (s *service) face(name string) (string, bool) {
	for _, t := range tools {
		if t.op != nil && t.op.Name == name && t.offered(s.cfg.Sponsor) {
			return t.name, true
		}
	}
	switch name {
	case "quote":
		return "with the tool quote", true
	case "asAgent", "withToken":
		return "call spawn_agent if you have that tool, else ask your user to connect you with an agent's token", true
	case "asSponsor":
		return "ask your user to connect you with a sponsor's token", true
	}
	words, known := catalog.CommandLine(name)
	if known {
		words = "your user's command \"" + words + "\""
	}
	return words, known
}

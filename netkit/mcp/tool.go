package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// tool is an operation as models call it.
type tool struct {
	name    string
	op      *catalog.Operation // nil for a tool that asks the network nothing, or several things
	more    string             // to be said besides the operation's summary
	local   bool               // needs the agent's own machine
	agents  bool               // is offered to agents and operators
	sponsor bool               // is offered to sponsors
	in, out reflect.Type
	run     func(ctx context.Context, c *call, arguments json.RawMessage) (any, error)

	defining sync.Once
	defined  *sdk.Tool // shared: never changed
}

// made makes a tool of a function.
func made[In, Out any](name string, op *catalog.Operation, more string, do func(context.Context, *call, In) (Out, error)) *tool {
	return &tool{name: name, op: op, more: more, agents: true, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		run: func(ctx context.Context, c *call, arguments json.RawMessage) (any, error) {
			var in In
			if err := decode(arguments, &in); err != nil {
				return nil, err
			}
			return do(ctx, c, in)
		}}
}

// onMachine keeps a tool for servers on the agent's own machine.
func (t *tool) onMachine() *tool {
	t.local = true
	return t
}

// forSponsorsToo offers a tool to sponsors as well.
func (t *tool) forSponsorsToo() *tool {
	t.sponsor = true
	return t
}

// forSponsors offers a tool to sponsors only.
func (t *tool) forSponsors() *tool {
	t.agents, t.sponsor = false, true
	return t
}

// offered reports whether a party has the tool.
func (t *tool) offered(sponsor bool) bool {
	if sponsor {
		return t.sponsor
	}
	return t.agents
}

// decode reads arguments strictly: a field that is misspelled would otherwise
// be missing without a word.
func decode(arguments json.RawMessage, in any) error {
	if len(arguments) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.DisallowUnknownFields()
	err := d.Decode(in)
	if err == nil {
		_, err = d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
	field := ""
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
		field = wrong.Field
	}
	return refuse(netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ParameterWrong, Field: field,
		What: "does not fit the input schema of the tool: a name is unknown, or a value has the wrong type", Next: "read the tool's input schema and call it again"})
}

// definition describes the tool to clients. It is built once: its schemas are
// kept as JSON.
func (t *tool) definition() *sdk.Tool {
	t.defining.Do(func() {
		about, ends, reads := t.more, false, true
		if t.op != nil {
			about = strings.TrimSpace(t.op.Summary + ". " + t.more)
			ends, reads = t.op.Final, !t.op.Changes() && !t.op.Spends
		}
		t.defined = &sdk.Tool{Name: t.name, Description: about, InputSchema: inputs(t.in).encoded(), OutputSchema: outputs(t.out).encoded(),
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: reads, DestructiveHint: &ends, IdempotentHint: true}}
	})
	return t.defined
}

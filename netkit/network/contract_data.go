package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/dataschema"
	"github.com/agentnet/netctl/netkit/rules"
)

// checkSchema refuses a schema that a signal could not be checked against.
func checkSchema(schema netkit.JSON) error {
	if schema == "" {
		return nil
	}
	_, err := dataschema.Parse([]byte(schema))
	return refuseFault("schema", code.SchemaMalformed, "go doc netkit/dataschema lists the keywords", err)
}

// checkSignal checks the form of a signal, and its data against the schema of the
// contract. A contract that is unknown or has no schema is refused when the command
// is decided.
func (ses *Session) checkSignal(ctx context.Context, in *netkit.Execute) error {
	if err := in.Signal.Check(); err != nil || in.Signal.Data == "" {
		return err
	}
	schema, err := ses.n.schemaOf(ctx, in.CampaignID)
	if err != nil || schema == nil {
		return err
	}
	return refuseFault("signal.data", code.DataMismatch, "{getContract} shows the schema", schema.Check([]byte(in.Signal.Data)))
}

// schemaOf returns the schema of a contract, nil for one without. A structured
// contract whose texts were erased takes no more signals.
func (n *Network) schemaOf(ctx context.Context, campaign uint64) (*dataschema.Schema, error) {
	structured, err := view(ctx, n, func(s *rules.State) (bool, error) { return s.Structured(campaign), nil })
	if err != nil || !structured {
		return nil, err
	}
	var t rules.OpenContract
	if _, err := n.text(ctx, campaign, &t); err != nil {
		return nil, err
	}
	if t.Schema == "" {
		return nil, &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.SchemaErased, What: "the schema of the contract was erased, so that no data can be checked", Next: "find another with {listContracts}"}
	}
	return dataschema.Parse([]byte(t.Schema))
}

// refuseFault makes a refusal of the fault of a schema or data.
func refuseFault(field, name, next string, err error) error {
	f, ok := errors.AsType[*dataschema.Fault](err)
	if !ok {
		return err
	}
	if f.Path != "" {
		field += "." + f.Path
	}
	return netkit.Invalid(field, name, f.What, next)
}

package server

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/webhook"
)

// netkit knows nothing of schemas, and reflection would take an enumeration
// for a number and an amount for one without decimals. So its scalar types
// are described here.

// scalar stands in for T when huma looks for a schema.
type scalar[T any] struct{}

// Schema implements huma.SchemaProvider.
func (scalar[T]) Schema(huma.Registry) *huma.Schema {
	s := scalars[reflect.TypeFor[T]()]
	return &s
}

// newRegistry makes a registry that knows the scalar types of netkit.
func newRegistry() huma.Registry {
	r := huma.NewMapRegistry("#/components/schemas/", schemaName)
	know[netkit.Credits](r)
	know[netkit.Ratio](r)
	know[netkit.Percent](r)
	know[netkit.Millis](r)
	know[netkit.Seconds](r)
	know[netkit.Day](r)
	know[netkit.Hash](r)
	know[netkit.JSON](r)
	know[netkit.Account](r)
	know[netkit.Scope](r)
	know[netkit.Tier](r)
	know[netkit.Niche](r)
	know[netkit.Badge](r)
	know[netkit.Priority](r)
	know[netkit.ContractKind](r)
	know[netkit.ContractState](r)
	know[netkit.ExecutionState](r)
	know[netkit.AttentionState](r)
	know[netkit.Status](r)
	know[netkit.PartyKind](r)
	know[netkit.CaseState](r)
	// Lists of small integers would be taken for bytes.
	know[[]netkit.Niche](r)
	know[[]netkit.Badge](r)
	know[[]netkit.Priority](r)
	return r
}

// schemaName names types of package webhook in full: Attempt says too little
// where every type of the network stands.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	if t.PkgPath() == reflect.TypeFor[webhook.View]().PkgPath() {
		return "Webhook" + name
	}
	return name
}

func know[T any](r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[scalar[T]]())
}

// scalars is filled once and only read.
var scalars = map[reflect.Type]huma.Schema{
	reflect.TypeFor[netkit.Credits]():        {Type: "number", Format: "decimal", Description: "credits, with at most two decimals", Examples: []any{12.5}},
	reflect.TypeFor[netkit.Ratio]():          {Type: "number", Description: "a share or score with at most four decimals", Examples: []any{0.3}},
	reflect.TypeFor[netkit.Percent]():        {Type: "number", Description: "0 to 100 with two decimals", Examples: []any{95}},
	reflect.TypeFor[netkit.Millis]():         {Type: "string", Format: "date-time", Nullable: true, Examples: []any{"2026-02-20T12:00:00.000Z"}},
	reflect.TypeFor[netkit.Seconds]():        {Type: "number", Description: "seconds, with at most three decimals", Examples: []any{12.04}},
	reflect.TypeFor[netkit.Day]():            {Type: "string", Format: "date", Examples: []any{"2026-02-20"}},
	reflect.TypeFor[netkit.Hash]():           {Type: "string", Pattern: "^[0-9a-fA-F]{64}$", Description: "a SHA-256 in hexadecimal"},
	reflect.TypeFor[netkit.JSON]():           {Type: "object", AdditionalProperties: true},
	reflect.TypeFor[netkit.Account]():        {Type: "string", Description: "treasury, issuance, wallet:SLUG, sponsor:SLUG, contract:ID or escrow:ID", Examples: []any{"wallet:ada"}},
	reflect.TypeFor[netkit.Scope]():          {Type: "string", Enum: texts(netkit.Scopes()...)},
	reflect.TypeFor[netkit.Tier]():           {Type: "string", Enum: texts(netkit.Unverified, netkit.Verified, netkit.Badged, netkit.Elite)},
	reflect.TypeFor[netkit.Niche]():          niches,
	reflect.TypeFor[netkit.Badge]():          badges,
	reflect.TypeFor[netkit.Priority]():       priorities,
	reflect.TypeFor[netkit.ContractKind]():   {Type: "string", Enum: texts(netkit.Commercial, netkit.Operational)},
	reflect.TypeFor[netkit.ContractState]():  {Type: "string", Enum: texts(netkit.ContractOpen, netkit.ContractExhausted, netkit.ContractEnded, netkit.ContractClosed)},
	reflect.TypeFor[netkit.ExecutionState](): {Type: "string", Enum: texts(netkit.ExecutionPending, netkit.ExecutionCleared, netkit.ExecutionAccepted, netkit.ExecutionReturned, netkit.ExecutionOverturned)},
	reflect.TypeFor[netkit.AttentionState](): {Type: "string", Enum: texts(netkit.Pending, netkit.Answered, netkit.Declined, netkit.Expired)},
	reflect.TypeFor[netkit.Status]():         {Type: "string", Enum: texts(netkit.Active, netkit.Suspended, netkit.Rogue)},
	reflect.TypeFor[netkit.PartyKind]():      {Type: "string", Enum: texts(netkit.AgentParty, netkit.SponsorParty, netkit.OperatorParty)},
	reflect.TypeFor[netkit.CaseState]():      {Type: "string", Enum: texts(netkit.CaseWithPanel, netkit.CaseWithOperator, netkit.CaseUpheld, netkit.CaseDismissed, netkit.CaseDrawing)},
	reflect.TypeFor[netkit.BondState]():      {Type: "string", Enum: texts(netkit.BondHeld, netkit.BondReturned, netkit.BondLost)},
	reflect.TypeFor[[]netkit.Niche]():        {Type: "array", Items: &niches},
	reflect.TypeFor[[]netkit.Badge]():        {Type: "array", Items: &badges},
	reflect.TypeFor[[]netkit.Priority]():     {Type: "array", Items: &priorities},
}

var (
	niches     = huma.Schema{Type: "string", Enum: texts(netkit.Niches()...)}
	badges     = huma.Schema{Type: "string", Enum: texts(netkit.FieldAgent, netkit.SeniorCorrespondent, netkit.DisputeMaster)}
	priorities = huma.Schema{Type: "string", Enum: texts(netkit.P0, netkit.P1, netkit.P2)}
)

// texts lists the names of an enumeration.
func texts[T any](values ...T) (names []any) {
	for _, v := range values {
		switch v := any(v).(type) {
		case interface{ String() string }:
			names = append(names, v.String())
		case netkit.Scope:
			names = append(names, string(v))
		}
	}
	return names
}

// plainText is the pattern of texts that people write: no control characters
// other than line breaks and tabs.
const plainText = `^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$`

// complete says of a schema what holds everywhere here: an empty list is [],
// not null, and texts hold no control characters.
func complete(s *huma.Schema) {
	if s == nil {
		return
	}
	switch {
	case s.Type == huma.TypeArray:
		s.Nullable = false
		complete(s.Items)
	case s.Type == huma.TypeString && s.MaxLength != nil && s.Pattern == "":
		s.Pattern = plainText
	}
	for _, p := range s.Properties {
		complete(p)
	}
}

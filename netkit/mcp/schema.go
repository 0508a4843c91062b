package mcp

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// Schemas are made of the types themselves and kept short, since a model reads
// all of them before it does anything. Those of inputs describe each field;
// those of outputs give names and types, without the parts of as_of and of buyer,
// which many answers have.

// schema is a JSON Schema.
type schema map[string]any

// encoded returns the schema as JSON. It holds nothing that JSON cannot.
func (s schema) encoded() json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		panic("mcp: a schema that JSON cannot hold: " + err.Error())
	}
	return b
}

// inputs is the schema of what a tool takes.
func inputs(t reflect.Type) schema {
	s := object(t, true)
	s["additionalProperties"] = false
	return s
}

// outputs is the schema of what a tool answers.
func outputs(t reflect.Type) schema {
	s := object(t, false)
	b, err := json.Marshal(s)
	if err == nil && strings.Contains(string(b), untrustedRef) {
		s["$defs"] = schema{"untrusted": schema{"type": "object", "properties": schema{untrustedKey: schema{"type": "string"}}}}
	}
	return s
}

const untrustedRef = "#/$defs/untrusted"

// object is the schema of a struct.
func object(t reflect.Type, input bool) schema {
	properties, required := schema{}, []string{}
	fields(t, func(f reflect.StructField, name string, optional bool) {
		if name == untrustedKey {
			return // answers are marked text by text
		}
		s := kindOf(f.Type, input)
		switch {
		case !input && slices.Contains(untrustedFields, name):
			s = marked(s)
		case input && f.Tag.Get("doc") != "":
			s["description"] = f.Tag.Get("doc")
		}
		properties[name] = s
		if !optional && f.Type.Kind() != reflect.Pointer {
			required = append(required, name)
		}
	})
	s := schema{"type": "object", "properties": properties}
	if input && len(required) > 0 {
		s["required"] = required
	}
	return s
}

// marked is the schema of a text, or of a list of texts, that others wrote; any
// other stays as it is.
func marked(s schema) schema {
	if s["type"] == "string" {
		return schema{"$ref": untrustedRef}
	}
	if items, ok := s["items"].(schema); ok && items["type"] == "string" {
		return schema{"type": "array", "items": marked(items)}
	}
	return s
}

// fields calls visit for each field of a struct that JSON shows, those of
// embedded structs included.
func fields(t reflect.Type, visit func(f reflect.StructField, name string, optional bool)) {
	for _, f := range reflect.VisibleFields(t) {
		tag, named := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		if !f.IsExported() || f.Anonymous && !named || name == "-" || name == "" {
			continue
		}
		visit(f, name, strings.HasPrefix(options, "omit"))
	}
}

// kindOf is the schema of a value.
func kindOf(t reflect.Type, input bool) schema {
	if names := enumerations[t]; input && names != nil {
		return schema{"type": "string", "enum": names}
	}
	if t == reflect.TypeFor[netkit.JSON]() {
		return schema{"type": "object"}
	}
	if form := written(t); form != "" {
		return schema{"type": form}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem(), input)
	case reflect.Slice:
		return schema{"type": "array", "items": kindOf(t.Elem(), input)}
	case reflect.Struct:
		return object(t, input)
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return schema{"type": "number"}
	case reflect.Map, reflect.Interface:
		return schema{"type": "object"}
	}
	return schema{"type": "integer"}
}

// written is the JSON type of a type that is not spelled out field by field, ""
// for others. Amounts and scores are numbers; times, hashes and names are texts.
func written(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return ""
	case t == reflect.TypeFor[json.RawMessage](), t == reflect.TypeFor[netkit.AsOf](), t == reflect.TypeFor[netkit.BuyerRecord]():
		return "object"
	case t.Implements(reflect.TypeFor[json.Marshaler]()):
		b, err := json.Marshal(reflect.Zero(t).Interface())
		if err == nil && strings.IndexByte("-0123456789", b[0]) >= 0 {
			return "number"
		}
		return "string"
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return "string"
	}
	return ""
}

// enumerations are the names that inputs may have.
var enumerations = map[reflect.Type][]string{
	reflect.TypeFor[netkit.Niche]():          texts(netkit.Niches()...),
	reflect.TypeFor[netkit.Tier]():           texts(netkit.Unverified, netkit.Verified, netkit.Badged, netkit.Elite),
	reflect.TypeFor[netkit.Badge]():          texts(netkit.FieldAgent, netkit.SeniorCorrespondent, netkit.DisputeMaster),
	reflect.TypeFor[netkit.Priority]():       texts(netkit.P0, netkit.P1, netkit.P2),
	reflect.TypeFor[netkit.ContractKind]():   texts(netkit.Commercial, netkit.Operational),
	reflect.TypeFor[netkit.ContractState]():  texts(netkit.ContractOpen, netkit.ContractExhausted, netkit.ContractEnded, netkit.ContractClosed),
	reflect.TypeFor[netkit.AttentionState](): texts(netkit.Pending, netkit.Answered, netkit.Declined, netkit.Expired),
}

func texts[T interface{ String() string }](values ...T) (names []string) {
	for _, v := range values {
		names = append(names, v.String())
	}
	return names
}

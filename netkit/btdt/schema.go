package btdt

import (
	"bytes"
	"encoding/json"
)

// schemaID names the schema; nothing is fetched from there.
const schemaID = "urn:agentnet:btdt:playbook"

// property is one property of a JSON Schema, in the order in which it is written.
type property struct {
	name  string
	value any
}

// object is a JSON object with its properties in order.
type object []property

// MarshalJSON writes the properties in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Schema returns the form of a playbook as JSON Schema (draft 2020-12). It says
// all that Parse asks of single values; lengths count code points after NFC.
func Schema() []byte {
	var fields object
	for _, f := range textFields {
		fields = append(fields, property{f.name, f.schema()})
	}
	for _, f := range listFields {
		fields = append(fields, property{f.name, f.schema()})
	}
	fields = append(fields, property{daysField, object{
		{"type", "integer"}, {"minimum", 0}, {"maximum", MaxDays},
		{"description", "whole days from the first step to the outcome"}}})
	b, err := json.MarshalIndent(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", schemaID},
		{"title", "Playbook of a resolved case"},
		{"description", "Holds no real names, case or policy numbers, medical details or other data that identifies a person."},
		{"type", "object"},
		{"required", requiredNames()},
		{"additionalProperties", false},
		{"properties", fields},
	}, "", "  ")
	if err != nil {
		panic("btdt: a schema of plain values cannot fail to encode: " + err.Error())
	}
	return append(b, '\n')
}

// line is a text without control characters that is not blank.
const (
	linePattern  = `^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$`
	textPattern  = `^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$`
	emptyPattern = `^[^\u0000-\u001f\u007f-\u009f]*$`
)

func (f textField) schema() object {
	s := object{{"type", "string"}, {"description", descriptions[f.name]}}
	switch f.name {
	case "category":
		return append(s, property{"enum", categories})
	case "status":
		return append(s, property{"const", StatusResolved})
	case "jurisdiction":
		return append(s, property{"pattern", jurisdictionForm.String()})
	case "sub_category":
		return append(s, property{"minLength", 1}, property{"maxLength", f.max}, property{"pattern", labelForm.String()})
	}
	if !f.required {
		return append(s, property{"maxLength", f.max}, property{"pattern", emptyPattern})
	}
	return append(s, property{"minLength", 1}, property{"maxLength", f.max}, property{"pattern", linePattern})
}

func (f listField) schema() object {
	item := object{{"type", "string"}, {"minLength", 1}, {"maxLength", f.max}, {"pattern", textPattern}}
	list := object{{"type", "array"}, {"maxItems", f.items}, {"items", item}}
	if f.required {
		list = append(list, property{"minItems", 1})
	}
	if !f.lenient {
		return append(list, property{"description", descriptions[f.name]})
	}
	return object{{"description", descriptions[f.name]}, {"oneOf", []object{list, item}}}
}

// descriptions tell a person who fills in a playbook what belongs where.
var descriptions = map[string]string{
	"title":           "short and descriptive, without personal names",
	"category":        "kind of case",
	"sub_category":    "label of the kind of case, as in denied_claim",
	"jurisdiction":    "country or union code, as in US, DE or EU",
	"region":          "part of the jurisdiction, may be empty",
	"entity":          "organisation dealt with, may be anonymised or empty",
	"status":          "only resolved cases are filed",
	"outcome":         "one sentence",
	"steps":           "what was done, in order",
	"key_contacts":    "departments or roles that mattered, without personal names",
	"legal_levers":    "policy references, laws or regulatory bodies invoked",
	"what_failed":     "what did not work",
	"time_taken_days": "whole days",
}

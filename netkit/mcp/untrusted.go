package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
)

// untrustedKey marks a text that somebody else wrote.
const untrustedKey = "untrusted"

// untrustedFields are the texts in answers that agents and sponsors write.
var untrustedFields = []string{"title", "brief", "payload", "headline", "summary", "subject", "body", "sources", "answer", "reason", "criteria",
	"capability_statement", "preferred_llm_provider"}

// untrustedObjects are the objects in answers that agents and sponsors write.
var untrustedObjects = []string{"data", "schema"}

// remoteFields are the texts of a refusal within an answer, which the operator of
// a remote network could write.
var remoteFields = []string{"detail", "next"}

// markUntrusted returns an answer in JSON with each text that others wrote as an object
// {"untrusted": text}: JSON itself keeps the text from ending the mark.
func (s *service) markUntrusted(answer any) ([]byte, error) {
	b, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	fields := untrustedFields
	if s.cfg.Remote {
		fields = slices.Concat(fields, remoteFields)
	}
	markFields(tree, fields)
	return json.Marshal(tree)
}

// markFields marks the texts of the named fields in a tree of JSON.
func markFields(tree any, fields []string) {
	switch at := tree.(type) {
	case []any:
		for _, one := range at {
			markFields(one, fields)
		}
	case map[string]any:
		for name, value := range at {
			if slices.Contains(untrustedObjects, name) && value != nil {
				at[name] = map[string]any{untrustedKey: value}
				continue
			}
			if slices.Contains(fields, name) && markTexts(at, name) {
				continue
			} else if name == untrustedKey {
				delete(at, name) // the network's own mark, which says less
			} else {
				markFields(value, fields)
			}
		}
	}
}

// markTexts marks the text, or the list of texts, of a field, and reports whether
// it is one.
func markTexts(at map[string]any, name string) bool {
	switch value := at[name].(type) {
	case string:
		at[name] = map[string]any{untrustedKey: value}
		return true
	case []any:
		for k := range value {
			text, ok := value[k].(string)
			if !ok {
				return false
			}
			value[k] = map[string]any{untrustedKey: text}
		}
		return true
	}
	return false
}

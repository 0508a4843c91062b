package netkit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// ConstitutionChange is one number or rule of a constitution that another has
// differently.
type ConstitutionChange struct {
	Field string `json:"field" doc:"where it is in the document, such as review.report_reward"`
	From  string `json:"from,omitempty" doc:"as JSON; absent if the document has no such field"`
	To    string `json:"to" doc:"as JSON"`
}

// formerRules are values, as JSON, that new networks began with and begin with no
// more. A network that still has one takes the value of today; a network whose
// operators chose another keeps it.
var formerRules = map[string][]string{
	"review.report_reward":        {"2.00"},
	"review.sponsor_open_reports": {"200"},
	"detectors.sponsors_alike":    {"0.95"}, // found by circulation_share
	"detectors.sponsors_from":     {"10"},
}

// Recommended returns a constitution with the rules that new networks begin with,
// as a later version issued on a date such as 2026-11-23, and what it changes by
// field: rules that c lacks, and those of earlier releases. What operators changed
// themselves stays, as do the laws. Without a change it returns c and none.
func (c *Constitution) Recommended(issued string) (*Constitution, []ConstitutionChange) {
	running, today := c.object(), Version1().object()
	var changes []ConstitutionChange
	recommend(running, today, "", &changes)
	if len(changes) == 0 {
		return c, nil
	}
	slices.SortFunc(changes, func(a, b ConstitutionChange) int { return strings.Compare(a.Field, b.Field) })
	b, err := json.Marshal(running)
	if err != nil {
		panic("netkit: a document that was decoded always marshals: " + err.Error())
	}
	law, err := ReadConstitution(b)
	if err != nil {
		panic("netkit: a merge of two constitutions is one: " + err.Error())
	}
	law.Version, law.Issued = nextVersion(c.Version), issued
	return law, changes
}

// object returns the document as its JSON object.
func (c *Constitution) object() map[string]any {
	all := map[string]any{}
	d := json.NewDecoder(strings.NewReader(string(c.JSON())))
	d.UseNumber() // keeps each literal
	if err := d.Decode(&all); err != nil {
		panic("netkit: a constitution is a JSON object: " + err.Error())
	}
	return all
}

// recommend gives an object the fields of today that it lacks or has as an earlier
// release began with them, and drops those that today has no more: 0 turns a rule off.
func recommend(running, today map[string]any, path string, changes *[]ConstitutionChange) {
	for name, want := range today {
		field, has := path+name, running[name]
		sub, object := want.(map[string]any)
		if object && has == nil {
			has = map[string]any{}
			running[name] = has
		}
		switch {
		case object:
			recommend(has.(map[string]any), sub, field+".", changes)
		case slices.Contains(ownFields, field) || reflect.DeepEqual(has, want):
		case has == nil || slices.Contains(formerRules[field], fmt.Sprint(has)):
			running[name] = want
			*changes = append(*changes, ConstitutionChange{Field: field, From: literal(has), To: literal(want)})
		}
	}
	for name, has := range running {
		if _, object := has.(map[string]any); today[name] == nil && !object && slices.Contains(formerRules[path+name], fmt.Sprint(has)) {
			delete(running, name)
			*changes = append(*changes, ConstitutionChange{Field: path + name, From: literal(has), To: "0"})
		}
	}
}

// ownFields are those that every constitution has for itself.
var ownFields = []string{"version", "issued", "language", "laws"}

// literal returns a value of a document as JSON, "" for none.
func literal(v any) string {
	if v == nil {
		return ""
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic("netkit: a decoded value always marshals: " + err.Error())
	}
	return string(b)
}

// nextVersion is 1.1.0, or the next minor version of one that is as late.
func nextVersion(version string) string {
	if later, _ := LaterVersion("1.1.0", version); later {
		return "1.1.0"
	}
	parts, ok := versionParts(version)
	if !ok {
		return "1.1.0"
	}
	return strconv.Itoa(parts[0]) + "." + strconv.Itoa(parts[1]+1) + ".0"
}

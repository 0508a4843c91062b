package network

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// chosen are the fields that the author of an entry was free to choose, so that
// another value makes another honest entry.
var chosen = map[string]bool{
	"agent.claims Accepts": true, "agent.claims Floor": true, "agent.claims Niche": true, "agent.claims Provider": true, "agent.claims Statement": true,
	"agent.spawned Invitation": true, "badge.revocation.begun Reason": true, "case.verdict Uphold": true,
	"contract.opened Contract": true, "contract.opened Criteria": true, "contract.opened Limit": true, "contract.opened Matching": true, "contract.opened Structured": true,
	"dispatch.published Channel": true, "dispatch.published Priority": true, "execution Sources": true,
	"genesis Network": true, "genesis at": true, "night.step at": true, "plant.created Plant": true, "playbook.registered Kept": true, "playbook.registered Steps": true,
	"sponsor.deposited Reference": true, "sponsor.proposed Name": true, "sponsor.proposed Sponsor": true, "wallet.declared Nonce": true,
}

// An entry with one field changed is no entry that had to come, whatever its kind,
// unless its author was free to choose the field.
func TestEveryFieldIsCompared(t *testing.T) {
	c := newCity(t)
	a := c.auditor(t)
	accepted, tried := map[string]bool{}, map[netkit.Kind]int{} // fields; entries of a kind
	for k, public := range c.records {
		var honest rules.Entry
		if err := honest.Read(public); err != nil {
			t.Fatal(err)
		}
		if tried[honest.Kind]++; tried[honest.Kind] <= 3 {
			for _, field := range changeable(&honest) {
				var e rules.Entry
				if err := e.Read(public); err != nil {
					t.Fatal(err)
				}
				field.change(&e)
				if a.Take(rules.AppendEntry(nil, &e)) == nil {
					accepted[string(e.Kind)+" "+field.name] = true
					a = c.auditorAt(t, k)
				}
			}
		}
		if err := a.Take(public); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(accepted)) {
		if !chosen[name] {
			t.Errorf("%s: another value was accepted", name)
		}
	}
	for name := range chosen {
		if !accepted[name] {
			t.Errorf("%s: no other value was accepted", name)
		}
	}
}

// auditorAt returns an auditor that has taken a number of entries.
func (c *city) auditorAt(t *testing.T, entries int) *rules.Auditor {
	t.Helper()
	a := c.auditor(t)
	for _, public := range c.records[:entries] {
		if err := a.Take(public); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// entryField is a field of an entry, its postings or its fact.
type entryField struct {
	name   string
	change func(*rules.Entry)
}

// changeable lists the fields that an entry's public part holds.
func changeable(e *rules.Entry) (all []entryField) {
	all = []entryField{
		{"seq", func(e *rules.Entry) { e.Seq++ }},
		{"at", func(e *rules.Entry) { e.At-- }},
		{"actor", func(e *rules.Entry) { e.Actor += "x" }},
		{"constitution", func(e *rules.Entry) { e.Constitution += "x" }},
	}
	for i := range e.Postings {
		name := fmt.Sprintf("postings[%d]", i)
		all = append(all,
			entryField{name + ".account", func(e *rules.Entry) { e.Postings[i].Account = netkit.Wallet("nobody") }},
			entryField{name + ".amount", func(e *rules.Entry) { e.Postings[i].Amount++ }},
			entryField{name + ".after", func(e *rules.Entry) { e.Postings[i].After++ }},
			entryField{name + ".prev", func(e *rules.Entry) { e.Postings[i].Prev++ }})
	}
	fact := reflect.TypeOf(e.Fact).Elem()
	for _, f := range reflect.VisibleFields(fact) {
		if !f.IsExported() || f.Anonymous {
			continue
		}
		all = append(all, entryField{f.Name, func(e *rules.Entry) { bump(reflect.ValueOf(e.Fact).Elem().FieldByIndex(f.Index)) }})
	}
	return all
}

// bump changes a value to another of its type.
func bump(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Uint8: // a name, of which there are two at least
		if v.Uint() == 1 {
			v.SetUint(0)
		} else {
			v.SetUint(1)
		}
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Array:
		bump(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				bump(v.Field(i))
				return
			}
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		}
		bump(v.Index(v.Len() - 1))
	}
}

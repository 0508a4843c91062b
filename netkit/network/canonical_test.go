package network

import (
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// derived names the fields that the canonical form leaves out because they
// follow from others. Whoever adds one says so here and fills it in derive.
var derived = map[string]string{
	"state.slugs":              "parties",
	"state.sponsors":           "parties",
	"state.confirmed":          "confirmed addresses of the parties",
	"stock.byHash":             "playbooks",
	"stock.holders":            "playbooks",
	"feed.media":               "dispatches",
	"feed.lines":               "dispatches",
	"reviewState.judged":       "cases",
	"reviewState.undrawn":      "cases",
	"reviewState.sealed":       "cases",
	"reviewState.reviewers":    "roles of the parties",
	"reviewState.proved":       "confirmed addresses of the parties",
	"party.badges":             "walls of the extras",
	"extra.proved":             "reviewState.proved",
	"mail.requests":            "carried in the order of filed",
	"extra.playbooks":          "playbooks",
	"mailbox.inbox":            "requests",
	"mailbox.sent":             "requests",
	"mailbox.pendingIn":        "requests",
	"mailbox.pendingOut":       "requests",
	"mailbox.pendingNewcomers": "requests",
}

// reach makes an unexported field settable.
func reach(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// tablePath is where a table or an index stands in the state.
type tablePath struct {
	name  string
	index []int
}

// tablePaths finds the tables and indexes of a struct and of those embedded.
func tablePaths(t reflect.Type, above []int) (all []tablePath) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), above...), i)
		switch {
		case strings.HasPrefix(f.Type.Name(), "Table["), strings.HasPrefix(f.Type.Name(), "Index["), strings.HasPrefix(f.Type.Name(), "Rows["):
			all = append(all, tablePath{t.Name() + "." + f.Name, at})
		case f.Anonymous:
			all = append(all, tablePaths(f.Type, at)...)
		}
	}
	return all
}

// put adds one empty row to a table or an index.
func put(v reflect.Value) {
	if m := v.FieldByName("M"); m.IsValid() {
		m = reach(m)
		m.SetMapIndex(reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem())
		return
	}
	add := v.Addr().MethodByName("Add")
	if add.Type().NumIn() == 2 { // with its number
		add.Call([]reflect.Value{reflect.ValueOf(uint64(0)), reflect.New(add.Type().In(1)).Elem()})
		return
	}
	add.Call([]reflect.Value{reflect.New(add.Type().In(0)).Elem()})
}

// A snapshot is made while others read, so making one must not write: the race
// detector would find two at once that do.
func TestCanonicalFormOnlyReads(t *testing.T) {
	s := rules.NewState()
	*lawOf(s) = netkit.Version1()
	for _, path := range tablePaths(reflect.TypeFor[rules.State](), nil) {
		if derived[path.name] == "" {
			put(reach(reflect.ValueOf(s).Elem().FieldByIndex(path.index)))
		}
	}
	f := memory(t)
	f.writers()
	var all sync.WaitGroup
	for _, encode := range []func() []byte{s.Canonical, f.state.Canonical, f.secrets.Stored} {
		want := string(encode())
		for range 2 {
			all.Go(func() {
				if got := string(encode()); got != want {
					t.Errorf("at the same time: got %s, want %s", got, want)
				}
			})
		}
	}
	all.Wait()
}

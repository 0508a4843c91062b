package netkit

import (
	"reflect"
	"unsafe"

	"github.com/agentnet/netctl/netkit/internal/wire"
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

// row is what a table or an index of the state holds.
type row interface{ Fields(*wire.Codec) }

// reach makes an unexported field settable.
func reach(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// leaf is one field deep inside a row.
type leaf struct {
	path string
	at   func(reflect.Value) reflect.Value // from the row to the field
}

// tablePath is where a table or an index stands in the state.
type tablePath struct {
	name  string
	index []int
}

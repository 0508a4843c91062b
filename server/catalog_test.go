package server

import (
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit/catalog"
)

// The routes are those of the catalogue, with what it says they need.
func TestRoutesAreTheCatalogue(t *testing.T) {
	left := map[string]*catalog.Operation{}
	for o := range catalog.All() {
		left[o.Route()] = o
	}
	for _, r := range start(t).routes() {
		o := left[r.method+" "+r.path]
		if o == nil {
			t.Errorf("%s %s is not in the catalogue", r.method, r.path)
			continue
		}
		delete(left, o.Route())
		if r.scope != o.Scope || r.as != o.As || r.tag != o.Tag || r.hidden != o.Hidden || !slices.Equal(r.errors, o.Errors) {
			t.Errorf("%s: the route needs scope %q as %q, tag %q, hidden %v, errors %v; the catalogue says %q as %q, %q, %v, %v", o.Name,
				r.scope, r.as, r.tag, r.hidden, r.errors, o.Scope, o.As, o.Tag, o.Hidden, o.Errors)
		}
	}
	for route := range left {
		t.Errorf("%s is in the catalogue and has no route", route)
	}
}

package server

import (
	"testing"

	"github.com/agentnet/netctl/netkit/catalog"
)

// Each operation of the catalogue has one route.
func TestEveryOperationIsServed(t *testing.T) {
	served := map[*catalog.Operation]bool{}
	for _, r := range start(t).routes() {
		if catalog.Find(r.Name) != r.Operation || served[r.Operation] {
			t.Errorf("%s is served twice, or is not in the catalogue", r.Route())
		}
		served[r.Operation] = true
	}
	for o := range catalog.All() {
		if !served[o] {
			t.Errorf("%s is in the catalogue and has no route", o.Name)
		}
	}
}

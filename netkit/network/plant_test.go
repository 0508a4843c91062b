package network

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func TestPlantIsCreatedOnce(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	for _, id := range []int64{7, 0, -1, math.MaxInt64, math.MinInt64} {
		got := must[netkit.Plant](t)(f.op().CreatePlant(ctx, netkit.CreatePlant{ID: id, Name: "Monstera", Tag: "indoor"}))
		if got != (netkit.Plant{Name: "Monstera", Tag: "indoor"}) {
			t.Errorf("got %+v, want Monstera, indoor", got)
		}
		f.Unchanged(t, func() {
			_, err := f.op().CreatePlant(ctx, netkit.CreatePlant{ID: id, Name: "Ficus"})
			refused(t, err, netkit.ErrConflict, "plant_exists")
		})
	}
	f.restarts(t)
	if got := len(tablesOf(f.state).Plants.M); got != 5 {
		t.Errorf("got %d plants, want 5", got)
	}
	for _, e := range must[[]json.RawMessage](t)(f.Entries(ctx, 0, 0)) {
		if bytes.Contains(e, []byte("Monstera")) || bytes.Contains(e, []byte(`"kind":"plant.created"`)) && bytes.Contains(e, []byte("postings")) {
			t.Errorf("the public part %s holds a name or postings", e)
		}
	}
}

func TestPlantWithTheSameKey(t *testing.T) {
	f := start(t, journal.NewMemory())
	in := netkit.CreatePlant{ID: 1, Name: "Monstera"}
	must[netkit.Plant](t)(f.op().CreatePlant(netkit.WithKey(t.Context(), "k"), in))
	f.Unchanged(t, func() {
		if again := must[netkit.Plant](t)(f.op().CreatePlant(netkit.WithKey(t.Context(), "k"), in)); again.Name != "Monstera" {
			t.Errorf("got %+v, want Monstera", again)
		}
	})
}

func TestPlantRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("sus")
	f.suspend("sus")
	for _, c := range []struct {
		by   string
		in   netkit.CreatePlant
		kind error
		code string
	}{
		{"", netkit.CreatePlant{ID: 1, Name: "a"}, netkit.ErrUnauthenticated, "unauthenticated"},
		{"sus", netkit.CreatePlant{ID: 1, Name: "a"}, netkit.ErrForbidden, "agent_suspended"},
		{"operator", netkit.CreatePlant{ID: 1}, netkit.ErrInvalid, "text_missing"},
		{"operator", netkit.CreatePlant{ID: 1, Name: strings.Repeat("a", 1001)}, netkit.ErrInvalid, "text_too_long"},
		{"operator", netkit.CreatePlant{ID: 1, Name: "a", Tag: "\x02"}, netkit.ErrInvalid, "text_control"},
	} {
		f.Unchanged(t, func() {
			_, err := f.As(c.by).CreatePlant(t.Context(), c.in)
			refused(t, err, c.kind, c.code)
		})
	}
}

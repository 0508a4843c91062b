package netkit

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestPlantIsCreatedOnce(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	for _, id := range []int64{7, 0, -1, math.MaxInt64, math.MinInt64} {
		got := must[Plant](t)(f.op().CreatePlant(ctx, CreatePlant{ID: id, Name: "Monstera", Tag: "indoor"}))
		if got != (Plant{"Monstera", "indoor"}) {
			t.Errorf("got %+v, want Monstera, indoor", got)
		}
		f.unchanged(t, func() {
			_, err := f.op().CreatePlant(ctx, CreatePlant{ID: id, Name: "Ficus"})
			refused(t, err, ErrConflict, "plant_exists")
		})
	}
	f.restarts(t)
	if got := len(f.state.plants.M); got != 5 {
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
	in := CreatePlant{ID: 1, Name: "Monstera"}
	must[Plant](t)(f.op().CreatePlant(WithKey(t.Context(), "k"), in))
	f.unchanged(t, func() {
		if again := must[Plant](t)(f.op().CreatePlant(WithKey(t.Context(), "k"), in)); again.Name != "Monstera" {
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
		in   CreatePlant
		kind error
		code string
	}{
		{"", CreatePlant{ID: 1, Name: "a"}, ErrUnauthenticated, "unauthenticated"},
		{"sus", CreatePlant{ID: 1, Name: "a"}, ErrForbidden, "agent_suspended"},
		{"operator", CreatePlant{ID: 1}, ErrInvalid, "text_missing"},
		{"operator", CreatePlant{ID: 1, Name: strings.Repeat("a", 1001)}, ErrInvalid, "text_too_long"},
		{"operator", CreatePlant{ID: 1, Name: "a", Tag: "\x02"}, ErrInvalid, "text_control"},
	} {
		f.unchanged(t, func() {
			_, err := f.As(c.by).CreatePlant(t.Context(), c.in)
			refused(t, err, c.kind, c.code)
		})
	}
}

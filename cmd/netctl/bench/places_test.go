package bench

import "testing"

// One address takes a tenth of the stream places, ten take all of them, and a
// further one then still gets a place.
func TestRunPlaces(t *testing.T) {
	r, err := RunPlaces(t.Context(), Places{Places: 40, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Taken{One: 4, Next: true, Ten: 40, Late: true}); r.Streams != want {
		t.Errorf("got %+v, want %+v", r.Streams, want)
	}
	if r.Connections != (Taken{}) {
		t.Errorf("got %+v, want no connections measured without a bound", r.Connections)
	}
}

package netkit

import (
	"encoding/json"
	"math"
	"testing"
)

func TestCreditsAreExact(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Credits
		bad  bool
	}{
		{in: "0", want: 0}, {in: "-0", want: 0}, {in: "12.5", want: 1250}, {in: "-2.00", want: -200}, {in: "0.01", want: 1},
		{in: "1.250", want: 125}, {in: "1.25e3", want: 125_000}, {in: "1250e-2", want: 1250}, {in: "5e-2", want: 5},
		{in: "92233720368547758.07", want: math.MaxInt64}, {in: "92233720368547758.08", bad: true},
		{in: "0.001", bad: true}, {in: "1.999", bad: true}, {in: "5e-3", bad: true}, {in: "1e31", bad: true}, {in: "1e30", bad: true},
		{in: "", bad: true}, {in: "abc", bad: true}, {in: "1.", bad: true}, {in: ".5", bad: true}, {in: "+1", bad: true}, {in: "1e", bad: true}, {in: "0x10", bad: true}, {in: "NaN", bad: true},
	} {
		got, err := ParseCredits(c.in)
		if (err != nil) != c.bad || got != c.want && !c.bad {
			t.Errorf("%q: got %v, %v; want %v, refused %v", c.in, got, err, c.want, c.bad)
		}
	}
	if err := json.Unmarshal([]byte(`"12.50"`), new(Credits)); err == nil {
		t.Error("an amount in quotes was accepted")
	}
}

func TestCreditsText(t *testing.T) {
	for c, want := range map[Credits]string{0: "0.00", 5: "0.05", -200: "-2.00", math.MinInt64: "-92233720368547758.08"} {
		if got := c.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for r, want := range map[Ratio]string{3000: "0.30", 2999: "0.2999", 10000: "1.00", -50: "-0.0050"} {
		if got := r.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A day is the calendar's in UTC, before 1970 too.
func TestDayOfAMoment(t *testing.T) {
	for m, want := range map[Millis]string{0: "1970-01-01", -1: "1969-12-31", FullDay - 1: "1970-01-01", FullDay: "1970-01-02",
		-FullDay: "1969-12-31", -FullDay - 1: "1969-12-30", 1_771_545_599_999: "2026-02-19", 1_771_545_600_000: "2026-02-20"} {
		if got := m.Day().String(); got != want {
			t.Errorf("%d: got %s, want %s", m, got, want)
		}
	}
}

// A time is read as answers have it and as the journal has it.
func TestMillisReadsBothForms(t *testing.T) {
	want := Millis(1_771_588_800_000)
	for _, in := range []string{`"2026-02-20T12:00:00Z"`, `"2026-02-20T12:00:00.000Z"`, `1771588800000`} {
		var got Millis
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", in, got, err, want)
		}
	}
	for _, in := range []string{`"1771588800000"`, `1.5`, `"noon"`, `true`} {
		if err := json.Unmarshal([]byte(in), new(Millis)); err == nil {
			t.Errorf("%s was read", in)
		}
	}
}

package timespan

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]time.Duration{"90m": 90 * time.Minute, "12h": 12 * time.Hour, "30d": 30 * day, "1d2h": 26 * time.Hour, "0d5s": 5 * time.Second, "1d1h30m": day + 90*time.Minute, "366d": 366 * day} {
		if got, err := Parse(text, 366*day); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": Forms, "3": Forms, "d": Forms, "-1d": Forms, "1d-2h": Forms, "1d2d": Forms, "2h1d": Forms, "1.5d": Forms, "tomorrow": Forms,
		"0": "above 0", "0d": "above 0", "-5m": "above 0",
		"367d": "at most 366d", "366d1s": "at most 366d", "9999999d": "at most 366d", "99999999999999999999d": "at most 366d", "8785h": "at most 366d",
	} {
		if got, err := Parse(text, 366*day); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v, want an error with %q", text, got, err, want)
		}
	}
	if _, err := Parse("36501d", 0); err == nil || !strings.Contains(err.Error(), "at most 36500d") {
		t.Errorf("got %v, want the limit of a hundred years", err)
	}
}

// Parse reads what Format writes.
func TestFormatIsParsed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := time.Duration(rapid.Int64Range(1, int64(Max)).Draw(t, "span"))
		if got, err := Parse(Format(want), 0); err != nil || got != want {
			t.Fatalf("%s: got %s, %v, want %s", Format(want), got, err, want)
		}
	})
}

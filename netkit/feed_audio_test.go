package netkit

import (
	"encoding/json"
	"testing"
)

func TestSecondsAreExact(t *testing.T) {
	for text, want := range map[string]Seconds{"0": 0, "12.04": 12_040, "0.001": 1, "3600": 3_600_000, "1.5": 1500} {
		var got Seconds
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s: got %d, %v; want %d", text, got, err, want)
		}
		if b, _ := json.Marshal(want); string(b) != text {
			t.Errorf("got %s, want %s", b, text)
		}
	}
	for _, text := range []string{"-1", "0.0001", `"12"`, "true", "1e40"} {
		var got Seconds
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s: got %d, want an error", text, got)
		}
	}
}

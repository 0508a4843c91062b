package wire

import (
	"encoding/json"
	"testing"
)

// FuzzJSONLength compares jsonLength with encoding/json where that finds an object or
// array at the start.
func FuzzJSONLength(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, `{"a":"b"}x`, `{"a":"}"}`, `{"a":"\\"}"}`, `{"a\"":["]",{"b":1}],"c":""}rest`, `{"a":"\u0022}`, `{"a`, `{"a\`, `"a"`, `1`, ``, `{"\\\\":[[]]}`, `[{}`, `]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n := jsonLength(b)
		if n < -1 || n > len(b) || n == 0 {
			t.Fatalf("got %d of %d bytes", n, len(b))
		}
		var first json.RawMessage
		whole := len(b) > 0 && (b[0] == '{' || b[0] == '[')
		for end := 1; whole && end <= len(b); end++ {
			if json.Unmarshal(b[:end], &first) == nil {
				if n != end {
					t.Errorf("got %d, want %d", n, end)
				}
				return
			}
		}
		if n >= 0 && !whole {
			t.Errorf("got %d for what is no object or array", n)
		}
	})
}

package strictjson_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/strictjson"
)

func whole(b []byte) error {
	r := strictjson.New(b)
	if _, err := r.Skip(); err != nil {
		return err
	}
	return r.End()
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		document string
		at       int // -1 for none
	}{
		"sound":           {` {"a" : [1, -2.5e3, true, null, "\u00e9\ud83d\ude00"], "b":{}} `, -1},
		"empty":           {"  ", 2},
		"two documents":   {"{} 1", 3},
		"trailing comma":  {`[1,]`, 3},
		"no colon":        {`{"a" 1}`, 5},
		"cut off":         {`{"a":`, 5},
		"open string":     {`["ab`, 2},
		"control":         {"[\"a\x01\"]", 3},
		"not UTF-8":       {"[\"a\xff\"]", 2},
		"wrong escape":    {`["\x"]`, 2},
		"half a pair":     {`["ab\ud83d"]`, 4},
		"other half":      {`["ab\\\ude00"]`, 6},
		"a form feed":     {"0\f", 0},
		"wrong number":    {"[01]", 1},
		"nested too deep": {strings.Repeat("[", 1_000_000), strictjson.Deepest + 1},
	} {
		err := whole([]byte(c.document))
		var f *strictjson.Fault
		if errors.As(err, &f) != (c.at >= 0) || f != nil && f.At != c.at {
			t.Errorf("%s: got %v, want a fault at %d", name, err, c.at)
		}
	}
}

// Half a surrogate pair is found where its escape begins.
func TestHalfASurrogatePair(t *testing.T) {
	for literal, want := range map[string]int{
		`"plain"`:              -1,
		`"\ud83d\ude00"`:       -1,
		`"\uD83D\uDE00 \n"`:    -1,
		`"\\ud83d"`:            -1, // a backslash and four letters
		`"\\\ud83d"`:           3,
		`"\ud83d"`:             1,
		`"\ud83dx"`:            1,
		`"\ud83d\u0041"`:       1,
		`"\ude00"`:             1,
		`"é\ude00"`:            3, // bytes
		`"\ufffd"`:             -1,
		`"\ud83d\ude00\ude00"`: 13,
	} {
		err := whole([]byte(literal))
		var f *strictjson.Fault
		if errors.As(err, &f) != (want >= 0) || f != nil && f.At != want {
			t.Errorf("%s: got %v, want a fault at %d", literal, err, want)
		}
	}
}

// What is taken is JSON, and the offsets are those of the values.
func FuzzReader(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"\n"}],"c":null}`))
	f.Add([]byte("0\f")) // a form feed is white space for Go, but not for JSON
	f.Add([]byte("\r\n\t 0 "))
	f.Fuzz(func(t *testing.T, b []byte) {
		if whole(b) != nil {
			return
		}
		if !json.Valid(b) {
			t.Fatalf("%q: taken, but it is not JSON", b)
		}
		r := strictjson.New(b)
		if r.Peek() != '{' {
			return
		}
		if err := r.Object(func([]byte, int) error {
			at := r.Offset()
			if r.Peek() == ':' {
				t.Fatalf("%q: the colon is left over", b)
			}
			raw, err := r.Skip()
			if err == nil && string(b[at:at+len(raw)]) != string(raw) {
				t.Fatalf("%q: got %q at %d", b, raw, at)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	})
}

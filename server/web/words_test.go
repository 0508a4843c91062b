package web

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// TestPhrases writes what functions of templates make.
func TestPhrases(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"one", counted(1, "agent", "agents"), "1 agent"},
		{"none", counted(0, "agent", "agents"), "0 agents"},
		{"thousands", counted(1200, "agent", "agents"), "1\u202f200 agents"},
		{"a name", human(netkit.FieldAgent), "Field agent"},
		{"nothing", human(""), ""},
		{"earned", signed(170), "+1.70"},
		{"paid", signed(-5), "−0.05"},
		{"a list", list([]netkit.Badge{netkit.FieldAgent, netkit.DisputeMaster}), "Field agent, Dispute master"},
		{"an empty list", list([]netkit.Badge(nil)), ""},
		{"a hash", tail("0123456789abcdef01234"), "01234567…f01234"},
		{"a short word", tail("0123456789abcdef"), "0123456789abcdef"},
		{"no time", string(when(0)), ""},
		{"a time", string(when(1_771_588_800_000)), `<time datetime="2026-02-20T12:00:00Z" title="2026-02-20 12:00:00 UTC">20 Feb 2026, 12:00</time>`},
		{"the section", section("/ledger/accounts/treasury") + section("/"), "ledger"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
	if _, err := dict(1, 2); err == nil {
		t.Error("a dict with a key that is not a string is taken")
	}
}

// TestVisible shows marks that have no shape, and leaves all else as it is.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"ü 漢 🙂"}`:          `{"a":"ü 漢 🙂"}`,
		"a\u202eb\u2066c":        `a\u202eb\u2066c`,
		"\u200b\u2028\U000e0041": `\u200b\u2028\udb40\udc41`,
		"{\n  \"a\": 1\n}":       "{\n  \"a\": 1\n}",
	} {
		if got := visible(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestLine leaves what a reader sees of a text, on one line.
func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"ü 漢 🙂":                            "ü 漢 🙂",
		"a\u202eb\u200bc\u2066":            "abc",
		"a\u2028b\u2029c\x00d\r\n\n# HEAD": "a b c d # HEAD",
		"❤\ufe0fx\U000e0100y":              "❤xy",
		"\U000e0041\u3164\xff":             "\ufffd",
	} {
		if got := Line(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

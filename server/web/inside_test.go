package web

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// TestSessionsEnd lets time pass over sessions.
func TestSessionsEnd(t *testing.T) {
	now := time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)
	ss := newSessions(func() time.Time { return now })
	used, idle := ss.begin(&session{token: "a"}), ss.begin(&session{token: "b"})
	for range 11 {
		now = now.Add(59 * time.Minute)
		if ss.find(used) == nil {
			t.Fatalf("at %s: a session in use has ended", now)
		}
		if now.Hour() >= 13 && ss.find(idle) != nil && now.Sub(time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)) > 12*time.Hour {
			t.Fatalf("at %s: a session outlives its life", now)
		}
	}
	now = now.Add(61 * time.Minute)
	if ss.find(used) != nil {
		t.Error("a session is there after an hour without a request")
	}
	again := ss.begin(&session{token: "c"})
	for range 13 {
		now = now.Add(55 * time.Minute)
		ss.find(again)
	}
	now = now.Add(10 * time.Minute)
	if ss.find(again) != nil {
		t.Error("a session is there after twelve hours of use")
	}
}

// TestSessionsBounded begins more sessions than are kept.
func TestSessionsBounded(t *testing.T) {
	now := time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)
	ss := newSessions(func() time.Time { now = now.Add(time.Microsecond); return now })
	for i := range maxSessions {
		ss.by[fmt.Sprint(i)] = &session{since: now, seen: now.Add(time.Duration(i) * time.Microsecond)}
	}
	ss.begin(&session{})
	if _, there := ss.by["0"]; there || len(ss.by) != maxSessions {
		t.Errorf("got %d sessions, the oldest among them: %v; want %d without it", len(ss.by), there, maxSessions)
	}
}

func TestCues(t *testing.T) {
	const vtt = "WEBVTT\n\nNOTE a note\n\n1\n00:00.000 --> 00:02.500\nRegional grid failure.\n\n01:02:03.250 --> 01:02:09.000\nTwo lines\nof one cue.\n"
	for _, c := range []struct {
		text  string
		timed bool
		want  []cue
	}{
		{vtt, true, []cue{{"00:00", "0.000", "Regional grid failure."}, {"01:02:03", "3723.250", "Two lines"}, {"01:02:03", "3723.250", "of one cue."}}},
		{"One line.\r\n\r\nAnother.", false, []cue{{Text: "One line."}, {Text: "Another."}}},
		{"", true, nil},
		{"WEBVTT\n\nx:y --> z\nhow?", true, []cue{{"x:y", "0", "how?"}}},
	} {
		if diff := cmp.Diff(c.want, cues(c.text, c.timed)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestCount(t *testing.T) {
	for v, want := range map[any]string{0: "0", 999: "999", 1000: "1\u202f000", netkit.Credits(-2590000): "−25\u202f900.00", netkit.Credits(5): "0.05", uint64(1234567): "1\u202f234\u202f567", -1: "−1"} {
		if got := count(v); got != want {
			t.Errorf("%v: got %q, want %q", v, got, want)
		}
	}
}

// TestPictures draws from odd numbers: pictures are well-formed and say what
// they show.
func TestPictures(t *testing.T) {
	lines := []netkit.StatementLine{{At: 3000, After: 700}, {At: 2000, After: 700}, {At: 1000, After: -100}, {At: 1000, After: 0}}
	for name, got := range map[string]string{
		"meter of nothing": string(drawMeter(0, 0)),
		"meter":            string(drawMeter(50, 100)),
		"books of nothing": string(drawBooks(netkit.Books{})),
		"books":            string(drawBooks(netkit.Books{Issued: -100, Wallets: 60, Treasury: 40})),
		"balance":          string(drawBalance(`a "name" <b>`, lines)),
		"flat balance":     string(drawBalance("x", lines[:2])),
		"dial":             string(drawDial(1.2, []float64{.3})),
		"medal":            string(drawMedal(netkit.BadgeView{Badge: netkit.DisputeMaster})),
	} {
		if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") || strings.Contains(got, "<b>") || strings.Count(got, "<svg") != strings.Count(got, "</svg>") {
			t.Errorf("%s: got %s", name, got)
		}
		if !strings.Contains(got, "aria-label=") && !strings.Contains(got, "aria-hidden=") {
			t.Errorf("%s: says nothing: %s", name, got)
		}
	}
	if got := drawBalance("x", lines[:1]); got != "" {
		t.Errorf("a balance of one posting: got %s, want nothing", got)
	}
	if got := string(drawBalance("x", lines[2:])); !strings.Contains(got, "H1000.0V") {
		t.Errorf("a balance of one moment: got %s, want the whole width", got)
	}
}

// TestSnippets writes programs for operations of all forms: each is Go as
// gofmt leaves it.
func TestSnippets(t *testing.T) {
	for _, op := range []operation{
		{Method: "GET", Path: "/directory", Auth: "none"},
		{Method: "GET", Path: "/api/agent/me", Auth: "required"},
		{Method: "POST", Path: "/api/intent", Auth: "required", BodyType: "application/json"},
		{Method: "POST", Path: "/api/agent/spawn", Auth: "none", BodyType: "application/json"},
		{Method: "POST", Path: "/api/net/audio", Auth: "required", BodyType: "audio/*"},
		{Method: "DELETE", Path: "/api/agent/tokens/{id}", Auth: "required"},
	} {
		example := map[string]any{"text": "it's `quoted`"}
		text := strings.ReplaceAll(goOf(&op, example), baseMark, "http://127.0.0.1:8787")
		if _, err := parser.ParseFile(token.NewFileSet(), "main.go", text, parser.AllErrors); err != nil {
			t.Errorf("%s %s: %v\n%s", op.Method, op.Path, err, text)
		}
		formatted, err := format.Source([]byte(text))
		if err != nil || string(formatted) != text {
			t.Errorf("%s %s: %v, not formatted:\n%s", op.Method, op.Path, err, text)
		}
		if curl := curlOf(&op, example); strings.Count(strings.ReplaceAll(curl, `'\''`, ""), "'")%2 != 0 || strings.Contains(examplePath(op.Path), "{") {
			t.Errorf("%s %s: got %s", op.Method, op.Path, curl)
		}
	}
}

func TestTakesGzip(t *testing.T) {
	for given, want := range map[string]bool{"": false, "gzip": true, "gzip, br": true, "br;q=1.0, gzip;q=0.8": true, "gzip;q=0": false, "gzip;q=0.000": false, "identity": false} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", given)
		if got := takesGzip(r); got != want {
			t.Errorf("%q: got %v, want %v", given, got, want)
		}
	}
}

// TestSessionsOfOne begins more sessions for one party than it may have: the
// others keep theirs.
func TestSessionsOfOne(t *testing.T) {
	now := time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)
	ss := newSessions(func() time.Time { now = now.Add(time.Second); return now })
	first, other := ss.begin(&session{owner: "ada"}), ss.begin(&session{owner: "bert"})
	for range sessionEach - 1 {
		ss.begin(&session{owner: "ada"})
	}
	if ss.find(first) == nil {
		t.Error("a session ended before its party had too many")
	}
	unused := ss.begin(&session{owner: "ada"}) // ends the second, since the first was just used
	for range sessionEach - 1 {
		ss.begin(&session{owner: "ada"})
	}
	if ss.find(other) == nil {
		t.Error("one party signed another out")
	}
	if ss.find(first) != nil || ss.find(unused) == nil || len(ss.by) != sessionEach+1 {
		t.Errorf("got %d sessions, want the %d newest of one and the one of another", len(ss.by), sessionEach)
	}
}

// TestSecureCookie gives the cookie a name and a flag by which browsers keep
// neighbours and plain http away.
func TestSecureCookie(t *testing.T) {
	for secure, want := range map[bool]string{true: "__Host-netctl_session", false: "netctl_session"} {
		p := &Pages{cfg: Config{Secure: secure}}
		if c := p.cookie(httptest.NewRequest("GET", "/", nil), "x", 1); c.Name != want || c.Secure != secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" {
			t.Errorf("secure %v: got %+v", secure, c)
		}
	}
}

// ownScreens are the templates that the package holds.
func ownScreens(t *testing.T) screens {
	t.Helper()
	a, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	all, err := loadScreens(&a)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestBadgeWall links each badge to the entry that issued it, and a revoked
// one to the entry that took it too.
func TestBadgeWall(t *testing.T) {
	all := ownScreens(t)
	d := agentData{Wall: []medal{
		{BadgeView: netkit.BadgeView{Badge: netkit.FieldAgent, Seq: 4711, Active: true}},
		{BadgeView: netkit.BadgeView{Badge: netkit.DisputeMaster, Seq: 17, Revoked: &netkit.RevocationView{Seq: 99, Revoker: "ada", Witness: "bert", Reason: "<b>why</b>"}}},
	}}
	var page strings.Builder
	if err := all["agent"].ExecuteTemplate(&page, "content", &frame{Data: &d}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<a href="/ledger/4711">entry 4711</a>`, `<a href="/ledger/17">entry 17</a>`, `<a href="/ledger/99">entry 99</a>`, "&lt;b&gt;why"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the wall does not show %s", want)
		}
	}
}

package web

import (
	"bytes"
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
	ss := testSessions(t, 1, &now)
	known := func(value string) bool { s, _ := ss.find(value); return s != nil }
	used, idle := ss.begin(&session{token: "a"}), ss.begin(&session{token: "b"})
	for range 11 {
		now = now.Add(59 * time.Minute)
		if !known(used) {
			t.Fatalf("at %s: a session in use has ended", now)
		}
		if now.Hour() >= 13 && known(idle) && now.Sub(time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)) > 12*time.Hour {
			t.Fatalf("at %s: a session outlives its life", now)
		}
	}
	now = now.Add(61 * time.Minute)
	if known(used) {
		t.Error("a session is there after an hour without a request")
	}
	again := ss.begin(&session{token: "c"})
	for range 13 {
		now = now.Add(55 * time.Minute)
		known(again)
	}
	now = now.Add(10 * time.Minute)
	if known(again) {
		t.Error("a session is there after twelve hours of use")
	}
}

// TestSessionsBounded begins more sessions than are kept.
func TestSessionsBounded(t *testing.T) {
	now := time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)
	ss := testSessions(t, 1, &now)
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

// testSessions are sessions whose clock is now.
func testSessions(t *testing.T, key byte, now *time.Time) sessions {
	t.Helper()
	ss, err := newSessions(bytes.Repeat([]byte{key}, 32), func() time.Time { return *now })
	if err != nil {
		t.Fatal(err)
	}
	return ss
}

// TestSessionsOutliveTheProcess: another process with the key knows a session, one
// with another key does not, nor a cookie that was changed. It ends when it is
// unused, or old.
func TestSessionsOutliveTheProcess(t *testing.T) {
	start := time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)
	now := start
	one, two, stranger := testSessions(t, 1, &now), testSessions(t, 1, &now), testSessions(t, 2, &now)
	value := one.begin(&session{token: "nk_ada", owner: "ada"})
	if s, stale := two.find(value); s == nil || s.token != "nk_ada" || !s.since.Equal(start) || stale {
		t.Fatalf("another process: got %+v, stale %v", s, stale)
	}
	if s, _ := stranger.find(value); s != nil {
		t.Error("another key opens the session")
	}
	for i := range value {
		changed := []byte(value)
		changed[i] ^= 1
		if s, _ := one.find(string(changed)); s != nil && i < len(value)-1 { // the last letter may have spare bits
			t.Errorf("a cookie whose letter %d was changed opens", i)
		}
	}
	now = start.Add(sessionIdle - time.Second)
	s, stale := two.find(value)
	if s == nil || !stale {
		t.Fatalf("got %+v, stale %v; want a session that needs a new cookie", s, stale)
	}
	renewed := two.value(s)
	now = start.Add(sessionIdle + time.Minute)
	three := testSessions(t, 1, &now)
	if s, _ := three.find(value); s != nil {
		t.Error("an unused cookie opens a session")
	}
	if s, _ := three.find(renewed); s == nil {
		t.Error("the new cookie opens none")
	}
	for now = start; now.Before(start.Add(sessionLife)); now = now.Add(sessionIdle / 2) {
		s, _ := three.find(renewed)
		if s == nil {
			t.Fatalf("ended at %s", now)
		}
		renewed = three.value(s)
	}
	if s, _ := three.find(renewed); s != nil {
		t.Error("a session outlives its longest life")
	}
	now = start
	one.end(value)
	if s, _ := one.find(value); s != nil {
		t.Error("a session that was signed out opens")
	}
}

// TestSessionsKept bounds what is kept of one party's sessions, and signs none out.
func TestSessionsKept(t *testing.T) {
	now := time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)
	ss := testSessions(t, 1, &now)
	first, other := ss.begin(&session{owner: "ada"}), ss.begin(&session{owner: "bert"})
	for range 3 * sessionEach {
		now = now.Add(time.Second)
		ss.begin(&session{owner: "ada"})
	}
	if len(ss.by) != sessionEach+1 {
		t.Errorf("got %d kept, want %d", len(ss.by), sessionEach+1)
	}
	for _, value := range []string{first, other} {
		if s, _ := ss.find(value); s == nil {
			t.Error("a session was signed out")
		}
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

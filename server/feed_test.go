package server

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server/audio"
)

func recording(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../examples/audio", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// store uploads a recording and a transcript.
func (f *fixture) store(token, name string) (a netkit.AudioRef, tr netkit.TextRef) {
	f.t.Helper()
	f.ask("POST", "/api/net/audio", token, recording(f.t, name), "Content-Type", "audio/mpeg").into(200, &a)
	f.ask("POST", "/api/net/transcripts", token, "WEBVTT\n\n00:00.000 --> 00:01.000\n"+name+"\n", "Content-Type", "text/vtt").into(200, &tr)
	return a, tr
}

// publish publishes a dispatch with audio as the operator.
func (f *fixture) publishAs(token, priority, file string) uint64 {
	f.t.Helper()
	a, tr := f.store(token, file)
	var out netkit.DispatchReceipt
	f.ask("POST", "/api/net/dispatches", token, map[string]any{"priority": priority, "channel": "SILICON", "headline": "Headline of " + priority, "summary": "Summary of " + priority,
		"audio": a, "transcript": tr}).into(200, &out)
	return out.DispatchID
}

// correspondent spawns an agent with that role.
func (f *fixture) correspondent(slug string) string {
	f.t.Helper()
	token := f.spawn(slug)
	f.ask("POST", "/api/agents/"+slug+"/roles", f.op, `{"role":"correspondent","grant":true,"reason":"known"}`).into(200, new(netkit.RoleReceipt))
	return token
}

func TestUpload(t *testing.T) {
	f := start(t, func(c *Config) { c.Limits.Audio = 100 << 10 })
	cora, ada := f.correspondent("cora"), f.spawn("ada")
	a, tr := f.store(cora, "p0-grid-failure.mp3")
	if a.Type != "audio/mpeg" || a.Duration != 16992 || a.Bytes != int64(len(recording(t, "p0-grid-failure.mp3"))) || tr.Type != "text/vtt" {
		t.Errorf("got %+v and %+v, want an MP3 of 16.992 s and a VTT", a, tr)
	}
	up := func(token, path string, body any) answered {
		return f.ask("POST", path, token, body, "Content-Type", "application/octet-stream")
	}
	up(ada, "/api/net/audio", []byte("x")).problem(403, "correspondents_only")
	up(cora, "/api/net/audio", []byte("not audio at all")).problem(422, "audio_unsupported")
	up(cora, "/api/net/audio", recording(t, "correction-silicon.mp3")[:3000]).problem(422, "audio_damaged")
	up(cora, "/api/net/audio", make([]byte, 101<<10)).problem(413, "body_too_large")
	up(cora, "/api/net/transcripts", []byte{0xff, 0xfe}).problem(422, "audio_unsupported")
	up(cora, "/api/net/transcripts", "the key is gsk_"+strings.Repeat("aB3", 18)).problem(422, "key_like_secret")
	up(cora, "/api/net/transcripts", strings.Repeat("x", 2<<20)).problem(413, "body_too_large")
	// Figures that were not measured here are not taken over.
	a.Duration++
	f.ask("POST", "/api/net/dispatches", cora, map[string]any{"priority": "P1", "channel": "LEGAL", "headline": "h", "audio": a}).problem(422, "audio_differs")
	a.SHA256[0]++
	f.ask("POST", "/api/net/dispatches", cora, map[string]any{"priority": "P1", "channel": "LEGAL", "headline": "h", "audio": a}).problem(422, "not_stored")
}

func TestManifestCharges(t *testing.T) {
	f := start(t)
	cora, ada := f.correspondent("cora"), f.spawn("ada")
	f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	paid := f.publishAs(cora, "P1", "p1-silicon-supply.mp3")
	var m netkit.Manifest
	a := f.ask("GET", "/api/net/manifest", "", nil)
	a.into(200, &m)
	if len(m.Items) != 1 || m.Charged != 0 || a.Header().Get("Cache-Control") != "no-store" || !strings.HasPrefix(m.Items[0].Audio.URL, "/audio/") || strings.Contains(m.Items[0].Audio.URL, "sig=") {
		t.Errorf("got %s, want the P0 dispatch with a plain address", a.Body)
	}
	f.ask("GET", "/api/net/manifest?priority=P1", "", nil).problem(401, "unauthenticated")
	f.ask("GET", "/api/net/manifest?priority=P1", f.token(ada, netkit.ScopeRead).Token, nil).problem(403, "scope_missing")
	f.ask("GET", "/api/net/dispatches/"+fmtID(paid), ada, nil).problem(402, "")
	if a := f.ask("HEAD", "/api/net/manifest?priority=all", ada, nil); a.Code != 200 {
		t.Errorf("HEAD: got %d, want 200", a.Code)
	}
	f.ask("GET", "/api/net/manifest?priority=all&quote=true", ada, nil).into(200, &m)
	if m.Charged != 0 || m.Cost != 1000 || len(m.Items) != 0 || f.balance("ada") != 5000 {
		t.Errorf("got %+v with %s in the wallet, want a quote of 10.00 that costs nothing", m, f.balance("ada"))
	}
	f.ask("GET", "/api/net/manifest?priority=all&max_cost=9.99", ada, nil).problem(409, "cost_above_max")
	for _, most := range []string{"ten", "1.234", "1e2000"} {
		f.ask("GET", "/api/net/manifest?priority=all&max_cost="+most, ada, nil).problem(422, "value_wrong")
	}
	if f.balance("ada") != 5000 {
		t.Errorf("got %s in the wallet after a refused read, want 50.00", f.balance("ada"))
	}
	for _, want := range []netkit.Credits{1000, 0} {
		f.ask("GET", "/api/net/manifest?priority=P1,P2&max_cost="+want.String(), ada, nil).into(200, &m)
		if m.Charged != want || len(m.Items) != 1 || f.balance("ada") != 4000 {
			t.Errorf("got %+v with %s in the wallet, want one dispatch for %s", m, f.balance("ada"), want)
		}
	}
	for token, want := range map[string]int{ada: 2, "": 1} {
		f.ask("GET", "/api/net/manifest?priority=all&opened=true", token, nil).into(200, &m)
		if m.Charged != 0 || len(m.Items) != want {
			t.Errorf("opened: got %+v, want %d dispatches for nothing", m, want)
		}
	}
	f.ask("GET", "/api/net/manifest?priority=P1,P2&opened=true", ada, nil).into(200, &m)
	f.checkSignedAddress(m.Items[0].Audio.URL, ada)
	f.ask("GET", "/api/net/dispatches/"+fmtID(paid), ada, nil).into(200, new(netkit.Dispatch))
}

func (f *fixture) balance(slug string) netkit.Credits {
	f.t.Helper()
	var b netkit.AccountBalance
	f.ask("GET", "/api/ledger/balances/wallet:"+slug, "", nil).into(200, &b)
	return b.Balance
}

// checkSignedAddress fetches a paid recording in every way that works, and in
// those that must not.
func (f *fixture) checkSignedAddress(url, reader string) {
	f.t.Helper()
	path, _, _ := strings.Cut(url, "?")
	want := recording(f.t, "p1-silicon-supply.mp3")
	for name, a := range map[string]answered{"signed": f.ask("GET", url, "", nil), "with the token": f.ask("GET", path, reader, nil)} {
		if a.Code != 200 || a.Body.String() != string(want) || a.Header().Get("Content-Type") != "audio/mpeg" || !strings.HasPrefix(a.Header().Get("Cache-Control"), "private") {
			f.t.Errorf("%s: got %d with %d bytes %v, want the recording", name, a.Code, a.Body.Len(), a.Header())
		}
	}
	part := f.ask("GET", url, "", nil, "Range", "bytes=10-19")
	if part.Code != 206 || part.Body.String() != string(want[10:20]) {
		f.t.Errorf("range: got %d with %d bytes, want ten", part.Code, part.Body.Len())
	}
	f.ask("GET", url, "", nil, "Range", "bytes=99999999-").problem(416, "range")
	if a := f.ask("HEAD", url, "", nil); a.Code != 200 || a.Header().Get("Content-Length") == "" {
		f.t.Errorf("HEAD: got %d %v, want a length", a.Code, a.Header())
	}
	f.ask("GET", path, "", nil).problem(403, "not_opened")
	f.ask("GET", path, f.spawn("eve"), nil).problem(403, "not_opened")
	f.ask("GET", strings.Replace(url, "sig=", "sig=A", 1), "", nil).problem(403, "address_refused")
	f.ask("GET", "/audio/"+strings.Repeat("0", 64), "", nil).problem(404, "file_unknown")
	f.ask("GET", "/audio/..%2f..%2fetc%2fpasswd", "", nil).problem(404, "file_unknown")
	f.now.add(time.Hour)
	f.ask("GET", url, "", nil).problem(403, "address_refused")
}

func TestFreeRecordings(t *testing.T) {
	f := start(t)
	id := f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	var d netkit.Dispatch
	f.ask("GET", "/api/net/dispatches/"+fmtID(id), "", nil).into(200, &d)
	a := f.ask("GET", d.Audio.URL, "", nil)
	if a.Code != 200 || a.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("got %d %v, want it cached for ever", a.Code, a.Header())
	}
	if again := f.ask("GET", d.Audio.URL, "", nil, "If-None-Match", a.Header().Get("ETag")); again.Code != 304 {
		t.Errorf("got %d, want 304", again.Code)
	}
	if tr := f.ask("GET", d.Transcript.URL, "", nil); tr.Code != 200 || tr.Header().Get("Content-Type") != "text/vtt; charset=utf-8" {
		t.Errorf("got %d %v, want the transcript", tr.Code, tr.Header())
	}
	var c netkit.CrisisView
	f.ask("GET", "/api/net/crisis", "", nil).into(200, &c)
	if len(c.Running) != 1 || c.Running[0].Audio.URL != d.Audio.URL {
		t.Errorf("got %+v, want the crisis", c)
	}
}

func TestPodcast(t *testing.T) {
	f := start(t, func(c *Config) { c.BaseURL = "https://net.example/" })
	f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	f.publishAs(f.op, "P0", "p0-grid-resolved.wav")
	f.publishAs(f.correspondent("cora"), "P1", "p1-silicon-supply.mp3")
	a := f.ask("GET", "/feed.rss", "", nil)
	var rss struct {
		Channel struct {
			Title string `xml:"title"`
			Item  []struct {
				Title     string `xml:"title"`
				GUID      string `xml:"guid"`
				PubDate   string `xml:"pubDate"`
				Enclosure []struct {
					URL    string `xml:"url,attr"`
					Length int64  `xml:"length,attr"`
					Type   string `xml:"type,attr"`
				} `xml:"enclosure"`
				Duration   string `xml:"http://www.itunes.com/dtds/podcast-1.0.dtd duration"`
				Transcript struct {
					URL string `xml:"url,attr"`
				} `xml:"https://podcastindex.org/namespace/1.0 transcript"`
			} `xml:"item"`
		} `xml:"channel"`
	}
	if err := xml.Unmarshal(a.Body.Bytes(), &rss); err != nil || a.Header().Get("Content-Type") != "application/rss+xml; charset=utf-8" {
		t.Fatalf("%v: %s", err, a.Body)
	}
	items := rss.Channel.Item
	if len(items) != 2 || len(items[0].Enclosure) != 0 || len(items[1].Enclosure) != 1 {
		t.Fatalf("got %s, want two P0 items, the MP3 alone as enclosure", a.Body)
	}
	e := items[1].Enclosure[0]
	if !strings.HasPrefix(e.URL, "https://net.example/audio/") || e.Type != "audio/mpeg" || e.Length != int64(len(recording(t, "p0-grid-failure.mp3"))) ||
		items[1].Duration != "17" || !strings.HasPrefix(items[1].Transcript.URL, "https://net.example/transcripts/") {
		t.Errorf("got %+v, want enclosure, duration and transcript", items[1])
	}
	if _, err := time.Parse(time.RFC1123Z, items[1].PubDate); err != nil {
		t.Error(err)
	}
	var feed jsonFeed
	if err := json.Unmarshal(f.ask("GET", "/feed.json", "", nil).Body.Bytes(), &feed); err != nil {
		t.Fatal(err)
	}
	if len(feed.Items) != 2 || len(feed.Items[0].Attachments) != 2 || feed.Items[0].Attachments[0].Type != "audio/wav" {
		t.Errorf("got %+v, want two items with audio and transcript", feed)
	}
	for _, path := range []string{"/feed.rss", "/feed.json", "/api/net/crisis"} {
		if body := f.ask(http.MethodGet, path, "", nil).Body.String(); strings.Contains(body, "of P1") {
			t.Errorf("%s shows a paid dispatch: %s", path, body)
		}
	}
}

// A feed names no address that a caller made up: a cache would hand it on.
func TestFeedsIgnoreTheHostHeader(t *testing.T) {
	for _, base := range []string{"", "https://net.example/"} {
		f := start(t, func(c *Config) { c.BaseURL = base })
		web := httptest.NewServer(f.Handler())
		want := cmp.Or(strings.TrimSuffix(base, "/"), web.URL)
		for _, path := range []string{"/feed.rss", "/feed.json"} {
			r, err := http.NewRequest("GET", web.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = "evil.example"
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || strings.Contains(string(b), "evil.example") || !strings.Contains(string(b), want+path) {
				t.Errorf("%s with base %q: got %s, %v, want %s and not the Host header", path, base, b, err, want)
			}
		}
		web.Close()
	}
}

// TestPublishOwnUploadsOnly has one correspondent try to give away the paid
// recording of another: the hash alone does not do, for operators either.
func TestPublishOwnUploadsOnly(t *testing.T) {
	f := start(t)
	cora, dora := f.correspondent("cora"), f.correspondent("dora")
	f.publishAs(cora, "P1", "p1-silicon-supply.mp3")
	a, tr := f.store(cora, "p1-silicon-supply.mp3")
	publish := func(token, priority, field string, v any) answered {
		return f.ask("POST", "/api/net/dispatches", token, map[string]any{"priority": priority, "channel": "LEGAL", "headline": "h", field: v})
	}
	publish(dora, "P1", "audio", a).problem(422, "not_stored")
	publish(dora, "P1", "transcript", tr).problem(422, "not_stored")
	publish(f.op, "P0", "audio", a).problem(422, "not_stored")
	publish(f.spawn("eve"), "P1", "audio", a).problem(403, "correspondents_only")
	publish(dora, "P0", "audio", a).problem(403, "p0_needs_operator")
	publish(cora, "P1", "audio", a).into(200, new(netkit.DispatchReceipt))
	f.store(dora, "p1-silicon-supply.mp3")
	publish(dora, "P1", "audio", a).into(200, new(netkit.DispatchReceipt))
}

func TestRecordingQuotas(t *testing.T) {
	one := int64(len(recording(t, "p1-silicon-supply.mp3")))
	f := start(t, func(c *Config) { c.Limits.Unpublished, c.Limits.Recordings = one+50_000, 2*one })
	cora := f.correspondent("cora")
	up := func(token, name string) answered {
		return f.ask("POST", "/api/net/audio", token, recording(t, name), "Content-Type", "audio/mpeg")
	}
	var a netkit.AudioRef
	up(cora, "p1-silicon-supply.mp3").into(200, &a)
	up(cora, "p0-grid-failure.mp3").problem(429, "recordings_unpublished")
	f.ask("POST", "/api/net/transcripts", cora, strings.Repeat("x", 51_000), "Content-Type", "text/plain").problem(429, "recordings_unpublished")
	up(f.op, "p0-grid-failure.mp3").into(200, new(netkit.AudioRef))
	publish := map[string]any{"priority": "P1", "channel": "LEGAL", "headline": "h", "audio": a}
	f.ask("POST", "/api/net/dispatches", cora, publish).into(200, new(netkit.DispatchReceipt))
	up(cora, "correction-silicon.mp3").into(200, new(netkit.AudioRef))
	late := up(cora, "p0-grid-failure.mp3")
	late.problem(429, "recordings_day")
	if got := late.Header().Get("Retry-After"); got != "43200" { // it is noon
		t.Errorf("got Retry-After %q, want 43200, midnight", got)
	}
	f.ask("POST", "/api/net/audio", cora, make([]byte, one+50_001), "Content-Type", "audio/mpeg").problem(413, "body_too_large")
	// What no dispatch names goes after a day; what one names stays.
	f.now.add(25 * time.Hour)
	if n, err := f.sweepRecordings(t.Context()); n != 2 || err != nil {
		t.Errorf("sweep: got %d, %v, want the two unpublished recordings", n, err)
	}
	f.ask("POST", "/api/net/dispatches", cora, publish).into(200, new(netkit.DispatchReceipt))
	up(cora, "p0-grid-failure.mp3").into(200, new(netkit.AudioRef))
}

// stands reports whether a file is on disk.
func (f *fixture) stands(file netkit.Hash) bool {
	f.t.Helper()
	names, err := f.audio.Names(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return slices.Contains(names, file.String())
}

// TestErasureRemovesRecording erases dispatches: their files leave the disk
// with the last dispatch that names them, at the next start at the latest.
func TestErasureRemovesRecording(t *testing.T) {
	f := start(t)
	a, tr := f.store(f.op, "p0-grid-failure.mp3")
	one := f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	two := f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	erase := func(id uint64) {
		t.Helper()
		f.ask("POST", "/api/ledger/entries/"+fmtID(id)+"/erase", f.op, `{"reason":"wrong"}`).into(200, new(netkit.ErasureReceipt))
	}
	erase(one)
	if !f.stands(a.SHA256) || !f.stands(tr.SHA256) {
		t.Fatal("the files are gone that another dispatch names")
	}
	if got := f.ask("GET", "/audio/"+a.SHA256.String(), "", nil); got.Code != 200 {
		t.Errorf("got %d for a file that another dispatch names, want 200", got.Code)
	}
	erase(two)
	if f.stands(a.SHA256) || f.stands(tr.SHA256) {
		t.Error("the files of erased dispatches stand")
	}
	f.ask("GET", "/audio/"+a.SHA256.String(), "", nil).problem(404, "file_unknown")

	// The process ends between the erasure and the removal.
	kept, _ := f.store(f.op, "correction-silicon.mp3")
	last := f.publishAs(f.op, "P0", "p1-silicon-supply.mp3")
	gone, _ := f.store(f.op, "p1-silicon-supply.mp3")
	if _, err := f.net.As("operator").ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: last, Reason: "wrong"}); err != nil {
		t.Fatal(err)
	}
	if !f.stands(gone.SHA256) {
		t.Fatal("the file is gone already: the test tests nothing")
	}
	if _, err := f.removeErasedRecordings(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.stands(gone.SHA256) || !f.stands(kept.SHA256) {
		t.Errorf("got erased %v, unpublished %v, want the erased one alone gone", f.stands(gone.SHA256), f.stands(kept.SHA256))
	}
}

// TestAlteredRecordingIsNotServed flips one bit on disk.
func TestAlteredRecordingIsNotServed(t *testing.T) {
	dir := t.TempDir()
	f := start(t, func(c *Config) {
		store, err := audio.New(audio.Config{Dir: dir, Now: c.Now})
		if err != nil {
			t.Fatal(err)
		}
		c.Audio = store
	})
	f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	a, _ := f.store(f.op, "p0-grid-failure.mp3")
	sha := a.SHA256.String()
	b := recording(t, "p0-grid-failure.mp3")
	b[len(b)/2] ^= 1
	if err := os.WriteFile(filepath.Join(dir, sha[:2], sha), b, 0o600); err != nil {
		t.Fatal(err)
	}
	f.ask("GET", "/audio/"+sha, "", nil).problem(500, "recording_damaged")
	f.ask("GET", "/audio/"+sha, "", nil, "Range", "bytes=0-9").problem(500, "recording_damaged")
	f.ask("POST", "/api/net/dispatches", f.op, map[string]any{"priority": "P1", "channel": "LEGAL", "headline": "h", "audio": a}).problem(500, "recording_damaged")
	if !strings.Contains(f.log.String(), "recording damaged") || !strings.Contains(f.log.String(), sha) {
		t.Error("the log says nothing of the damage")
	}
}

// TestFeedLinks follows what both feeds link to as a person does.
func TestFeedLinks(t *testing.T) {
	f := start(t, func(c *Config) { c.BaseURL = "https://net.example" })
	f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	links := map[string]bool{}
	for _, path := range []string{"/feed.rss", "/feed.json"} {
		for _, m := range regexp.MustCompile(`https://net\.example(/[^"<]*)`).FindAllStringSubmatch(f.ask("GET", path, "", nil).Body.String(), -1) {
			links[m[1]] = true
		}
	}
	if len(links) < 6 {
		t.Errorf("got %v, want the network, both feeds, a dispatch, its recording and its transcript", links)
	}
	for link := range links {
		path, part, _ := strings.Cut(link, "#")
		got := f.ask("GET", path, "", nil, "Accept", "text/html,*/*;q=0.8")
		if got.Code != 200 || !strings.Contains(got.Body.String(), `id="`+part+`"`) && part != "" {
			t.Errorf("%s: got %d, want what it leads to", link, got.Code)
		}
	}
}

// TestOldRecordings publishes until a recording is known to the journal alone: it
// is served by the address of its manifest and by its bare one, and stays on disk.
func TestOldRecordings(t *testing.T) {
	f := start(t)
	id := f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	a, _ := f.store(f.op, "p0-grid-failure.mp3")
	gone := f.publishAs(f.op, "P0", "p1-silicon-supply.mp3")
	erased, _ := f.store(f.op, "p1-silicon-supply.mp3")
	f.store(f.op, "correction-silicon.mp3")
	op := f.net.As("operator")
	for _, x := range []uint64{id, gone} {
		if _, err := op.ResolveCrisis(t.Context(), netkit.ResolveCrisis{DispatchID: x, Reason: "over"}); err != nil {
			t.Fatal(err)
		}
	}
	f.now.add(72 * time.Hour)
	for k := range 201 {
		if k == 200 {
			f.now.add(72 * time.Hour)
		}
		out, err := op.Publish(t.Context(), netkit.Publish{Channel: netkit.NicheSilicon, Headline: "h"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := op.ResolveCrisis(t.Context(), netkit.ResolveCrisis{DispatchID: out.DispatchID, Reason: "over"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.net.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.net.AudioKeep(a.SHA256) {
		t.Fatal("the recording is known in memory: the test tests nothing")
	}
	var d netkit.Dispatch
	f.ask("GET", "/api/net/dispatches/"+fmtID(id), "", nil).into(200, &d)
	for _, url := range []string{d.Audio.URL, "/audio/" + a.SHA256.String()} {
		if got := f.ask("GET", url, "", nil); got.Code != 200 {
			t.Errorf("%s: got %d, want 200", url, got.Code)
		}
	}
	f.ask("GET", "/audio/"+a.SHA256.String()+"?dispatch="+fmtID(gone), "", nil).problem(404, "file_unknown")
	f.ask("GET", "/audio/"+a.SHA256.String()+"?dispatch=x", "", nil).problem(422, "value_wrong")
	f.ask("GET", "/audio/"+netkit.Hash{}.String(), "", nil).problem(404, "file_unknown")
	f.ask("POST", "/api/ledger/entries/"+fmtID(gone)+"/erase", f.op, `{"reason":"wrong"}`).into(200, new(netkit.ErasureReceipt))
	if f.stands(erased.SHA256) {
		t.Error("the recording of an old dispatch that was erased stands")
	}
	if n, err := f.sweepRecordings(t.Context()); n != 2 || err != nil || !f.stands(a.SHA256) {
		t.Errorf("sweep: got %d, %v, want the two files gone that no dispatch names", n, err)
	}
	if _, err := f.removeErasedRecordings(t.Context()); err != nil || !f.stands(a.SHA256) {
		t.Errorf("got %v, want the recording to stand", err)
	}
}

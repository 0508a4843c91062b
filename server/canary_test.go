package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server/audio"
)

// aviary is a server whose journal, recordings and log are all in one folder.
type aviary struct {
	*Server
	t      *testing.T
	op     string
	bodies map[string][]string // JSON fields of each operation, by method and path
}

func newAviary(t *testing.T, dir string) *aviary {
	t.Helper()
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	book, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	now := &clock{t: time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)}
	op := netkit.Token{1, 2, 3}
	n, err := network.New(t.Context(), network.Config{Store: book, Now: now.now, Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: op}})
	if err != nil {
		t.Fatal(err)
	}
	store, err := audio.New(audio.Config{Dir: filepath.Join(dir, "audio"), Now: now.now})
	if err != nil {
		t.Fatal(err)
	}
	a := &aviary{t: t, op: op.String()}
	if a.Server, err = New(Config{Network: n, Audio: store, Log: testLog(t, book), SigningKey: make([]byte, audio.KeySize), Limits: unlimited, Now: now.now,
		Logger: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		a.EndStreams()
		if err := n.Close(context.Background()); err != nil { // with a snapshot
			t.Error(err)
		}
		if err := book.Close(); err != nil {
			t.Error(err)
		}
		log.Close()
	})
	a.bodies = bodyFields(t, a.openAPI())
	return a
}

// bodyFields reads from the document which fields each operation takes.
func bodyFields(t *testing.T, document []byte) map[string][]string {
	t.Helper()
	type schema struct {
		Ref        string                     `json:"$ref"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var doc struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			} `json:"requestBody"`
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
	fields := map[string][]string{}
	for path, operations := range doc.Paths {
		for method, op := range operations {
			content := op.RequestBody.Content
			s := content["application/json"].Schema
			if lines, ok := content[ndjsonType]; ok {
				s = lines.Schema
			}
			for name := range doc.Components.Schemas[filepath.Base(s.Ref)].Properties {
				at := strings.ToUpper(method) + " " + path
				fields[at] = append(fields[at], name)
			}
		}
	}
	return fields
}

// send sends a request as the operator and returns its answer.
func (a *aviary) send(method, target, kind string, body []byte, header, value string) *httptest.ResponseRecorder {
	ctx, cancel := context.WithTimeout(a.t.Context(), time.Second) // a stream that is not refused goes on
	defer cancel()
	r := httptest.NewRequest(method, target, bytes.NewReader(body)).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+a.op)
	r.Header.Set("Content-Type", kind)
	if header != "" {
		r.Header.Set(header, value)
	}
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	return w
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// release lets a canary into every place of one route, and wants it refused.
func (a *aviary) release(r *route, canary string) {
	a.t.Helper()
	kind, refused := "application/json", 422
	bulk := strings.HasSuffix(r.Path, "/bulk")
	if bulk {
		kind = ndjsonType
	}
	plain := parameter.ReplaceAllString(r.Path, "1")
	answers := map[string]*httptest.ResponseRecorder{
		"query":       a.send(r.Method, plain+"?q="+url.QueryEscape(canary), kind, nil, "", ""),
		"key":         a.send(r.Method, plain, kind, []byte("{}"), "Idempotency-Key", canary),
		"request id":  a.send(r.Method, plain, kind, []byte("{}"), "X-Request-Id", canary),
		"a header":    a.send(r.Method, plain, kind, []byte("{}"), "X-Anything", canary),
		"a file name": a.send(r.Method, plain, kind, []byte("{}"), "Content-Disposition", `attachment; filename="`+canary+`.wav"`),
		"token":       a.send(r.Method, plain, kind, []byte("{}"), "Authorization", "Token "+canary),
	}
	if plain != r.Path {
		answers["path"] = a.send(r.Method, parameter.ReplaceAllString(r.Path, url.PathEscape(canary)), kind, nil, "", "")
	}
	if r.takesBody() && !r.own {
		for _, field := range append(a.bodies[r.Method+" "+r.Path], "unknown") {
			answers["field "+field] = a.send(r.Method, plain, kind, []byte(`{"`+field+`":"say `+canary+`"}`), "", "")
		}
		answers["name of a field"] = a.send(r.Method, plain, kind, []byte(`{"`+canary+`":1}`), "", "")
	}
	if strings.HasPrefix(r.Path, "/api/net/") && r.own && r.takesBody() {
		answers["text"] = a.send(r.Method, plain, "text/plain", []byte("WEBVTT\n\n"+canary), "", "")
		answers["recording"] = a.send(r.Method, plain, "audio/wav", chunked("LIST", []byte("INFOICMT\x00\x01\x00\x00"+canary)), "", "")
	}
	for where, w := range answers {
		if bulk && w.Code == 200 && strings.Contains(w.Body.String(), `"problem":`) {
			w.Code = refused // a line is refused by itself
		}
		if w.Code != refused && r.Path != catalog.CreatePlant.Path || !strings.Contains(w.Body.String(), "secret key") || strings.Contains(w.Body.String(), canary) {
			a.t.Errorf("%s %s, in the %s: got %d %s, want it refused and not repeated", r.Method, r.Path, where, w.Code, w.Body)
		}
	}
	if r.Hidden && r.takesBody() { // a form of a page: what it passes on is searched there
		for _, field := range []string{"key", "token", "slug", "headline", "body", "to", "reason", "address"} {
			w := a.send(r.Method, plain, "application/x-www-form-urlencoded", []byte(url.Values{field: {canary}}.Encode()), "", "")
			if w.Code >= 500 || strings.Contains(w.Body.String(), canary) {
				a.t.Errorf("form %s, field %s: got %d %s, want nothing repeated", r.Path, field, w.Code, w.Body)
			}
		}
	}
}

// TestCanariesAreFoundNowhere sends a key of every family through every place
// of every operation, and looks for them in all that is kept (L7).
func TestCanariesAreFoundNowhere(t *testing.T) {
	dir := t.TempDir()
	var canaries []string
	t.Run("release", func(t *testing.T) {
		a := newAviary(t, dir)
		random := rand.New(rand.NewPCG(10, 11))
		routes := append(a.routes(), a.pageRoutes()...)
		for name, key := range genuine {
			canary := key(random)
			if name == "this network" {
				canary = netkit.Token{4, 5, 6}.String()
			}
			canaries = append(canaries, canary)
			for i := range routes {
				a.release(&routes[i], canary)
			}
		}
		if _, err := a.cfg.Log.Checkpoint(t.Context()); err != nil {
			t.Error(err)
		}
	})
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		for _, canary := range canaries {
			if bytes.Contains(b, []byte(canary[:18])) || bytes.Contains(b, []byte(canary[len(canary)-12:])) && !strings.HasSuffix(canary, "000") {
				t.Errorf("%s holds %s", path, canary)
			}
		}
		return err
	})
	if err != nil || files < 2 {
		t.Errorf("looked into %d files, %v", files, err)
	}
}

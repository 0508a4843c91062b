package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// An agent looks after its webhook by commands, one process after the other.
func TestWebhooks(t *testing.T) {
	s := newSession(t)
	s.must("init")
	s.must("agent", "spawn", "ada")
	said := func(want string, args ...string) {
		t.Helper()
		code, out, talk := s.run("", append([]string{"--as", "ada", "webhooks"}, args...)...)
		if code != 0 || !strings.Contains(out+talk, want) {
			t.Errorf("%v: got exit code %d, %q and %q, want %q", args, code, out, talk, want)
		}
	}
	said("none", "show")
	said("nothing was sent yet: netctl webhooks set URL, then netctl webhooks test", "log")
	said("whsec_", "set", "https://localhost/hook", "--type", "notice,campaign.opened")
	said("localhost", "show")
	// Nobody may be reached there.
	if code, out, talk := s.run("", "--as", "ada", "webhooks", "test"); code != exitError || !strings.Contains(out, "address") || !strings.Contains(talk, "not delivered: the address is not one of the public internet") {
		t.Errorf("test: got exit code %d, %q and %q, want a failure in words", code, out, talk)
	}
	said("webhook.test", "log")
	said("the address is not one of the public internet", "log")
	said("whsec_", "rotate")
	said("localhost", "replay", "--from", "1")
	for _, args := range [][]string{{"replay"}, {"replay", "--from", "1", "--attempt", "1"}, {"listen"}, {"listen", "--forward-to", "nowhere"}} {
		if code, _, talk := s.run("", append([]string{"--as", "ada", "webhooks"}, args...)...); code != exitUsage {
			t.Errorf("%v: got exit code %d: %s", args, code, talk)
		}
	}
	if code, _, talk := s.run("", "--as", "ada", "webhooks", "replay", "--attempt", "999"); code != exitNotFound {
		t.Errorf("no such attempt: got exit code %d: %s", code, talk)
	}
	said("false", "rm")
	said("none", "show")
}

// A sponsor has a webhook by the same commands, an operator has none.
func TestWebhooksOfASponsor(t *testing.T) {
	s := newSession(t)
	s.must("init")
	s.must("sponsor", "admit", "acme", "--yes")
	if got := s.must("--as", "acme", "webhooks", "set", "https://localhost/hook", "--type", "execution.delivered"); !strings.Contains(got, "whsec_") {
		t.Errorf("got %q, want its secret", got)
	}
	if got := s.must("--as", "acme", "webhooks", "show"); !strings.Contains(got, "localhost") {
		t.Errorf("got %q, want its host", got)
	}
	if code, _, talk := s.run("", "webhooks", "set", "https://localhost/hook"); code != exitNotAllowed || !strings.Contains(talk, "an operator has no webhook") || !strings.Contains(talk, "netctl feed listen") {
		t.Errorf("operator: got exit code %d: %s", code, talk)
	}
}

// What a webhook would get reaches an address on this machine, signed with the
// secret of the file, which its owner alone can read and which stays the same.
func TestWebhooksListen(t *testing.T) {
	s := newSession(t)
	s.must("init")
	s.must("agent", "spawn", "ada")
	s.must("agent", "spawn", "bea")
	type request struct {
		header http.Header
		body   []byte
	}
	got := make(chan request, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusAccepted)
		got <- request{r.Header, body}
	}))
	defer receiver.Close()
	file := filepath.Join(s.dir, "hook.secret")
	var first string
	for range 2 {
		ctx, stop := context.WithCancel(t.Context())
		var out, talk strings.Builder
		ended := make(chan int)
		go func() {
			ended <- s.app("", &out, &talk).main(ctx, []string{"--as", "ada", "webhooks", "listen", "--forward-to", receiver.URL + "/hook", "--secret-file", file, "--from", "1", "--type", "agent.spawned"})
		}()
		var requests []request
		for len(requests) < 2 {
			select {
			case r := <-got:
				requests = append(requests, r)
			case code := <-ended:
				t.Fatalf("it ended with exit code %d: %s", code, talk.String())
			case <-time.After(3 * time.Minute):
				t.Fatal("nothing was forwarded")
			}
		}
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("got exit code %d: %s", code, talk.String())
		}
		if !strings.Contains(out.String(), "agent.spawned\t202 Accepted") {
			t.Errorf("got %q, want what came of it", out.String())
		}
		secret, err := os.ReadFile(file)
		if info, lost := os.Stat(file); err != nil || lost != nil || info.Mode().Perm() != 0o600 || first != "" && first != string(secret) {
			t.Fatalf("want the secret kept in a file of mode 0600: %v, %v", err, lost)
		}
		first = string(secret)
		peer, err := standard.NewWebhook(strings.TrimSpace(first))
		if err != nil {
			t.Fatal(err)
		}
		for i, slug := range []string{"ada", "bea"} {
			if err := peer.Verify(requests[i].body, requests[i].header); err != nil || !strings.Contains(string(requests[i].body), `"agent":"`+slug+`"`) {
				t.Errorf("got %s, %v, want that %s joined", requests[i].body, err, slug)
			}
		}
	}
}

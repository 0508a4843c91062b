package host

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server"
)

// A standby answers reads with what the archive holds, shows later entries as it
// follows, signs the same root, and refuses each command.
func TestStandbyServesReads(t *testing.T) {
	dir, store := t.TempDir(), bucket(t)
	ids, recipient := keyPair(t)
	h, text, _, _ := lively(t, dir)
	closeHost(t, h)
	h = archivedNetwork(t, dir, ArchiveConfig{Store: store, Recipients: []string{recipient}})
	awaitArchive(t, h)
	f := followed(t, filepath.Join(t.TempDir(), "standby"), store, ids)
	standby, err := f.Serve(t.Context(), Config{Alarm: func(err error) { t.Logf("alarm of the standby: %v", err) }, Server: server.Config{Limits: Unlimited}})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(standby.Server.Handler())
	defer srv.Close()
	status := func(path string) int {
		t.Helper()
		r, err := http.Get(srv.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		return r.StatusCode
	}
	if got := status("/agent/a-1"); got != 200 {
		t.Errorf("an agent: got %d, want 200", got)
	}
	if got := status("/agent/later-0"); got != 404 {
		t.Errorf("an agent that is not there yet: got %d, want 404", got)
	}
	spawned(t, h, "later", 1)
	if _, err := h.Network.As("operator").ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: text, Reason: "asked"}); err != nil {
		t.Fatal(err)
	}
	awaitArchive(t, h)
	if err := f.Follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := status("/agent/later-0"); got != 200 {
		t.Errorf("an agent that came later: got %d, want 200", got)
	}
	if got := privateOf(t, standby, text); strings.Contains(got, secret) {
		t.Errorf("the erased text is there: %q", got)
	}
	want, _, err := h.Log.Sign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := standby.Log.Sign(t.Context()); err != nil || got != want {
		t.Errorf("the standby signs %v, %v, want %v", got, err, want)
	}
	if _, err := standby.Network.Authenticate((netkit.Token{1}).String()); !errors.Is(err, netkit.ErrUnavailable) {
		t.Errorf("a token: got %v, want ErrUnavailable", err)
	}
	if _, err := standby.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "here"}); !errors.Is(err, netkit.ErrUnavailable) {
		t.Errorf("a command: got %v, want ErrUnavailable", err)
	}
	closeHost(t, standby)
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	closeHost(t, h)
}

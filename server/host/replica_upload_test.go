package host

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// upload sends a recording to a node over HTTP, and returns its SHA-256.
func (n *served) upload(t *testing.T, words string) string {
	t.Helper()
	got := n.ask(t, "POST", "/api/net/audio", wave(words), "Authorization", "Bearer "+netkit.Token{1}.String(), "Content-Type", "audio/wav")
	var ref netkit.AudioRef
	if got.status != 200 {
		t.Fatalf("an upload: got %d %s", got.status, got.text)
	}
	if err := json.Unmarshal([]byte(got.text), &ref); err != nil {
		t.Fatal(err)
	}
	return ref.SHA256.String()
}

// An upload is acknowledged once another node that runs keeps it, also where a node
// refuses; and where no other node runs.
func TestAnUploadIsKeptTwice(t *testing.T) {
	e := new(journaltest.Engine)
	a := serveNode(t, e, nil, time.Minute)
	leads(t, a.Host)
	lone := a.upload(t, "no other node runs")
	b := serveNode(t, e, a, time.Minute)
	refuses := stranger(t, e, "0-refuses", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	until(t, "the node sees no peers", func() bool { return len(a.Node.Peers()) == 2 })
	sha := a.upload(t, "kept by two nodes")
	if !a.has(t, sha) || !b.has(t, sha) {
		t.Errorf("got it kept by the writer: %v, by another node: %v", a.has(t, sha), b.has(t, sha))
	}
	if refuses.Load() != 1 {
		t.Errorf("a node that refuses was asked %d times, want 1", refuses.Load())
	}
	if b.has(t, lone) {
		t.Error("an upload from before another node ran is there, and no dispatch names it")
	}
	if forged := a.ask(t, "POST", "/node/recording/"+sha+"?by=operator", ""); forged.status != 403 {
		t.Errorf("a client asks like a node: got %d", forged.status)
	}
}

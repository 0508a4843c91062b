package web_test

import (
	"bytes"
	"html"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server"
)

// TestProofPages follows the links of the ledger to what can be checked
// elsewhere, and checks it.
func TestProofPages(t *testing.T) {
	w := found(t)
	e := w.execute(w.spawn("ada"))
	v := w.visitor()
	text := v.get("/checkpoint").text
	c, err := proof.OpenCheckpoint(w.cfg.Log.Policy(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	page := html.UnescapeString(v.get("/ledger").text)
	for _, want := range []string{`href="/checkpoint"`, `href="/api/log/key"`, c.Hash.String(), id(uint64(c.N)) + " entries", w.cfg.Log.Public(), "no witness", "netctl ledger verify"} {
		if !strings.Contains(page, want) {
			t.Errorf("the ledger does not show %s", want)
		}
	}
	page = html.UnescapeString(v.get("/ledger/" + id(e)).text)
	link := "/api/ledger/entries/" + id(e) + "/proof"
	if !strings.Contains(page, `href="`+link+`" download="entry-`+id(e)+`.tlog-proof"`) || !strings.Contains(page, "--key '"+w.cfg.Log.Public()+"'") {
		t.Error("the entry does not lead to its proof and the command that checks it")
	}
	got, err := proof.Verify(w.cfg.Log.Policy(), []byte(v.get(link).text))
	if err != nil || !strings.Contains(string(got.Entry), `"kind":"execution"`) {
		t.Errorf("got %s, %v, want the entry proved", got.Entry, err)
	}
	if page := v.get("/agent/ada").text; !strings.Contains(page, `href="/agent/ada/credential"`) {
		t.Error("the profile does not lead to its credential")
	}
	if _, err := proof.OpenCredential(w.cfg.Log.Policy(), []byte(v.get("/agent/ada/credential").text)); err != nil {
		t.Error(err)
	}
}

// TestWithoutLog shows no link that would lead nowhere.
func TestWithoutLog(t *testing.T) {
	w := found(t, func(c *server.Config) { c.Log = nil })
	e := w.execute(w.spawn("ada"))
	v := w.visitor()
	for _, path := range []string{"/ledger", "/ledger/" + id(e), "/agent/ada"} {
		got := v.get(path)
		if got.StatusCode != 200 || strings.Contains(got.text, "/checkpoint") || strings.Contains(got.text, "/proof") || strings.Contains(got.text, "/credential") {
			t.Errorf("%s: got %d, or a link to what is not there", path, got.StatusCode)
		}
	}
	if !strings.Contains(v.get("/ledger").text, "netctl ledger verify") {
		t.Error("the ledger does not say how to check it")
	}
}

// TestUnwitnessed shows the ledger while a checkpoint waits for its witness.
func TestUnwitnessed(t *testing.T) {
	w := found(t)
	private, _, err := proof.NewKey(bytes.NewReader(bytes.Repeat([]byte{1}, 64)), "example.org/witness")
	if err != nil {
		t.Fatal(err)
	}
	witness, err := proof.NewCosigner(private)
	if err != nil {
		t.Fatal(err)
	}
	log, err := proof.New(t.Context(), proof.Config{Store: w.book, Key: w.key, Witnesses: []string{witness.Verifier().String()}, Quorum: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := w.again(func(c *server.Config) { c.Log = log })
	for path, want := range map[string]string{"/ledger": "Too few witnesses", "/ledger/1": "No checkpoint that is shown"} {
		got := httptest.NewRecorder()
		s.Handler().ServeHTTP(got, httptest.NewRequest("GET", path, nil))
		if page := got.Body.String(); got.Code != 200 || !strings.Contains(page, want) || strings.Contains(page, "/proof") || strings.Contains(page, `href="/checkpoint"`) {
			t.Errorf("%s: got %d, want it to say %q and to link nothing that waits", path, got.Code, want)
		}
	}
}

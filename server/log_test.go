package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/proof"
)

// logPolicy is what a stranger who knows the network's key asks of a checkpoint.
func (f *fixture) logPolicy() torchwood.Policy {
	f.t.Helper()
	v, err := note.NewVerifier(f.logInfo().Key)
	if err != nil {
		f.t.Fatal(err)
	}
	return torchwood.ThresholdPolicy(2, torchwood.OriginPolicy(v.Name()), torchwood.SingleVerifierPolicy(v))
}

func (f *fixture) logInfo() (info proof.Info) {
	f.t.Helper()
	f.ask("GET", "/api/log/key", "", nil).into(200, &info)
	return info
}

func (f *fixture) busy(entries int) {
	f.t.Helper()
	for i := range entries {
		f.spawn(fmt.Sprintf("agent-%d", i))
	}
}

// A client that knows nothing of this project reads the whole journal, and
// proves every entry of it.
func TestStandardClientReadsTheLog(t *testing.T) {
	f := start(t)
	f.busy(300)
	srv := httptest.NewServer(f.Handler())
	defer srv.Close()
	fetcher, err := torchwood.NewTileFetcher(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	client, err := torchwood.NewClient(fetcher)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := fetcher.ReadEndpoint(t.Context(), "checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := torchwood.VerifyCheckpoint(signed, f.logPolicy())
	if err != nil || c.N != 301 {
		t.Fatalf("got a checkpoint of %d entries, %v; want 301", c.N, err)
	}
	n := int64(0)
	for i, e := range client.AllEntries(t.Context(), c.Tree, 0) {
		if own := f.ask("GET", fmt.Sprintf("/api/ledger/entries/%d", i), "", nil).Body.String(); i != n || strings.TrimSpace(own) != string(e) {
			t.Fatalf("entry %d: the log has %q, the ledger %q", i, e, own)
		}
		n++
	}
	if err := client.Err(); err != nil || n != c.N {
		t.Fatalf("got %d entries, %v; want %d", n, err, c.N)
	}
	for _, seq := range []int64{0, 1, 255, 256, 300} {
		e, p, err := client.Entry(t.Context(), c.Tree, seq)
		if err == nil {
			err = tlog.CheckRecord(p, c.N, c.Hash, seq, tlog.RecordHash(e))
		}
		if err != nil {
			t.Errorf("entry %d: %v", seq, err)
		}
	}
}

func TestProofOverHTTP(t *testing.T) {
	f := start(t)
	f.busy(3)
	a := f.ask("GET", "/api/ledger/entries/2/proof", "", nil)
	own := strings.TrimSpace(f.ask("GET", "/api/ledger/entries/2", "", nil).Body.String())
	if a.Code != 200 || !strings.HasPrefix(a.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("got %d %s", a.Code, a.Body)
	}
	if err := torchwood.VerifyProof(f.logPolicy(), tlog.RecordHash([]byte(own)), a.Body.Bytes()); err != nil {
		t.Errorf("torchwood says %v", err)
	}
	if extra, err := torchwood.ProofExtraData(a.Body.Bytes()); err != nil || string(extra) != own {
		t.Errorf("got %q, %v; want the entry itself", extra, err)
	}
	f.ask("GET", "/api/ledger/entries/4/proof", "", nil).problem(404, "not_in_log")
	f.ask("GET", "/api/ledger/entries/x/proof", "", nil).problem(422, "value_wrong")
}

// What never changes may be kept by whoever likes, the rest by nobody.
func TestTilesOverHTTP(t *testing.T) {
	f := start(t)
	f.busy(299)
	for _, c := range []struct {
		path  string
		cache string
		code  int
	}{
		{"/tile/0/000", "public, max-age=31536000, immutable", 200},
		{"/tile/entries/000", "public, max-age=31536000, immutable", 200},
		{"/tile/0/001.p/44", "no-store", 200},
		{"/tile/entries/001.p/44", "no-store", 200},
		{"/tile/1/000.p/1", "no-store", 200},
		{"/tile/0/001", "no-store", 404},
		{"/tile/0/001.p/45", "no-store", 404},
		{"/tile/entries/001.p/45", "no-store", 404},
		{"/tile/1/000.p/2", "no-store", 404},
		{"/tile/data/000", "no-store", 404},
		{"/tile/", "no-store", 404},
		{"/tile/0/0", "no-store", 404},
	} {
		a := f.ask("GET", c.path, "", nil)
		if a.Code != c.code || a.Header().Get("Cache-Control") != c.cache {
			t.Errorf("%s: got %d, cache %q; want %d, %q", c.path, a.Code, a.Header().Get("Cache-Control"), c.code, c.cache)
		}
		if c.code == 200 && a.Header().Get("Content-Type") != "application/octet-stream" {
			t.Errorf("%s: got type %q", c.path, a.Header().Get("Content-Type"))
		}
	}
}

// Private parts are nowhere in what the log shows: a token's hash is one.
func TestLogShowsNothingPrivate(t *testing.T) {
	f := start(t)
	token := f.spawn("ada")
	parsed, err := netkit.ParseToken(token)
	if err != nil {
		t.Fatal(err)
	}
	hash := parsed.SHA256()
	for _, path := range []string{"/tile/entries/000.p/2", "/api/ledger/entries/1/proof", "/agent/ada/credential"} {
		body := f.ask("GET", path, "", nil).Body.Bytes()
		if bytes.Contains(body, []byte(hash.String())) || bytes.Contains(body, hash[:]) || bytes.Contains(body, []byte(token)) {
			t.Errorf("%s shows a token", path)
		}
	}
}

func TestCredentialOverHTTP(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	f.ask("PUT", "/api/agent/claims", ada, `{"niche":"MEDIA","preferred_llm_provider":"","accepts_attention_requests":false,"attention_floor_price":0,"capability_statement":"I know everything"}`).into(200, new(map[string]any))
	a := f.ask("GET", "/agent/ada/credential", "", nil)
	c, err := proof.OpenCredential(f.cfg.Log.Policy(), a.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var about struct {
		Status string
		Tier   string
		AsOf   netkit.AsOf `json:"as_of"`
	}
	if err := json.Unmarshal(c.About, &about); err != nil || about.Tier != "UNVERIFIED" || about.AsOf.Seq+1 != c.Size || c.Agent != "ada" {
		t.Errorf("got %s of %s at %d, %v", c.About, c.Agent, c.Size, err)
	}
	if bytes.Contains(a.Body.Bytes(), []byte("everything")) {
		t.Errorf("it signs what the agent claims: %s", a.Body)
	}
	cp, err := f.cfg.Log.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if head, _, err := torchwood.VerifyCheckpoint(cp, f.logPolicy()); err != nil || uint64(head.N) != c.Size || head.Hash != c.Root {
		t.Errorf("got size %d and root %s, want those of the checkpoint %d %s, %v", c.Size, c.Root, head.N, head.Hash, err)
	}
	f.ask("GET", "/agent/nobody/credential", "", nil).problem(404, "")
}

// A network without a key says so, and serves all the rest.
func TestWithoutALog(t *testing.T) {
	f := start(t, func(c *Config) { c.Log = nil })
	for _, path := range []string{"/checkpoint", "/tile/0/000.p/1", "/api/ledger/entries/0/proof", "/agent/ada/credential", "/api/log/key"} {
		f.ask("GET", path, "", nil).problem(404, "log_absent")
	}
	f.ask("GET", "/api/ledger/entries/0", "", nil).into(200, new(map[string]any))
}

// While too few witnesses have cosigned, nothing is shown that they should have.
func TestNothingIsShownUnwitnessed(t *testing.T) {
	private, _, err := proof.NewKey(strings.NewReader(strings.Repeat("x", 64)), "w.example")
	if err != nil {
		t.Fatal(err)
	}
	w, err := proof.NewCosigner(private)
	if err != nil {
		t.Fatal(err)
	}
	f := start(t, func(c *Config) {
		c.Log = nil
	})
	log := testLog(t, f.book, func(c *proof.Config) { c.Witnesses, c.Quorum = []string{w.Verifier().String()}, 1 })
	f.cfg.Log = log
	a := f.ask("GET", "/checkpoint", "", nil)
	a.problem(503, "not_witnessed")
	if a.Header().Get("Retry-After") == "" {
		t.Error("it does not say when to try again")
	}
	_, signed, err := log.Sign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open(signed, log.Policy())
	if err != nil {
		t.Fatal(err)
	}
	both, err := note.Sign(n, w)
	if err = errors.Join(err, log.Witnessed(t.Context(), both)); err != nil {
		t.Fatal(err)
	}
	f.busy(3)
	if got := f.ask("GET", "/checkpoint", "", nil); !bytes.Equal(got.Body.Bytes(), both) {
		t.Errorf("got %q, want the witnessed one", got.Body)
	}
	f.ask("GET", "/api/ledger/entries/1/proof", "", nil).problem(503, "not_witnessed")
	if info := f.logInfo(); info.Entries != 1 || info.Quorum != 1 || len(info.Witnesses) != 1 {
		t.Errorf("got %+v, want 1 entry shown and one witness of one", info)
	}
}

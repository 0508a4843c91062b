package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// dawn is when the tests' networks begin; now is when they are audited.
var (
	dawn = time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)
	now  = dawn.AddDate(0, 0, 1)
)

// open runs the network of a folder.
func open(t testing.TB, dir string, at time.Time) *host.Host {
	t.Helper()
	_, err := os.Stat(filepath.Join(dir, "checkpoint"))
	law := netkit.Version1()
	law.Market.UnclearedUnverified = 0 // so that ada can execute as often as the benchmark needs
	h, err := host.New(t.Context(), host.Config{Dir: dir, AcceptLoss: err != nil, Now: func() time.Time { return at },
		Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}, Constitution: law}, Server: server.Config{Limits: host.Unlimited}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func done(t testing.TB, h *host.Host) {
	t.Helper()
	if err := h.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// founded makes a network of a day's life in a folder: more than one full tile,
// a night, and last of all an execution that pays ada 1.70.
func founded(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	h := open(t, dir, dawn)
	n, ctx, op := h.Network, t.Context(), h.Network.As("operator")
	netkittest.Must[netkit.Spawned](t)(n.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}))
	spawn(t, h, "agent", 269)
	netkittest.Must[netkit.AdmissionReceipt](t)(op.ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: "acme"}))
	netkittest.Must[netkit.Deposited](t)(op.Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: 1000 * netkit.Credit, Reference: "wire"}))
	netkittest.Must[netkit.ClaimsReceipt](t)(n.As("agent-001").SetClaims(ctx, netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 300, CapabilityStatement: "reads"}))
	done(t, h)
	h = open(t, dir, now)
	op = h.Network.As("operator")
	netkittest.Must[netkit.NightReport](t)(op.CloseNight(ctx, netkit.CloseNight{}))
	ct := netkittest.Must[netkit.ContractReceipt](t)(op.OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheLegal, Budget: 100 * netkit.Credit, ExecutionsPerAgent: 9}))
	netkittest.Must[netkit.Execution](t)(h.Network.As("ada").Execute(ctx, netkit.Execute{CampaignID: ct.CampaignID,
		Signal: netkit.Signal{Headline: "h", Body: "b", Sources: []string{"https://example.org/a"}}}))
	done(t, h)
	return dir
}

// spawn makes agents.
func spawn(t testing.TB, h *host.Host, prefix string, n int) {
	t.Helper()
	for k := range n {
		netkittest.Must[netkit.Spawned](t)(h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: fmt.Sprintf("%s-%03d", prefix, k)}))
	}
}

// copied is a copy of a folder.
func copied(t testing.TB, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// served is the address of the network of a folder, and how to ask it.
func served(t testing.TB, dir string, bend func(http.Handler) http.Handler) (string, *netclient.Client) {
	t.Helper()
	h := open(t, dir, now)
	handler := http.Handler(h.Server.Handler())
	if bend != nil {
		handler = bend(handler)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(func() { s.Close(); done(t, h) })
	return s.URL, netkittest.Must[*netclient.Client](t)(netclient.New(netclient.Config{BaseURL: s.URL, Retries: -1}))
}

// remote is the configuration for an audit of an address.
func remote(t testing.TB, seen audit.Seen, dir string, bend func(http.Handler) http.Handler) audit.Config {
	t.Helper()
	from, client := served(t, dir, bend)
	log := netkittest.Must[torchwood.TileReader](t)(audit.Fetcher(from, "test", http.DefaultTransport))
	// One network, whatever port it is served at.
	return audit.Config{From: "https://net.example", Log: log, Seen: seen, Shown: client, Now: func() time.Time { return now }}
}

// folder audits the journal of a folder.
func folder(t testing.TB, seen audit.Seen, dir string) (audit.Report, error) {
	t.Helper()
	store := netkittest.Must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Config{Dir: dir, ReadOnly: true}))
	defer store.Close()
	return audit.Folder(t.Context(), store, audit.Config{From: dir, Seen: seen, Now: func() time.Time { return now }})
}

// mirror writes into files what the log of a folder serves, whatever the
// journal says: nobody has to start a network on it.
func mirror(t testing.TB, dir string) string {
	t.Helper()
	store := netkittest.Must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Config{Dir: dir}))
	defer store.Close()
	key := strings.TrimSpace(string(netkittest.Must[[]byte](t)(os.ReadFile(filepath.Join(dir, "log.key")))))
	log := netkittest.Must[*proof.Log](t)(proof.New(t.Context(), proof.Config{Store: store, Key: key}))
	to := t.TempDir()
	write := func(path string, b []byte) {
		path = filepath.Join(to, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("checkpoint", netkittest.Must[[]byte](t)(log.Checkpoint(t.Context())))
	size := int64(netkittest.Must[journal.Head](t)(store.Head(t.Context())).Size)
	for _, tile := range audit.Tiles(size) {
		path := torchwood.TilePath(tile)
		data, _, err := log.Tile(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		write(path, data)
	}
	return to
}

// mirrored audits a mirror.
func mirrored(t testing.TB, seen audit.Seen, dir string) (audit.Report, error) {
	t.Helper()
	return audit.Run(t.Context(), audit.Config{From: dir, Log: netkittest.Must[torchwood.TileReader](t)(audit.Mirror(os.DirFS(dir))), Seen: seen, Now: func() time.Time { return now }})
}

// tamper changes a journal past its triggers, with nothing but the database's
// own tools.
func tamper(t testing.TB, dir string, sql string) {
	t.Helper()
	c := netkittest.Must[*sqlite3.Conn](t)(sqlite3.Open(filepath.Join(dir, "journal.db")))
	defer c.Close()
	var drop, make []string
	st, _, err := c.Prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
	if err != nil {
		t.Fatal(err)
	}
	for st.Step() {
		drop, make = append(drop, "DROP TRIGGER "+st.ColumnText(0)), append(make, st.ColumnText(1))
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	for _, line := range slices.Concat(drop, []string{sql}, make) {
		if err := c.Exec(line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// forge rewrites a journal as an operator would who is the attacker: after the
// change the tree and the head are right, and the log signs it with its key.
func forge(t testing.TB, dir string, change func([]journal.Record) []journal.Record) {
	t.Helper()
	store := netkittest.Must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Config{Dir: dir, ReadOnly: true}))
	head := netkittest.Must[journal.Head](t)(store.Head(t.Context()))
	var all []journal.Record
	for r, err := range store.Read(t.Context(), 0, head.Size) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, journal.Record{Seq: r.Seq, Public: bytes.Clone(r.Public), Private: bytes.Clone(r.Private)})
	}
	store.Close()
	clear(t, dir)
	store = netkittest.Must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Config{Dir: dir}))
	defer store.Close()
	var tree journal.Tree
	var b journal.Batch
	for i, r := range change(all) {
		r.Seq = uint64(i) // where it is, whatever it says
		b.Records = append(b.Records, r)
		b.Nodes = tree.Append(journal.Leaf(r.Public), b.Nodes)
	}
	netkittest.Must[journal.Head](t)(store.Append(t.Context(), journal.Head{}, b))
}

// clear removes the journal and what was signed of it; the keys stay.
func clear(t testing.TB, dir string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && (path == "checkpoint" || strings.HasPrefix(path, "journal.db") || strings.Contains(path, "snapshot")) {
			return os.Remove(filepath.Join(dir, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// clearCheckpoint removes what keeps an honest server from rolling back.
func clearCheckpoint(t testing.TB, dir string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, "checkpoint")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

// withCheckpoint has the log of a folder show a checkpoint.
func withCheckpoint(t testing.TB, dir string) string {
	t.Helper()
	h := open(t, dir, now)
	netkittest.Must[[]byte](t)(h.Log.Checkpoint(t.Context()))
	done(t, h)
	return dir
}

// address is how to ask a server.
func address(t testing.TB, url string) (audit.Shown, torchwood.TileReader) {
	t.Helper()
	return netkittest.Must[*netclient.Client](t)(netclient.New(netclient.Config{BaseURL: url, Retries: -1})), netkittest.Must[torchwood.TileReader](t)(audit.Fetcher(url, "test", http.DefaultTransport))
}

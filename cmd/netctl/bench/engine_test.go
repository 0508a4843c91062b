package bench

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/postgres"
	"github.com/agentnet/netctl/netkit/journal/postgres/pgtest"
)

// A short run compares PostgreSQL with SQLite and with pgbench; the figures say nothing.
func TestRunEngine(t *testing.T) {
	db := pgtest.Start(t)
	db.Exec("CREATE DATABASE tpcb")
	if err := postgres.Create(t.Context(), db.URL("owner"), ""); err != nil {
		t.Fatal(err)
	}
	cfg := Engine{Config: Config{Connections: 4, Rounds: 2, Span: 30 * time.Millisecond, Dir: t.TempDir()}, Name: "PostgreSQL", Joining: 500, Open: func(ctx context.Context) (journal.Engine, error) {
		return postgres.Open(ctx, postgres.Config{URL: db.URL("owner"), AllowOwner: true})
	}}
	if _, err := exec.LookPath("pgbench"); err == nil || os.Getenv("NETKIT_REQUIRE_ALL") != "" {
		cfg.TPCB = db.Database("owner", "tpcb")
		if out, err := exec.Command("pgbench", "--initialize", "--quiet", cfg.TPCB).CombinedOutput(); err != nil {
			t.Fatalf("pgbench: %v\n%s", err, out)
		}
	}
	r := measureEngine(t, cfg)
	if cfg.TPCB != "" && (r.TPCB <= 0 || r.TPCBRatio.Low <= 0) {
		t.Errorf("got %+v, want figures of pgbench", r)
	}
}

// A short run compares a cluster with SQLite.
func TestRunCluster(t *testing.T) {
	measureEngine(t, Engine{Config: Config{Connections: 4, Rounds: 2, Span: 30 * time.Millisecond, Dir: t.TempDir()}, Name: "a cluster", Joining: 500})
}

func measureEngine(t *testing.T, cfg Engine) EngineReport {
	t.Helper()
	r, err := RunEngine(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if r.Bare.PerSecond <= 0 || r.Folder.PerSecond <= 0 || r.Engine.PerSecond <= 0 || r.FolderBatch < 1 || r.EngineBatch < 1 || r.Ratio.Low <= 0 {
		t.Errorf("got %+v, want figures", r)
	}
	if r.Join == nil || r.Join.Entries < 500 || r.Join.Took <= 0 || r.Join.Before <= 0 || r.Join.During <= 0 {
		t.Errorf("got %+v, want a node that joined", r.Join)
	}
	return r
}

// A database with a network is left as it is.
func TestRunEngineRefusesANetwork(t *testing.T) {
	e := new(journaltest.Engine)
	open := func(context.Context) (journal.Engine, error) { return e, nil }
	if _, err := RunEngine(t.Context(), Engine{Config: Config{Connections: 1, Rounds: 1, Span: time.Millisecond, Dir: t.TempDir()}, Open: open}); err != nil {
		t.Fatal(err)
	}
	head, err := e.Head(t.Context())
	if err != nil || head == (journal.Head{}) {
		t.Fatalf("got %v, %v, want a network", head, err)
	}
	if _, err := RunEngine(t.Context(), Engine{Open: open}); err == nil || !strings.Contains(err.Error(), "holds a network") {
		t.Errorf("got %v, want a refusal", err)
	}
}

package postgres_test

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/postgres"
	"github.com/agentnet/netctl/netkit/journal/postgres/pgtest"
)

// sealed returns an engine's batch of records.
func sealed(t *testing.T, from uint64, n int) journal.EngineBatch {
	t.Helper()
	b, err := journal.Seal(journal.Batch{Records: journaltest.Records(from, n)}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func grow(t *testing.T, e *postgres.Engine, at journal.Head, n int) journal.Head {
	t.Helper()
	head, err := e.Append(t.Context(), at, sealed(t, at.Size, n))
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// execute runs SQL as a role and returns the error.
func execute(t *testing.T, url, sql string) error {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	_, err = c.Exec(t.Context(), sql)
	return err
}

func TestNobodyChangesARow(t *testing.T) {
	s := pgtest.Start(t)
	owner, node := database(t, s)
	grow(t, open(t, postgres.Config{URL: node}), journal.Head{}, 4)
	for _, sql := range []string{
		"UPDATE agentnet.batches SET public = '{}'", "DELETE FROM agentnet.batches", "TRUNCATE agentnet.batches",
		"DELETE FROM agentnet.keys", "TRUNCATE agentnet.keys",
	} {
		for _, url := range []string{owner, node} {
			if err := execute(t, url, sql); err == nil {
				t.Errorf("%s was carried out", sql)
			}
		}
	}
	for name, sql := range map[string]string{
		"keys replaced":         "UPDATE agentnet.keys SET keys = ''",
		"no entry erases it":    `SELECT agentnet.erase(0, 0, decode(repeat('00', 80), 'hex'))`,
		"an entry of no batch":  `SELECT agentnet.erase(7, 0, decode(repeat('00', 80), 'hex'))`,
		"more keys than one":    `SELECT agentnet.erase(0, 0, '')`,
		"a batch in the middle": `INSERT INTO agentnet.batches SELECT first, entries, before, after, ends, public, lengths, sealed FROM agentnet.batches`,
	} {
		if err := execute(t, node, sql); err == nil {
			t.Errorf("%s: %s was carried out", name, sql)
		}
	}
}

func TestTheOwnerIsRefusedUnlessAllowed(t *testing.T) {
	s := pgtest.Start(t)
	owner, _ := database(t, s)
	if _, err := postgres.Open(t.Context(), postgres.Config{URL: owner}); err == nil || !strings.Contains(err.Error(), "may change or remove entries") {
		t.Errorf("got %v, want that the owner is refused", err)
	}
	grow(t, open(t, postgres.Config{URL: owner, AllowOwner: true}), journal.Head{}, 1)
}

func TestDatabasesWithoutTheSchema(t *testing.T) {
	s := pgtest.Start(t)
	s.Exec("CREATE ROLE stranger LOGIN")
	for _, role := range []string{"owner", "stranger"} {
		if _, err := postgres.Open(t.Context(), postgres.Config{URL: s.URL(role)}); !errors.Is(err, journal.ErrNotFound) || !strings.Contains(err.Error(), "postgres.Create") {
			t.Errorf("as %s: got %v, want advice on making the schema", role, err)
		}
	}
	if err := postgres.Create(t.Context(), s.URL("owner"), "node"); err == nil || !strings.Contains(err.Error(), "CREATE ROLE") {
		t.Errorf("got %v, want that the role does not exist", err)
	}
	var made sync.WaitGroup
	results := make([]error, 8)
	for i := range results {
		made.Go(func() { results[i] = postgres.Create(context.WithoutCancel(t.Context()), s.URL("owner"), "stranger") })
	}
	made.Wait()
	if err := errors.Join(results...); err != nil {
		t.Errorf("making the schema eight times at once: %v", err)
	}
	open(t, postgres.Config{URL: s.URL("stranger")})
}

func TestServersThatLoseEntriesAreRefused(t *testing.T) {
	for _, setting := range []string{"fsync=off", "synchronous_commit=off"} {
		t.Run(setting, func(t *testing.T) {
			s := pgtest.Start(t, setting)
			_, node := database(t, s)
			if _, err := postgres.Open(t.Context(), postgres.Config{URL: node}); err == nil || !strings.Contains(err.Error(), setting) {
				t.Errorf("got %v, want that %s is refused", err, setting)
			}
			e := open(t, postgres.Config{URL: node, AcceptLoss: true})
			if got := e.Limits().Acknowledged; got != "in the memory of 1 server" {
				t.Errorf("acknowledged: got %q", got)
			}
		})
	}
}

func TestAcknowledged(t *testing.T) {
	for want, s := range map[string]postgres.Settings{
		"synced on 1 server":                              {Fsync: true, Commit: "on"},
		"synced on 2 servers":                             {Fsync: true, Commit: "on", Names: "a, b"},
		"synced on 3 servers":                             {Fsync: true, Commit: "remote_apply", Names: "FIRST 2 (a, b, c)"},
		"synced on 4 servers":                             {Fsync: true, Commit: "on", Names: "any 3(*)"},
		"synced on 5 servers":                             {Fsync: true, Commit: "on", Names: " 4 (a,b,c,d)"},
		"synced on 1 server, and in the memory of 1 more": {Fsync: true, Commit: "remote_write", Names: "a"},
		"in the memory of 1 server":                       {Commit: "on", Names: "a"},
	} {
		if got := s.Acknowledged(); got != want {
			t.Errorf("%+v: got %q, want %q", s, got, want)
		}
	}
	local := postgres.Settings{Fsync: true, Commit: "local", Names: "a"}
	if got := local.Acknowledged(); got != "synced on 1 server" {
		t.Errorf("got %q", got)
	}
}

// A cancelled wait for a standby commits and only warns: that is doubt, and the same
// batch again waits for the standby.
func TestACancelledWaitIsDoubt(t *testing.T) {
	s := pgtest.Start(t, "synchronous_standby_names=s1", "wal_level=replica", "wal_keep_size=64MB")
	f := s.Follow("s1")
	_, node := database(t, s)
	e := open(t, postgres.Config{URL: node})
	if got := e.Limits().Acknowledged; got != "synced on 2 servers" {
		t.Errorf("acknowledged: got %q", got)
	}
	head := grow(t, e, journal.Head{}, 2)
	f.Kill()
	b := sealed(t, head.Size, 3)
	done := make(chan error)
	appendAgain := func() { _, err := e.Append(context.WithoutCancel(t.Context()), head, b); done <- err }
	go appendAgain()
	cancelWaiting(t, s)
	if err := <-done; !errors.Is(err, journal.ErrDoubtful) {
		t.Fatalf("got %v, want doubt", err)
	}
	go appendAgain()
	go func() { time.Sleep(50 * time.Millisecond); f.Resume() }()
	if err := <-done; err != nil {
		t.Fatalf("repeated with the standby back: %v", err)
	}
	if got, err := e.Head(t.Context()); err != nil || got.Size != 5 {
		t.Errorf("got %v, %v, want 5 entries", got, err)
	}
}

// cancelWaiting cancels the backend that waits for a standby.
func cancelWaiting(t *testing.T, s *pgtest.Server) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), s.URL("owner"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	for range 1000 {
		var n int
		err := c.QueryRow(t.Context(), `SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no backend waits for a standby")
}

// A server that crashes under an append leaves doubt or nothing; the same batch
// again settles it.
func TestACrashUnderAppends(t *testing.T) {
	s := pgtest.Start(t)
	_, node := database(t, s)
	e := open(t, postgres.Config{URL: node})
	head := journal.Head{}
	for round := range 4 {
		crashed := make(chan struct{})
		go func() {
			time.Sleep(time.Duration(30+round*20) * time.Millisecond)
			s.Kill()
			s.Resume()
			close(crashed)
		}()
		for over := false; !over; {
			select {
			case <-crashed:
				over = true
			default:
			}
			b := sealed(t, head.Size, 2)
			next, err := e.Append(t.Context(), head, b)
			for tries := 0; err != nil && tries < 500; tries++ {
				if errors.Is(err, journal.ErrHeadMoved) {
					t.Fatalf("round %d: %v", round, err)
				}
				time.Sleep(10 * time.Millisecond)
				next, err = e.Append(t.Context(), head, b)
			}
			if err != nil {
				t.Fatal(err)
			}
			head = next
		}
	}
	n := 0
	for b, err := range e.Batches(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		n += len(b.Public)
	}
	if uint64(n) != head.Size {
		t.Errorf("got %d entries, want %d", n, head.Size)
	}
}

// A standby that is promoted without the last entries has gone back: a node that has
// them is answered that they are not there.
func TestAPromotionThatLosesEntries(t *testing.T) {
	s := pgtest.Start(t, "wal_level=replica")
	_, node := database(t, s)
	e := open(t, postgres.Config{URL: node})
	head := grow(t, e, journal.Head{}, 2)
	f := s.Follow("s1")
	f.Kill()
	head = grow(t, e, head, 3)
	s.Kill()
	f.Resume()
	if _, err := postgres.Open(t.Context(), postgres.Config{URL: f.Database("node", nameOf(node))}); err == nil || !strings.Contains(err.Error(), "is a standby") {
		t.Errorf("got %v, want that a standby is refused", err)
	}
	f.Exec("SELECT pg_promote()")
	after := open(t, postgres.Config{URL: f.Database("node", nameOf(node))})
	if got, err := after.Head(t.Context()); err != nil || got.Size != 2 {
		t.Fatalf("got %v, %v, want the 2 entries of before", got, err)
	}
	for _, err := range after.Batches(t.Context(), head.Size) {
		if !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("got %v, want %v", err, journal.ErrNotFound)
		}
	}
	if _, err := after.Append(t.Context(), head, sealed(t, head.Size, 1)); !errors.Is(err, journal.ErrHeadMoved) {
		t.Errorf("got %v, want %v", err, journal.ErrHeadMoved)
	}
}

// nameOf returns the name of the database of a connection string.
func nameOf(url string) string {
	c, _ := pgx.ParseConfig(url)
	return c.Database
}

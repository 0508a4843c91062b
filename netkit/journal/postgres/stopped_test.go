package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/postgres/pgtest"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// openOwner opens a network that its owner writes to.
func openOwner(t *testing.T, s *pgtest.Server) *Engine {
	t.Helper()
	e, err := Open(t.Context(), Config{URL: s.URL("owner"), AllowOwner: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// A process that is stopped inside a transaction does not keep another one from taking
// its place.
func TestAStoppedProcessHoldsNoLock(t *testing.T) {
	s := pgtest.Start(t)
	if err := Create(t.Context(), s.URL("owner"), ""); err != nil {
		t.Fatal(err)
	}
	stopped, other := openOwner(t, s), openOwner(t, s)
	tx, err := stopped.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `UPDATE agentnet.writer SET beat = beat`); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Claim(t.Context(), 0, "b", "http://b"); err != nil {
		t.Errorf("the other process: %v", err)
	}
	if err := tx.Commit(t.Context()); err == nil {
		t.Error("the transaction of a stopped process was committed")
	}
}

// Beats and the roster wait for no standby.
func TestBeatsWaitForNoStandby(t *testing.T) {
	s := pgtest.Start(t)
	if err := Create(t.Context(), s.URL("owner"), ""); err != nil {
		t.Fatal(err)
	}
	s.Exec("ALTER SYSTEM SET synchronous_standby_names = 'missing'")
	s.Exec("SELECT pg_reload_conf()")
	e := openOwner(t, s)
	w, err := e.Claim(t.Context(), 0, "a", "http://a")
	if err == nil {
		err = e.Beat(t.Context(), w.Term)
	}
	me := journal.Member{Node: "a"}
	if err == nil {
		_, err = e.Attend(t.Context(), me)
	}
	me.Beat = 1
	if err == nil {
		err = e.Depart(t.Context(), me)
	}
	if err != nil {
		t.Error(err)
	}
}

// A claim survives a crash of the server, so that no other node gets its term.
func TestAClaimSurvivesACrash(t *testing.T) {
	s := pgtest.Start(t)
	if err := Create(t.Context(), s.URL("owner"), ""); err != nil {
		t.Fatal(err)
	}
	e := openOwner(t, s)
	claimed, err := e.Claim(t.Context(), 0, "a", "http://a")
	if err != nil {
		t.Fatal(err)
	}
	s.Kill()
	s.Resume()
	if w, err := openOwner(t, s).Writer(t.Context()); err != nil || w.Term != claimed.Term || w.Node != "a" {
		t.Errorf("after the crash: got %+v, %v, want %+v", w, err, claimed)
	}
}

// An engine closes in the middle of an append that the database does not answer. The
// outcome of the append is unknown then.
func TestCloseWithoutAnAnswer(t *testing.T) {
	s := pgtest.Start(t)
	if err := Create(t.Context(), s.URL("owner"), ""); err != nil {
		t.Fatal(err)
	}
	e := openOwner(t, s)
	b, err := journal.Seal(journal.Batch{Records: journaltest.Records(0, 1)}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	holder, err := pgx.Connect(t.Context(), s.URL("owner"))
	if err == nil {
		defer holder.Close(context.Background())
		_, err = holder.Exec(t.Context(), "BEGIN; LOCK TABLE agentnet.batches")
	}
	if err != nil {
		t.Fatal(err)
	}
	appended, closed := make(chan error, 1), make(chan error, 1)
	go func() { _, err := e.Append(t.Context(), journal.Head{}, b); appended <- err }()
	netkittest.Until(t, "the append to wait", func() bool {
		var waits bool
		err := holder.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)").Scan(&waits)
		return err != nil || waits
	})
	go func() { closed <- e.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("the engine does not close")
	}
	if err := <-appended; !errors.Is(err, journal.ErrDoubtful) {
		t.Errorf("the append: got %v, want %v", err, journal.ErrDoubtful)
	}
}

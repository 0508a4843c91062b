package postgres

import (
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/postgres/pgtest"
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

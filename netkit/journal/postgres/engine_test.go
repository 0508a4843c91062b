package postgres_test

import (
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/postgres"
	"github.com/agentnet/netctl/netkit/journal/postgres/pgtest"
)

// database returns the addresses of a new database on the server: that of the owner,
// and that of a node's role.
func database(t *testing.T, s *pgtest.Server) (owner, node string) {
	t.Helper()
	databases++
	name := fmt.Sprintf("net%d", databases)
	s.Exec("CREATE DATABASE " + name)
	s.Exec(`DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'node') THEN CREATE ROLE node LOGIN; END IF; END $$`)
	owner, node = s.Database("owner", name), s.Database("node", name)
	if err := postgres.Create(t.Context(), owner, "node"); err != nil {
		t.Fatal(err)
	}
	return owner, node
}

var databases int

func open(t *testing.T, cfg postgres.Config) *postgres.Engine {
	t.Helper()
	e, err := postgres.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func TestEngine(t *testing.T) {
	s := pgtest.Start(t)
	var url string
	journaltest.RunEngine(t, func(t *testing.T) journal.Engine {
		_, url = database(t, s)
		return open(t, postgres.Config{URL: url})
	}, func(t *testing.T, _ journal.Engine) journal.Engine {
		return open(t, postgres.Config{URL: url})
	})
}

package postgres

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/agentnet/netctl/netkit/journal"
)

// schemaVersion is the version of the schema that this package knows.
const schemaVersion = 1

//go:embed schema.sql
var schema string

// schemaLock is the advisory lock under which a schema is made, since two programs
// that make one at the same time both fail.
const schemaLock = 0x6167656e746e6574

// Create makes the schema agentnet in a database, unless it is there, and lets a
// role append to it and read it. The URL is that of the owner, which may make
// schemas; role is the one that nodes connect as, and has to exist. An empty role
// grants nothing: nodes then connect as the owner.
func Create(ctx context.Context, url, role string) error {
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("journal: the database does not answer: %w", err)
	}
	defer c.Close(context.WithoutCancel(ctx))
	s, err := readSettings(ctx, c)
	if err == nil {
		err = s.check(true)
	}
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error { return create(ctx, tx, role) })
}

func create(ctx context.Context, tx pgx.Tx, role string) error {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, schemaLock); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	var there bool
	if err := tx.QueryRow(ctx, `SELECT to_regclass('agentnet.meta') IS NOT NULL`).Scan(&there); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if !there {
		if _, err := tx.Exec(ctx, schema); err != nil {
			return fmt.Errorf("journal: making the schema: %w", err)
		}
	}
	var version int
	if err := tx.QueryRow(ctx, `SELECT max(version) FROM agentnet.meta`).Scan(&version); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if version != schemaVersion {
		return fmt.Errorf("%w: the database has schema version %d, and this program knows %d", journal.ErrNewer, version, schemaVersion)
	}
	return grant(ctx, tx, role)
}

// grant lets a role do what a node needs.
func grant(ctx context.Context, tx pgx.Tx, role string) error {
	if role == "" {
		return nil
	}
	var exists, owner bool
	err := tx.QueryRow(ctx, `SELECT count(*) > 0, coalesce(bool_or(rolname = current_user), false) FROM pg_roles WHERE rolname = $1`, role).Scan(&exists, &owner)
	switch {
	case err != nil:
		return fmt.Errorf("journal: %w", err)
	case !exists:
		return fmt.Errorf("journal: there is no role %q; make it with CREATE ROLE, or name another", role)
	case owner:
		return errors.New("journal: the role of the nodes is to be another than the owner's")
	}
	name := pgx.Identifier{role}.Sanitize()
	for _, what := range []string{
		"USAGE ON SCHEMA agentnet",
		"SELECT ON agentnet.meta, agentnet.journal, agentnet.writer",
		"SELECT, INSERT ON agentnet.batches, agentnet.keys",
		"UPDATE ON agentnet.writer",
		"SELECT, INSERT, UPDATE, DELETE ON agentnet.nodes",
		"EXECUTE ON FUNCTION agentnet.erase",
	} {
		if _, err := tx.Exec(ctx, "GRANT "+what+" TO "+name); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
	}
	return nil
}

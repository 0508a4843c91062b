package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/agentnet/netctl/netkit/journal"
)

// Config names the database with the batches. URL is required.
type Config struct {
	// URL is a connection string as libpq reads it: postgres://user@host/database.
	URL string
	// AllowOwner lets the role be one that may change or remove the tables.
	AllowOwner bool
	// AcceptLoss accepts a server whose settings lose acknowledged entries in a power
	// cut.
	AcceptLoss bool
}

// Engine is a [journal.Engine] in PostgreSQL. Make one with [Open].
type Engine struct {
	cfg    Config
	pool   *pgxpool.Pool
	writes sync.Mutex // held by an append, so that only one is under way

	promise atomic.Pointer[Settings]
	bell    *bell

	living context.Context // ends with the connections
	end    context.CancelFunc
}

var _ journal.Engine = (*Engine)(nil)

// connections is how many connections an engine opens at most, besides the one that
// listens: one appends, the others read.
const connections = 4

// maxBatch is the size of the largest batch. PostgreSQL takes values of 1 GiB; a
// batch of 16 MiB still fits the memory of small servers several times.
const maxBatch = 16 << 20

// Open connects to a database that [Create] made ready. It refuses a server whose
// settings lose acknowledged entries, and the owner of the tables, unless cfg
// allows them.
func Open(ctx context.Context, cfg Config) (*Engine, error) {
	pc, err := pgxpool.ParseConfig(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("journal: the address of the database: %w", err)
	}
	e := &Engine{cfg: cfg, bell: newBell()}
	e.living, e.end = context.WithCancel(context.Background())
	pc.MaxConns = connections
	configure(pc.ConnConfig)
	pc.ConnConfig.DialFunc = e.dialUntilEnd(pc.ConnConfig.DialFunc)
	pc.AfterConnect = e.check
	if e.pool, err = pgxpool.NewWithConfig(ctx, pc); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if err := e.pool.Ping(ctx); err != nil {
		e.pool.Close()
		return nil, fmt.Errorf("journal: the database does not answer: %w", err)
	}
	e.bell.start(pc.ConnConfig.Copy())
	return e, nil
}

// configure sets the parameters of every connection: nothing cuts a statement, and
// warnings are counted. The server ends a transaction whose process is stopped between
// two statements, since other nodes wait for its locks.
func configure(c *pgx.ConnConfig) {
	endSilentConnections(c)
	for name, value := range map[string]string{"statement_timeout": "0", "lock_timeout": "0", "idle_in_transaction_session_timeout": "1s"} {
		c.RuntimeParams[name] = value
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "netctl"
	}
	c.OnNotice = func(conn *pgconn.PgConn, n *pgconn.Notice) {
		if n.SeverityUnlocalized == "WARNING" {
			conn.CustomData()[warned] = n.Message
		}
	}
}

// warned is the key of the latest warning in the custom data of a connection.
const warned = "agentnet warning"

// closeTime is how long Close waits for a database that does not answer.
const closeTime = 5 * time.Second

// Close implements [journal.Engine]. It waits for the calls under way, and cuts their
// connections if the database does not answer: the outcome of an append is then unknown.
func (e *Engine) Close() error {
	late := time.AfterFunc(closeTime, e.end)
	defer late.Stop()
	e.writes.Lock()
	defer e.writes.Unlock()
	e.bell.stop()
	e.pool.Close()
	e.end()
	return nil
}

// Limits implements [journal.Engine].
func (e *Engine) Limits() journal.EngineLimits {
	return journal.EngineLimits{Batch: maxBatch, Acknowledged: e.promise.Load().Acknowledged()}
}

// Settings returns the settings of the server as the latest connection found them.
func (e *Engine) Settings() Settings { return *e.promise.Load() }

// check runs on every new connection, since it may lead to another server than the
// one before.
func (e *Engine) check(ctx context.Context, c *pgx.Conn) error {
	s, err := readSettings(ctx, c)
	if err == nil {
		err = s.check(e.cfg.AcceptLoss)
	}
	if err == nil {
		err = e.checkSchema(ctx, c)
	}
	if err == nil {
		e.promise.Store(&s)
	}
	return err
}

// checkSchema checks the version of the schema and the rights of the role.
func (e *Engine) checkSchema(ctx context.Context, c *pgx.Conn) error {
	var version int
	err := c.QueryRow(ctx, `SELECT max(version) FROM agentnet.meta`).Scan(&version)
	if failed(err, "42P01") || failed(err, "3F000") {
		return fmt.Errorf("%w: the database has no schema agentnet; %s", journal.ErrNotFound, createHint)
	}
	if failed(err, "42501") {
		return fmt.Errorf("journal: the role may not read the schema agentnet; %s", createHint)
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if version != schemaVersion {
		return fmt.Errorf("%w: the database has schema version %d, and this program knows %d", journal.ErrNewer, version, schemaVersion)
	}
	var may bool
	err = c.QueryRow(ctx, `SELECT bool_or(has_table_privilege(t, p)) OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
		OR bool_or(pg_has_role(c.relowner, 'USAGE'))
		FROM unnest(ARRAY['agentnet.batches', 'agentnet.keys']) AS t, unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS p, pg_class AS c
		WHERE c.oid = t::regclass`).Scan(&may)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if may && !e.cfg.AllowOwner {
		return errors.New("journal: the role may change or remove entries; connect as the role that was named when the schema was made, or allow the owner")
	}
	return nil
}

const createHint = "postgres.Create makes it"

// failed reports whether PostgreSQL answered with an error of a code.
func failed(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}

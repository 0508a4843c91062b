package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/agentnet/netctl/netkit/journal"
)

// insert adds a batch behind the head that it continues, and its keys. It returns a
// row if it did. The bell rings when the transaction commits.
const insert = `WITH added AS (
	INSERT INTO agentnet.batches(first, entries, before, after, root, ends, public, lengths, sealed)
	SELECT $1::bigint, $2::integer, $3::bytea, $4::bytea, $11::bytea, $5::integer[], $6::bytea, $7::integer[], $8::bytea
	WHERE CASE $1 WHEN 0 THEN NOT EXISTS (SELECT FROM agentnet.batches)
		ELSE ($1, $3) = (SELECT first + entries, after FROM agentnet.batches ORDER BY first DESC LIMIT 1) END
	ON CONFLICT DO NOTHING RETURNING first
), opened AS (
	INSERT INTO agentnet.keys(first, parts, keys) SELECT first, $9::integer, $10::bytea FROM added WHERE $9 > 0
) SELECT pg_notify('agentnet', ($1::bigint + $2::integer)::text) FROM added`

// row is a batch as the table holds it.
type row struct {
	first   uint64
	before  journal.Head
	after   journal.Head
	root    []byte
	ends    []int32
	public  []byte
	lengths []int32 // of the sealed parts; empty where the batch has none
	sealed  []byte
	parts   int
	keys    []byte
}

// pack makes the row of a batch.
func pack(at, next journal.Head, b *journal.EngineBatch) *row {
	r := &row{first: b.First, before: at, after: next, root: b.Root[:], keys: b.Keys}
	for _, part := range b.Public {
		r.public = append(r.public, part...)
		r.ends = append(r.ends, int32(len(r.public)))
	}
	for i := range b.Public {
		if part := b.Sealed[i]; part != nil {
			r.parts++
			r.sealed = append(r.sealed, part...)
		}
		r.lengths = append(r.lengths, int32(len(b.Sealed[i])))
	}
	if r.parts == 0 {
		r.lengths = []int32{}
	}
	return r
}

func (r *row) arguments() []any {
	return []any{int64(r.first), len(r.ends), r.before.Tip[:], r.after.Tip[:], r.ends, r.public, r.lengths, notNull(r.sealed), r.parts, notNull(r.keys), r.root}
}

func notNull(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Append implements [journal.Engine].
func (e *Engine) Append(ctx context.Context, at journal.Head, b journal.EngineBatch) (journal.Head, error) {
	next, err := b.Next(at)
	if err != nil {
		return journal.Head{}, err
	}
	r := pack(at, next, &b)
	if size := len(r.public) + len(r.sealed); size > maxBatch {
		return journal.Head{}, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", journal.ErrBadBatch, size, maxBatch)
	}
	e.writes.Lock()
	defer e.writes.Unlock()
	c, err := e.pool.Acquire(ctx)
	if err != nil {
		return journal.Head{}, fmt.Errorf("journal: no connection to the database: %w", err)
	}
	defer c.Release()
	return next, e.append(context.WithoutCancel(ctx), c.Conn(), at, r, b.Erase)
}

// append writes a row. From here on nothing cuts it.
func (e *Engine) append(ctx context.Context, c *pgx.Conn, at journal.Head, r *row, erase []uint64) error {
	notes := c.PgConn().CustomData()
	delete(notes, warned)
	added, err := e.write(ctx, c, r, erase)
	if err == nil && !added {
		return e.compare(ctx, c, at, r)
	}
	if warning, ok := notes[warned]; ok && err == nil {
		err = fmt.Errorf("%w: the database warned: %s", journal.ErrDoubtful, warning)
	}
	if err != nil {
		return outcome(err)
	}
	e.bell.ring(r.after.Size)
	return nil
}

// write inserts a row and erases keys, in one transaction.
func (e *Engine) write(ctx context.Context, c *pgx.Conn, r *row, erase []uint64) (added bool, err error) {
	if len(erase) == 0 {
		return inserted(c.Exec(ctx, insert, r.arguments()...))
	}
	err = pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
		if added, err = inserted(tx.Exec(ctx, insert, r.arguments()...)); err != nil || !added {
			return err
		}
		return eraseKeys(ctx, tx, erase)
	})
	return added, err
}

func inserted(tag pgconn.CommandTag, err error) (bool, error) { return tag.RowsAffected() == 1, err }

// compare looks at the row that is in the place of one that was not inserted.
func (e *Engine) compare(ctx context.Context, c *pgx.Conn, at journal.Head, r *row) error {
	have, err := e.headOf(ctx, c)
	if moved := (*journal.RetiredError)(nil); errors.As(err, &moved) && at == moved.Head {
		return err
	} else if moved != nil { // the batch may be one of those before the end
		have, err = moved.Head, nil
	}
	if err != nil {
		return err
	}
	moved := &journal.HeadMovedError{Have: have, Want: at}
	var before, after, root, public, sealed []byte
	err = c.QueryRow(ctx, `SELECT before, after, root, public, sealed FROM agentnet.batches WHERE first = $1`, int64(r.first)).
		Scan(&before, &after, &root, &public, &sealed)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return moved
	case err != nil:
		return fmt.Errorf("journal: %w", err)
	case !bytes.Equal(before, r.before.Tip[:]) || !bytes.Equal(after, r.after.Tip[:]) || !bytes.Equal(root, r.root) || !bytes.Equal(public, r.public) || !bytes.Equal(sealed, r.sealed):
		return moved
	}
	// It is the same batch. Where its commit was cut, another one waits for the
	// standbys in its place, since they receive all commits in order.
	return e.confirm(ctx, c)
}

// outcome names an error of an append. PostgreSQL's answer that a statement failed
// is definite; the end of the connection is not.
func outcome(err error) error {
	var pg *pgconn.PgError
	switch {
	case errors.Is(err, journal.ErrDoubtful):
		return err
	case errors.As(err, &pg) && pg.SeverityUnlocalized == "ERROR":
		return serverError(pg)
	case !errors.As(err, &pg) && pgconn.SafeToRetry(err):
		return fmt.Errorf("journal: the database does not answer: %w", err)
	}
	return fmt.Errorf("%w: %w", journal.ErrDoubtful, err)
}

// serverError names an error that PostgreSQL answered.
func serverError(pg *pgconn.PgError) error {
	switch pg.Code {
	case "53100":
		return fmt.Errorf("%w: the database: %s", journal.ErrFull, pg.Message)
	case "25006", "42501":
		return fmt.Errorf("%w: the database: %s", journal.ErrNotWritable, pg.Message)
	}
	return fmt.Errorf("journal: the database: %w", pg)
}

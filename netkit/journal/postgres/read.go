package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"github.com/agentnet/netctl/netkit/journal"
)

// Head implements [journal.Engine]. Where commits wait for standbys, it commits
// something empty first: a server that was replaced and does not know it gets no
// answer from them, and could otherwise show an old head.
func (e *Engine) Head(ctx context.Context) (head journal.Head, err error) {
	c, err := e.pool.Acquire(ctx)
	if err != nil {
		return head, fmt.Errorf("journal: no connection to the database: %w", err)
	}
	defer c.Release()
	if err := e.confirm(ctx, c.Conn()); err != nil {
		return head, err
	}
	return e.headOf(ctx, c.Conn())
}

// confirm waits until the standbys have all that was committed, if commits wait for
// them.
func (e *Engine) confirm(ctx context.Context, c *pgx.Conn) error {
	if s := e.promise.Load(); !s.waits() {
		return nil
	}
	notes := c.PgConn().CustomData()
	delete(notes, warned)
	_, err := c.Exec(ctx, `SELECT pg_logical_emit_message(true, 'agentnet', '')`)
	if warning, ok := notes[warned]; ok && err == nil {
		err = errors.New(fmt.Sprint(warning))
	}
	if err != nil {
		return fmt.Errorf("%w: the standbys of the database did not confirm: %w", journal.ErrDoubtful, err)
	}
	return nil
}

// headOf reads the head. The error is a [journal.RetiredError] once the journal ended.
func (e *Engine) headOf(ctx context.Context, c *pgx.Conn) (head journal.Head, err error) {
	var size int64
	var entries int32
	var tip, to []byte
	err = c.QueryRow(ctx, `SELECT first + entries, entries, after, CASE entries WHEN 0 THEN public END FROM agentnet.batches ORDER BY first DESC LIMIT 1`).Scan(&size, &entries, &tip, &to)
	if errors.Is(err, pgx.ErrNoRows) {
		return journal.Head{}, nil
	}
	if err != nil {
		return head, fmt.Errorf("journal: reading the head: %w", err)
	}
	head = journal.Head{Size: uint64(size), Tip: [journal.HashSize]byte(tip)}
	if entries == 0 {
		return journal.Head{}, &journal.RetiredError{Head: head, To: string(to)}
	}
	return head, nil
}

// chunk is how many batches one query reads. More would hold the memory of larger
// answers, fewer make a round trip more often.
const chunk = 64

// Batches implements [journal.Engine].
func (e *Engine) Batches(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	return func(yield func(journal.EngineBatch, error) bool) {
		head, err := e.Head(ctx)
		if moved := (*journal.RetiredError)(nil); errors.As(err, &moved) {
			head, err = moved.Head, nil
		}
		if err == nil && from > head.Size {
			err = fmt.Errorf("%w: the database ends at entry %d", journal.ErrNotFound, head.Size)
		}
		for next := from; err == nil && next < head.Size; {
			var rows []row
			rows, err = e.rows(ctx, next)
			for i := range rows {
				b, damaged := rows[i].unpack(next)
				if damaged != nil {
					err = damaged
					break
				}
				if !yield(b, nil) {
					return
				}
				next = b.First + uint64(len(b.Public))
			}
		}
		if err != nil {
			yield(journal.EngineBatch{}, err)
		}
	}
}

// rows reads the batch that holds an entry, and those behind it.
func (e *Engine) rows(ctx context.Context, from uint64) ([]row, error) {
	found, err := e.pool.Query(ctx, `SELECT b.first, b.root, b.ends, b.public, b.lengths, b.sealed, coalesce(k.keys, '')
		FROM agentnet.batches AS b LEFT JOIN agentnet.keys AS k USING(first)
		WHERE b.entries > 0 AND b.first >= (SELECT max(first) FROM agentnet.batches WHERE first <= $1) ORDER BY b.first LIMIT $2`, int64(from), chunk)
	if err != nil {
		return nil, fmt.Errorf("journal: reading batches: %w", err)
	}
	rows, err := pgx.CollectRows(found, func(s pgx.CollectableRow) (r row, err error) {
		var first int64
		err = s.Scan(&first, &r.root, &r.ends, &r.public, &r.lengths, &r.sealed, &r.keys)
		r.first = uint64(first)
		return r, err
	})
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("%w: the database has no batch with entry %d", journal.ErrNotJournal, from)
	}
	if err != nil {
		return nil, fmt.Errorf("journal: reading batches: %w", err)
	}
	return rows, nil
}

// unpack returns the batch of a row that holds an entry. The error for a row whose
// parts do not fit is a [journal.ErrNotJournal].
func (r *row) unpack(entry uint64) (b journal.EngineBatch, err error) {
	damaged := fmt.Errorf("%w: the batch at entry %d in the database is damaged", journal.ErrNotJournal, r.first)
	n := len(r.ends)
	if entry < r.first || entry >= r.first+uint64(n) || len(r.root) != journal.HashSize || len(r.lengths) != 0 && len(r.lengths) != n {
		return b, damaged
	}
	b = journal.EngineBatch{SealedBatch: journal.SealedBatch{First: r.first, Sealed: make([][]byte, n)}, Root: [journal.HashSize]byte(r.root), Keys: r.keys}
	start := int32(0)
	for _, end := range r.ends {
		if end <= start || int(end) > len(r.public) {
			return b, damaged
		}
		b.Public, start = append(b.Public, r.public[start:end:end]), end
	}
	rest := r.sealed
	for i, n := range r.lengths {
		if n < 0 || int(n) > len(rest) {
			return b, damaged
		}
		if n > 0 {
			b.Sealed[i], rest = rest[:n:n], rest[n:]
		}
	}
	if int(start) != len(r.public) || len(rest) > 0 {
		return b, damaged
	}
	return b, nil
}

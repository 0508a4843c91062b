package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit/journal"
)

var _ journal.Retirer = (*Engine)(nil)

// ending takes the place of the next batch. It returns no row where the journal has
// ended, and where a batch took the place at the same instant.
const ending = `WITH newest AS (SELECT first + entries AS size, entries, after, root FROM agentnet.batches ORDER BY first DESC LIMIT 1),
	ended AS (
		INSERT INTO agentnet.batches(first, entries, before, after, root, ends, public, lengths, sealed)
		SELECT coalesce(size, 0), 0, coalesce(after, $2), coalesce(after, $2), coalesce(root, $2), '{}', $1, '{}', ''
		FROM (SELECT) AS one LEFT JOIN newest ON true WHERE coalesce(entries, 1) > 0
		ON CONFLICT DO NOTHING RETURNING first
	) SELECT pg_notify('agentnet', first::text) FROM ended`

// Retire implements [journal.Retirer].
func (e *Engine) Retire(ctx context.Context, to string) (journal.Head, error) {
	e.writes.Lock()
	defer e.writes.Unlock()
	c, err := e.pool.Acquire(ctx)
	if err != nil {
		return journal.Head{}, fmt.Errorf("journal: no connection to the database: %w", err)
	}
	defer c.Release()
	ctx = context.WithoutCancel(ctx) // as in an append, nothing cuts the commit
	for {
		ended, err := inserted(c.Exec(ctx, ending, []byte(to), make([]byte, journal.HashSize)))
		if err != nil {
			return journal.Head{}, outcome(err)
		}
		_, err = e.headOf(ctx, c.Conn())
		moved := (*journal.RetiredError)(nil)
		switch {
		case errors.As(err, &moved) && ended:
			return moved.Head, e.confirm(ctx, c.Conn())
		case err != nil:
			return journal.Head{}, err
		}
	}
}

package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/agentnet/netctl/netkit/journal"
)

// Writer implements [journal.Engine].
func (e *Engine) Writer(ctx context.Context) (journal.Writer, error) {
	return readWriter(e.pool.QueryRow(ctx, `SELECT term, node, address, beat FROM agentnet.writer`))
}

// Claim implements [journal.Engine]. It waits for the disk, since two nodes would
// otherwise get the same term where the server crashes between their claims.
func (e *Engine) Claim(ctx context.Context, before uint64, node, address string) (journal.Writer, error) {
	return e.setWriter(ctx, `term = term + 1, node = $2, address = $3, beat = beat + 1 FROM `+onDisk, int64(before), node, address)
}

// Beat implements [journal.Engine].
func (e *Engine) Beat(ctx context.Context, term uint64) error {
	_, err := e.setWriter(ctx, `beat = beat + 1 FROM `+hint, int64(term))
	return err
}

// setWriter changes the row of the writer if its term is the first argument and no end
// follows the batches.
func (e *Engine) setWriter(ctx context.Context, change string, args ...any) (journal.Writer, error) {
	w, err := readWriter(e.pool.QueryRow(ctx, `UPDATE agentnet.writer SET `+change+`
		WHERE term = $1 AND NOT EXISTS (SELECT FROM agentnet.batches WHERE entries = 0 AND first = (SELECT max(first) FROM agentnet.batches))
		RETURNING term, node, address, beat`, args...))
	if errors.Is(err, journal.ErrClaimed) {
		if _, ended := e.poll(ctx); errors.Is(ended, journal.ErrRetired) {
			return w, ended
		}
	}
	return w, err
}

// readWriter reads the row of the writer, or none where the condition of a statement
// does not hold.
func readWriter(row pgx.Row) (w journal.Writer, err error) {
	var term, beat int64
	err = row.Scan(&term, &w.Node, &w.Address, &beat)
	w.Term, w.Beat = uint64(term), uint64(beat)
	if errors.Is(err, pgx.ErrNoRows) {
		return w, journal.ErrClaimed
	}
	if err != nil {
		return w, fmt.Errorf("journal: the row of the writer: %w", err)
	}
	return w, nil
}

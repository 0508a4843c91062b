package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/agentnet/netctl/netkit/journal"
)

var _ journal.Roster = (*Engine)(nil)

// Attend implements [journal.Roster]. It waits neither for the disk nor for standbys.
func (e *Engine) Attend(ctx context.Context, me journal.Member) (all []journal.Member, err error) {
	err = e.hint(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO agentnet.nodes(node, address, entries, beat) VALUES ($1, $2, $3, 1)
			ON CONFLICT (node) DO UPDATE SET address = $2, entries = $3, beat = nodes.beat + 1`, me.Node, me.Address, int64(me.Entries)); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT node, address, entries, beat FROM agentnet.nodes ORDER BY node COLLATE "C"`)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (m journal.Member, err error) {
			var entries, beat int64
			err = row.Scan(&m.Node, &m.Address, &entries, &beat)
			m.Entries, m.Beat = uint64(entries), uint64(beat)
			return m, err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("journal: the rows of the nodes: %w", err)
	}
	return all, nil
}

// Depart implements [journal.Roster].
func (e *Engine) Depart(ctx context.Context, m journal.Member) error {
	err := e.hint(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM agentnet.nodes WHERE node = $1 AND beat = $2`, m.Node, int64(m.Beat))
		return err
	})
	if err != nil {
		return fmt.Errorf("journal: the row of the node %s: %w", m.Node, err)
	}
	return nil
}

// hint runs a transaction whose loss in a crash does no harm: its commit does not wait
// for the disk or for standbys.
func (e *Engine) hint(ctx context.Context, do func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL synchronous_commit = off`); err != nil {
			return err
		}
		return do(tx)
	})
}

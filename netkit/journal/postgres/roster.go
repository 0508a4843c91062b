package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/agentnet/netctl/netkit/journal"
)

var _ journal.Roster = (*Engine)(nil)

// Attend implements [journal.Roster].
func (e *Engine) Attend(ctx context.Context, me journal.Member) (all []journal.Member, err error) {
	_, err = e.pool.Exec(ctx, `INSERT INTO agentnet.nodes(node, address, entries, beat) SELECT $1::text, $2::text, $3::bigint, 1 FROM `+hint+`
		ON CONFLICT (node) DO UPDATE SET address = $2, entries = $3, beat = nodes.beat + 1`, me.Node, me.Address, int64(me.Entries))
	var rows pgx.Rows
	if err == nil {
		rows, err = e.pool.Query(ctx, `SELECT node, address, entries, beat FROM agentnet.nodes ORDER BY node COLLATE "C"`)
	}
	if err == nil {
		all, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (m journal.Member, err error) {
			var entries, beat int64
			err = row.Scan(&m.Node, &m.Address, &entries, &beat)
			m.Entries, m.Beat = uint64(entries), uint64(beat)
			return m, err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("journal: the rows of the nodes: %w", err)
	}
	return all, nil
}

// Depart implements [journal.Roster].
func (e *Engine) Depart(ctx context.Context, m journal.Member) error {
	if _, err := e.pool.Exec(ctx, `DELETE FROM agentnet.nodes USING `+hint+` WHERE node = $1 AND beat = $2`, m.Node, int64(m.Beat)); err != nil {
		return fmt.Errorf("journal: the row of the node %s: %w", m.Node, err)
	}
	return nil
}

// hint is a table for a statement whose loss in a crash does no harm, such as a beat:
// its commit waits neither for the disk nor for standbys. The statement is a
// transaction of its own, so that a process which is stopped at any moment holds no lock.
const hint = `(SELECT set_config('synchronous_commit', 'off', true)) AS hint`

// onDisk is hint for a statement whose commit waits for the server's disk.
const onDisk = `(SELECT set_config('synchronous_commit', 'local', true)) AS hint`

package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/seal"
)

// eraseKeys removes the keys of entries, one after the other. An entry without a
// private part, or without a key, stays as it is.
func eraseKeys(ctx context.Context, tx pgx.Tx, entries []uint64) error {
	for _, seq := range entries {
		if err := eraseKey(ctx, tx, seq); err != nil {
			return err
		}
	}
	return nil
}

func eraseKey(ctx context.Context, tx pgx.Tx, seq uint64) error {
	var first int64
	var lengths []int32
	var stored []byte
	err := tx.QueryRow(ctx, `SELECT b.first, b.lengths, k.keys FROM agentnet.batches AS b JOIN agentnet.keys AS k USING(first)
		WHERE b.first = (SELECT max(first) FROM agentnet.batches WHERE first <= $1)`, int64(seq)).Scan(&first, &lengths, &stored)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	keys, err := seal.ParseKeys(stored)
	if err != nil {
		return fmt.Errorf("%w: the keys of the batch at entry %d: %w", journal.ErrNotJournal, first, err)
	}
	var parts []uint64
	for i, n := range lengths {
		if n > 0 {
			parts = append(parts, uint64(first)+uint64(i))
		}
	}
	left := keys.Without(parts, []uint64{seq})
	if had, has := countKeys(&keys, parts), countKeys(&left, parts); has == had {
		return nil
	}
	_, err = tx.Exec(ctx, `SELECT agentnet.erase($1, $2, $3)`, int64(seq), first, notNull(left.Bytes()))
	return err
}

func countKeys(k *seal.Keys, parts []uint64) (n int) {
	for _, seq := range parts {
		if _, ok := k.Key(seq); ok {
			n++
		}
	}
	return n
}

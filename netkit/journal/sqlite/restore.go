package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/seal"
)

// Restore makes the journal of a folder that has none, of copied batches: fill calls
// add for each of them, in order, with the keys that the copy holds. The journal
// takes its name when it is whole and synced. Whether the entries follow the rules
// is for an audit to check; the Merkle tree is computed from the public parts.
func Restore(ctx context.Context, dir string, fill func(add func(journal.SealedBatch, journal.BatchKeys) error) error) (tree journal.Tree, err error) {
	s, err := Open(ctx, Config{Dir: dir})
	if err != nil {
		return tree, err
	}
	head, err := s.Head(ctx)
	if err == nil && head.Size > 0 {
		err = fmt.Errorf("journal: %s holds a journal already; restore into an empty folder", dir)
	}
	if err = errors.Join(err, s.closeWriter()); err != nil {
		return tree, errors.Join(err, s.Close())
	}
	b := &builder{}
	err = s.makeDatabase(func(c *sqlite3.Conn) error { return b.build(c, fill) }, nil)
	return b.tree, errors.Join(err, s.Close())
}

// closeWriter closes the empty database that Open made, and keeps the lock.
func (s *Store) closeWriter() error {
	err := s.readers.close()
	if s.w != nil {
		err = errors.Join(err, s.w.close())
		s.w = nil
	}
	return err
}

// builder inserts copied batches into a new database.
type builder struct {
	head    journal.Head
	tree    journal.Tree
	batch   *sqlite3.Stmt
	keys    *sqlite3.Stmt
	erasure *sqlite3.Stmt
	packed  packed
}

// keysTrigger refuses keys of a batch that lost some by an erasure. Those of a copy
// are inserted without it.
const keysTrigger = "keys_insert"

func (b *builder) build(c *sqlite3.Conn, fill func(func(journal.SealedBatch, journal.BatchKeys) error) error) error {
	sql, err := triggerText(c, keysTrigger)
	if err != nil {
		return err
	}
	if err := c.Exec("BEGIN; DROP TRIGGER " + keysTrigger); err != nil {
		return err
	}
	err = prepare(c, map[**sqlite3.Stmt]string{
		&b.batch:   `INSERT OR ROLLBACK INTO batches(first, entries, before, after, nodes, leaves, ends, public, sealed) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		&b.keys:    `INSERT OR ROLLBACK INTO keys(first, entries, parts, erased, keys) VALUES(?, ?, ?, ?, ?)`,
		&b.erasure: `INSERT OR ROLLBACK INTO erasures(seq) VALUES(?)`,
	})
	if err == nil {
		err = fill(b.add)
	}
	if err != nil {
		return err
	}
	return c.Exec(sql + "; COMMIT")
}

// triggerText returns the SQL that makes a trigger.
func triggerText(c *sqlite3.Conn, name string) (sql string, err error) {
	stmt, _, err := c.Prepare(`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?`)
	if err != nil {
		return "", err
	}
	defer stmt.Close()
	if err := stmt.BindText(1, name); err != nil {
		return "", err
	}
	if !stmt.Step() {
		return "", errors.Join(fmt.Errorf("journal: the schema has no trigger %s", name), stmt.Err())
	}
	return stmt.ColumnText(0), nil
}

// add inserts one batch.
func (b *builder) add(in journal.SealedBatch, keys journal.BatchKeys) error {
	p := &b.packed
	next, err := p.packCopy(b.head, &b.tree, in, keys)
	if err != nil {
		return err
	}
	err = errors.Join(
		b.batch.BindInt64(1, int64(in.First)),
		b.batch.BindInt64(2, int64(len(in.Public))),
		b.batch.BindBlob(3, b.head.Tip[:]),
		b.batch.BindBlob(4, next.Tip[:]),
		bindBlob(b.batch, 5, p.nodes),
		bindBlob(b.batch, 6, p.leaves),
		b.batch.BindRawText(7, p.ends),
		b.batch.BindBlob(8, p.public),
		bindBlob(b.batch, 9, p.sealed))
	if err == nil {
		err = b.batch.Exec()
	}
	if err == nil && keys.Held {
		err = b.addKeys(in, keys)
	}
	b.head = next
	return err
}

// packCopy replaces the contents of p by a copied batch, which continues the journal
// at a head, and returns the head after it.
func (p *packed) packCopy(at journal.Head, tree *journal.Tree, in journal.SealedBatch, keys journal.BatchKeys) (journal.Head, error) {
	n := len(in.Public)
	if n == 0 || in.First != at.Size || len(in.Sealed) != n || keys.Held && (keys.First != in.First || keys.Records != uint64(n)) {
		return at, fmt.Errorf("%w: the copied batch at entry %d does not continue the journal at entry %d", journal.ErrNotJournal, in.First, at.Size)
	}
	next := journal.Head{Size: at.Size + uint64(n)}
	var nodes []journal.Node
	p.leaves = p.leaves[:0]
	for i, public := range in.Public {
		if len(public) == 0 || len(public) > journal.MaxPublic {
			return at, fmt.Errorf("%w: the public part of entry %d has %d bytes", journal.ErrNotJournal, in.First+uint64(i), len(public))
		}
		next.Tip = journal.Leaf(public)
		nodes = tree.Append(next.Tip, nodes)
		if i < n-1 {
			p.leaves = append(p.leaves, next.Tip[:]...)
		}
	}
	p.packSealed(in, nodes)
	return next, nil
}

// packSealed replaces the contents of p, but for its leaves, by a batch whose
// private parts are sealed already.
func (p *packed) packSealed(in journal.SealedBatch, nodes []journal.Node) {
	p.ends, p.public, p.sealed, p.nodes, p.parts = append(p.ends[:0], '['), p.public[:0], p.sealed[:0], p.nodes[:0], 0
	for i, public := range in.Public {
		p.public = append(p.public, public...)
		if i > 0 {
			p.ends = append(p.ends, ',')
		}
		p.ends = strconv.AppendInt(p.ends, int64(len(p.public)), 10)
		if in.Sealed[i] != nil {
			p.parts++
		}
	}
	p.ends = append(p.ends, ']')
	for i := range nodes {
		p.nodes = binary.BigEndian.AppendUint64(p.nodes, nodes[i].Index)
		p.nodes = append(p.nodes, nodes[i].Hash[:]...)
	}
	if p.parts == 0 {
		return
	}
	for _, part := range in.Sealed {
		p.sealed = binary.AppendUvarint(p.sealed, uint64(len(part)))
	}
	for _, part := range in.Sealed {
		p.sealed = append(p.sealed, part...)
	}
}

// addKeys inserts the keys of a batch, and an erasure for each private part that has
// none.
func (b *builder) addKeys(in journal.SealedBatch, keys journal.BatchKeys) error {
	held, err := seal.ParseKeys(keys.Keys)
	if err != nil {
		return fmt.Errorf("%w: the copied keys of the batch at entry %d: %w", journal.ErrNotJournal, in.First, err)
	}
	erased := 0
	for i, part := range in.Sealed {
		seq := in.First + uint64(i)
		if _, ok := held.Key(seq); part == nil || ok {
			continue
		}
		erased++
		if err := errors.Join(b.erasure.BindInt64(1, int64(seq)), b.erasure.Exec()); err != nil {
			return err
		}
	}
	if err := errors.Join(
		b.keys.BindInt64(1, int64(in.First)),
		b.keys.BindInt64(2, int64(len(in.Public))),
		b.keys.BindInt64(3, int64(b.packed.parts)),
		b.keys.BindInt64(4, int64(erased)),
		bindBlob(b.keys, 5, keys.Keys)); err != nil {
		return err
	}
	return b.keys.Exec()
}

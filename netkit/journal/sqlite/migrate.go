package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"os"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// migration rewrites a journal of an older version. The file is replaced in one
// step at the end, so an interruption leaves it as it was; the next start begins
// again.
type migration struct {
	store *Store
	old   *reader
	size  uint64
	done  uint64 // entries copied and entries compared
	tree  journal.Tree
	sum   hash.Hash // of all copied parts, private ones included
}

// oldPragmas open the journal that is rewritten for the exclusive use of this process.
// Its log is moved into it, so that the file that is kept is whole. It stays in the mode with a
// log: leaving it writes a rollback journal, with which nothing could read the
// folder after an interruption.
const oldPragmas = "PRAGMA busy_timeout = 2000; PRAGMA locking_mode = EXCLUSIVE; PRAGMA wal_checkpoint(TRUNCATE)"

// migrate rewrites the journal, whose schema has the given version, and keeps the
// file as it was; see [KeptCopy].
func (s *Store) migrate(ctx context.Context, version int) (err error) {
	c, err := s.dial(s.own, sqlite3.OPEN_READWRITE, oldPragmas)
	if err != nil {
		return fmt.Errorf("rewriting %s for this version needs it for itself: %w", s.path, err)
	}
	m := &migration{store: s, old: &reader{conn: c}, sum: sha256.New()}
	open := true
	release := func() error {
		if !open {
			return nil
		}
		open = false
		return closeConn(c)
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := m.old.prepare(); err != nil {
		return err
	}
	if err := checkTip(c, s.path, version); err != nil {
		return err
	}
	head, err := m.old.readHead(s.path)
	if err != nil {
		return err
	}
	m.size = head.Size
	return s.makeDatabase(
		func(c *sqlite3.Conn) error { return m.copy(ctx, c) },
		func() error {
			if err := m.compare(ctx, head); err != nil {
				return err
			}
			if err := release(); err != nil {
				return err
			}
			if log, err := os.Stat(s.path + "-wal"); err == nil && log.Size() > 0 {
				return fmt.Errorf("%w: another program reads %s: end it, then start again", journal.ErrNotWritable, s.path)
			}
			return s.keepOld(version)
		})
}

// copy writes all entries into the new database, in batches that end where a tile
// of the Merkle tree does, with the nodes that the entries complete.
func (m *migration) copy(ctx context.Context, c *sqlite3.Conn) error {
	w := batchWriter{random: m.store.random}
	if err := prepare(c, w.statements()); err != nil {
		return err
	}
	if err := c.Exec("BEGIN"); err != nil {
		return err
	}
	var at journal.Head
	err := m.each(ctx, m.old, m.sum, &m.tree, func(b journal.Batch) error {
		if err := m.compareNodes(b.Nodes); err != nil {
			return err
		}
		next, err := b.Next(at)
		if err == nil {
			err = w.insert(at, next, b)
		}
		at = next
		return err
	})
	if err != nil {
		return err
	}
	return c.Exec("COMMIT")
}

// compareNodes compares the nodes of a batch with the stored ones of the old journal,
// which lacks them if it was written before trees were stored.
func (m *migration) compareNodes(nodes []journal.Node) error {
	for i := range nodes {
		have, err := m.old.nodes([]uint64{nodes[i].Index})
		if errors.Is(err, journal.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if have[0] != nodes[i].Hash {
			first, last := nodes[i].Entries()
			return fmt.Errorf("%w: one of the entries %d to %d of %s was changed since it was written; restore a backup", journal.ErrNotJournal, first, last, m.store.path)
		}
	}
	return nil
}

// each reads all entries, adds them to a sum and a tree, and calls f with batches
// of them, which hold until it returns.
func (m *migration) each(ctx context.Context, r *reader, sum hash.Hash, tree *journal.Tree, f func(journal.Batch) error) error {
	var w window
	for from := uint64(0); from < m.size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.fill(&w, from, min(m.size, (from|tileMask)+1)); err != nil {
			return err
		}
		b := journal.Batch{Records: w.records}
		for i := range b.Records {
			b.Nodes = tree.Append(journal.Leaf(b.Records[i].Public), b.Nodes)
			addRecord(sum, &b.Records[i])
		}
		if err := f(b); err != nil {
			return err
		}
		from += uint64(len(w.records))
		m.done += uint64(len(w.records))
		m.store.report(m.done/2, m.size)
	}
	return nil
}

// tileMask is the part of a sequence number that is a place in its tile.
const tileMask = 1<<journal.TileHeight - 1

// addRecord adds both parts of a record, behind their lengths, to a sum.
func addRecord(sum hash.Hash, r *journal.Record) {
	var lengths [16]byte
	binary.BigEndian.PutUint64(lengths[:], uint64(len(r.Public)))
	binary.BigEndian.PutUint64(lengths[8:], uint64(len(r.Private)))
	sum.Write(lengths[:])
	sum.Write(r.Public)
	sum.Write(r.Private)
}

// compare reads the new database back and compares it with the copied entries:
// head, root of the Merkle tree and every private part.
func (m *migration) compare(ctx context.Context, head journal.Head) (err error) {
	s := m.store
	c, err := s.dial(s.fresh, sqlite3.OPEN_READWRITE, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeConn(c)) }()
	r := &reader{conn: c}
	if err := r.prepare(); err != nil {
		return err
	}
	have, err := r.readHead(s.path + newSuffix)
	if err != nil {
		return err
	}
	var tree journal.Tree
	sum := sha256.New()
	err = m.each(ctx, r, sum, &tree, func(journal.Batch) error { return nil })
	if err == nil && (have != head || tree.Root() != m.tree.Root() || [sha256.Size]byte(sum.Sum(nil)) != [sha256.Size]byte(m.sum.Sum(nil))) {
		err = fmt.Errorf("%w: rewriting %s gave other entries than it holds; the file is unchanged; check memory and disk of this machine, then start again", journal.ErrNotJournal, s.path)
	}
	return err
}

package sqlite

import (
	"context"
	"fmt"
	"iter"
	"math"
	"sync"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
)

// reader is a connection that only reads, with its statements.
type reader struct {
	conn    *sqlite3.Conn
	version int // of the schema; 0 before prepare
	head    *sqlite3.Stmt
	rows    *sqlite3.Stmt
	node    *sqlite3.Stmt
	leaf    *sqlite3.Stmt // nil before version 3

	keys   keyCache
	sealed [][]byte // used again for each batch
}

// dialReader opens a connection for reading. It never checkpoints, since that
// is the writer's.
func (s *Store) dialReader() (*reader, error) {
	flags, first := sqlite3.OPEN_READWRITE, ""
	if s.lock == nil || s.was != nil {
		flags = sqlite3.OPEN_READONLY // an auditor may have no right to write
		switch there, err := sharing(s.path); {
		case err != nil:
			return nil, err
		case s.was != nil:
			first = stillPragma
		case !there:
			return nil, fmt.Errorf("%w: the process that wrote %s has closed it; read it again", journal.ErrLocked, s.path)
		}
	}
	c, err := s.dial(s.name, flags, fmt.Sprintf(`
		%s
		PRAGMA busy_timeout = 2000;
		PRAGMA query_only = ON;
		PRAGMA cache_size = -2048;
		PRAGMA wal_autocheckpoint = 0;
		%s`, first, s.tune.pragmas))
	if err != nil {
		return nil, err
	}
	return &reader{conn: c}, nil
}

// prepare compiles the statements at first use, since the schema must have been
// checked before.
func (r *reader) prepare() error {
	if r.version != 0 {
		return nil
	}
	version, err := queryInt(r.conn, `SELECT max(version) FROM meta`)
	if err != nil {
		return err
	}
	statements := map[**sqlite3.Stmt]string{
		&r.head: headQuery,
		&r.rows: `SELECT b.first, b.entries, b.ends, b.public, b.sealed, k.keys
			FROM batches AS b LEFT JOIN keys AS k USING(first)
			WHERE b.first >= coalesce((SELECT max(first) FROM batches WHERE first <= ?1), 0) AND b.first < ?2 ORDER BY b.first`,
		&r.node: `SELECT nodes FROM batches WHERE first = (SELECT max(first) FROM batches WHERE first <= ?)`,
		&r.leaf: `SELECT first, leaves || after FROM batches
			WHERE first >= coalesce((SELECT max(first) FROM batches WHERE first <= ?1), 0) AND first < ?2 ORDER BY first`,
	}
	if version < schemaVersion {
		statements = oldStatements(r)
	}
	if err := prepare(r.conn, statements); err != nil {
		return err
	}
	r.version = int(version)
	return nil
}

// readHead reads the head.
func (r *reader) readHead(path string) (journal.Head, error) {
	if r.version < schemaVersion {
		return readOldHead(r.head, path)
	}
	return readHead(r.head)
}

// reading runs f with a reader of its own. f must be short: it may not call back
// into the caller's code, and holds up a log that has to be emptied.
func (s *Store) reading(ctx context.Context, f func(*reader) error) error {
	leave, err := s.readers.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.gate.RLock()
	defer s.gate.RUnlock()
	r, err := s.readers.get()
	if err != nil {
		return classify(s.path, err)
	}
	defer s.readers.put(r)
	err = f(r)
	if s.was != nil { // what was read, and what went wrong, may come of a write
		if changed := s.was.check(s.path); changed != nil {
			return changed
		}
	}
	return classify(s.path, err)
}

// Head implements journal.Store.
func (s *Store) Head(ctx context.Context) (head journal.Head, err error) {
	if err := s.enter(ctx); err != nil {
		return journal.Head{}, err
	}
	defer s.leave()
	err = s.reading(ctx, func(r *reader) (err error) {
		if err = r.prepare(); err == nil {
			head, err = r.readHead(s.path)
		}
		return err
	})
	return head, err
}

// Nodes implements journal.Store.
func (s *Store) Nodes(ctx context.Context, indexes []uint64) (hashes [][journal.HashSize]byte, err error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	err = s.reading(ctx, func(r *reader) (err error) {
		if err = r.prepare(); err == nil {
			hashes, err = r.nodes(indexes)
		}
		return err
	})
	return hashes, err
}

// nodes looks up one hash after the other: what proofs ask for lies scattered.
func (r *reader) nodes(indexes []uint64) ([][journal.HashSize]byte, error) {
	find := r.packedNode
	if r.version < schemaVersion {
		find = r.oldNode
	}
	hashes := make([][journal.HashSize]byte, len(indexes))
	for i, index := range indexes {
		hash, found, err := find(index)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("%w: node %d", journal.ErrNotFound, index)
		}
		hashes[i] = hash
	}
	return hashes, nil
}

// packedNode finds a node in the batch of the entry that completes it.
func (r *reader) packedNode(index uint64) (hash [journal.HashSize]byte, found bool, err error) {
	if index > math.MaxInt64 {
		return hash, false, nil
	}
	_, last := journal.Node{Index: index}.Entries()
	if err := r.node.BindInt64(1, int64(min(last, math.MaxInt64))); err != nil {
		return hash, false, err
	}
	if r.node.Step() {
		p := packed{nodes: r.node.ColumnRawBlob(0)}
		hash, found = p.node(index)
	}
	return hash, found, r.node.Reset()
}

// maxReaders is how many connections read at a time, so that readers cannot use
// up the process's files; idleReaders is how many of them stay open for the next
// read.
const (
	maxReaders  = 32
	idleReaders = 4
)

// pool keeps readers for use again. No read begins inside another one, so those
// that wait for a place wait for reads that end by themselves.
type pool struct {
	dial   func() (*reader, error)
	places chan struct{} // one is taken by each read
	mu     sync.Mutex
	idle   []*reader
}

// enter takes a place, and returns what gives it back. The error is the
// context's.
func (p *pool) enter(ctx context.Context) (leave func(), err error) {
	select {
	case p.places <- struct{}{}:
		return func() { <-p.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pool) get() (*reader, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		r := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return r, nil
	}
	p.mu.Unlock()
	return p.dial()
}

func (p *pool) put(r *reader) {
	p.mu.Lock()
	if len(p.idle) < idleReaders {
		p.idle = append(p.idle, r)
		r = nil
	}
	p.mu.Unlock()
	if r != nil {
		_ = closeConn(r.conn) // it only read: nothing can be lost
	}
}

// close is called when no reader is in use.
func (p *pool) close() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.idle {
		if e := closeConn(r.conn); e != nil {
			err = e
		}
	}
	p.idle = nil
	return err
}

// Read implements journal.Store. The buffers belong to one run of the sequence,
// so ranging over it again, or twice at a time, is safe.
func (s *Store) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		var w window
		for {
			err := s.fill(ctx, &w, from, to)
			if err != nil {
				yield(journal.Record{}, err)
				return
			}
			for _, r := range w.records {
				if !yield(r, nil) {
					return
				}
			}
			if from += uint64(len(w.records)); !w.more {
				return
			}
		}
	}
}

package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
)

// snapshots is raft's store of snapshots, which keeps only the newest one. A snapshot
// refers to the folder, so it is kept once the folder durably holds the entries that it
// names.
type snapshots struct {
	log    *raftLog
	folder Folder
	// fill copies missing batches from one of the servers.
	fill func(ctx context.Context, want journal.Head, from []raft.Server) error
	ctx  context.Context
}

var _ raft.SnapshotStore = (*snapshots)(nil)

// Create implements [raft.SnapshotStore].
func (s *snapshots) Create(version raft.SnapshotVersion, index, term uint64, c raft.Configuration, at uint64, _ raft.Transport) (raft.SnapshotSink, error) {
	meta := raft.SnapshotMeta{Version: version, ID: fmt.Sprintf("%d-%d", term, index), Index: index, Term: term, Configuration: c, ConfigurationIndex: at}
	return &sink{store: s, meta: meta}, nil
}

// List implements [raft.SnapshotStore].
func (s *snapshots) List() ([]*raft.SnapshotMeta, error) {
	meta, _, err := s.log.newestSnapshot()
	if err != nil || meta == nil {
		return nil, err
	}
	return []*raft.SnapshotMeta{meta}, nil
}

// Open implements [raft.SnapshotStore].
func (s *snapshots) Open(id string) (*raft.SnapshotMeta, io.ReadCloser, error) {
	meta, state, err := s.log.newestSnapshot()
	if err == nil && (meta == nil || meta.ID != id) {
		err = fmt.Errorf("cluster: the snapshot %s was replaced by a newer one", id)
	}
	if err != nil {
		return nil, nil, err
	}
	return meta, io.NopCloser(bytes.NewReader(state)), nil
}

// sink takes a snapshot in.
type sink struct {
	store *snapshots
	meta  raft.SnapshotMeta
	state []byte
}

// maxState bounds a snapshot, which holds a head and the open invitations.
const maxState = 1 << 20

// Write implements [io.Writer].
func (k *sink) Write(b []byte) (int, error) {
	if len(k.state)+len(b) > maxState {
		return 0, errors.New("cluster: a snapshot is larger than any of this version")
	}
	k.state = append(k.state, b...)
	return len(b), nil
}

// ID implements [raft.SnapshotSink].
func (k *sink) ID() string { return k.meta.ID }

// Cancel implements [raft.SnapshotSink].
func (k *sink) Cancel() error { return nil }

// Close fills the folder, syncs it, and then keeps the snapshot.
func (k *sink) Close() error {
	in, err := parseState(k.state)
	if err == nil {
		err = k.store.fill(k.store.ctx, in.Head, k.meta.Configuration.Servers)
	}
	if err == nil {
		err = k.store.folder.Sync(k.store.ctx)
	}
	if err != nil {
		return err
	}
	return k.store.log.keepSnapshot(&k.meta, k.state)
}

// keepSnapshot replaces the newest snapshot.
func (l *raftLog) keepSnapshot(meta *raft.SnapshotMeta, state []byte) error {
	meta.Size = int64(len(state))
	b, err := json.Marshal(meta)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	stmt, _, err := l.conn.Prepare(`INSERT OR REPLACE INTO snapshot(one, meta, state, sum) VALUES(1, ?, ?, ?)`)
	if err != nil {
		return l.classify(err)
	}
	defer stmt.Close()
	return l.classify(errors.Join(stmt.BindBlob(1, b), stmt.BindBlob(2, state), stmt.BindInt64(3, rowSum([3]int64{}, b, state)), stmt.Exec()))
}

// newestSnapshot returns the newest snapshot, nil before the first.
func (l *raftLog) newestSnapshot() (meta *raft.SnapshotMeta, state []byte, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.snapshot
	defer func() { err = l.classify(errors.Join(err, s.Reset())) }()
	if !s.Step() {
		return nil, nil, s.Err()
	}
	b := bytes.Clone(s.ColumnRawBlob(0))
	state = bytes.Clone(s.ColumnRawBlob(1))
	if rowSum([3]int64{}, b, state) != s.ColumnInt64(2) {
		return nil, nil, fmt.Errorf("%w: the snapshot in %s", ErrDamaged, l.path)
	}
	meta = new(raft.SnapshotMeta)
	if err := json.Unmarshal(b, meta); err != nil {
		return nil, nil, fmt.Errorf("%w: the snapshot in %s: %w", ErrDamaged, l.path, err)
	}
	return meta, state, nil
}

// Snapshot implements [raft.FSM]: a reference to the folder at a head.
func (m *machine) Snapshot() (raft.FSMSnapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken != nil {
		return nil, m.broken
	}
	return reference(m.state.bytes()), nil
}

// Restore implements [raft.FSM]. The store of snapshots has filled the folder before.
func (m *machine) Restore(from io.ReadCloser) error {
	b, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	s, err := parseState(b)
	if err == nil {
		err = m.loadState(m.ctx, s)
	}
	if err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.breakOff(err)
	}
	return nil
}

// reference is the content of a snapshot.
type reference []byte

// Persist implements [raft.FSMSnapshot].
func (r reference) Persist(sink raft.SnapshotSink) error {
	if _, err := sink.Write(r); err != nil {
		return err
	}
	return sink.Close()
}

// Release implements [raft.FSMSnapshot].
func (reference) Release() {}

package cluster

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Set implements [raft.StableStore].
func (l *raftLog) Set(key, value []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.transact(func() error {
		return errors.Join(l.set.BindText(1, string(key)), bindBlob(l.set, 2, value), l.set.BindInt64(3, rowSum([3]int64{}, key, value)), l.set.Exec())
	})
	return l.classify(err)
}

// Get implements [raft.StableStore].
func (l *raftLog) Get(key []byte) (value []byte, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.value
	defer func() { err = l.classify(errors.Join(err, s.Reset())) }()
	if err := s.BindText(1, string(key)); err != nil {
		return nil, err
	}
	if !s.Step() {
		return nil, s.Err()
	}
	value = bytes.Clone(s.ColumnRawBlob(0))
	if rowSum([3]int64{}, key, value) != s.ColumnInt64(1) {
		return nil, fmt.Errorf("%w: %s of %s", ErrDamaged, key, l.path)
	}
	return value, nil
}

// SetUint64 implements [raft.StableStore].
func (l *raftLog) SetUint64(key []byte, value uint64) error {
	return l.Set(key, binary.BigEndian.AppendUint64(nil, value))
}

// GetUint64 implements [raft.StableStore].
func (l *raftLog) GetUint64(key []byte) (uint64, error) {
	value, err := l.Get(key)
	if err != nil || len(value) == 0 {
		return 0, err
	}
	if len(value) != 8 {
		return 0, fmt.Errorf("%w: %s of %s", ErrDamaged, key, l.path)
	}
	return binary.BigEndian.Uint64(value), nil
}

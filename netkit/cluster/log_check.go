package cluster

import (
	"errors"
	"fmt"

	"github.com/hashicorp/raft"
	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// checkTail locks the file, and checks its write-ahead log, which SQLite reads up to the
// first frame that is damaged. Until that is done, closing leaves the file as it is.
func (l *raftLog) checkTail() error {
	_, err := l.conn.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, true)
	if err == nil {
		err = l.conn.Exec(raftPragmas)
	}
	if err == nil {
		_, err = sqlite.CheckLogOf(l.path)
	}
	if errors.Is(err, sqlite.ErrLogDamaged) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err == nil {
		_, err = l.conn.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, false)
	}
	return err
}

// checkRows reads every row.
func (l *raftLog) checkRows() error {
	damaged, err := l.queryText(`PRAGMA integrity_check(1)`)
	if err != nil {
		return l.classify(err)
	}
	if damaged != "ok" {
		return fmt.Errorf("%w: %s: %s", ErrDamaged, l.path, damaged)
	}
	if err := l.readEnds(); err != nil {
		return err
	}
	for i := l.first; i <= l.last && i > 0; i++ {
		var entry raft.Log
		if err := l.GetLog(i, &entry); err != nil {
			if errors.Is(err, raft.ErrLogNotFound) {
				err = fmt.Errorf("%w: %s lacks entry %d of %d to %d", ErrDamaged, l.path, i, l.first, l.last)
			}
			return err
		}
	}
	for _, key := range []string{"CurrentTerm", "LastVoteTerm", "LastVoteCand"} {
		if _, err := l.Get([]byte(key)); err != nil {
			return err
		}
	}
	_, _, err = l.newestSnapshot()
	return err
}

func (l *raftLog) readEnds() error {
	first, err := l.queryNumber(`SELECT coalesce(min(idx), 0) FROM log`)
	last, err2 := l.queryNumber(`SELECT coalesce(max(idx), 0) FROM log`)
	l.first, l.last = uint64(first), uint64(last)
	return l.classify(errors.Join(err, err2))
}

func (l *raftLog) queryNumber(sql string) (n int64, err error) {
	err = l.readRow(sql, func(s *sqlite3.Stmt) { n = s.ColumnInt64(0) })
	return n, err
}

func (l *raftLog) queryText(sql string) (t string, err error) {
	err = l.readRow(sql, func(s *sqlite3.Stmt) { t = s.ColumnText(0) })
	return t, err
}

func (l *raftLog) readRow(sql string, read func(*sqlite3.Stmt)) error {
	stmt, _, err := l.conn.Prepare(sql)
	if err != nil {
		return err
	}
	defer stmt.Close()
	if stmt.Step() {
		read(stmt)
	}
	return stmt.Err()
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/timespan"
)

// removedAtOnce bounds a transaction that deletes, which delays appends.
const removedAtOnce = 64

// DeleteRange implements [raft.LogStore]. It deletes from the outer end, a few entries
// at a time, so that no crash leaves a gap.
func (l *raftLog) DeleteRange(from, to uint64) error {
	for done := false; !done; {
		var err error
		if done, err = l.deleteSome(from, to); err != nil {
			return err
		}
	}
	return nil
}

func (l *raftLog) deleteSome(from, to uint64) (done bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from, to = max(from, l.first), min(to, l.last)
	if l.first == 0 || from > to {
		return true, nil
	}
	switch {
	case from == l.first:
		to = min(to, from+removedAtOnce-1)
	case to == l.last:
		from = max(from, to-min(to, removedAtOnce-1))
	default:
		return true, fmt.Errorf("cluster: deleting the entries %d to %d would leave a gap in %s", from, to, l.path)
	}
	err = l.transact(func() error {
		return errors.Join(l.remove.BindInt64(1, int64(from)), l.remove.BindInt64(2, int64(to)), l.remove.Exec())
	})
	if err != nil {
		return true, l.classify(err)
	}
	switch {
	case from == l.first && to == l.last:
		l.first, l.last = 0, 0
	case from == l.first:
		l.first = to + 1
	default:
		l.last = from - 1
	}
	return false, nil
}

// emptyWAL empties SQLite's own log, which holds deleted entries.
func (l *raftLog) emptyWAL() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.classify(l.conn.Exec("PRAGMA wal_checkpoint(TRUNCATE)"))
}

// cutEvery is how often the log is looked at; cutAt is how many entries it has at most
// between two looks, and cutAfter is how old an entry becomes in it.
const (
	cutEvery = 20 * time.Second
	cutAt    = 4 * keptEntries
	cutAfter = 30 * time.Minute
)

// cutLog takes snapshots, and cuts the log behind them.
func (n *Node) cutLog(ctx context.Context) {
	last := time.Now()
	for timespan.Wait(ctx, cutEvery) {
		due := time.Since(last) >= cutAfter
		first, _ := n.log.FirstIndex()
		end, _ := n.log.LastIndex()
		if !due && end-first < cutAt {
			continue
		}
		if err := n.cutBehind(due); err == nil && due {
			last = time.Now()
		}
	}
}

// cutBehind takes a snapshot. With all, no entry behind it is kept, and the file keeps no
// bytes of it. A follower that lacks an entry copies it from a folder.
func (n *Node) cutBehind(all bool) error {
	if err := n.raft.Snapshot().Error(); err != nil && !errors.Is(err, raft.ErrNothingNewToSnapshot) {
		return err
	}
	if !all {
		return nil
	}
	meta, _, err := n.log.newestSnapshot()
	if err != nil || meta == nil {
		return err
	}
	if err := n.log.DeleteRange(0, meta.Index); err != nil {
		return err
	}
	return n.log.emptyWAL()
}

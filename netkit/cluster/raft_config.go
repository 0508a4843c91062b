package cluster

import (
	"io"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
)

// Timing sets how soon the loss of a node is noticed.
type Timing struct {
	Heartbeat time.Duration // without the leader until a node looks for another one
	Election  time.Duration // of an election
	Lease     time.Duration // without a majority until the leader gives up
}

// cachedEntries is how many entries of the log lie in memory, for followers that are
// that far behind.
const cachedEntries = 512

// keptEntries is how many entries of the log are kept for followers behind a snapshot
// until the log is next cut.
const keptEntries = 1024

func (n *Node) raftConfig(log io.Writer) *raft.Config {
	c := raft.DefaultConfig()
	c.LocalID = raft.ServerID(n.member.ID)
	c.HeartbeatTimeout, c.ElectionTimeout, c.LeaderLeaseTimeout = n.timing.Heartbeat, n.timing.Election, n.timing.Lease
	c.CommitTimeout = min(25*time.Millisecond, n.timing.Heartbeat/4)
	c.BatchApplyCh = true
	c.TrailingLogs = keptEntries
	c.SnapshotInterval, c.SnapshotThreshold = 1000*time.Hour, 1<<62 // see cutLog
	c.NoSnapshotRestoreOnStart = true
	c.NoLegacyTelemetry = true
	c.Logger = logger(log)
	return c
}

func logger(to io.Writer) hclog.Logger {
	if to == nil {
		to = io.Discard
	}
	return hclog.New(&hclog.LoggerOptions{Name: "raft", Level: hclog.Info, Output: to})
}

// OneSite and ManySites are the timings for nodes that are less than some
// milliseconds apart, and for others.
var (
	OneSite   = Timing{300 * time.Millisecond, 300 * time.Millisecond, 200 * time.Millisecond}
	ManySites = Timing{time.Second, time.Second, 500 * time.Millisecond}
)

package network

import (
	"context"
	"crypto/rand"
	"io"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/clerk"
	"github.com/agentnet/netctl/netkit/journal"
)

// Config is the configuration of a network. Store is required.
type Config struct {
	Store journal.Store
	// Genesis begins a new network where the journal is empty; nil means that
	// an empty journal is an error. It is ignored where there is one.
	Genesis *netkit.Genesis
	Now     func() time.Time // nil means time.Now
	Rand    io.Reader        // nil means crypto/rand
	Alarm   func(error)      // called when writing fails; nil drops errors
	Queue   int              // commands that may wait; 0 means 4,096
	// Wait bounds the age of the queue: a command is refused, with the code busy,
	// while the oldest has waited longer. 0 means 250 ms, less than 0 no bound.
	// The network's own commands, and [Network.Batch], enter however long it is.
	Wait  time.Duration
	Pause time.Duration // rest after a failed write; 0 means 1 s
	Batch int           // bytes of entries after which a batch ends; 0 means 1 MiB
	// Witnessed returns the newest tree that the network's witnesses signed, and
	// false before the first; panels are drawn by it. It is called while
	// commands wait, so it must not block. Nil means a network without
	// witnesses, whose panels are drawn by its own tree.
	Witnessed func() (netkit.TreeHead, bool)
	// Draw returns the log key's signature of a message, 64 bytes, by which
	// reviewers and witnesses are drawn; the message is three lines that begin
	// with "draw of agentnet/". Nil means random bytes of Rand where
	// genesis names no log key, as in tests and simulations; where it names one,
	// draws then wait for a process that has the key.
	Draw func(message []byte) ([]byte, error)
	// Wrote is called after each durable write, before the commands of it are
	// answered, so it must not block. Nil means not at all.
	Wrote func(Write)
	// Allowance bounds the entries of a day that cost their actor nothing.
	Allowance netkit.Allowance
	// SnapshotEvery is how many entries go between two snapshots of a network
	// that runs; 0 means 100,000. A large state waits longer.
	SnapshotEvery uint64
	// SnapshotKey seals snapshots, so that a start uses none that another program
	// wrote into the store: it replays the journal then, and raises the alarm.
	// Nil seals none and believes the store, which suits one that only this process
	// can write. The key belongs into no copy of the store.
	SnapshotKey []byte
	// IgnoreSnapshot replays the whole journal, as an audit does.
	IgnoreSnapshot bool
	// Follow opens a network whose store another process or package fills, and which
	// refuses every command, until [Network.Lead].
	Follow bool
	// Current returns an error while this network may be behind the one that it
	// follows: then no token is believed, since one that was revoked would still
	// be. Nil believes every token that the network knows.
	Current func() error
	// Fresh is called before each view of a network that leads, and returns once the
	// network has applied all that was acknowledged to others before the call. Nil
	// suits a store that only this process writes.
	Fresh func(ctx context.Context) error
}

// Write describes one durable write, which commands that come together share.
type Write struct {
	Commands int
	Entries  int
	Waited   time.Duration // of the first command, until the write began
	Took     time.Duration // the write itself
}

// waitOf returns the bound of the clerk's queue for Config.Wait; 0 means no bound.
func waitOf(wait time.Duration) time.Duration {
	if wait == 0 {
		return 250 * time.Millisecond
	}
	return max(0, wait)
}

// setDefaults fills in the fields whose zero value has a meaning.
func (cfg *Config) setDefaults() {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Rand == nil {
		cfg.Rand = rand.Reader
	}
	if cfg.Alarm == nil {
		cfg.Alarm = func(error) {}
	}
	if cfg.Fresh == nil {
		cfg.Fresh = func(context.Context) error { return nil }
	}
	if cfg.Current == nil {
		cfg.Current = func() error { return nil }
	}
	if cfg.SnapshotEvery == 0 {
		cfg.SnapshotEvery = everyEntries
	}
}

// wrote hands the clerk's reports to Config.Wrote.
func (cfg *Config) wrote() func(clerk.Write) {
	if cfg.Wrote == nil {
		return nil
	}
	return func(w clerk.Write) {
		cfg.Wrote(Write{Commands: w.Jobs, Entries: w.Records, Waited: w.Waited, Took: w.Took})
	}
}

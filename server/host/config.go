package host

import (
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
)

// Config is the configuration with which this process runs the network of a folder.
// Dir is required.
type Config struct {
	Dir     string
	Genesis *netkit.Genesis  // begins a network in a folder without one; nil refuses such a folder
	Server  server.Config    // Network, Audio, SigningKey, Log and Now are filled in
	Now     func() time.Time // nil means time.Now
	Alarm   func(error)      // called when writing fails, and for files that are missing or altered; nil drops errors
	// Notice gets news of a start that needs no action, such as a journal that was
	// rewritten for this version; nil drops it.
	Notice func(text string)
	// Progress is called while the journal of an older version is rewritten, with
	// the entries done so far and their total; nil shows nothing.
	Progress func(done, total uint64)
	// Wrote is called after each durable write; see [network.Config].
	Wrote func(network.Write)
	// AcceptLoss starts although acknowledged entries may be missing: where the
	// checkpoint is gone or ahead of the journal, or the write-ahead log is
	// damaged. The alarm gets the error.
	AcceptLoss bool
	// Witnesses are the public keys of those that may cosign the log, Quorum how
	// many have to before a checkpoint is shown; see [proof.Config].
	Witnesses []string
	Quorum    int
	// SpaceFloor is the free space, in bytes, below which nothing is written; 0 means
	// no floor. FreeSpace returns the bytes that are free; nil skips the check.
	SpaceFloor uint64
	FreeSpace  func(dir string) (uint64, error)
	Allowance  netkit.Allowance // of unpaid entries a day; zero means no limit
	Archive    *ArchiveConfig   // nil archives nothing
	Replica    *ReplicaConfig   // nil for a network that only this folder holds

	follower *Follower // whose journal is served and never written; nil for a network of its own

	later *Later // entries of a source beyond the journal that is being restored
}

// Unlimited lifts the rates and the bound of waiting for a program that runs the
// network of its own folder: it has no stranger to protect itself from.
var Unlimited = server.Limits{Wait: -1, Party: lifted, Address: lifted, Shared: lifted, Spawn: lifted}

var lifted = server.Rate{PerSecond: -1}

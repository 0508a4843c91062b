package host

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/server"
)

// ReplicaConfig makes a folder that of one node of several, which share an engine.
// Engine or Join is required. The host closes the engine, also where it does not open.
type ReplicaConfig struct {
	Engine journal.Engine
	// Join returns the engine of a node that orders entries itself, with others, and
	// therefore needs the open journal of the folder; and the folder that the network
	// reads, which is that journal unless the engine writes it.
	Join func(ctx context.Context, store *sqlite.Store) (journal.Engine, replica.Folder, error)
	// Joined is set where the other nodes of Join hold the entries which the folder may lack.
	Joined bool
	// Name is unlike that of every other node; "" means the one that the folder keeps,
	// which is random.
	Name    string
	Address string // URL where other nodes reach this one; required unless Follower is set
	// Follower keeps the node from ever taking over.
	Follower bool
	// Report is called when the writer changes and when the engine is lost or found
	// again; it must not block. Nil reports nothing.
	Report func(replica.Event)
	// Ended is called once if the node stops because the folder and the engine hold
	// different entries. The caller then closes the host. Nil ignores it.
	Ended func(error)
	// Every and Silence are those of [replica.NodeConfig].
	Every, Silence time.Duration
}

// ErrNode means that a folder cannot be opened in this way since it is, or is not,
// that of one node of several.
var ErrNode = errors.New("host: nodes of a network")

// nodeFile marks the folder of a node, and keeps its name.
const nodeFile = "node.json"

type keptNode struct {
	Node string `json:"node"`
	// Begins marks a folder that is becoming the first node of a cluster.
	Begins bool `json:"begins,omitempty"`
}

func readNode(dir string) (n keptNode, err error) {
	text, err := os.ReadFile(filepath.Join(dir, nodeFile))
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &n)
	}
	if err == nil && n.Node == "" {
		err = errors.New("it names no node")
	}
	if err != nil {
		err = fmt.Errorf("host: %s cannot be read: %w; remove it, then the node gets another name", filepath.Join(dir, nodeFile), err)
	}
	return n, err
}

// checkAlone refuses to open the folder of a node without its engine: an entry that
// is written there would reach no other node.
func (cfg *Config) checkAlone() error {
	n, err := readNode(cfg.Dir)
	if err != nil || n.Node == "" || cfg.Replica != nil || cfg.follower != nil {
		return err
	}
	path := filepath.Join(cfg.Dir, nodeFile)
	return fmt.Errorf("%w: %s is the folder of the node %s of several; start it with netctl serve --journal or --cluster, as before, or, if this folder is to leave the others and be a network of its own, remove %s", ErrNode, cfg.Dir, n.Node, path)
}

// openReplica joins the journal of the folder with the engine.
func (cfg *Config) openReplica(ctx context.Context, h *Host) (err error) {
	r := cfg.Replica
	if cfg.Archive != nil {
		return fmt.Errorf("%w: an archive has one folder that writes it, and the node that writes changes, so no node of several writes one. Leave out --archive: each node has a folder with all entries, and netctl backup copies one of them while it runs", ErrNode)
	}
	if err := r.keepName(cfg.Dir); err != nil {
		return err
	}
	var folder replica.Folder = h.Store
	if r.Join != nil {
		if h.engine, folder, err = r.Join(ctx, h.Store); err != nil {
			return err
		}
	}
	h.replica, err = replica.Open(ctx, replica.Config{Engine: h.engine, Folder: folder})
	return err
}

// keepName keeps the node's name in the folder, or takes the one that is there.
func (r *ReplicaConfig) keepName(dir string) error {
	kept, err := readNode(dir)
	switch {
	case err != nil:
		return err
	case r.Name == "" && kept.Node != "":
		r.Name = kept.Node
	case r.Name == "":
		r.Name = "node-" + hex.EncodeToString([]byte{byte(rand.Uint32()), byte(rand.Uint32()), byte(rand.Uint32()), byte(rand.Uint32())})
	}
	if named := (keptNode{Node: r.Name}); kept != named {
		return writeNode(dir, named)
	}
	return nil
}

// writeNode marks a folder as that of a node.
func writeNode(dir string, n keptNode) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return private.WriteFile(filepath.Join(dir, nodeFile), append(text, '\n'))
}

// nodeKeys are the files that all nodes of a network share.
var nodeKeys = []string{"log.key", signingKeyFile}

// checkNode checks that a folder can be that of a node. It reports whether the engine
// holds the entries that the folder may lack.
func (cfg *Config) checkNode(ctx context.Context) (held bool, err error) {
	if cfg.Replica == nil {
		return false, cfg.checkAlone()
	}
	if cfg.Replica.Join != nil { // keys came with joining
		return cfg.Replica.Joined, nil
	}
	head, err := cfg.Replica.Engine.Head(ctx)
	if err != nil {
		return false, err
	}
	return head.Size > 0, cfg.checkNodeKeys(head)
}

// checkNodeKeys refuses to join a network whose keys the folder lacks, before
// anything is copied.
func (cfg *Config) checkNodeKeys(head journal.Head) error {
	if head.Size == 0 {
		return nil
	}
	var missing []string
	for _, name := range nodeKeys {
		if _, err := os.Stat(filepath.Join(cfg.Dir, name)); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%w: the journal holds a network of %d entries, and %s lacks the keys that its nodes share (%s). On a node that runs: netctl node invite. Then here: netctl node join ADDRESS TOKEN --data %s", ErrNode, head.Size, cfg.Dir, strings.Join(missing, ", "), cfg.Dir)
}

// maxLag is how old the confirmed position of a node may be for tokens to be
// believed: a token that was revoked ends everywhere within this time.
const maxLag = time.Second

// nodeCurrent is network.Config.Current of a node of several.
func (h *Host) nodeCurrent() error {
	if lag := h.Node.Lag(); lag >= 0 && lag <= maxLag {
		return nil
	}
	return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.JournalUnavailable, What: "this node has not confirmed its position with the journal for a second, so that it believes no token",
		Next: "try again in a second, or ask another node", After: time.Second}
}

// fresh is network.Config.Fresh of a node of several. The server confirms a request
// once, and not each view of it.
func (h *Host) fresh(ctx context.Context) error {
	if server.PositionKnown(ctx) {
		return nil
	}
	return h.Node.Fresh(ctx)
}

// startNode begins to follow the engine, and to take over.
func (h *Host) startNode(ctx context.Context, r *ReplicaConfig) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := h.Node.Run(ctx); err != nil && r.Ended != nil {
			r.Ended(err)
		}
	}()
	h.endNode = func() { stop(); <-done }
}

// batchBytes returns the bytes after which a batch ends, so that with its last entry, which
// may go beyond them, it stays within the bound of an engine. 0 means no such bound.
func batchBytes(limits journal.EngineLimits) int {
	return max(0, limits.Batch-2*journal.MaxPublic)
}

package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/netkit/timespan"
)

// MoveToFolder copies the network of an engine into a folder while nodes serve it, ends
// the engine, compares both, and makes the folder a network of its own. The folder is
// that of a node which does not run, one that has the keys of the network, or an empty
// one that gets them from cfg.Files. Every node stops once the engine ended. A move that
// was interrupted is repeated: before it is whole the folder opens as a node's only.
func MoveToFolder(ctx context.Context, cfg MoveConfig) (out Moved, err error) {
	engine, ok := cfg.Engine.(journal.Retirer)
	if !ok {
		return out, fmt.Errorf("%w: a network cannot leave this engine", ErrNode)
	}
	if err := cfg.CheckToFolder(ctx); err != nil {
		return out, err
	}
	if err := cfg.prepareFolder(ctx); err != nil {
		return out, err
	}
	if err := cfg.did("prepared"); err != nil {
		return out, err
	}
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: cfg.Dir})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := cfg.copyEngine(ctx, store, engine); err != nil {
		return out, err
	}
	if out.Compared, err = replica.Compare(ctx, store, engine, cfg.Comparing); err != nil {
		return out, err
	}
	if err := cfg.did("compared"); err != nil {
		return out, err
	}
	return out, cfg.leaveNodes(ctx, store, &out)
}

// CheckToFolder refuses a move of the engine's network to the folder where it cannot
// succeed: the folder holds another network, or the engine was left for another place.
// It changes nothing.
func (cfg *MoveConfig) CheckToFolder(ctx context.Context) error {
	node, err := readNode(cfg.Dir)
	if err != nil {
		return err
	}
	head, err := cfg.Engine.Head(ctx)
	var moved *journal.RetiredError
	switch {
	case errors.As(err, &moved) && moved.To != cfg.Place:
		return err
	case moved != nil && node.Node == "" && Present(cfg.Dir):
		return fmt.Errorf("%w: the network was moved to %s already; serve it with netctl serve --data %s", ErrNode, moved.To, cfg.Dir)
	case moved != nil:
		return nil
	case err != nil:
		return err
	case head.Size == 0:
		return fmt.Errorf("%w in the engine", ErrNoNetwork)
	case node.Node == "" && Present(cfg.Dir):
		return fmt.Errorf("%w: %s holds a network of its own; move this one into an empty folder, or into that of a node", ErrNode, cfg.Dir)
	}
	return nil
}

// prepareFolder gives the folder the files that the network needs, and marks it as that
// of a node, which no server opens without the engine.
func (cfg *MoveConfig) prepareFolder(ctx context.Context) error {
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return err
	}
	var node ReplicaConfig
	if err := node.keepName(cfg.Dir); err != nil {
		return err
	}
	if err := private.HideFromGit(cfg.Dir, nodeFile); err != nil {
		return err
	}
	if cfg.Files != "" {
		if err := copyNodeFiles(cfg.Files, cfg.Dir); err != nil {
			return err
		}
	}
	var missing []string
	for _, name := range nodeKeys {
		if _, err := os.Stat(filepath.Join(cfg.Dir, name)); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%w: %s lacks the keys of the network (%s); take them from the folder of a node with --files, or move into that folder", ErrNode, cfg.Dir, strings.Join(missing, ", "))
	}
	return nil
}

// copyEngine copies all entries into the folder, and ends the engine.
func (cfg *MoveConfig) copyEngine(ctx context.Context, store *sqlite.Store, engine journal.Retirer) error {
	s, err := replica.Open(ctx, replica.Config{Engine: shownEngine{engine, cfg.Copying}, Folder: store})
	if err != nil {
		return err
	}
	if err := cfg.did("copied"); err != nil {
		return err
	}
	if err := cfg.checkKeys(ctx, store); err != nil {
		return err
	}
	if _, err := s.Pull(ctx); err != nil { // entries of the time that the first copy took
		return err
	}
	if err := retire(ctx, engine, cfg.Place); err != nil {
		return err
	}
	if err := cfg.did("ended"); err != nil {
		return err
	}
	_, err = s.Pull(ctx)
	return err
}

// checkKeys refuses keys of another network, before anything ends.
func (cfg *MoveConfig) checkKeys(ctx context.Context, store *sqlite.Store) error {
	_, named, err := foundation(ctx, store)
	if err != nil || named == "" {
		return err
	}
	text, err := os.ReadFile(filepath.Join(cfg.Dir, "log.key"))
	if err != nil {
		return err
	}
	if public, err := proof.PublicKey(strings.TrimSpace(string(text))); err != nil || public != named {
		return fmt.Errorf("%w: %s is not the key that entry 0 of the engine names. Nothing ended: remove the folder, and move again with the files of a node of this network", ErrLogKey, filepath.Join(cfg.Dir, "log.key"))
	}
	return nil
}

// retire ends an engine, again and again while the outcome is unknown.
func retire(ctx context.Context, engine journal.Retirer, place string) error {
	for {
		_, err := engine.Retire(ctx, place)
		var moved *journal.RetiredError
		if errors.As(err, &moved) && moved.To == place {
			return nil
		}
		if !errors.Is(err, journal.ErrDoubtful) || !timespan.Wait(ctx, moveEvery) {
			return err
		}
	}
}

// leaveNodes makes the folder a network of its own. Its first start keeps a checkpoint
// where it has none.
func (cfg *MoveConfig) leaveNodes(ctx context.Context, store *sqlite.Store, out *Moved) error {
	named, err := namedRecordings(ctx, store)
	if err != nil {
		return err
	}
	for seq, hashes := range named {
		for _, hash := range hashes {
			if err := checkRecording(cfg.Dir, hash); err != nil {
				out.Missing = append(out.Missing, fmt.Sprintf("%s of dispatch %d", hash, seq))
			}
		}
	}
	slices.Sort(out.Missing)
	kept, err := keptCheckpoints(cfg.Dir)
	if err == nil && missingCheckpoint(cfg.Dir, kept) != "" {
		err = mark(cfg.Dir)
	}
	if err == nil {
		err = private.Remove(filepath.Join(cfg.Dir, nodeFile))
	}
	return err
}

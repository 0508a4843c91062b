package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// damagedSuffix marks files that a repair moved aside.
const damagedSuffix = ".damaged"

// Check reads all that a node which does not run keeps, and returns an error for each
// file that is damaged. The error is an [ErrDamaged].
func Check(ctx context.Context, dir string) (damage []error, err error) {
	if _, _, err := loadMember(dir); err != nil {
		return nil, err
	}
	for _, check := range []func(context.Context, string) error{checkFolder, checkLog} {
		if err := check(ctx, dir); errors.Is(err, ErrDamaged) {
			damage = append(damage, err)
		} else if err != nil {
			return damage, err
		}
	}
	return damage, nil
}

func checkLog(_ context.Context, dir string) error {
	log, err := openRaftLog(clusterPath(dir, raftFile), false)
	if err != nil {
		return err
	}
	return log.Close()
}

// checkFolder reads every entry, and compares the tree and the keys with them.
func checkFolder(ctx context.Context, dir string) (err error) {
	if _, err = sqlite.CheckLog(dir); err == nil {
		err = checkJournal(ctx, dir)
	}
	if errors.Is(err, journal.ErrNotJournal) || errors.Is(err, journal.ErrNotFound) {
		return fmt.Errorf("%w: the journal in %s: %w", ErrDamaged, dir, err)
	}
	return err
}

func checkJournal(ctx context.Context, dir string) error {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if errors.Is(err, journal.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(checkEntries(ctx, store), store.Close())
}

func checkEntries(ctx context.Context, store *sqlite.Store) error {
	if err := store.Check(ctx); err != nil {
		return err
	}
	head, err := store.Head(ctx)
	if err != nil {
		return err
	}
	var tree journal.Tree
	for r, err := range store.Read(ctx, 0, head.Size) {
		if err != nil {
			return err
		}
		tree.Append(journal.Leaf(r.Public), nil)
	}
	stored, err := journal.OpenTree(ctx, store, head.Size)
	if err == nil && stored.Root() != tree.Root() {
		err = fmt.Errorf("%w: its entries have the root %x, and its tree %x", journal.ErrNotJournal, tree.Root(), stored.Root())
	}
	return err
}

// Repair moves the damaged files of a node that does not run aside, and returns an
// error for each. A journal is copied from the other nodes when the node next
// opens. A node whose log is damaged forgot its votes, so that the others make it a
// new member in its place; peers are addresses of members besides those that the node
// knows.
func Repair(ctx context.Context, dir string, peers ...string) (damage []error, err error) {
	m, k, err := loadMember(dir)
	if err != nil {
		return nil, err
	}
	if err := checkFolder(ctx, dir); errors.Is(err, ErrDamaged) {
		damage = append(damage, err)
		if err := moveAside(dir, "journal.db"); err != nil {
			return damage, err
		}
	} else if err != nil {
		return nil, err
	}
	if err := checkLog(ctx, dir); errors.Is(err, ErrDamaged) {
		damage = append(damage, err)
		return damage, replaceMember(ctx, dir, m, k, append(peers, m.Peers...))
	} else if err != nil {
		return damage, err
	}
	return damage, nil
}

// moveAside renames a database and its log.
func moveAside(dir, name string) error {
	suffix := damagedSuffix + time.Now().UTC().Format("-20060102T150405.000")
	for _, part := range []string{"", "-wal", "-shm"} {
		path := filepath.Join(dir, name+part)
		if err := os.Rename(path, path+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("cluster: %w", err)
		}
	}
	return nil
}

// replaceMember asks each member until the leader admits a node in this node's place.
func replaceMember(ctx context.Context, dir string, m *member, k *keys, peers []string) error {
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: k.clientConfig(m.Cluster, protocolHTTP)}}
	failed := fmt.Errorf("%w: no other node is known; name one", ErrNoLeader)
	for _, at := range peers {
		if at == m.Address {
			continue
		}
		in := &admission{Name: nameOf(raft.ServerID(m.ID)), Address: m.Address, Follower: m.Follower}
		if failed = enterCluster(ctx, dir, client, at, callReplace, keepNothing, in); failed == nil {
			return nil
		}
	}
	return failed
}

// Recover makes a cluster of one from a node that does not run, where a majority of
// its cluster is lost. It writes the batches of the node's log into the folder, also
// those that were not acknowledged, and begins again: with an authority of its own,
// so that no node of the old cluster takes part. The old files are moved aside.
func Recover(ctx context.Context, dir string, folder Folder) error {
	m, _, err := loadMember(dir)
	if err != nil {
		return err
	}
	log, err := openRaftLog(clusterPath(dir, raftFile), false)
	if err != nil {
		return err
	}
	if err := errors.Join(replayLog(ctx, log, folder), log.Close()); err != nil {
		return err
	}
	old := filepath.Join(dir, folderName)
	if err := os.Rename(old, old+time.Now().UTC().Format(".old-20060102T150405.000")); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	return Init(ctx, dir, folder, nameOf(raft.ServerID(m.ID)), m.Address)
}

// replayLog writes the batches of a log into the folder.
func replayLog(ctx context.Context, log *raftLog, folder Folder) error {
	meta, b, err := log.newestSnapshot()
	if err != nil || meta == nil {
		return errors.Join(err, errors.New("cluster: the node has not taken part yet"))
	}
	s, err := parseState(b)
	if err != nil {
		return err
	}
	machine, err := newMachine(ctx, folder, s)
	if err != nil {
		return err
	}
	last, err := log.LastIndex()
	for i := meta.Index + 1; i <= last && err == nil; i++ {
		var entry raft.Log
		if err = log.GetLog(i, &entry); err == nil && entry.Type == raft.LogCommand {
			machine.Apply(&entry)
			_, _, err = machine.head()
		}
	}
	return err
}

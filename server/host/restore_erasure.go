package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/rules"
)

// Erasure is one that a source knows.
type Erasure struct {
	Entry  uint64 `json:"entry"`
	Reason string `json:"reason"`
}

// Later is what a source knows of the entries beyond a backup.
type Later struct {
	Tree     netkit.TreeHead `json:"tree"` // of the source; zero for a list
	Erasures []Erasure       `json:"erasures"`
}

// erases returns a function that reports whether the source knows of an erasure, nil
// without a source.
func (l *Later) erases() func(seq uint64) bool {
	if l == nil {
		return nil
	}
	all := map[uint64]bool{}
	for _, e := range l.Erasures {
		all[e.Entry] = true
	}
	return func(seq uint64) bool { return all[seq] }
}

// ReadLater reads the erasures beyond the staged restore of dir from another folder
// of the same network, from a mirror of its log, or from a JSON list of objects with
// entry and reason.
func ReadLater(ctx context.Context, dir, from string) (*Later, error) {
	s, err := readStage(StagedDir(dir))
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(from)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return readErasureList(from)
	case Present(from):
		return readLaterFolder(ctx, s, from)
	}
	return readLaterMirror(ctx, s, from)
}

func readErasureList(path string) (*Later, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l := &Later{}
	if err := json.Unmarshal(text, &l.Erasures); err != nil {
		return nil, fmt.Errorf("host: %s is no list of erasures: %w; write it as [{\"entry\": 12, \"reason\": \"…\"}]", path, err)
	}
	return l, nil
}

// errForked refuses a source that does not continue the backup.
func errForked(from string) error {
	return fmt.Errorf("%w: %s does not begin with the entries of the backup: it is of another network, or one of the two was rewritten", audit.ErrRewritten, from)
}

func readLaterFolder(ctx context.Context, s *stage, from string) (l *Later, err error) {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: from, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	head, err := store.Head(ctx)
	if err != nil {
		return nil, err
	}
	whole, err := journal.OpenTree(ctx, store, head.Size)
	if err != nil {
		return nil, err
	}
	l = &Later{Tree: netkit.TreeHead{Size: whole.Size(), Root: whole.Root()}}
	if head.Size < s.Tree.Size {
		return l, nil // it knows nothing that the backup does not
	}
	shared, err := journal.OpenTree(ctx, store, s.Tree.Size)
	if err != nil {
		return nil, err
	}
	if netkit.Hash(shared.Root()) != s.Tree.Root {
		return nil, errForked(from)
	}
	for r, err := range store.Read(ctx, s.Tree.Size, math.MaxUint64) {
		if err == nil {
			err = l.add(r.Seq, r.Public)
		}
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// add notes the erasure that an entry records, if it does.
func (l *Later) add(seq uint64, public []byte) error {
	e, err := rules.ReadEntry(journal.Record{Seq: seq, Public: public})
	if err != nil {
		return err
	}
	if f, ok := e.Fact.(*rules.PrivateErased); ok {
		l.Erasures = append(l.Erasures, Erasure{f.Entry, f.Reason})
	}
	return nil
}

// readLaterMirror reads a folder that netctl ledger mirror made, and checks it by
// the signature of its checkpoint.
func readLaterMirror(ctx context.Context, s *stage, from string) (*Later, error) {
	files, err := audit.Mirror(os.DirFS(from))
	if err != nil {
		return nil, err
	}
	text, err := files.ReadEndpoint(ctx, "checkpoint")
	if err != nil {
		return nil, fmt.Errorf("host: %s is neither a folder of a network nor a mirror of its log: %w", from, err)
	}
	policy, err := proof.NewPolicy(s.Key, nil, 0)
	if err != nil {
		return nil, err
	}
	head, err := proof.OpenCheckpoint(policy, text)
	if err != nil {
		return nil, err
	}
	l := &Later{Tree: netkit.TreeHead{Size: uint64(head.N), Root: netkit.Hash(head.Hash)}}
	if l.Tree.Size < s.Tree.Size {
		return l, nil
	}
	root, err := tlog.TreeHash(int64(s.Tree.Size), torchwood.TileHashReaderWithContext(ctx, head.Tree, files))
	if err != nil {
		return nil, err
	}
	if netkit.Hash(root) != s.Tree.Root {
		return nil, errForked(from)
	}
	client, err := torchwood.NewClient(files)
	if err != nil {
		return nil, err
	}
	for i, entry := range client.AllEntries(ctx, head.Tree, int64(s.Tree.Size)) {
		if err := l.add(uint64(i), entry); err != nil {
			return nil, err
		}
	}
	return l, client.Err()
}

// eraseAgain repeats an erasure, and removes the recordings of a dispatch. A token
// that was revoked before its entry was erased is revoked again.
func (h *Host) eraseAgain(ctx context.Context, operator *network.Session, e Erasure) error {
	in := netkit.ErasePrivate{Entry: e.Entry, Reason: e.Reason}
	_, err := operator.ErasePrivate(ctx, in)
	var refused *netkit.Refusal
	if errors.As(err, &refused) && refused.Code == code.TokenInUse {
		if _, err = operator.RevokeToken(ctx, netkit.RevokeToken{TokenID: e.Entry, Reason: "it was revoked before the journal was restored from a backup"}); err == nil {
			_, err = operator.ErasePrivate(ctx, in)
		}
	}
	if err != nil {
		return err
	}
	files, err := h.Network.ErasedFiles(ctx, e.Entry)
	for _, file := range files {
		err = errors.Join(err, h.Audio.Remove(file.String(), func(string) bool { return false }))
	}
	return err
}

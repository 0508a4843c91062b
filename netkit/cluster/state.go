package cluster

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/seal"
)

// state decides whether a raft entry is accepted. It follows from the entries, so that
// every node decides alike, and no disk is asked.
type state struct {
	Head    journal.Head           `json:"-"`
	Root    [journal.HashSize]byte `json:"-"`
	Writer  writer                 `json:"writer"`
	Invites map[string]int64       `json:"invites,omitempty"` // hash of a token and when it expires
	Retired *retire                `json:"retired,omitempty"` // nil while batches are taken
}

// writer is the writer that was claimed last.
type writer struct {
	Term    uint64 `json:"term"`
	Node    string `json:"node"`
	Address string `json:"address"`
	Server  string `json:"server"`
}

// errToken means that a joining token was used, has expired or never was one.
var errToken = errors.New("cluster: the token was used before, has expired, or is of another cluster; make another one with netctl cluster invite")

// acceptBatch decides about a batch, which grows the tree if it is accepted.
func (s *state) acceptBatch(tree *journal.Tree, at journal.Head, b *journal.EngineBatch) error {
	if s.Retired != nil {
		return s.retirement()
	}
	if at != s.Head {
		return &journal.HeadMovedError{Have: s.Head, Want: at}
	}
	next, err := b.Next(at)
	if err == nil {
		err = checkKeys(b)
	}
	if err != nil {
		return err
	}
	grown := *tree
	for _, public := range b.Public {
		grown.Append(journal.Leaf(public), nil)
	}
	if root := grown.Root(); root != b.Root {
		return fmt.Errorf("%w: it leads to the root %x and names %x", journal.ErrBadBatch, root, b.Root)
	}
	*tree = grown
	s.Head, s.Root = next, b.Root
	return nil
}

// retirement returns the error of a cluster that its network left.
func (s *state) retirement() error { return &journal.RetiredError{Head: s.Head, To: s.Retired.To} }

// listedKey is the length of a key in a list of them; see package seal.
const listedKey = 8 + seal.KeySize

// checkKeys refuses keys that no folder would take, since a folder may not refuse
// an accepted batch.
func checkKeys(b *journal.EngineBatch) error {
	parts := 0
	for i, part := range b.Sealed {
		if part == nil {
			continue
		}
		parts++
		if len(part) <= seal.Overhead {
			return fmt.Errorf("%w: the private part of entry %d is too short", journal.ErrBadBatch, b.First+uint64(i))
		}
	}
	if parts == 0 && len(b.Keys) > 0 {
		return fmt.Errorf("%w: it has keys and no private part", journal.ErrBadBatch)
	}
	keys, err := seal.ParseKeys(b.Keys)
	if err != nil {
		return fmt.Errorf("%w: %w", journal.ErrBadBatch, err)
	}
	held := 0
	for i, part := range b.Sealed {
		if _, ok := keys.Key(b.First + uint64(i)); ok && part != nil {
			held++
		}
	}
	if len(b.Keys) != seal.SecretSize && (len(b.Keys) != listedKey*held || held == parts && parts > 0) {
		return fmt.Errorf("%w: its list of keys does not fit its private parts", journal.ErrBadBatch)
	}
	return nil
}

// carryOut carries out an entry that is no batch.
func (s *state) carryOut(c *control) error {
	if s.Retired != nil && (c.Claim != nil || c.Retire != nil) {
		return s.retirement()
	}
	switch {
	case c.Retire != nil:
		s.Retired = c.Retire
	case c.Claim != nil:
		if c.Claim.Before != s.Writer.Term {
			return journal.ErrClaimed
		}
		s.Writer = writer{Term: c.Claim.Before + 1, Node: c.Claim.Node, Address: c.Claim.Address, Server: c.Claim.Server}
	case c.Invite != nil:
		maps.DeleteFunc(s.Invites, func(_ string, expires int64) bool { return expires <= c.Invite.Now })
		if s.Invites == nil {
			s.Invites = map[string]int64{}
		}
		s.Invites[c.Invite.Hash] = c.Invite.Expires
	case c.Spend != nil:
		if s.Invites[c.Spend.Hash] <= c.Spend.Now {
			return errToken
		}
		delete(s.Invites, c.Spend.Hash)
	default:
		return errEntry
	}
	return nil
}

// stored is the form of a state in a snapshot.
type stored struct {
	Entries uint64 `json:"entries"`
	Tip     string `json:"tip"`
	Root    string `json:"root"`
	state
}

func (s *state) bytes() []byte {
	b, err := json.Marshal(stored{s.Head.Size, hex.EncodeToString(s.Head.Tip[:]), hex.EncodeToString(s.Root[:]), *s})
	if err != nil {
		panic(fmt.Sprintf("cluster: a state is JSON: %v", err))
	}
	return b
}

func parseState(b []byte) (state, error) {
	var in stored
	err := decodeKnown(b, &in)
	tip, wrong := hex.DecodeString(in.Tip)
	root, wrong2 := hex.DecodeString(in.Root)
	if err = errors.Join(err, wrong, wrong2); err != nil || len(tip) != journal.HashSize || len(root) != journal.HashSize {
		return state{}, fmt.Errorf("cluster: a snapshot that this version does not know: %w", err)
	}
	in.state.Head = journal.Head{Size: in.Entries, Tip: [journal.HashSize]byte(tip)}
	in.state.Root = [journal.HashSize]byte(root)
	return in.state, nil
}

package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// Version is the version of the form that a [Writer] writes.
const Version = 1

// Header begins each object of public/journal/.
type Header struct {
	Version  int             `json:"version"`
	Number   uint64          `json:"number"` // of the object; there are no gaps
	Network  string          `json:"network"`
	Key      string          `json:"log_key,omitempty"` // public key of the network's log
	Epoch    uint64          `json:"epoch"`             // how often the writer has changed
	Writer   string          `json:"writer"`            // drawn by the folder that writes
	TakeOver bool            `json:"take_over,omitempty"`
	At       time.Time       `json:"at"`    // when it was written
	First    uint64          `json:"first"` // its first entry
	Entries  int             `json:"entries"`
	Tree     netkit.TreeHead `json:"tree"`       // of all entries up to its last
	Tip      netkit.Hash     `json:"tip"`        // leaf hash of the last one
	Last     netkit.Millis   `json:"last_entry"` // its time
	// Sealed describes the object with the sealed private parts; its name follows.
	Sealed *Sealed `json:"sealed,omitempty"`
	// Checkpoint is the newest signed checkpoint when it was written.
	Checkpoint string `json:"checkpoint,omitempty"`
}

// Sealed describes the encrypted object beside one of public parts.
type Sealed struct {
	Bytes  int         `json:"bytes"`
	SHA256 netkit.Hash `json:"sha256"`
}

// Head returns the journal's head after the object.
func (h *Header) Head() journal.Head { return journal.Head{Size: h.Tree.Size, Tip: h.Tip} }

// Object is an object of public/journal/.
type Object struct {
	Header
	Public [][]byte // public part of each entry
}

func publicName(n uint64) string { return fmt.Sprintf("%s%020d", publicFolder, n) }

func (h *Header) sealedName() string {
	return fmt.Sprintf("%s%020d-%.16s.age", sealedFolder, h.Number, h.Sealed.SHA256.String())
}

// encode returns the form of an object: a line with the SHA-256 of the rest, a line
// with the header, and a line for each entry.
func (o *Object) encode() ([]byte, error) {
	head, err := json.Marshal(&o.Header)
	if err != nil {
		return nil, err
	}
	rest := append(head, '\n')
	for _, part := range o.Public {
		if bytes.IndexByte(part, '\n') >= 0 {
			return nil, fmt.Errorf("%w: the public part of an entry has more than one line", journal.ErrNotJournal)
		}
		rest = append(append(rest, part...), '\n')
	}
	sum := sha256.Sum256(rest)
	return append(append(hex.AppendEncode(nil, sum[:]), '\n'), rest...), nil
}

// decodeObject reads the form that encode returns. The error is [ErrDamaged] or [ErrVersion].
func decodeObject(name string, content []byte) (*Object, error) {
	sum, rest, _ := bytes.Cut(content, []byte("\n"))
	if want := sha256.Sum256(rest); string(sum) != hex.EncodeToString(want[:]) {
		return nil, fmt.Errorf("%w: %s: its checksum is not that of its bytes", ErrDamaged, name)
	}
	head, rest, _ := bytes.Cut(rest, []byte("\n"))
	o := &Object{}
	if err := json.Unmarshal(head, &o.Header); err != nil {
		return nil, fmt.Errorf("%w: %s: its header: %w", ErrDamaged, name, err)
	}
	if o.Version != Version {
		return nil, fmt.Errorf("%w: %s has version %d, and this program knows %d", ErrVersion, name, o.Version, Version)
	}
	for line := range bytes.Lines(rest) {
		o.Public = append(o.Public, bytes.TrimSuffix(line, []byte("\n")))
	}
	if len(o.Public) != o.Entries || o.Tree.Size != o.First+uint64(o.Entries) {
		return nil, fmt.Errorf("%w: %s: it holds %d entries, and its header counts %d", ErrDamaged, name, len(o.Public), o.Entries)
	}
	return o, nil
}

// readObject reads one object of public/journal/.
func readObject(ctx context.Context, s Store, n uint64) (*Object, error) {
	name := publicName(n)
	content, err := s.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	o, err := decodeObject(name, content)
	if err == nil && o.Number != n {
		err = fmt.Errorf("%w: %s holds object %d", ErrDamaged, name, o.Number)
	}
	return o, err
}

// Tail returns the last object of public/journal/, or [ErrNotFound] for an empty
// archive. It finds it by reading, since the numbers have no gaps.
func Tail(ctx context.Context, s Store) (*Object, error) {
	last, err := readObject(ctx, s, 0)
	if err != nil {
		return nil, err
	}
	// Object low is there and object high is not.
	low, high := uint64(0), uint64(1)
	for step := uint64(1); ; step *= 2 {
		o, err := readObject(ctx, s, low+step)
		if errors.Is(err, ErrNotFound) {
			high = low + step
			break
		}
		if err != nil {
			return nil, err
		}
		last, low = o, low+step
	}
	for low+1 < high {
		middle := low + (high-low)/2
		switch o, err := readObject(ctx, s, middle); {
		case errors.Is(err, ErrNotFound):
			high = middle
		case err != nil:
			return nil, err
		default:
			last, low = o, middle
		}
	}
	return last, nil
}

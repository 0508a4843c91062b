package network

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"runtime"
	"slices"

	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// A snapshot is a line that names its form, the canonical form of the state,
// the second fold and the root of the tree over the entries that they were made
// of, a line each, then the SHA-256 of these and the seal: see snapshot_seal.go.
// It only shortens a start.

// snapshotForm is the first line. It changes with the form or the meaning of
// what follows: a snapshot of another form is passed over, not compared.
const snapshotForm = "netkit snapshot 16"

// writePieces writes a long text piece by piece: a hash over tens of megabytes
// at once would hold up the whole program.
func writePieces(w io.Writer, b []byte) error {
	for piece := range slices.Chunk(b, 64<<10) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
		runtime.Gosched()
	}
	return nil
}

// sumOf returns the sum that the last line of a snapshot names.
func sumOf(b []byte) (sum [32]byte) {
	last := b[bytes.LastIndexByte(b[:len(b)-1], '\n')+1:]
	_, _ = hex.Decode(sum[:], last[:2*len(sum)]) // it was compared before
	return sum
}

// snapshotParts returns state, second fold, root and last line of a snapshot
// whose form and sum are right.
func snapshotParts(b []byte) ([][]byte, error) {
	parts := bytes.SplitN(b, []byte("\n"), 5)
	if len(parts) != 5 || string(parts[0]) != snapshotForm || len(parts[3]) != hex.EncodedLen(journal.HashSize) {
		return nil, fmt.Errorf("%w: form", wire.ErrForm)
	}
	h := hash.Hash(sha256.New())
	if err := writePieces(h, b[:len(b)-len(parts[4])]); err != nil {
		return nil, err
	}
	sum := hex.AppendEncode(nil, h.Sum(nil))
	rest, ok := bytes.CutPrefix(parts[4], sum)
	if !ok || !bytes.HasSuffix(rest, []byte("\n")) || len(rest) > 1 && rest[0] != ' ' {
		return nil, fmt.Errorf("%w: checksum", wire.ErrForm)
	}
	return parts[1:], nil
}

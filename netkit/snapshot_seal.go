package netkit

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"

	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// The last line of a snapshot holds the SHA-256 of the lines before it and, of a
// network with a snapshot key, the seal: an HMAC-SHA-256 of that sum. The lines
// hold the network's name, the head and the root of its tree, so the seal binds
// the snapshot to the journal as well as to the key.

// sealLabel keeps the seal apart from other uses of the key.
const sealLabel = "netkit snapshot\n"

var (
	errUnsealed  = errors.New("is not sealed with a snapshot key, as those of earlier releases")
	errOtherSeal = errors.New("was changed, or was sealed with another snapshot key")
	errUnread    = errors.New("is damaged, or was written by another release")
)

// lastLine returns the line with the sum of a snapshot.
func lastLine(sum []byte, key []byte) []byte {
	line := hex.AppendEncode(nil, sum)
	if key != nil {
		line = hex.AppendEncode(append(line, ' '), seal(sum, key))
	}
	return append(line, '\n')
}

// seal returns the HMAC of a snapshot's sum.
func seal(sum, key []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(sealLabel))
	h.Write(sum)
	return h.Sum(nil)
}

// checkSeal reports why a snapshot cannot be used by a network with that key. A
// nil key demands no seal. Nothing of the snapshot is decoded before.
func checkSeal(b, key []byte) error {
	parts, err := snapshotParts(b)
	if err != nil {
		return errUnread
	}
	if key == nil {
		return nil
	}
	_, text, sealed := bytes.Cut(bytes.TrimSuffix(parts[3], []byte("\n")), []byte(" "))
	if !sealed {
		return errUnsealed
	}
	sum, got := believe(0, b).sum, make([]byte, hex.DecodedLen(len(text)))
	if _, err := hex.Decode(got, text); err != nil || !hmac.Equal(got, seal(sum[:], key)) {
		return errOtherSeal
	}
	return nil
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

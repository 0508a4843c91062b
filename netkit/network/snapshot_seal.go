package network

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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
	sum, got := sumOf(b), make([]byte, hex.DecodedLen(len(text)))
	if _, err := hex.Decode(got, text); err != nil || !hmac.Equal(got, seal(sum[:], key)) {
		return errOtherSeal
	}
	return nil
}

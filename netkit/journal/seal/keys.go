package seal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ErrKeys means that stored keys are not in the form that [Keys.Bytes] returns.
var ErrKeys = errors.New("seal: the stored keys are damaged")

// Keys open the private parts of one batch: all of them by the batch's secret,
// or those that a list names. Make new ones with [NewKeys], read stored ones with
// [ParseKeys]. The zero Keys open nothing.
type Keys struct {
	secret *[SecretSize]byte // nil once a part of the batch was erased
	list   []listed          // by ascending sequence number
}

// listed is the key of one entry.
type listed struct {
	seq uint64
	key Key
}

// listedSize is the stored length of a listed key: its sequence number, the
// highest byte first, and the key. No list is as long as a secret.
const listedSize = 8 + KeySize

// NewKeys draws the secret of a new batch from random.
func NewKeys(random io.Reader) (Keys, error) {
	k := Keys{secret: new([SecretSize]byte)}
	if _, err := io.ReadFull(random, k.secret[:]); err != nil {
		return Keys{}, fmt.Errorf("seal: drawing the secret of a batch: %w", err)
	}
	return k, nil
}

// ParseKeys reads the form that [Keys.Bytes] returns, without keeping the slice. The
// error is [ErrKeys].
func ParseKeys(stored []byte) (Keys, error) {
	if len(stored) == SecretSize {
		secret := [SecretSize]byte(stored)
		return Keys{secret: &secret}, nil
	}
	if len(stored)%listedSize != 0 {
		return Keys{}, fmt.Errorf("%w: %d bytes are neither a secret nor a list", ErrKeys, len(stored))
	}
	k := Keys{list: make([]listed, 0, len(stored)/listedSize)}
	for ; len(stored) > 0; stored = stored[listedSize:] {
		next := listed{binary.BigEndian.Uint64(stored), Key(stored[8:listedSize])}
		if n := len(k.list); n > 0 && next.seq <= k.list[n-1].seq {
			return Keys{}, fmt.Errorf("%w: entry %d follows entry %d, want ascending", ErrKeys, next.seq, k.list[n-1].seq)
		}
		k.list = append(k.list, next)
	}
	return k, nil
}

// Bytes returns the stored form: the secret, or 40 bytes for each listed entry.
func (k *Keys) Bytes() []byte {
	if k.secret != nil {
		return slices.Clone(k.secret[:])
	}
	out := make([]byte, 0, len(k.list)*listedSize)
	for i := range k.list {
		out = binary.BigEndian.AppendUint64(out, k.list[i].seq)
		out = append(out, k.list[i].key[:]...)
	}
	return out
}

// Key returns the key of an entry, and whether there is one.
func (k *Keys) Key(seq uint64) (Key, bool) {
	if k.secret != nil {
		return deriveKey(k.secret, seq), true
	}
	i, found := slices.BinarySearchFunc(k.list, seq, func(l listed, seq uint64) int {
		switch {
		case l.seq < seq:
			return -1
		case l.seq > seq:
			return 1
		}
		return 0
	})
	if !found {
		return Key{}, false
	}
	return k.list[i].key, true
}

// Without returns the keys of the entries in parts except those in erased: the
// list that replaces the secret. Parts names, in ascending order, the entries of
// the batch that have a private part; an entry without a key stays without.
func (k *Keys) Without(parts, erased []uint64) Keys {
	var left Keys
	for _, seq := range parts {
		if slices.Contains(erased, seq) {
			continue
		}
		if key, ok := k.Key(seq); ok {
			left.list = append(left.list, listed{seq, key})
		}
	}
	return left
}

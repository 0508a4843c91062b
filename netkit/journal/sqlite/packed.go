package sqlite

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/seal"
)

// packed is a batch as its row holds it. The row also has the leaf hashes of the
// public parts, by which a damaged entry is found (the last one is the head after
// the batch), and the places where the parts end, as JSON, by which the view of
// the schema takes them apart. The sealed parts are in one blob: first the length of each
// entry's as a varint, 0 for an entry without one, then the parts.
type packed struct {
	first   uint64
	entries int
	ends    []byte // JSON array of the ends of the public parts
	leaves  []byte
	public  []byte
	sealed  []byte // empty where no entry has a private part
	nodes   []byte
	parts   int    // entries with a private part
	keys    []byte // of the private parts
}

// nodeSize is the stored length of a node: its index, the highest byte first,
// and its hash.
const nodeSize = 8 + journal.HashSize

// pack replaces the contents of p by a batch, whose private parts it seals under
// a secret drawn from random. It uses p's memory again.
func (p *packed) pack(records []journal.Record, nodes []journal.Node, random io.Reader) error {
	p.first, p.entries, p.parts = records[0].Seq, len(records), 0
	p.ends, p.leaves, p.public = append(p.ends[:0], '['), p.leaves[:0], p.public[:0]
	for i := range records {
		p.public = append(p.public, records[i].Public...)
		if i > 0 {
			p.ends = append(p.ends, ',')
		}
		p.ends = strconv.AppendInt(p.ends, int64(len(p.public)), 10)
		if i < len(records)-1 {
			leaf := journal.Leaf(records[i].Public)
			p.leaves = append(p.leaves, leaf[:]...)
		}
		if len(records[i].Private) > 0 {
			p.parts++
		}
	}
	p.ends = append(p.ends, ']')
	p.nodes = p.nodes[:0]
	for i := range nodes {
		p.nodes = binary.BigEndian.AppendUint64(p.nodes, nodes[i].Index)
		p.nodes = append(p.nodes, nodes[i].Hash[:]...)
	}
	return p.seal(records, random)
}

// seal encrypts the private parts.
func (p *packed) seal(records []journal.Record, random io.Reader) error {
	p.sealed, p.keys = p.sealed[:0], p.keys[:0]
	if p.parts == 0 {
		return nil
	}
	keys, err := seal.NewKeys(random)
	if err != nil {
		return err
	}
	for i := range records {
		n := len(records[i].Private)
		if n > 0 {
			n += seal.Overhead
		}
		p.sealed = binary.AppendUvarint(p.sealed, uint64(n))
	}
	for i := range records {
		if len(records[i].Private) > 0 {
			key, _ := keys.Key(records[i].Seq)
			p.sealed = key.Seal(p.sealed, records[i].Private)
		}
	}
	p.keys = append(p.keys, keys.Bytes()...)
	return nil
}

// damaged reports a row that does not hold together.
func (p *packed) damaged(what string) error {
	return fmt.Errorf("%w: %s of the entries %d to %d is damaged; restore a backup", journal.ErrNotJournal, what, p.first, p.first+uint64(p.entries)-1)
}

// eachPublic calls f with the public part of each entry, until it returns false.
func (p *packed) eachPublic(f func(i int, part []byte) bool) error {
	rest, start, n := p.ends, 0, 0
	for i := range p.entries {
		open := byte(',')
		if i == 0 {
			open = '['
		}
		if len(rest) == 0 || rest[0] != open {
			return p.damaged("the list of ends")
		}
		if n, rest = readNumber(rest[1:]); n <= start || n > len(p.public) {
			return p.damaged("the list of ends")
		}
		if !f(i, p.public[start:n:n]) {
			return nil
		}
		start = n
	}
	if string(rest) != "]" || start != len(p.public) {
		return p.damaged("the list of ends")
	}
	return nil
}

// readNumber reads the decimal number at the start of b, and returns the rest. It is
// -1 without a number that fits the length of a blob.
func readNumber(b []byte) (int, []byte) {
	n, i := 0, 0
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9' && n < math.MaxInt32; i++ {
		n = n*10 + int(b[i]-'0')
	}
	if i == 0 || n >= math.MaxInt32 {
		return -1, b
	}
	return n, b[i:]
}

// sealedParts returns the sealed part of each entry, nil for one without.
func (p *packed) sealedParts(into [][]byte) ([][]byte, error) {
	into = into[:0]
	if len(p.sealed) == 0 {
		for range p.entries {
			into = append(into, nil)
		}
		return into, nil
	}
	data, at, total := p.sealed, 0, uint64(0)
	for range p.entries {
		n, width := binary.Uvarint(data[at:])
		if width <= 0 || n > uint64(len(data)) || n > 0 && n <= seal.Overhead {
			return nil, p.damaged("the list of private parts")
		}
		at, total = at+width, total+n
	}
	if uint64(len(data)-at) != total {
		return nil, p.damaged("the list of private parts")
	}
	lengths, parts := data[:at], data[at:]
	for range p.entries {
		n, width := binary.Uvarint(lengths)
		lengths = lengths[width:]
		var part []byte
		if n > 0 {
			part = parts[:n:n]
		}
		into, parts = append(into, part), parts[n:]
	}
	return into, nil
}

// node returns the stored hash at an index, and whether there is one.
func (p *packed) node(index uint64) (hash [journal.HashSize]byte, ok bool) {
	for rest := p.nodes; len(rest) >= nodeSize; rest = rest[nodeSize:] {
		if binary.BigEndian.Uint64(rest) == index {
			return [journal.HashSize]byte(rest[8:nodeSize]), true
		}
	}
	return hash, false
}

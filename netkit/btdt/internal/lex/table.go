package lex

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"sync"
)

//go:embed words.bin
var embedded string

// Table looks up the classes of words. It is an XOR filter (Graf and Lemire 2020)
// with values: a word has three cells, and what is left when they are added bit by
// bit is the number of its set of classes and eleven bits of its key. It answers
// wrongly for one unknown word in two thousand, and is a fifth larger than its
// words are many.
type Table struct {
	sets    []Flags
	seed    uint64
	segment uint32 // cells of a third of the table
	cells   string
}

const (
	cell      = 3  // bytes
	setBits   = 13 // of a cell: the number of a set of classes
	checkBits = 11 // the others: bits of its key
)

var words = sync.OnceValue(func() Table { return readTable(embedded) })

// Of gives the classes of a key.
func Of(key uint64) Flags { return words().Of(key) }

func readTable(s string) Table {
	if len(s) < 14 {
		return Table{}
	}
	b := []byte(s[:14])
	t := Table{seed: binary.LittleEndian.Uint64(b), segment: binary.LittleEndian.Uint32(b[8:]), sets: make([]Flags, binary.LittleEndian.Uint16(b[12:]))}
	at := 14
	for i := range t.sets {
		t.sets[i] = Flags(binary.LittleEndian.Uint64([]byte(s[at : at+8])))
		at += 8
	}
	t.cells = s[at:]
	return t
}

// Of gives the classes of a key, 0 for one that is not in the table.
func (t Table) Of(key uint64) Flags {
	if t.segment == 0 {
		return 0
	}
	v := uint32(0)
	for _, i := range places(key, t.seed, t.segment) {
		c := t.cells[i*cell : i*cell+cell]
		v ^= uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16
	}
	if set := v >> checkBits; v&(1<<checkBits-1) == check(key) && int(set) < len(t.sets) {
		return t.sets[set]
	}
	return 0
}

// places are the three cells of a key, one in each third.
func places(key, seed uint64, segment uint32) [3]uint32 {
	h := mix(key ^ seed)
	third := func(x uint64) uint32 { return uint32(x & 0xffffffff * uint64(segment) >> 32) }
	return [3]uint32{third(h), segment + third(h>>32), 2*segment + third(mix(h))}
}

func check(key uint64) uint32 { return uint32(key>>40) & (1<<checkBits - 1) }

// Build lays out a table; its bytes depend on the words alone.
func Build(words map[uint64]Flags, keys []uint64) ([]byte, error) {
	number := map[Flags]uint32{}
	var sets []byte
	for _, k := range keys {
		if _, known := number[words[k]]; !known {
			number[words[k]] = uint32(len(number))
			sets = binary.LittleEndian.AppendUint64(sets, uint64(words[k]))
		}
	}
	if len(number) >= 1<<setBits {
		return nil, fmt.Errorf("lex: %d sets of classes, want fewer than %d", len(number), 1<<setBits)
	}
	segment := uint32(len(keys)*41/100) + 11
	for seed := uint64(1); seed < 100; seed++ {
		order := peel(keys, seed, segment)
		if order == nil {
			continue
		}
		head := binary.LittleEndian.AppendUint64(nil, seed)
		head = binary.LittleEndian.AppendUint32(head, segment)
		head = binary.LittleEndian.AppendUint16(head, uint16(len(number)))
		return append(append(head, sets...), assign(order, words, number, seed, segment)...), nil
	}
	return nil, fmt.Errorf("lex: no seed lays out %d words; two may share a key", len(keys))
}

// peeled is a key and the one of its cells that no later key has.
type peeled struct {
	key  uint64
	cell uint32
}

// peel orders keys so that each has a cell of its own among those before it, or
// returns nil where a seed allows no such order.
func peel(keys []uint64, seed uint64, segment uint32) []peeled {
	count, sum := make([]uint32, 3*segment), make([]uint64, 3*segment)
	for _, k := range keys {
		for _, c := range places(k, seed, segment) {
			count[c]++
			sum[c] ^= k
		}
	}
	var free []uint32
	for c, n := range count {
		if n == 1 {
			free = append(free, uint32(c))
		}
	}
	order := make([]peeled, 0, len(keys))
	for len(free) > 0 {
		c := free[len(free)-1]
		free = free[:len(free)-1]
		if count[c] != 1 {
			continue
		}
		k := sum[c]
		order = append(order, peeled{k, c})
		for _, other := range places(k, seed, segment) {
			count[other]--
			sum[other] ^= k
			if count[other] == 1 {
				free = append(free, other)
			}
		}
	}
	if len(order) < len(keys) {
		return nil
	}
	return order
}

// assign gives each key's own cell what makes its three add up to its value.
func assign(order []peeled, words map[uint64]Flags, number map[Flags]uint32, seed uint64, segment uint32) []byte {
	values := make([]uint32, 3*segment)
	for i := len(order) - 1; i >= 0; i-- {
		p := order[i]
		v := number[words[p.key]]<<checkBits | check(p.key)
		for _, c := range places(p.key, seed, segment) {
			v ^= values[c]
		}
		values[p.cell] = v
	}
	out := make([]byte, 0, len(values)*cell)
	for _, v := range values {
		out = append(out, byte(v), byte(v>>8), byte(v>>16))
	}
	return out
}

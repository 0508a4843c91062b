package tag

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"io"
	"sync"
)

// A model is a table of features: fingerprints in groups of four, then a row of
// weights of one byte for each, then those from label to label, of two bytes.
const (
	groups    = 42_000
	perGroup  = 4
	slots     = groups * perGroup
	hops      = 4      // groups that a feature may stand in, from its own on
	printSize = 3      // bytes
	rowSize   = Labels // bytes

	rowsAt    = slots * printSize
	stepsAt   = rowsAt + slots*rowSize
	stepSize  = 2                                // bytes
	modelSize = stepsAt + Labels*Labels*stepSize // bytes

	bias = 128 // a stored weight of a feature is this much more than it stands for
)

// Capacity is how many features a model holds. A table that is nearly full would
// have features far from where they are looked for.
const Capacity = slots * 9 / 10

// group is where a feature belongs, and after some hops may stand.
func group(hash uint64, hop int) int { return (int(hash>>32*groups>>32) + hop) % groups }

// fingerprint tells the features of a group apart; 0 is an empty slot.
func fingerprint(hash uint64) uint32 { return max(uint32(hash)&0xffffff, 1) }

//go:embed weights.bin.gz
var packed []byte

// Model is a set of weights.
type Model struct {
	bytes []byte
	steps *Steps // from label to label
}

// Default is the trained model of this package, unpacked when it is first asked
// for.
var Default = sync.OnceValue(func() Model {
	weights, err := unpack(packed)
	if err != nil {
		panic("tag: the weights that are built in are damaged: " + err.Error())
	}
	return NewModel(weights)
})

func unpack(packed []byte) ([]byte, error) {
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	weights := make([]byte, modelSize)
	_, err = io.ReadFull(in, weights)
	return weights, err
}

// NewModel is a model of the given bytes, as Pack lays them out, which it keeps.
func NewModel(bytes []byte) Model {
	m := Model{bytes: bytes}
	if m.Ready() {
		m.steps = NewSteps(func(a, b Label) int32 {
			return int32(int16(binary.LittleEndian.Uint16(bytes[stepsAt+(int(a)*Labels+int(b))*stepSize:])))
		})
	}
	return m
}

// Ready reports whether the model holds weights at all.
func (m Model) Ready() bool { return len(m.bytes) == modelSize }

// row finds where the weights of a feature begin, or -1.
func (m Model) row(hash uint64) int {
	want := fingerprint(hash)
	for hop := range hops {
		g := group(hash, hop) * perGroup * printSize
		prints := m.bytes[g : g+perGroup*printSize]
		for k := 0; k < len(prints); k += printSize {
			switch print(prints[k:]) {
			case want:
				return rowsAt + (g+k)/printSize*rowSize
			case 0:
				return -1
			}
		}
	}
	return -1
}

// sum adds the rows of all features that the model knows.
func (m Model) sum(f *Features, row *Scores) {
	var total lanes
	known := int32(0)
	for _, h := range f.Hash[:f.N] {
		if at := m.row(h); at >= 0 {
			total.add(m.bytes[at : at+rowSize])
			known++
		}
	}
	for l := range row {
		row[l] = total.at(l) - known*bias
	}
}

// lanes add up bytes of rows, four in a word, sixteen bits each, which holds as many
// rows as a token has features: even ones of eight, odd ones, and so on.
type lanes [6]uint64

const evenBytes = 0x00ff00ff00ff00ff

func (n *lanes) add(row []byte) {
	a, b, c := binary.LittleEndian.Uint64(row), binary.LittleEndian.Uint64(row[8:]), uint64(binary.LittleEndian.Uint32(row[16:]))
	n[0] += a & evenBytes
	n[1] += a >> 8 & evenBytes
	n[2] += b & evenBytes
	n[3] += b >> 8 & evenBytes
	n[4] += c & evenBytes
	n[5] += c >> 8 & evenBytes
}

// at is the sum for byte l of the rows.
func (n *lanes) at(l int) int32 { return int32(n[l/8*2+l%2] >> (l % 8 / 2 * 16) & 0xffff) }

// print reads the fingerprint of a slot.
func print(s []byte) uint32 { return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 }

// Margins gives, for every token, how clearly each label wins there: the score of
// the best labelling that has it less that of the best that has not.
func (m Model) Margins(e *Extractor) []Scores {
	scores := make([]Scores, len(e.tok))
	if !m.Ready() {
		return scores
	}
	var f Features
	for i := range scores {
		e.At(i, &f)
		m.sum(&f, &scores[i])
	}
	return margins(scores, m.steps)
}

// Pack lays weights out as the bytes of a model, features in the order given: one
// that finds no place near its own is left out. Weight and step give the stored
// weight of a feature for a label, from -127 to 127, and of a step.
func Pack(hashes []uint64, weight func(feature int, l Label) int8, step func(a, b Label) int16) []byte {
	out := make([]byte, modelSize)
	for k, h := range hashes {
		at := place(out, h)
		if at < 0 {
			continue
		}
		for l := range Label(Labels) {
			out[at+int(l)] = byte(int(weight(k, l)) + bias)
		}
	}
	for a := range Label(Labels) {
		for b := range Label(Labels) {
			v := uint16(step(a, b))
			at := stepsAt + (int(a)*Labels+int(b))*stepSize
			out[at], out[at+1] = byte(v), byte(v>>8)
		}
	}
	return out
}

// place takes the first free slot near where a feature belongs and returns where
// its row begins, or -1.
func place(model []byte, hash uint64) int {
	for hop := range hops {
		g := group(hash, hop)
		for k := range perGroup {
			if at := (g*perGroup + k) * printSize; print(model[at:]) == 0 {
				p := fingerprint(hash)
				model[at], model[at+1], model[at+2] = byte(p), byte(p>>8), byte(p>>16)
				return rowsAt + (g*perGroup+k)*rowSize
			}
		}
	}
	return -1
}

// Package neardup finds texts that are nearly the same, such as one signal
// delivered for two contracts with a few words changed.
//
// A text is the set of its shingles: runs of characters of its words in lower
// case, so that edits touch a few of them and the order of sentences almost
// none. The share of shingles that two texts have in common (Jaccard) is
// estimated from MinHash sketches (A. Z. Broder, "On the resemblance and
// containment of documents", 1997): of each of many hash functions a sketch has
// the smallest value over all shingles, and two sketches agree in one with
// just that chance. A sketch cannot be turned back into its text.
//
// The package reads nothing and keeps no text. What it says is a hint for
// people: texts on one event by two authors share words as well.
package neardup

import (
	"iter"
	"math"
	"sort"
	"unicode"
)

const (
	// width is how many characters a shingle has.
	width = 5
	// bands of rows each: texts that agree in all rows of one band are compared.
	// With three rows, two texts with half of their shingles in common meet in one of
	// 32 bands with a chance of 98.6 %.
	bands, rows = 32, 3
	size        = bands * rows
	// Same is the least number of equal values of a sketch, in hundredths of all, from
	// which two texts are called nearly the same. It was chosen on the development
	// half of testdata/signals.txt; the test measures the other half.
	Same = 45
	// minShingles is how many shingles a text needs: shorter ones say too little.
	minShingles = 20
)

// Sketch is what is kept of a text. The zero value is that of a text too short
// to compare.
type Sketch struct {
	values [size]uint32
	some   bool
}

// Of sketches a text. The same text has the same sketch everywhere.
func Of(text string) Sketch {
	s := Sketch{}
	seen := map[uint64]bool{}
	for shingle := range shingles(text) {
		seen[hash(shingle)] = true
	}
	if len(seen) < minShingles {
		return s
	}
	for k := range s.values {
		s.values[k] = math.MaxUint32
	}
	for h := range seen {
		for k := range s.values {
			s.values[k] = min(s.values[k], uint32(mix(h+uint64(k)*0x9e3779b97f4a7c15)>>32))
		}
	}
	s.some = true
	return s
}

// Likeness estimates in hundredths how much of their shingles two texts share.
func (s *Sketch) Likeness(o *Sketch) int {
	if !s.some || !o.some {
		return 0
	}
	equal := 0
	for k := range s.values {
		if s.values[k] == o.values[k] {
			equal++
		}
	}
	return equal * 100 / size
}

// shingles yields the runs of characters of a text's words, in lower case, with
// one space between words.
func shingles(text string) iter.Seq[[width]rune] {
	return func(yield func([width]rune) bool) {
		var run [width]rune
		n, space := 0, true
		put := func(r rune) bool {
			copy(run[:], run[1:])
			run[width-1] = r
			n++
			return n < width || yield(run)
		}
		for _, r := range text {
			word := unicode.IsLetter(r) || unicode.IsDigit(r)
			switch {
			case word && !put(unicode.ToLower(r)), !word && !space && !put(' '):
				return
			}
			space = !word
		}
	}
}

// hash is FNV-1a over the characters, spread by mix: the same on every machine.
func hash(shingle [width]rune) uint64 {
	h := uint64(14695981039346656037)
	for _, r := range shingle {
		h = (h ^ uint64(r)) * 1099511628211
	}
	return mix(h)
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Index finds the earlier texts that a new one is nearly the same as, among the
// newest so many. It keeps a value of the caller with each. It is not safe for
// concurrent use.
type Index[T any] struct {
	room  int
	texts []entry[T] // a ring
	next  int
	found [bands]map[[rows]uint32][]int // places in the ring
}

type entry[T any] struct {
	id, met uint64 // met is the latest text that was compared with this one
	of      T
	Sketch
}

// NewIndex returns an index of the newest room texts; each takes some 800 bytes.
func NewIndex[T any](room int) *Index[T] {
	x := &Index[T]{room: room}
	for b := range x.found {
		x.found[b] = map[[rows]uint32][]int{}
	}
	return x
}

// Add keeps a text with a value under its id, after it has called each for the
// earlier texts that it is nearly the same as, in no particular order. Ids rise and
// are above 0. A text that is too short to compare is not kept.
func (x *Index[T]) Add(id uint64, text string, of T, each func(id uint64, of T)) {
	e := entry[T]{id: id, of: of, Sketch: Of(text)}
	if !e.some {
		return
	}
	x.compare(&e, each)
	place := x.next
	if len(x.texts) < x.room {
		x.texts = append(x.texts, e)
	} else {
		x.drop(place)
		x.texts[place] = e
	}
	x.next = (place + 1) % x.room
	for b := range x.found {
		key := e.band(b)
		x.found[b][key] = append(x.found[b][key], place)
	}
}

// Find returns the value that was kept with an id, false if its text is not among
// the newest.
func (x *Index[T]) Find(id uint64) (of T, ok bool) {
	n := len(x.texts)
	at := func(k int) *entry[T] { return &x.texts[(x.next+k)%n] } // the oldest first
	if n < x.room {
		at = func(k int) *entry[T] { return &x.texts[k] }
	}
	k := sort.Search(n, func(k int) bool { return at(k).id >= id })
	if k == n || at(k).id != id {
		return of, false
	}
	return at(k).of, true
}

func (s *Sketch) band(b int) [rows]uint32 { return [rows]uint32(s.values[b*rows : (b+1)*rows]) }

// compare calls each for the texts that a new one is nearly the same as.
func (x *Index[T]) compare(to *entry[T], each func(id uint64, of T)) {
	for b := range x.found {
		for _, place := range x.found[b][to.band(b)] {
			e := &x.texts[place]
			if e.met == to.id {
				continue
			}
			if e.met = to.id; to.Likeness(&e.Sketch) >= Same {
				each(e.id, e.of)
			}
		}
	}
}

// drop takes the text at a place out of all bands.
func (x *Index[T]) drop(place int) {
	for b := range x.found {
		key := x.texts[place].band(b)
		kept := x.found[b][key][:0]
		for _, p := range x.found[b][key] {
			if p != place {
				kept = append(kept, p)
			}
		}
		if len(kept) == 0 {
			delete(x.found[b], key)
		} else {
			x.found[b][key] = kept
		}
	}
}

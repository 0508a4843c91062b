package wire

import "hash/maphash"

// Strings holds short strings that were read, so that a name which comes again is
// made once. A later string takes the place of another one now and then, so its size is
// bounded. The zero value is empty; nil keeps none.
type Strings struct {
	seed  maphash.Seed
	begun bool
	slots [1 << 12]string
}

// maxKnown is the length of the longest string that is kept.
const maxKnown = 64

// get returns the string of raw.
func (s *Strings) get(raw []byte) string {
	if s == nil || len(raw) > maxKnown {
		return string(raw)
	}
	if !s.begun {
		s.seed, s.begun = maphash.MakeSeed(), true
	}
	slot := &s.slots[maphash.Bytes(s.seed, raw)%uint64(len(s.slots))]
	if *slot != string(raw) {
		*slot = string(raw)
	}
	return *slot
}

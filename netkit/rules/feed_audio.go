package rules

import (
	"iter"

	"github.com/agentnet/netctl/netkit"
)

// has reports whether a dispatch names a file.
func (d *Dispatch) has(file netkit.Hash) bool {
	return file != netkit.Hash{} && (file == d.audio || file == d.transcript)
}

// standing reports whether a dispatch is not erased.
func (s *State) standing(d *Dispatch) bool {
	_, erased := s.erased.Get(d.Id)
	return !erased
}

// Files returns the recording and the transcript that a dispatch names.
func (d *Dispatch) Files() [2]netkit.Hash { return [2]netkit.Hash{d.audio, d.transcript} }

// FileAccess is the answer to whether a reader may fetch a file.
type FileAccess struct {
	Named bool // by a dispatch that is not erased
	May   bool // the reader has opened one of these
}

// FileAccess looks for a file among archived dispatches, or, without any, among
// those in memory.
func (s *State) FileAccess(file netkit.Hash, reader string, old []Dispatch) (out FileAccess) {
	for d := range s.dispatchesOr(old) {
		if d.has(file) && s.standing(d) {
			out = FileAccess{true, out.May || s.Open(reader, d)}
		}
	}
	return out
}

// NoteFiles notes of the files that archived dispatches name, or, without any, those
// in memory, whether one of them is not erased.
func (s *State) NoteFiles(all map[netkit.Hash]bool, old []Dispatch) {
	for d := range s.dispatchesOr(old) {
		for _, file := range d.Files() {
			all[file] = all[file] || s.standing(d)
		}
	}
}

// dispatchesOr yields the dispatches of a list, or, without one, those in memory.
func (s *State) dispatchesOr(old []Dispatch) iter.Seq[*Dispatch] {
	return func(yield func(*Dispatch) bool) {
		for k := range old {
			if !yield(&old[k]) {
				return
			}
		}
		if old != nil {
			return
		}
		for _, d := range s.dispatches.All() {
			if !yield(d) {
				return
			}
		}
	}
}

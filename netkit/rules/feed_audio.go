package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// Has reports whether a dispatch names a file.
func (d *Dispatch) Has(file netkit.Hash) bool {
	return file != netkit.Hash{} && (file == d.Audio || file == d.Transcript)
}

// Standing reports whether a dispatch is not erased.
func (s *State) Standing(d *Dispatch) bool {
	_, erased := s.Erased.Get(d.Id)
	return !erased
}

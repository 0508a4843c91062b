package netkit

// AuditConfig holds what an auditor needs besides the entries.
type AuditConfig struct {
	// Entry reads the public part of an entry that was taken before; a report
	// names one. Required.
	Entry func(seq uint64) ([]byte, error)
	// RootAt returns the root of the tree of the first size entries, where size
	// is below the number of those taken. Needed for networks with witnesses,
	// whose panels are drawn by an earlier tree.
	RootAt func(size uint64) (Hash, error)
}

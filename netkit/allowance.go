package netkit

// Allowance bounds what the journal can grow by without anybody paying for it:
// entries in a UTC day that cost their actor nothing. Zero means no limit.
// Operators have none.
type Allowance struct {
	Party int // entries of one party; counted by the journal, so a restart forgives nothing
	// Source is the entries of one [Caller.Source], whatever parties act from
	// there; counted in memory.
	Source int
}

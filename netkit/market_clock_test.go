package netkit

// piece is a time in which a crisis suppresses commerce, as entries say it.
type piece struct {
	of       uint64
	from, to Millis
}

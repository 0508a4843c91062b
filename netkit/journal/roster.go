package journal

import "context"

// Roster is an [Engine] that knows the nodes that share it.
type Roster interface {
	Engine
	// Attend notes that a node runs and counts up its beat; the beat of me is ignored.
	// It returns all nodes that were noted, me included, sorted by name. Whether one of
	// the others still runs is seen by its beat.
	Attend(ctx context.Context, me Member) ([]Member, error)
	// Depart removes a node, unless its beat is another one by now.
	Depart(ctx context.Context, m Member) error
}

// Member is a node of several that share an engine.
type Member struct {
	Node    string // its name
	Address string // where other nodes reach it, "" where they do not
	Entries uint64 // that its folder has
	Beat    uint64 // grows while it runs
}

// Peer is a node as another one sees it.
type Peer struct {
	Member
	Runs bool // its beat changed lately
}

package journal

import (
	"context"
	"errors"
	"fmt"
)

// ErrRetired means that an engine takes no more batches, since its network was moved
// elsewhere. It comes as a *RetiredError.
var ErrRetired = errors.New("journal: the network was moved elsewhere")

// Retirer is an [Engine] that a network can leave.
type Retirer interface {
	Engine
	// Retire ends the journal of the engine after the entries that it has, and returns
	// its last head. From then on Head, Append, Wait, Claim and Beat return a
	// [RetiredError] with the name of the place to which the network moved; Batches
	// still yields everything. Retirement is decided where appends are, so that of an append at the
	// same instant either comes before it or fails. A second call changes nothing and
	// returns the same error.
	Retire(ctx context.Context, to string) (Head, error)
}

// RetiredError is the [ErrRetired] that an engine returns.
type RetiredError struct {
	Head Head   // the last one
	To   string // where the network is now, for people
}

func (e *RetiredError) Error() string {
	return fmt.Sprintf("journal: after %d entries the network was moved to %s; serve it from there", e.Head.Size, e.To)
}

// Unwrap makes the error an [ErrRetired].
func (e *RetiredError) Unwrap() error { return ErrRetired }

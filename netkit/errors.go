package netkit

import (
	"errors"
	"strings"
	"time"
)

// The kinds of refusal, to branch on with errors.Is.
var (
	ErrInvalid             = errors.New("netkit: invalid")                  // the request itself is wrong
	ErrUnauthenticated     = errors.New("netkit: unauthenticated")          // no token, or one that is unknown, expired or revoked
	ErrInsufficientCredits = errors.New("netkit: insufficient credits")     // the wallet holds less than the price
	ErrForbidden           = errors.New("netkit: not allowed")              // a role, a gate or a law forbids it
	ErrNotFound            = errors.New("netkit: not found")                // there is no such thing
	ErrConflict            = errors.New("netkit: conflicts with the state") // the state of a thing forbids it
	ErrLimit               = errors.New("netkit: over a limit")             // try again later
	ErrUnavailable         = errors.New("netkit: unavailable")              // nothing was written; try again soon
	ErrUnknownOutcome      = errors.New("netkit: outcome unknown")          // it may have been written; retry with the same idempotency key
	ErrCorrupt             = errors.New("netkit: journal is damaged")       // stored entries contradict each other
)

// Refusal says why a command or view was refused. It unwraps to one of the
// kinds above. It never holds a value that the caller sent.
type Refusal struct {
	Kind  error  // one of the errors above
	Code  string // stable, snake case, for programs
	Field string // the JSON path of what was wrong, if it was a field
	Law   string // the law or gate behind it, such as "L3"
	What  string // what is wrong, for people
	// Next is what to do about it. Operations stand in braces by the names that
	// they have in package catalog, as in "{listAgents} lists them".
	Next  string
	After time.Duration // when to try again, if that is known
}

// Error returns the text for people.
func (r *Refusal) Error() string {
	s := "netkit: "
	if r.Field != "" {
		s += r.Field + " "
	}
	s += r.What
	if r.Law != "" {
		s += " (" + r.Law + ")"
	}
	if r.Next != "" {
		s += "; " + braces.Replace(r.Next)
	}
	return s
}

// braces leaves the bare name of an operation for whoever reads Go.
var braces = strings.NewReplacer("{", "", "}", "")

// Unwrap returns the kind.
func (r *Refusal) Unwrap() error { return r.Kind }

func refuse(kind error, code, what, next string) *Refusal {
	return &Refusal{Kind: kind, Code: code, What: what, Next: next}
}

func invalid(field, code, what, next string) *Refusal {
	return &Refusal{Kind: ErrInvalid, Code: code, Field: field, What: what, Next: next}
}

func conflict(code, what, next string) *Refusal { return refuse(ErrConflict, code, what, next) }

func notFound(code, what, next string) *Refusal { return refuse(ErrNotFound, code, what, next) }

// forbidden names the law or gate that a refusal rests on; law may be "".
func forbidden(law, code, what, next string) *Refusal {
	return &Refusal{Kind: ErrForbidden, Law: law, Code: code, What: what, Next: next}
}

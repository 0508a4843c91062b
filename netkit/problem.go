package netkit

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/code"
)

// Problem is a refusal on the wire: RFC 9457 problem details, served as
// application/problem+json. A server makes one with [ProblemOf], a client
// turns it back with [Problem.Err]; both go by the one table below.
type Problem struct {
	Type     string `json:"type" doc:"always about:blank: code tells problems apart"`
	Title    string `json:"title" doc:"the status in words"`
	Status   int    `json:"status"`
	Code     string `json:"code" doc:"stable, snake case, for programs"`
	Detail   string `json:"detail" doc:"what is wrong, for people; never a value that was sent"`
	Location string `json:"location,omitempty" doc:"where: a field of the body such as signal.sources[0], or path., query. or header. and a name"`
	Law      string `json:"law,omitempty" doc:"the rule behind it, such as L3"`
	Next     string `json:"next,omitempty" doc:"what to do about it"`
	// Advice is Next with the operations in braces, as in "{listAgents} lists
	// them", for programs that have words of their own for these.
	Advice string `json:"advice,omitempty" doc:"next, with operations in braces by their operation ids"`
	// RetryAfter repeats the header of that name.
	RetryAfter int    `json:"retry_after,omitempty" doc:"seconds after which to try again"`
	Request    string `json:"request_id,omitempty" doc:"names the request in the network's log"`
}

// problemRow maps one kind of refusal to its status on the wire. Kinds that share a
// status differ by their codes.
type problemRow struct {
	kind   error
	status int
	code   string // used where the refusal has none of its own
	title  string
}

// problemTable is the one table of errors. Clients look statuses up from the
// top, so that the first row of a status is what it means by itself.
var problemTable = []problemRow{
	{ErrInvalid, 422, code.Invalid, "Unprocessable Content"},
	{ErrUnauthenticated, 401, code.Unauthenticated, "Unauthorized"},
	{ErrInsufficientCredits, 402, code.InsufficientCredits, "Payment Required"},
	{ErrForbidden, 403, code.Forbidden, "Forbidden"},
	{ErrNotFound, 404, code.NotFound, "Not Found"},
	{ErrConflict, 409, code.Conflict, "Conflict"},
	{ErrLimit, 429, code.TooMany, "Too Many Requests"},
	{ErrUnavailable, 503, code.Unavailable, "Service Unavailable"},
	{ErrUnknownOutcome, 503, code.OutcomeUnknown, "Service Unavailable"},
	{ErrInvalid, 400, code.BadRequest, "Bad Request"},
	{ErrInvalid, 405, code.MethodNotAllowed, "Method Not Allowed"},
	{ErrInvalid, 406, code.NotAcceptable, "Not Acceptable"},
	{ErrInvalid, 408, code.TooSlow, "Request Timeout"},
	{ErrInvalid, 413, code.BodyTooLarge, "Content Too Large"},
	{ErrInvalid, 415, code.MediaType, "Unsupported Media Type"},
	{ErrInvalid, 416, code.Range, "Range Not Satisfiable"},
	{ErrInvalid, 421, code.HostUnknown, "Misdirected Request"},
	{ErrInvalid, 431, code.HeaderTooLarge, "Request Header Fields Too Large"},
	// A fault of the server or of something before it may have come after the
	// write, so whoever asked retries with the same idempotency key.
	{ErrUnknownOutcome, 500, code.Internal, "Internal Server Error"},
	{ErrCorrupt, 500, code.EntryDamaged, "Internal Server Error"},
	{ErrUnknownOutcome, 502, code.Gateway, "Bad Gateway"},
	{ErrUnknownOutcome, 504, code.Gateway, "Gateway Timeout"},
}

// NewProblem returns a problem of that status, which must be in the table.
func NewProblem(status int, code, detail, next string) Problem {
	for _, row := range problemTable {
		if row.status == status {
			return Problem{Type: "about:blank", Title: row.title, Status: status, Code: code, Detail: detail, Next: next}
		}
	}
	return NewProblem(500, code, detail, next)
}

// ProblemOf returns what a caller is told of an error. An error that is no
// refusal is internal: the caller learns that it happened and nothing else.
func ProblemOf(err error) Problem {
	var r *Refusal
	if !errors.As(EntryDamaged(err), &r) {
		return NewProblem(500, code.Internal, "the network failed to answer", "try again with the same idempotency key; tell the operator the request id")
	}
	for _, row := range problemTable {
		if !errors.Is(r.Kind, row.kind) {
			continue
		}
		p := NewProblem(row.status, r.Code, r.detail(), r.Next)
		p.Location, p.Law, p.RetryAfter = r.Field, r.Law, int((r.After+time.Second-1)/time.Second)
		if p.Code == "" {
			p.Code = row.code
		}
		if p.RetryAfter == 0 && (row.status == 429 || row.status == 503) {
			p.RetryAfter = 1
		}
		return p
	}
	return NewProblem(500, code.Internal, "the network failed to answer", "tell the operator the request id")
}

// detail is what is wrong in one sentence, with the field it is about.
func (r *Refusal) detail() string {
	if r.Field == "" {
		return r.What
	}
	return r.Field + " " + r.What
}

// Err returns the refusal behind a problem, nil where there is none. It
// unwraps to the kind that the server's refusal had.
func (p Problem) Err() error {
	if p.Status < 400 {
		return nil
	}
	next := p.Next
	if p.Advice != "" {
		next = p.Advice
	}
	return &Refusal{Kind: p.Kind(), Code: p.Code, Field: p.Location, Law: p.Law,
		What: strings.TrimPrefix(p.Detail, p.Location+" "), Next: next, After: time.Duration(p.RetryAfter) * time.Second}
}

// Kind looks the status up, with the code where a status has two meanings.
func (p Problem) Kind() error {
	var found error
	for _, row := range problemTable {
		if row.status == p.Status && (found == nil || row.code == p.Code) {
			found = row.kind
		}
	}
	switch {
	case found != nil:
		return found
	case p.Status >= 500:
		return ErrUnknownOutcome
	}
	return ErrInvalid
}

// EntryDamaged returns the refusal with the code entry_damaged of an error that
// reports a journal with other content than was written. The cause stays in its
// chain, for the log. It returns every other error as it is.
func EntryDamaged(err error) error {
	var journal interface{ Damaged() bool }
	if !errors.Is(err, ErrCorrupt) && !(errors.As(err, &journal) && journal.Damaged()) {
		return err
	}
	r := Refuse(ErrCorrupt, code.EntryDamaged, "an entry that this needs is not in the journal as it was written, so it is not shown",
		"tell the operator the request id; netctl ledger verify --from DIR on the data folder names the entry")
	return fmt.Errorf("%w: %w", r, err)
}

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
		s += "; " + adviseGo(r.Next)
	}
	return s
}

// Unwrap returns the kind.
func (r *Refusal) Unwrap() error { return r.Kind }

func Refuse(kind error, code, what, next string) *Refusal {
	return &Refusal{Kind: kind, Code: code, What: what, Next: next}
}

func Invalid(field, code, what, next string) *Refusal {
	return &Refusal{Kind: ErrInvalid, Code: code, Field: field, What: what, Next: next}
}

// Forbidden names the law or gate that a refusal rests on; law may be "".
func Forbidden(law, code, what, next string) *Refusal {
	return &Refusal{Kind: ErrForbidden, Law: law, Code: code, What: what, Next: next}
}

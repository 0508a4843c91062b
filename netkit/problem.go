package netkit

import (
	"errors"
	"strings"
	"time"
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

// problemRow says how one kind of refusal appears on the wire. A status that
// stands twice is told apart by its code.
type problemRow struct {
	kind   error
	status int
	code   string // used where the refusal has none of its own
	title  string
}

// problemTable is the one table of errors. Clients look statuses up from the
// top, so that the first row of a status is what it means by itself.
var problemTable = []problemRow{
	{ErrInvalid, 422, "invalid", "Unprocessable Content"},
	{ErrUnauthenticated, 401, "unauthenticated", "Unauthorized"},
	{ErrInsufficientCredits, 402, "insufficient_credits", "Payment Required"},
	{ErrForbidden, 403, "forbidden", "Forbidden"},
	{ErrNotFound, 404, "not_found", "Not Found"},
	{ErrConflict, 409, "conflict", "Conflict"},
	{ErrLimit, 429, "too_many", "Too Many Requests"},
	{ErrUnavailable, 503, "unavailable", "Service Unavailable"},
	{ErrUnknownOutcome, 503, "outcome_unknown", "Service Unavailable"},
	{ErrInvalid, 400, "bad_request", "Bad Request"},
	{ErrInvalid, 405, "method_not_allowed", "Method Not Allowed"},
	{ErrInvalid, 406, "not_acceptable", "Not Acceptable"},
	{ErrInvalid, 408, "too_slow", "Request Timeout"},
	{ErrInvalid, 413, "body_too_large", "Content Too Large"},
	{ErrInvalid, 415, "media_type", "Unsupported Media Type"},
	{ErrInvalid, 416, "range", "Range Not Satisfiable"},
	{ErrInvalid, 431, "header_too_large", "Request Header Fields Too Large"},
	// A fault of the server or of something before it may have come after the
	// write, so whoever asked retries with the same idempotency key.
	{ErrUnknownOutcome, 500, "internal", "Internal Server Error"},
	{ErrCorrupt, 500, "entry_damaged", "Internal Server Error"},
	{ErrUnknownOutcome, 502, "gateway", "Bad Gateway"},
	{ErrUnknownOutcome, 504, "gateway", "Gateway Timeout"},
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
	if !errors.As(err, &r) {
		return NewProblem(500, "internal", "the network failed to answer", "try again with the same idempotency key; tell the operator the request id")
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
	return NewProblem(500, "internal", "the network failed to answer", "tell the operator the request id")
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
	return &Refusal{Kind: p.kind(), Code: p.Code, Field: p.Location, Law: p.Law,
		What: strings.TrimPrefix(p.Detail, p.Location+" "), Next: next, After: time.Duration(p.RetryAfter) * time.Second}
}

// kind looks the status up, with the code where a status has two meanings.
func (p Problem) kind() error {
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

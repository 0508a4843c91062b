package netkit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/code"
)

// Every kind must survive the way over the wire.
func TestProblemRoundTrip(t *testing.T) {
	statuses := map[error]int{ErrInvalid: 422, ErrUnauthenticated: 401, ErrInsufficientCredits: 402, ErrForbidden: 403, ErrNotFound: 404,
		ErrConflict: 409, ErrLimit: 429, ErrUnavailable: 503, ErrUnknownOutcome: 503}
	for kind, status := range statuses {
		want := &Refusal{Kind: kind, Code: "some_code", Field: "signal.body", Law: "L3", What: "is wrong", Next: "do this", After: 3 * time.Second}
		if kind == ErrUnknownOutcome {
			want.Code = "outcome_unknown"
		}
		p := ProblemOf(fmt.Errorf("wrapped: %w", want))
		if p.Status != status || p.Detail != "signal.body is wrong" || p.Title == "" {
			t.Errorf("%v: got %+v, want status %d", kind, p, status)
		}
		got := p.Err()
		if !errors.Is(got, kind) {
			t.Errorf("got %v, want it to unwrap to %v", got, kind)
		}
		if back, ok := got.(*Refusal); !ok || *back != *want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestProblemOfInternalTellsNothing(t *testing.T) {
	for err, want := range map[error]string{errors.New("secret detail"): code.Internal, fmt.Errorf("%w: secret detail", ErrCorrupt): code.EntryDamaged, context.Canceled: code.Internal} {
		p := ProblemOf(err)
		if p.Status != 500 || p.Code != want || strings.Contains(p.Detail+p.Next, "secret") {
			t.Errorf("got %+v, want a problem %s without the text of the error", p, want)
		}
	}
}

func TestProblemErrOfForeignStatuses(t *testing.T) {
	for status, want := range map[int]error{400: ErrInvalid, 405: ErrInvalid, 413: ErrInvalid, 418: ErrInvalid, 500: ErrUnknownOutcome, 502: ErrUnknownOutcome, 507: ErrUnknownOutcome} {
		if got := (Problem{Status: status}).Err(); !errors.Is(got, want) {
			t.Errorf("status %d: got %v, want %v", status, got, want)
		}
	}
	if got := (Problem{Status: 200}).Err(); got != nil {
		t.Errorf("got %v, want nil", got)
	}
}

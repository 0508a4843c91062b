package plantclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-resty/resty/v2"
)

// Sentinels to branch on with errors.Is.
var (
	ErrInvalid      = errors.New("plantclient: the store refuses the plant")       // 400
	ErrUnauthorized = errors.New("plantclient: the store does not know the token") // 401
	ErrForbidden    = errors.New("plantclient: the token may not create plants")   // 403
	ErrBusy         = errors.New("plantclient: the store is busy")                 // 429 and 503

	// ErrUnreachable is a failure before an answer came; the plant may have been
	// created all the same.
	ErrUnreachable = errors.New("plantclient: no answer from the store")
	// ErrAnswer is an answer that is not a plant although the store accepted; the
	// plant may exist.
	ErrAnswer = errors.New("plantclient: the store gave a malformed answer")
)

// Error is a refusal by the store.
type Error struct {
	Status     int           // of HTTP
	Code       int32         // number given by the store; 0 if it gave none
	Message    string        // text given by the store, or what came in its place
	RetryAfter time.Duration // wait that the store asks for; 0 if none
}

// Error tells status, number and text.
func (e *Error) Error() string {
	return fmt.Sprintf("plantclient: the store refuses with status %d, error %d: %s", e.Status, e.Code, e.Message)
}

// Unwrap gives the sentinel of the status, or nil.
func (e *Error) Unwrap() error {
	switch e.Status {
	case http.StatusBadRequest:
		return ErrInvalid
	case http.StatusUnauthorized:
		return ErrUnauthorized
	case http.StatusForbidden:
		return ErrForbidden
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return ErrBusy
	}
	return nil
}

// pause is how long to wait before a repeat that may go better.
func (e *Error) pause() time.Duration {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if e.RetryAfter <= MaxRetryAfter {
			return e.RetryAfter
		}
	}
	return never
}

func plantOf(body []byte) (Plant, error) {
	var p Plant
	if err := json.Unmarshal(body, &p); err != nil {
		return Plant{}, fmt.Errorf("%w: not the JSON of a plant: %w", ErrAnswer, err)
	}
	if p.Name == "" {
		return Plant{}, fmt.Errorf("%w: a plant without a name", ErrAnswer)
	}
	return p, nil
}

// refusalOf reads {error, message}; a proxy in between may answer anything else,
// such as a page of HTML, which is named and not repeated.
func refusalOf(r *resty.Response) *Error {
	e := &Error{Status: r.StatusCode(), RetryAfter: retryAfter(r.Header())}
	var body struct {
		Error   *int32  `json:"error"`
		Message *string `json:"message"`
	}
	switch err := json.Unmarshal(r.Body(), &body); {
	case err == nil && body.Error != nil && body.Message != nil:
		e.Code, e.Message = *body.Error, printable(*body.Message)
	case e.Status >= 300 && e.Status < 400:
		e.Message = "a redirect, which is not followed; give the final address as base URL"
	default:
		e.Message = fmt.Sprintf("no error object but %d bytes of %q; is the base URL that of a plant store?",
			len(r.Body()), printable(r.Header().Get("Content-Type")))
	}
	return e
}

// printable drops control characters, which could steer a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// retryAfter reads seconds or a date; a date is held against the Date of the
// same answer, so that our own clock does not matter.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	from, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(until.Sub(from), 0)
}

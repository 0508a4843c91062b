package netclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/timespan"
)

// ErrUnreachable means that no answer came: no connection, or one that broke
// off or took too long. A command may still have been carried out; repeating
// it with the same idempotency key settles that.
var ErrUnreachable = errors.New("netclient: the network cannot be reached")

// ErrTooLarge means that an answer was over Config.MaxResponse.
var ErrTooLarge = errors.New("netclient: the answer is too large")

// failure says what became of a request that has no answer.
func (c *Client) failure(ctx context.Context, r *request, err error) error {
	switch {
	case errors.Is(context.Cause(ctx), ErrUnreachable):
		return context.Cause(ctx) // the total timeout
	case ctx.Err() != nil:
		return fmt.Errorf("netclient: %s %s: %w", r.method, r.path, context.Cause(ctx))
	case errors.Is(err, errRedirect):
		return err
	case errors.Is(err, resty.ErrResponseBodyTooLarge):
		return fmt.Errorf("%w: %s %s: over %d bytes; ask for a smaller page or raise Config.MaxResponse", ErrTooLarge, r.method, r.path, c.cfg.MaxResponse)
	}
	return &unreachable{c.hostOf(r) + plainCause(err, c.cfg.Timeout), err}
}

// unreachable is an [ErrUnreachable] in plain words, with the error of the
// transport behind it.
type unreachable struct {
	text  string
	cause error
}

func (e *unreachable) Error() string   { return ErrUnreachable.Error() + ": " + e.text }
func (e *unreachable) Unwrap() []error { return []error{ErrUnreachable, e.cause} }

// plainCause says why a host gave no answer, in words that follow its name.
func plainCause(err error, timeout time.Duration) string {
	var late net.Error
	var name *net.DNSError
	var call *os.SyscallError
	var op *net.OpError
	var get *url.Error
	switch {
	case errors.As(err, &name):
		return ": its name cannot be resolved"
	case errors.As(err, &late) && late.Timeout():
		return " did not answer within " + timespan.Format(timeout)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return " closed the connection before its answer was complete"
	case errors.As(err, &call):
		return ": " + call.Err.Error()
	case errors.As(err, &op):
		return ": " + op.Err.Error()
	case errors.As(err, &get):
		return ": " + get.Err.Error()
	}
	return ": " + err.Error()
}

// plantExists is the plant store's code for an id that is taken, which it
// answers with 400 like every other fault of a plant.
const plantExists = 1005

// refusal turns an answer that is not 2xx into the error that the network
// refused with. Whatever stands between may answer too, with a status alone.
func refusal(status int, header http.Header, body []byte) error {
	p := netkit.NewProblem(status, "", "the server answered "+strconv.Itoa(status)+" "+http.StatusText(status), "")
	p.Status = status
	kind, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	switch kind {
	case "application/problem+json":
		var told netkit.Problem
		if json.Unmarshal(body, &told) == nil && told.Status == status {
			p = told
		}
	case "application/json": // the plant store's own form
		var told struct {
			Error   int32  `json:"error"`
			Message string `json:"message"`
		}
		if json.Unmarshal(body, &told) == nil && told.Message != "" {
			p.Code, p.Detail = code.PlantStore, "plant store error "+strconv.Itoa(int(told.Error))+": "+told.Message
			if told.Error == plantExists {
				p.Status = http.StatusConflict
			}
		}
	}
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil && seconds > p.RetryAfter {
		p.RetryAfter = min(seconds, int((24 * time.Hour).Seconds()))
	}
	if err := p.Err(); err != nil {
		return err
	}
	return fmt.Errorf("netclient: the server answered %d where 2xx was expected; see that the base address is the network's API", status)
}

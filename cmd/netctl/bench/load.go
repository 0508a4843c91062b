package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"strconv"
	"time"
)

// request makes the nth request of one connection. It returns whole HTTP/1.1
// messages, so that the client costs as little as a client can.
type request struct {
	addr string
	next func(n int) []byte
	busy func(took time.Duration)          // counts an answer 503, which is no call; nil makes it an error
	wait func() (due time.Time, more bool) // until the next one is due, false when none is any more; nil sends one after the other
	// fromDue counts the time from when a request was due, not from when a
	// connection was free for it.
	fromDue bool
}

// load sends requests over keep-alive connections, one at a time on each, for
// a span of time.
func load(ctx context.Context, conns []request, span time.Duration) (Rate, error) {
	type result struct {
		took []time.Duration
		err  error
	}
	results := make(chan result, len(conns))
	m := startMeter()
	end := m.begin.Add(span)
	for _, r := range conns {
		go func() {
			took, err := drive(ctx, r, end)
			results <- result{took, err}
		}()
	}
	var all []time.Duration
	var failed error
	for range conns {
		r := <-results
		all = append(all, r.took...)
		if r.err != nil && failed == nil {
			failed = r.err
		}
	}
	return m.rate(all), failed
}

// drive keeps one connection busy until end. It sends at least one request,
// however late the connection was made, so that every measurement has a figure.
func drive(ctx context.Context, r request, end time.Time) (took []time.Duration, err error) {
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 4096)
	for n := 0; ; n++ {
		var due time.Time
		if r.wait != nil {
			var more bool
			if due, more = r.wait(); !more {
				return took, ctx.Err()
			}
		}
		start := time.Now()
		if n > 0 && !start.Before(end) || ctx.Err() != nil {
			return took, ctx.Err()
		}
		if r.fromDue {
			start = due
		}
		if _, err := conn.Write(r.next(n)); err != nil {
			return took, fmt.Errorf("bench: %w", err)
		}
		status, err := answer(in)
		switch {
		case err != nil:
			return took, err
		case status == "200":
			took = append(took, time.Since(start))
		case status == "503" && r.busy != nil:
			r.busy(time.Since(start))
		default:
			return took, fmt.Errorf("bench: answered %s", status)
		}
	}
}

// answer reads one answer with a Content-Length and returns its status.
func answer(in *bufio.Reader) (status string, err error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return "", fmt.Errorf("bench: %w", err)
	}
	_, rest, _ := bytes.Cut(line, []byte(" "))
	word, _, _ := bytes.Cut(rest, []byte(" "))
	status = string(word)
	length := -1
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return "", fmt.Errorf("bench: %w", err)
		}
		if len(line) <= 2 {
			break
		}
		if name, value, ok := bytes.Cut(line, []byte(":")); ok && bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return "", fmt.Errorf("bench: %w", err)
			}
		}
	}
	if length < 0 {
		return "", fmt.Errorf("bench: an answer without Content-Length")
	}
	_, err = in.Discard(length)
	return status, err
}

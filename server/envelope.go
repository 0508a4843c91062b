package server

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/agentnet/netctl/server/clientaddr"
)

// recorder is the response of a request with what the log says of it. It
// never holds a body, a token or the query of an address.
type recorder struct {
	http.ResponseWriter
	id     string
	who    string // slug of the principal
	status int
	bytes  int64
	err    error // behind an answer of 5xx
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// envelope wraps all routes: request id, log line, panics, the headers that
// every answer carries, the refusal of cross-origin writes by browsers and of
// keys (L7) in what stands before the body.
func (s *Server) envelope(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.rewriteRemote(r)
		var err error
		rec := &recorder{ResponseWriter: w, id: requestID(r)}
		start := time.Now()
		secure(rec.Header(), rec.id)
		if trace := traceOf(r); trace != "" {
			rec.Header()["Traceparent"] = []string{trace}
		}
		defer func() {
			if p := recover(); p != nil {
				s.panicked(rec, r, p)
			}
			s.logRequest(rec, r, time.Since(start))
		}()
		if r, err = s.arrive(r); err != nil {
			s.refuse(rec, r, err)
			return
		}
		if cross.Check(r) != nil {
			s.refuse(rec, r, crossOrigin)
			return
		}
		if found := checkHead(r); found != nil {
			s.refuse(rec, r, found)
			return
		}
		next.ServeHTTP(rec, r)
	})
}

// rewriteRemote puts the client's address in the place of its proxy's.
func (s *Server) rewriteRemote(r *http.Request) {
	from, readable := clientaddr.Of(r, s.cfg.Proxies)
	if !readable {
		s.unreadableHop.Do(func() {
			s.log.Warn("a trusted proxy sends X-Forwarded-For with a hop that is no IP address: its clients share one limit; have it send addresses", "proxy", clientaddr.Key(r.RemoteAddr))
		})
	}
	r.RemoteAddr = from
}

// secure sets what every answer carries. Answers are data: no browser has
// reason to run, frame or sniff them. Pages set a policy of their own. Nor may
// a cache keep what does not say so itself: a payload served from one would
// outlive the blackout that suppresses it (L3).
func secure(h http.Header, id string) {
	h["X-Request-Id"] = []string{id}
	h["X-Content-Type-Options"] = noSniff
	h["Referrer-Policy"] = noReferrer
	h["Content-Security-Policy"] = noContent
	h["Cache-Control"] = noStore
}

var (
	noSniff    = []string{"nosniff"}
	noReferrer = []string{"no-referrer"}
	noStore    = []string{"no-store"}
	noContent  = []string{"default-src 'none'; frame-ancestors 'none'"}
)

// requestID takes over the caller's request id if it is a plain one, and too
// short to hold a token: it goes into the log.
func requestID(r *http.Request) string {
	if given := r.Header.Get("X-Request-Id"); given != "" && len(given) <= maxID && strings.Trim(given, idLetters) == "" && findKey([]byte(given)) < 0 {
		return given
	}
	return rand.Text()
}

const maxID = 55 // of a W3C trace context, the longest in use

const idLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// traceOf returns the traceparent of a request (W3C Trace Context, version 00), ""
// where it has none or one of another form.
func traceOf(r *http.Request) string {
	if given := r.Header["Traceparent"]; len(given) == 1 && traceForm.MatchString(given[0]) {
		return given[0]
	}
	return ""
}

var traceForm = regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)

// panicked answers 500 if nothing was sent yet. A handler that breaks off on
// purpose goes on doing so.
func (s *Server) panicked(rec *recorder, r *http.Request, p any) {
	if p == http.ErrAbortHandler {
		s.logRequest(rec, r, 0)
		panic(p)
	}
	s.log.Error("panic", "request_id", rec.id, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	if rec.status == 0 {
		s.refuse(rec, r, fmt.Errorf("server: panic: %v", p))
	}
}

func (s *Server) logRequest(rec *recorder, r *http.Request, took time.Duration) {
	if s.cfg.Observe != nil {
		s.cfg.Observe(r.Pattern, rec.status, took)
	}
	level := slog.LevelInfo
	if rec.status >= 500 {
		level = slog.LevelError
	}
	ctx := r.Context()
	if !s.log.Enabled(ctx, level) {
		return
	}
	attrs := [10]slog.Attr{slog.String("request_id", rec.id), slog.String("method", method(r)), slog.String("route", r.Pattern),
		slog.Int("status", rec.status), slog.Int64("bytes", rec.bytes), slog.Float64("took_ms", float64(took.Microseconds())/1000),
		slog.String("principal", rec.who), slog.String("address", address(r))}
	n := 8
	if trace := traceOf(r); trace != "" {
		attrs[n] = slog.String("trace", trace)
		n++
	}
	if rec.err != nil {
		attrs[n] = slog.String("error", rec.err.Error())
		n++
	}
	s.log.LogAttrs(ctx, level, "request", attrs[:n]...)
}

// method keeps made-up methods out of the log.
func method(r *http.Request) string {
	for _, m := range methods {
		if r.Method == m {
			return m
		}
	}
	return "OTHER"
}

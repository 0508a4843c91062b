package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// serving is an HTTP server on one listener. It knows its connections that wait for
// an answer: http.Server.Shutdown closes a connection that was accepted and whose
// request it has not begun to answer.
type serving struct {
	srv      *http.Server
	listener net.Listener
	ended    chan error    // the result of Serve
	silence  time.Duration // how long a new connection may send nothing before a drain closes it

	mu   sync.Mutex
	busy map[net.Conn]time.Time // since when, zero where the request has begun
}

func newServing(srv *http.Server, l net.Listener) *serving {
	s := &serving{srv: srv, listener: l, ended: make(chan error, 1), silence: time.Second, busy: map[net.Conn]time.Time{}}
	srv.ConnState = s.note
	return s
}

// note keeps the state of a connection; it is an http.Server.ConnState.
func (s *serving) note(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.busy[c] = time.Now()
	case http.StateActive:
		s.busy[c] = time.Time{}
	default:
		delete(s.busy, c)
	}
}

// waits reports whether a client waits for an answer.
func (s *serving) waits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, since := range s.busy {
		if since.IsZero() || time.Since(since) < s.silence {
			return true
		}
	}
	return false
}

// serve answers until the listener is closed.
func (s *serving) serve() error {
	err := s.srv.Serve(s.listener)
	s.ended <- err
	return err
}

// drain accepts no more, answers all that was accepted, and closes the rest. What is
// not done when the context ends is broken off.
func (s *serving) drain(ctx context.Context) error {
	s.srv.SetKeepAlivesEnabled(false)
	_ = s.listener.Close() // it may have failed already
	<-s.ended
	for pause := time.Millisecond; s.waits() && ctx.Err() == nil; pause = min(2*pause, 50*time.Millisecond) {
		time.Sleep(pause)
	}
	if err := s.srv.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("server: requests under way were broken off: %w", err), s.srv.Close())
	}
	return nil
}

package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/DeRuina/timberjack"
)

// requestLog is where a server writes its log: standard error, or a file that is
// rotated once a day and when it is full, and reopened when the server reloads.
type requestLog struct {
	level slog.LevelVar
	file  *logFile // nil for standard error, and for a device or a pipe
	end   func() error
}

// openLog opens the log that the settings name, and makes it the service's.
func (s *service) openLog() error {
	v := s.set.v
	l := &requestLog{end: func() error { return nil }}
	l.level.Set(logLevels[v.GetString("serve.log-level")])
	w, err := l.open(s.call)
	if err != nil {
		return err
	}
	options := &slog.HandlerOptions{Level: &l.level}
	if v.GetString("serve.log-format") == "text" {
		s.log = slog.New(slog.NewTextHandler(w, options))
	} else {
		s.log = slog.New(slog.NewJSONHandler(w, options))
	}
	s.requests = l
	return nil
}

// logLevels are the least levels that serve.log-level names.
var logLevels = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}

// open returns the writer of the log.
func (l *requestLog) open(c *call) (io.Writer, error) {
	path := c.set.v.GetString("serve.log-file")
	switch {
	case path != "":
	case c.set.quiet():
		return io.Discard, nil
	default:
		return c.err, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600) // a mistake shows at the start
	if err != nil {
		return nil, fmt.Errorf("cannot write the log: %w; give another file with --log-file", err)
	}
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() { // a device or a pipe cannot be rotated
		l.end = f.Close
		return f, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	l.file = &logFile{path: path}
	l.end = l.file.Close
	return l.file, l.file.Reopen(c.set)
}

// change takes the settings that a reload gives, and reopens the file.
func (l *requestLog) change(set *settings) error {
	l.level.Set(logLevels[set.v.GetString("serve.log-level")])
	if l.file == nil {
		return nil
	}
	return l.file.Reopen(set)
}

// logFile is a rotated file that can be reopened after another program moved it.
type logFile struct {
	path string

	mu   sync.Mutex
	open *timberjack.Logger // nil before it was opened
}

// Write implements io.Writer.
func (f *logFile) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open.Write(b)
}

// Reopen closes the file. The next line goes to a file of its name, which is new
// where the former was moved, and which is rotated as the settings have it.
func (f *logFile) Reopen(set *settings) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open != nil {
		err = f.open.Close()
	}
	f.open = &timberjack.Logger{Filename: f.path, FileMode: 0o600, MaxSize: set.v.GetInt("serve.log-size"), MaxAge: int(set.span("serve.log-keep") / (24 * time.Hour)),
		RotationInterval: 24 * time.Hour, Compression: "gzip"}
	return err
}

// Close closes the file.
func (f *logFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open.Close()
}

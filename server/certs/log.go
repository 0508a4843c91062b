package certs

import (
	"context"
	"log/slog"

	"go.uber.org/zap/zapcore"
)

// slogCore passes the lines of the ACME client on to a slog.Logger. Its news about
// each step is logged as debug.
type slogCore struct {
	log    *slog.Logger
	fields []zapcore.Field
}

func levelOf(l zapcore.Level) slog.Level {
	switch {
	case l >= zapcore.ErrorLevel:
		return slog.LevelError
	case l >= zapcore.WarnLevel:
		return slog.LevelWarn
	}
	return slog.LevelDebug
}

// Enabled implements zapcore.LevelEnabler.
func (c *slogCore) Enabled(l zapcore.Level) bool {
	return c.log.Enabled(context.Background(), levelOf(l))
}

// With implements zapcore.Core.
func (c *slogCore) With(fields []zapcore.Field) zapcore.Core {
	return &slogCore{c.log, append(c.fields[:len(c.fields):len(c.fields)], fields...)}
}

// Check implements zapcore.Core.
func (c *slogCore) Check(e zapcore.Entry, ce *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return ce.AddCore(e, c)
	}
	return ce
}

// Write implements zapcore.Core.
func (c *slogCore) Write(e zapcore.Entry, fields []zapcore.Field) error {
	into := zapcore.NewMapObjectEncoder()
	for _, f := range append(c.fields[:len(c.fields):len(c.fields)], fields...) {
		f.AddTo(into)
	}
	attrs := []slog.Attr{slog.String("step", e.Message)}
	for name, value := range into.Fields {
		attrs = append(attrs, slog.Any(name, value))
	}
	c.log.LogAttrs(context.Background(), levelOf(e.Level), "certificate", attrs...)
	return nil
}

// Sync implements zapcore.Core.
func (c *slogCore) Sync() error { return nil }

package audit

import (
	"context"
	"errors"
	"time"
)

// The tests run networks of server/host, which imports this package, so they are a
// package of their own. It sees these.
type (
	Sight      = sight
	HTTPReader = fetcher
	Regular    = regular
)

const MaxFile = maxFile

var (
	ErrFetch = errFetch
	TreeOf   = treeOf
	Unsigned = unsigned
)

// File returns the path of the file of a log.
func (s Seen) File(origin string) string { return s.file(origin) }

// Read reads the file of a log.
func (s Seen) Read(origin string) (*Sight, error) { return s.read(origin) }

// SetPauses sets the pauses before further tries.
func (f *HTTPReader) SetPauses(all ...time.Duration) { f.pauses = all }

// KeepSeen keeps a checkpoint of the log of a former one.
func KeepSeen(ctx context.Context, cfg Config, was *Sight, checkpoint []byte) error {
	r := &run{cfg: cfg, text: checkpoint}
	r.report.Origin, r.report.Key = was.Origin, was.Key
	return r.keep(ctx)
}

// CompareInRoom audits with room for so many balances that are shown.
func CompareInRoom(ctx context.Context, cfg Config, room int) error {
	r := &run{cfg: cfg, room: room}
	return errors.Join(r.open(ctx), r.replay(ctx), r.compareBooks(ctx))
}

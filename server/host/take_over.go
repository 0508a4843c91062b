package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
)

// TakenOver is the result of a take-over.
type TakenOver struct {
	Epoch    uint64                `json:"epoch" doc:"how often the writer of the archive has changed"`
	Tree     netkit.TreeHead       `json:"tree" doc:"of the entries that the folder continues"`
	Recorded netkit.RestoreReceipt `json:"recorded"`
}

// TakeOver makes the folder the one that writes the archive: it applies the objects
// that are there, ends the other writer at its next upload, and records that the
// journal continues from here. It closes the follower. A TakeOver that was stopped is
// repeated.
func (f *Follower) TakeOver(ctx context.Context, recipients []string, alarm func(error)) (out TakenOver, err error) {
	out, err = f.takeOver(ctx)
	if err = errors.Join(err, f.Close()); err != nil {
		return out, err
	}
	h, err := New(ctx, Config{Dir: f.cfg.Dir, Alarm: alarm, Archive: &ArchiveConfig{Store: f.cfg.Store, Recipients: recipients}})
	if err != nil {
		return out, err
	}
	first, err := h.Network.Entry(ctx, 0)
	if err == nil {
		keyed := netkit.WithKey(ctx, fmt.Sprintf("take-over %d of the archive at %s", out.Epoch, out.Tree.Root))
		out.Recorded, err = h.Network.As(first.Actor).RecordRestore(keyed, netkit.RecordRestore{Lost: out.Tree})
	}
	return out, errors.Join(err, h.Close(ctx))
}

func (f *Follower) takeOver(ctx context.Context) (out TakenOver, err error) {
	if f.cfg.IDs == nil && !f.ahead {
		return out, errors.New("host: a folder without the private side cannot take over; follow with an identity")
	}
	for {
		f.filesAt = time.Time{}
		if err := f.Follow(ctx); err != nil {
			return out, err
		}
		if f.last == nil {
			return out, fmt.Errorf("host: %s is empty, there is nothing to take over", f.cfg.Store)
		}
		id, err := archive.TakeOver(ctx, f.cfg.Store, f.last, time.Now())
		if errors.Is(err, archive.ErrMoved) {
			continue
		}
		if err == nil {
			err = keepIdentity(f.cfg.Dir, "", id)
		}
		out.Epoch, out.Tree = id.Epoch, f.Tree()
		return out, err
	}
}

package network

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/pace"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// replica returns a network that has read nothing yet and takes no commands. It
// replays in one goroutine, at a pace.
func replica(s journal.Store, p *pace.Replay) *Network {
	state := rules.NewState()
	state.Use(rules.Hooks{Yield: p.Rest})
	return &Network{store: journal.NewChecked(s), state: state, secrets: newSecrets(), pace: p}
}

// CheckSnapshot replays the journal of a store and compares the newest snapshot
// with what its entries add up to, tokens and idempotency keys included. It
// returns the number of entries of the snapshot, 0 where there is none that a
// start would use. An error that is [ErrCorrupt] names the first difference, and
// of what is secret only the place.
func CheckSnapshot(ctx context.Context, store journal.Store) (uint64, error) {
	size, b, err := loadSnapshot(ctx, store)
	if err != nil || b == nil {
		return 0, err
	}
	if _, err := snapshotParts(b); err != nil {
		return 0, nil
	}
	return size, compareSnapshot(ctx, store, size, b, new(pace.Replay))
}

// compareSnapshot replays the journal to its end and compares a snapshot on the
// way. The second fold is compared at the end: what was erased since the snapshot
// is in neither there. The network may erase texts meanwhile. So the end is where
// the journal was after the entries of the snapshot were read: an erasure that
// changed how they read is before it. And both folds take the entries from there on
// from one reading.
func compareSnapshot(ctx context.Context, store journal.Store, size uint64, b []byte, p *pace.Replay) error {
	parts, err := snapshotParts(b)
	if err != nil {
		return err
	}
	if err := holdsSnapshot(ctx, store, size, p); err != nil {
		return err
	}
	r := replica(store, p)
	if err := r.replay(ctx, journal.Head{Size: size}); err != nil {
		return err
	}
	if want := r.state.CanonicalIn(make([]byte, 0, len(parts[0])+1)); !bytes.Equal(parts[0], want) {
		return differing(size, parts[0], want, true)
	}
	if root := fmt.Sprintf("%x", r.tree.Root()); root != string(parts[2]) {
		return fmt.Errorf("%w: the snapshot of %d entries names another tree than theirs", netkit.ErrCorrupt, size)
	}
	second := newSecrets()
	if err := readSecrets(parts[1], second, r.state.Time().Day()); err != nil {
		return fmt.Errorf("%w: the snapshot of %d entries: %w", netkit.ErrCorrupt, size, err)
	}
	r.beside = second
	head, err := store.Head(ctx)
	if err != nil {
		return err
	}
	p.Of.Store(head.Size)
	if err := r.replay(ctx, head); err != nil {
		return err
	}
	if got, want := second.Stored(), r.secrets.Stored(); !bytes.Equal(got, want) {
		return differing(size, got, want, false)
	}
	return nil
}

// holdsSnapshot checks that the journal is as long as its snapshot, and says how
// long the comparison will take.
func holdsSnapshot(ctx context.Context, store journal.Store, size uint64, p *pace.Replay) error {
	head, err := store.Head(ctx)
	if err == nil && size > head.Size {
		err = fmt.Errorf("%w: it has %d entries and its snapshot %d", netkit.ErrCorrupt, head.Size, size)
	}
	p.Of.Store(head.Size)
	return err
}

// differing names the first place at which a snapshot is not what the entries
// add up to, and both values if they are public.
func differing(size uint64, got, want []byte, public bool) error {
	where, has, due := firstDifference(json.NewDecoder(bytes.NewReader(got)), json.NewDecoder(bytes.NewReader(want)))
	what := ""
	if public {
		what = fmt.Sprintf(": it says %.80s, the entries say %.80s", has, due)
	}
	return fmt.Errorf("%w: the snapshot of %d entries is not what they add up to, first at %s%s", netkit.ErrCorrupt, size, where, what)
}

// firstDifference walks two JSON texts side by side and returns the path at
// which they part, such as wallets[3].held, and what stands there.
func firstDifference(a, b *json.Decoder) (where, has, due string) {
	type level struct {
		list bool
		name string
		n    int
	}
	var path []level
	a.UseNumber() // an amount is compared as it stands
	b.UseNumber()
	for {
		x, errX := a.Token()
		y, errY := b.Token()
		if fmt.Sprint(x, errX) != fmt.Sprint(y, errY) || errX != nil {
			for i, l := range path {
				switch {
				case l.list:
					where += fmt.Sprintf("[%d]", l.n)
				case i > 0 && l.name != "":
					where += "." + l.name
				default:
					where += l.name
				}
			}
			return where, fmt.Sprint(x), fmt.Sprint(y)
		}
		top := len(path) - 1
		if d, ok := x.(json.Delim); ok {
			if d == '{' || d == '[' {
				path = append(path, level{list: d == '['})
				continue
			}
			path = path[:top]
			top--
		} else if top >= 0 && !path[top].list && path[top].name == "" {
			path[top].name = fmt.Sprint(x) // a field's name; its value follows
			continue
		}
		if top >= 0 {
			path[top].name = ""
			path[top].n++
		}
	}
}

package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/journal"
)

// keyObject is the name of an object with the keys of the batches in [first, end), as
// they were when the journal had size entries.
type keyObject struct {
	first, end  uint64
	epoch, size uint64
}

func (k keyObject) String() string {
	return fmt.Sprintf("%s%020d-%020d-%010d-%020d.age", batchKeys, k.first, k.end, k.epoch, k.size)
}

func parseKeyObject(name string) (k keyObject, ok bool) {
	n, err := fmt.Sscanf(strings.TrimPrefix(name, batchKeys), "%d-%d-%d-%d.age", &k.first, &k.end, &k.epoch, &k.size)
	return k, err == nil && n == 4 && k.String() == name
}

// covers reports whether k holds the keys of [first, end). A writer that was replaced
// may leave keys of a batch behind that lost its place to another one; the epoch
// tells them apart.
func (k keyObject) covers(first, end, epoch uint64) bool {
	return k.first <= first && end <= k.end && k.epoch >= epoch
}

// newer reports whether k was written after other.
func (k keyObject) newer(other keyObject) bool {
	return k.epoch > other.epoch || k.epoch == other.epoch && k.size > other.size
}

// putKeys writes the keys of the batches in [first, end) as the journal has them now.
func (w *Writer) putKeys(ctx context.Context, first, end, epoch uint64) (k keyObject, err error) {
	head, keys, err := w.cfg.Journal.BatchKeys(ctx, first, end)
	if err != nil {
		return k, err
	}
	var content []byte
	for _, k := range keys {
		content = backup.AppendKeys(content, k)
	}
	k = keyObject{first, end, epoch, head.Size}
	sealed, err := encrypt(content, w.cfg.Recipients...)
	if err == nil {
		err = create(ctx, w.cfg.Store, k.String(), sealed)
	}
	if errors.Is(err, errTaken) {
		err = nil // keys of that size are the same ones, encrypted another time
	}
	return k, err
}

// replaceKeys writes the keys of the batches in [first, end) and removes the other
// objects with keys of those batches only. The caller holds keysMu, so that no keys
// from before an erasure are written after it.
func (w *Writer) replaceKeys(ctx context.Context, first, end, epoch uint64) error {
	k, err := w.putKeys(ctx, first, end, epoch)
	if err != nil {
		return err
	}
	old, err := w.keysWithin(ctx, first, end)
	for _, name := range old {
		if name != k {
			err = errors.Join(err, w.cfg.Store.Remove(ctx, name.String()))
		}
	}
	return err
}

// keysWithin lists the objects with keys of batches in [first, end) only.
func (w *Writer) keysWithin(ctx context.Context, first, end uint64) (found []keyObject, err error) {
	after := ""
	if first > 0 {
		after = fmt.Sprintf("%s%020d~", batchKeys, first-1)
	}
	for name, err := range w.cfg.Store.List(ctx, batchKeys, after) {
		if err != nil {
			return found, err
		}
		k, ok := parseKeyObject(name)
		if ok && k.first >= end {
			break
		}
		if ok && k.first >= first && k.end <= end {
			found = append(found, k)
		}
	}
	return found, nil
}

// dropKeys replaces the objects that hold a key of an erased entry.
func (w *Writer) dropKeys(ctx context.Context, entry uint64) error {
	w.keysMu.Lock()
	defer w.keysMu.Unlock()
	for name, err := range w.cfg.Store.List(ctx, batchKeys, "") {
		if err != nil {
			return err
		}
		k, ok := parseKeyObject(name)
		if ok && k.first > entry {
			break
		}
		if ok && k.end > entry {
			if err := w.replaceKeys(ctx, k.first, k.end, w.id.Epoch); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyReader finds the keys of batches.
type keyReader struct {
	store Store
	ids   []age.Identity
	names []keyObject // those that were listed, ascending
	at    keyObject   // whose keys are at hand
	keys  []journal.BatchKeys
}

// find returns the keys of the batches in an object of public parts.
func (r *keyReader) find(ctx context.Context, h *Header) ([]journal.BatchKeys, error) {
	for try := 0; ; try++ {
		if k, ok := r.choose(h); ok {
			err := r.load(ctx, k)
			if err == nil {
				return r.within(h)
			}
			if !errors.Is(err, ErrNotFound) {
				return nil, err
			}
		}
		if try == 3 {
			return nil, fmt.Errorf("%w: the keys of the entries %d to %d are missing in %s", ErrDamaged, h.First, h.Tree.Size-1, batchKeys)
		}
		if err := r.list(ctx, try > 0); err != nil {
			return nil, err
		}
	}
}

// choose returns the newest object that covers h.
func (r *keyReader) choose(h *Header) (best keyObject, ok bool) {
	if r.keys != nil && r.at.covers(h.First, h.Tree.Size, h.Epoch) && r.at.first < r.at.end {
		return r.at, true
	}
	for _, k := range r.names {
		if k.covers(h.First, h.Tree.Size, h.Epoch) && (!ok || k.newer(best)) {
			best, ok = k, true
		}
	}
	return best, ok
}

// list reads the names beyond those that are known, or all again.
func (r *keyReader) list(ctx context.Context, all bool) error {
	after := ""
	if n := len(r.names); n > 0 && !all {
		after = r.names[n-1].String()
	} else {
		r.names = nil
	}
	for name, err := range r.store.List(ctx, batchKeys, after) {
		if err != nil {
			return err
		}
		if k, ok := parseKeyObject(name); ok {
			r.names = append(r.names, k)
		}
	}
	return nil
}

func (r *keyReader) load(ctx context.Context, k keyObject) error {
	if r.keys != nil && r.at == k {
		return nil
	}
	content, err := r.store.Read(ctx, k.String())
	if err != nil {
		return err
	}
	if content, err = decrypt(k.String(), content, r.ids); err != nil {
		return err
	}
	keys, ok := backup.ParseKeys(content, k.first)
	if !ok {
		return fmt.Errorf("%w: %s does not hold keys", ErrDamaged, k)
	}
	r.at, r.keys = k, keys
	return nil
}

// within returns the keys at hand that belong to h.
func (r *keyReader) within(h *Header) (found []journal.BatchKeys, err error) {
	next := h.First
	at, _ := slices.BinarySearchFunc(r.keys, next, func(k journal.BatchKeys, first uint64) int { return cmp.Compare(k.First, first) })
	for ; at < len(r.keys) && next < h.Tree.Size; at++ {
		found = append(found, r.keys[at])
		next += r.keys[at].Records
	}
	if next != h.Tree.Size || len(found) > 0 && found[0].First != h.First {
		return nil, fmt.Errorf("%w: %s does not fit the entries %d to %d", ErrDamaged, r.at, h.First, h.Tree.Size-1)
	}
	return found, nil
}

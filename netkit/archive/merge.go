package archive

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// Objects are merged by 64, about a minute of them, and these by 64 again, about an
// hour. Merging adds objects and removes keys only.
const (
	mergeWidth = 64
	mergeLevel = 2
	// maxMerged is how many bytes a merged object holds at most; larger ones are not
	// merged further.
	maxMerged = 32 << 20
)

func mergedName(folder string, level int, n uint64) string {
	suffix := ""
	if folder == sealedMerged {
		suffix = ".age"
	}
	return fmt.Sprintf("%s%d/%020d%s", folder, level, n, suffix)
}

// mergedSpan returns how many objects a merged one of a level holds.
func mergedSpan(level int) uint64 {
	span := uint64(1)
	for range level {
		span *= mergeWidth
	}
	return span
}

// merge makes merged objects as groups of objects become full, until no more come.
func (w *Writer) merge(ctx context.Context) {
	defer close(w.done)
	for n := range w.merging {
		for level := 1; level <= mergeLevel && (n+1)%mergedSpan(level) == 0; level++ {
			if err := w.mergeGroup(ctx, level, n/mergedSpan(level)); err != nil {
				if ctx.Err() == nil {
					w.cfg.Alarm(fmt.Errorf("the archive %s: merging objects up to %d: %w; they are read one by one", w.cfg.Store, n, err))
				}
				break
			}
		}
	}
}

// mergeGroup merges the nth group of a level. The parts are read back, so that a
// merged object has the bytes that the store holds.
func (w *Writer) mergeGroup(ctx context.Context, level int, n uint64) error {
	if there, err := exists(ctx, w.cfg.Store, mergedName(publicMerged, level, n)); err != nil || there {
		return err
	}
	var public, sealed []byte
	for i := range uint64(mergeWidth) {
		at := n*mergeWidth + i
		var one, beside []byte
		var err error
		if level > 1 {
			one, err = w.cfg.Store.Read(ctx, mergedName(publicMerged, level-1, at))
			if err == nil {
				beside, err = w.cfg.Store.Read(ctx, mergedName(sealedMerged, level-1, at))
			}
		} else {
			one, beside, err = readPair(ctx, w.cfg.Store, at)
		}
		if errors.Is(err, ErrNotFound) && level > 1 {
			return nil // too large to be merged
		}
		if err != nil {
			return err
		}
		if level == 1 {
			one, beside = appendFramed(nil, one), appendFramed(nil, beside)
		}
		public, sealed = append(public, one...), append(sealed, beside...)
		if len(public)+len(sealed) > maxMerged {
			return nil
		}
	}
	objects, err := splitMerged(mergedName(publicMerged, level, n), public)
	if err != nil {
		return err
	}
	first, end := objects[0].First, objects[len(objects)-1].Tree.Size
	if err := create(ctx, w.cfg.Store, mergedName(sealedMerged, level, n), sealed); err != nil {
		return err
	}
	if err := create(ctx, w.cfg.Store, mergedName(publicMerged, level, n), public); err != nil {
		return err
	}
	if first == end {
		return nil
	}
	w.keysMu.Lock()
	defer w.keysMu.Unlock()
	return w.replaceKeys(ctx, first, end, objects[len(objects)-1].Epoch)
}

// readPair reads an object and the one with its sealed parts as they are stored.
func readPair(ctx context.Context, s Store, n uint64) (public, sealed []byte, err error) {
	name := publicName(n)
	if public, err = s.Read(ctx, name); err != nil {
		return nil, nil, err
	}
	o, err := decodeObject(name, public)
	if err != nil {
		return nil, nil, err
	}
	if o.Sealed != nil {
		sealed, err = readSealed(ctx, s, &o.Header)
	}
	return public, sealed, err
}

// appendFramed appends content behind its length.
func appendFramed(to, content []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(content))), content...)
}

// splitFramed takes a merged object apart.
func splitFramed(name string, content []byte) (parts [][]byte, err error) {
	for len(content) > 0 {
		size, width := binary.Uvarint(content)
		if width <= 0 || size > uint64(len(content)-width) {
			return nil, fmt.Errorf("%w: %s: it cannot be taken apart", ErrDamaged, name)
		}
		parts, content = append(parts, content[width:width+int(size)]), content[width+int(size):]
	}
	return parts, nil
}

// splitMerged returns the objects in a merged one.
func splitMerged(name string, content []byte) (objects []*Object, err error) {
	parts, err := splitFramed(name, content)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		o, err := decodeObject(name, part)
		if err != nil {
			return nil, err
		}
		objects = append(objects, o)
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("%w: %s is empty", ErrDamaged, name)
	}
	return objects, nil
}

package backup

import (
	"bytes"
	"context"
	"strings"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit/journal"
)

// Batches reads the journal and calls add for each batch: with its sealed private
// parts and keys where the identities open them, and else with its public parts
// alone, in batches of a member.
func (b *Backup) Batches(ctx context.Context, ids []age.Identity, private bool, add func(journal.SealedBatch, journal.BatchKeys) error) error {
	j := &journalReader{add: add, private: private}
	err := b.each(ctx, ids, func(name string) bool {
		return strings.HasPrefix(name, publicFolder) || private && (strings.HasPrefix(name, keysFolder) || strings.HasPrefix(name, sealedFolder))
	}, j.take)
	if err == nil && j.next != b.Manifest.Tree.Size {
		err = damaged(b.file.Name(), "it holds %d entries, and its manifest says %d", j.next, b.Manifest.Tree.Size)
	}
	return err
}

// journalReader puts the members of the journal together.
type journalReader struct {
	add     func(journal.SealedBatch, journal.BatchKeys) error
	private bool
	keys    []journal.BatchKeys // of the batches that are to come
	keyed   uint64              // entries that keys were read of
	public  [][]byte            // of the member at hand
	next    uint64              // entry to add
}

// take reads one member.
func (j *journalReader) take(name string, content []byte) (err error) {
	switch {
	case strings.HasPrefix(name, keysFolder):
		return j.takeKeys(name, content)
	case strings.HasPrefix(name, publicFolder):
		j.public = bytes.Split(bytes.TrimSuffix(content, []byte("\n")), []byte("\n"))
		if !j.private {
			err = j.addBatch(make([][]byte, len(j.public)), journal.BatchKeys{})
		}
		return err
	}
	sealed, ok := SplitSealed(content, len(j.public))
	for ok && len(sealed) > 0 {
		if len(j.keys) == 0 || j.keys[0].Records > uint64(len(sealed)) {
			return damaged(name, "it does not fit the keys of the batches")
		}
		k := j.keys[0]
		j.keys = j.keys[1:]
		if err := j.addBatch(sealed[:k.Records], k); err != nil {
			return err
		}
		sealed = sealed[k.Records:]
	}
	if !ok {
		return damaged(name, "it does not hold a part for each entry")
	}
	return nil
}

// addBatch adds the next batch.
func (j *journalReader) addBatch(sealed [][]byte, keys journal.BatchKeys) error {
	n := len(sealed)
	batch := journal.SealedBatch{First: j.next, Public: j.public[:n], Sealed: sealed}
	j.public, j.next = j.public[n:], j.next+uint64(n)
	return j.add(batch, keys)
}

func (j *journalReader) takeKeys(name string, content []byte) error {
	keys, ok := ParseKeys(content, j.keyed)
	if !ok {
		return damaged(name, "it does not hold keys")
	}
	for _, k := range keys {
		j.keys, j.keyed = append(j.keys, k), j.keyed+k.Records
	}
	return nil
}

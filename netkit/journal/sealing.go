package journal

import (
	"io"

	"github.com/agentnet/netctl/netkit/journal/seal"
)

// Seal encrypts the private parts of a batch under a secret drawn from random, and
// returns it in the form of an [Engine]. The public parts are those of the batch.
func Seal(b Batch, random io.Reader) (EngineBatch, error) {
	out := EngineBatch{Erase: b.Erase}
	if len(b.Records) == 0 {
		return out, nil
	}
	out.First = b.Records[0].Seq
	out.Public, out.Sealed = make([][]byte, len(b.Records)), make([][]byte, len(b.Records))
	var keys seal.Keys
	var err error
	for i := range b.Records {
		r := &b.Records[i]
		out.Public[i] = r.Public
		if len(r.Private) == 0 {
			continue
		}
		if len(out.Keys) == 0 {
			if keys, err = seal.NewKeys(random); err != nil {
				return EngineBatch{}, err
			}
			out.Keys = keys.Bytes()
		}
		key, _ := keys.Key(r.Seq)
		out.Sealed[i] = key.Seal(nil, r.Private)
	}
	return out, nil
}

// Open decrypts the private parts of an engine's batch whose keys are there, and
// returns the records. The error is an [ErrNotJournal].
func (b *EngineBatch) Open() ([]Record, error) {
	keys, err := seal.ParseKeys(b.Keys)
	if err != nil {
		return nil, b.damaged(0, err)
	}
	records := make([]Record, len(b.Public))
	for i := range b.Public {
		records[i] = Record{Seq: b.First + uint64(i), Public: b.Public[i]}
		key, held := keys.Key(records[i].Seq)
		if b.Sealed[i] == nil || !held {
			continue
		}
		if records[i].Private, err = key.Open(nil, b.Sealed[i]); err != nil {
			return nil, b.damaged(i, err)
		}
	}
	return records, nil
}

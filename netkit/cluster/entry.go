package cluster

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit/journal"
)

// The kinds of raft entries. A number is never given another meaning, since logs hold
// them.
const (
	kindBatch   = 1 // a batch of the journal, in the form of appendBatch
	kindControl = 2 // JSON of a control
)

// maxBatch is the size to which a writer keeps its batches; see [Node.Limits]. Larger
// entries of the log delay those behind them.
const maxBatch = 512 << 10

// maxEntry is the size of the largest entry that is accepted, since a single record may
// be larger than a batch should be.
const maxEntry = 8 << 20

// errEntry means that bytes are no entry of this version.
var errEntry = errors.New("cluster: a raft entry that this version does not know")

// appendBatch appends the form of a batch in a raft entry: the head that it
// continues, the root that it leads to, and the parts, each behind its length. The
// length of a sealed part is one more, so that 0 means none.
func appendBatch(to []byte, at journal.Head, b *journal.EngineBatch) []byte {
	to = append(to, kindBatch)
	to = binary.AppendUvarint(to, at.Size)
	to = append(to, at.Tip[:]...)
	to = append(to, b.Root[:]...)
	to = binary.AppendUvarint(to, uint64(len(b.Public)))
	for i, public := range b.Public {
		to = appendBytes(to, public)
		if part := b.Sealed[i]; part == nil {
			to = binary.AppendUvarint(to, 0)
		} else {
			to = append(binary.AppendUvarint(to, uint64(len(part))+1), part...)
		}
	}
	to = appendBytes(to, b.Keys)
	to = binary.AppendUvarint(to, uint64(len(b.Erase)))
	for _, seq := range b.Erase {
		to = binary.AppendUvarint(to, seq)
	}
	return to
}

func appendBytes(to, b []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(b))), b...)
}

// parseBatch reads the form of appendBatch. The slices of the batch are those of the
// entry.
func parseBatch(entry []byte) (at journal.Head, b journal.EngineBatch, err error) {
	p := parser{rest: entry}
	if kind := p.take(1); p.failed || kind[0] != kindBatch {
		return at, b, errEntry
	}
	at.Size = p.number()
	copy(at.Tip[:], p.take(journal.HashSize))
	copy(b.Root[:], p.take(journal.HashSize))
	b.First = at.Size
	for n := p.number(); n > 0 && !p.failed; n-- {
		b.Public = append(b.Public, p.take(p.number()))
		var part []byte
		if n := p.number(); n > 0 {
			part = p.take(n - 1)
		}
		b.Sealed = append(b.Sealed, part)
	}
	b.Keys = p.take(p.number())
	for n := p.number(); n > 0 && !p.failed; n-- {
		b.Erase = append(b.Erase, p.number())
	}
	if p.failed || len(p.rest) > 0 {
		return at, b, errEntry
	}
	return at, b, nil
}

// parser takes an entry apart. Once it failed, it returns nothing.
type parser struct {
	rest   []byte
	failed bool
}

func (p *parser) take(n uint64) []byte {
	if p.failed || n > uint64(len(p.rest)) {
		p.failed, p.rest = true, nil
		return nil
	}
	out := p.rest[:n:n]
	p.rest = p.rest[n:]
	return out
}

func (p *parser) number() uint64 {
	v, n := binary.Uvarint(p.rest)
	if p.failed || n <= 0 {
		p.failed, p.rest = true, nil
		return 0
	}
	p.rest = p.rest[n:]
	return v
}

// control is an entry that is no batch. One of its fields is set.
type control struct {
	Claim  *claim  `json:"claim,omitempty"`
	Invite *invite `json:"invite,omitempty"`
	Spend  *spend  `json:"spend,omitempty"`
	Retire *retire `json:"retire,omitempty"`
}

// claim makes a node the writer; see [journal.Engine].
type claim struct {
	Before  uint64 `json:"before"`
	Node    string `json:"node"`
	Address string `json:"address"`
	Server  string `json:"server"` // the member of the cluster that asks
}

// invite makes a joining token good until a time.
type invite struct {
	Hash    string `json:"hash"` // of the secret
	Expires int64  `json:"expires"`
	Now     int64  `json:"now"` // by the clock of the leader, seconds
}

// retire ends the journal of the cluster; see [journal.Retirer].
type retire struct {
	To string `json:"to"` // where the network is from then on
}

// spend uses a joining token.
type spend struct {
	Hash string `json:"hash"`
	Now  int64  `json:"now"`
}

func (c *control) entry() []byte {
	b, err := json.Marshal(c)
	if err != nil {
		panic(fmt.Sprintf("cluster: a control is JSON: %v", err))
	}
	return append([]byte{kindControl}, b...)
}

package backup

import (
	"encoding/binary"

	"github.com/agentnet/netctl/netkit/journal"
)

// AppendSealed appends the sealed private part of an entry, nil for none, in the form
// that [SplitSealed] reads.
func AppendSealed(to, part []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(part))), part...)
}

// SplitSealed returns the sealed parts of n entries, or false if content holds
// something else. The parts are slices of content.
func SplitSealed(content []byte, n int) (parts [][]byte, ok bool) {
	for range n {
		size, width := binary.Uvarint(content)
		if width <= 0 || size > uint64(len(content)-width) {
			return nil, false
		}
		var part []byte
		if size > 0 {
			part = content[width : width+int(size)]
		}
		parts, content = append(parts, part), content[width+int(size):]
	}
	return parts, len(content) == 0
}

// AppendKeys appends the keys of a batch in the form that [ParseKeys] reads.
func AppendKeys(to []byte, k journal.BatchKeys) []byte {
	to = binary.AppendUvarint(to, k.Records)
	if !k.Held {
		return binary.AppendUvarint(to, 0)
	}
	to = binary.AppendUvarint(to, uint64(len(k.Keys))+1)
	return append(to, k.Keys...)
}

// ParseKeys reads the keys of the batches from entry first on, or returns false if
// content holds something else. The keys are slices of content.
func ParseKeys(content []byte, first uint64) (keys []journal.BatchKeys, ok bool) {
	for len(content) > 0 {
		n, width := binary.Uvarint(content)
		size, more := binary.Uvarint(content[max(width, 0):])
		if width <= 0 || more <= 0 || n == 0 || n > 1<<32 || size > uint64(len(content)-width-more)+1 {
			return nil, false
		}
		content = content[width+more:]
		k := journal.BatchKeys{First: first, Records: n, Held: size > 0}
		if k.Held {
			k.Keys, content = content[:size-1], content[size-1:]
		}
		keys, first = append(keys, k), first+n
	}
	return keys, true
}

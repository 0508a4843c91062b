package cluster

import (
	"slices"

	"github.com/agentnet/netctl/netkit/journal"
)

// recent are the latest batches that the cluster agreed on, one after the other. A node
// needs each of them at once, and reads older ones from its folder.
type recent []journal.EngineBatch

// maxRecent bounds them. Their bytes are those of entries that raft's cache has too.
const maxRecent = 64

// add keeps a batch. One that erases entries drops all, since their keys may be among them.
func (r *recent) add(b *journal.EngineBatch) {
	if len(b.Erase) > 0 || len(*r) > 0 && endOf(&(*r)[len(*r)-1]) != b.First {
		*r = nil
	}
	if len(b.Erase) > 0 {
		return
	}
	if len(*r) == maxRecent {
		*r = slices.Delete(*r, 0, 1)
	}
	*r = append(*r, *b)
}

// endOf returns the number of entries up to the end of a batch.
func endOf(b *journal.EngineBatch) uint64 { return b.First + uint64(len(b.Public)) }

// recentFrom returns the batches from the one that holds an entry up to the end of the
// folder, and whether the latest batches reach back so far.
func (m *machine) recentFrom(from uint64) (out []journal.EngineBatch, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.recent) == 0 || from < m.recent[0].First || from >= m.held.Size || m.broken != nil {
		return nil, false
	}
	for i := range m.recent {
		if end := endOf(&m.recent[i]); end > from && end <= m.held.Size {
			out = append(out, m.recent[i])
		}
	}
	return out, len(out) > 0 && endOf(&out[len(out)-1]) == m.held.Size
}

// recentRoot returns the root of the first entries, where one of the latest batches that
// the folder has ends with them.
func (m *machine) recentRoot(size uint64) (root [journal.HashSize]byte, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.recent {
		if endOf(&m.recent[i]) == size && size <= m.held.Size && m.broken == nil {
			return m.recent[i].Root, true
		}
	}
	return root, false
}

package access

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"
)

const (
	machines = 1 << 14 // addresses that are remembered before the oldest half goes
	accounts = 1000    // of one address that are remembered
)

// Machines remembers which agents acted from one address. It keeps neither the
// addresses nor anything on disk: what an address is mapped to changes with
// every start. The zero value remembers nothing yet; its methods can be called
// at the same time.
type Machines struct {
	mu         sync.Mutex
	seed       maphash.Seed
	young, old map[uint64][]string // slugs in order
}

// Acted notes that an agent acted from a source; "" is no source.
func (m *Machines) Acted(source, slug string) {
	if source == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.young == nil {
		m.seed, m.young = maphash.MakeSeed(), map[uint64][]string{}
	}
	key := maphash.String(m.seed, source)
	all, known := m.young[key]
	if !known {
		if len(m.young) >= machines/2 {
			m.young, m.old = map[uint64][]string{}, m.young
		}
		all = m.old[key]
		m.young[key] = all
	}
	if at, ok := slices.BinarySearch(all, slug); !ok && len(all) < accounts {
		m.young[key] = slices.Insert(slices.Clip(all), at, slug)
	}
}

// Shared lists the agents of each address from which more than a number of them
// acted, the largest group first.
func (m *Machines) Shared(more int) (groups [][]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, all := range m.young {
		if len(all) > more {
			groups = append(groups, slices.Clone(all))
		}
	}
	for key, all := range m.old {
		if _, newer := m.young[key]; !newer && len(all) > more {
			groups = append(groups, slices.Clone(all))
		}
	}
	slices.SortFunc(groups, func(a, b []string) int { return cmp.Or(len(b)-len(a), slices.Compare(a, b)) })
	return groups
}

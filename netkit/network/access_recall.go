package network

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/clerk"
)

// tokenMemory remembers whose tokens were shown lately, by their hashes, so that a
// request need not wait for the writer to be recognised. Every change of a token
// empties it.
type tokenMemory struct {
	mu    sync.RWMutex
	known map[[32]byte]netkit.Principal

	newest atomic.Int64 // time of the newest entry, which may be ahead of the clock
}

// maxTokens bounds a tokenMemory. A network with more tokens in use starts over
// when it is full.
const maxTokens = 1 << 16

// recall returns the principal of a token that has not expired.
func (m *tokenMemory) recall(hash [32]byte, clock *clerk.Clock) (*netkit.Principal, bool) {
	m.mu.RLock()
	p, ok := m.known[hash]
	m.mu.RUnlock()
	if !ok || p.Expires != 0 && max(clock.Latest(), m.newest.Load()) >= int64(p.Expires) {
		return nil, false
	}
	p.Scopes = slices.Clone(p.Scopes)
	return &p, true
}

// keep remembers a principal. The caller holds the network's lock, so that no token
// is revoked between its look at the state and this.
func (m *tokenMemory) keep(hash [32]byte, p netkit.Principal) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) == maxTokens {
		m.known = map[[32]byte]netkit.Principal{}
	}
	p.Scopes = slices.Clone(p.Scopes)
	m.known[hash] = p
}

// forget empties the memory.
func (m *tokenMemory) forget() {
	m.mu.Lock()
	m.known = nil
	m.mu.Unlock()
}

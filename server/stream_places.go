package server

import (
	"slices"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// seats are the places of open streams: so many in all, of each reader and of
// each address. When all are taken, the address that holds most of them loses
// its newest to one that holds fewer.
type seats struct {
	mu   sync.Mutex
	open int
	of   map[string]int     // of each reader
	held map[string][]*seat // of each holder, in the order in which they were taken
}

// seat is one place.
type seat struct {
	reader string
	holder string        // address, or reader where the address is this machine's
	lost   chan struct{} // closed when the seat is given to another
}

func newSeats() *seats { return &seats{of: map[string]int{}, held: map[string][]*seat{}} }

// take gives a place to a reader at an address; "" is this machine.
func (o *seats) take(reader, address string, l *Limits) (*seat, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := &seat{reader: reader, holder: address, lost: make(chan struct{})}
	if address == "" {
		s.holder = "at home " + reader
	}
	switch {
	case o.of[reader] >= l.StreamsEach:
		return nil, &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.StreamsYours, What: "you have as many streams open as one reader may", Next: "close some, or wait until they end", After: 10 * time.Second}
	case address != "" && len(o.held[address]) >= l.StreamsAddress:
		return nil, &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.StreamsYours, What: "your address has as many streams open as all parties at one address may", Next: "close some, or wait until they end", After: 10 * time.Second}
	case o.open >= l.Streams && !o.evict(s.holder):
		return nil, &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.StreamsFull, What: "as many streams are open as this network serves", Next: "try again later", After: 10 * time.Second}
	}
	o.open++
	o.of[reader]++
	o.held[s.holder] = append(o.held[s.holder], s)
	return s, nil
}

// evict takes a seat from the holder of most in favour of another, and reports
// whether that leaves the other with no more than the first.
func (o *seats) evict(favoured string) bool {
	most := favoured
	for holder, held := range o.held {
		if len(held) > len(o.held[most]) {
			most = holder
		}
	}
	held := o.held[most]
	if len(held) < len(o.held[favoured])+2 {
		return false
	}
	s := held[len(held)-1]
	close(s.lost)
	o.remove(s)
	return true
}

// leave gives a seat back, once.
func (o *seats) leave(s *seat) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.remove(s)
}

// remove is leave for callers that hold mu.
func (o *seats) remove(s *seat) {
	held := o.held[s.holder]
	k := slices.Index(held, s)
	if k < 0 {
		return
	}
	o.open--
	if o.of[s.reader]--; o.of[s.reader] == 0 {
		delete(o.of, s.reader)
	}
	if o.held[s.holder] = slices.Delete(held, k, k+1); len(held) == 1 {
		delete(o.held, s.holder)
	}
}

package server

import (
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// overload counts the commands under way by when they began, and refuses more
// while many of them have waited too long: whoever is refused at once costs little
// and can try again. A few slow commands are no overload.
//
// In a long queue a command waits about as long before its handler runs as it does
// inside, where it is seen: half of the wait is for the inside.
type overload struct {
	wait time.Duration // from the begin of the handler; 0 or less means no bound
	now  func() time.Time

	mu    sync.Mutex
	ticks [waitTicks]waitTick // commands that began within wait, by parts of it
	late  int                 // those that began before
}

const (
	waitTicks = 10 // parts of the wait that are told apart
	maxLate   = 16 // commands under way for longer than the wait that are no overload
)

// waitTick counts the commands that began in one part of time.
type waitTick struct {
	part  int64
	count int
}

func newOverload(wait time.Duration) *overload { return &overload{wait: wait / 2, now: time.Now} }

// check refuses a command while too many others are late.
func (o *overload) check() error {
	if o.wait <= 0 {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.expire(o.part()); o.late <= maxLate {
		return nil
	}
	return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.Busy, What: "the network has more commands waiting than it answers in time, and nothing of this was kept",
		Next: "try again after Retry-After, with the same idempotency key", After: time.Second}
}

// begin counts a command as under way until the function it returns is called.
func (o *overload) begin() (end func()) {
	if o.wait <= 0 {
		return func() {}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	part := o.part()
	o.expire(part)
	tick := &o.ticks[part%waitTicks]
	tick.part, tick.count = part, tick.count+1
	return func() { o.leave(part) }
}

// part returns the part of time that it is now.
func (o *overload) part() int64 { return o.now().UnixNano() / int64(o.wait/waitTicks) }

// expire counts those as late that began longer ago than the wait.
func (o *overload) expire(part int64) {
	for k := range o.ticks {
		if t := &o.ticks[k]; t.part <= part-waitTicks {
			o.late += t.count
			t.count = 0
		}
	}
}

// leave takes away a command that began in a part of time.
func (o *overload) leave(part int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if t := &o.ticks[part%waitTicks]; t.part == part && t.count > 0 {
		t.count--
		return
	}
	o.late--
}

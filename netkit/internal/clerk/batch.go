package clerk

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// Write describes one durable write.
type Write struct {
	Jobs, Records int
	Waited        time.Duration // of the first job, from its entry into the queue until the write began
	Took          time.Duration // the write itself
}

// batch decides the first job and those that wait behind it, and writes.
func (c *Clerk[J]) batch(first *ticket[J]) {
	if !c.recheck() {
		c.passed(first.at)
		if first.state.CompareAndSwap(waiting, taken) {
			c.cfg.Machine.Answer(first.job, ErrNotTaken)
		}
		return
	}
	c.gather()
	var b journal.Batch
	c.cfg.Machine.Begin()
	jobs := c.decide(first, &b)
	c.cfg.Machine.Seal()
	c.before = len(jobs)
	begun := time.Since(c.begin)
	err := c.write(b)
	if c.cfg.Wrote != nil && err == nil && !b.Empty() {
		c.cfg.Wrote(Write{Jobs: len(jobs), Records: len(b.Records), Waited: begun - time.Duration(first.at), Took: time.Since(c.begin) - begun})
	}
	for _, j := range jobs {
		c.cfg.Machine.Answer(j, err)
	}
}

// decide fills a batch until the queue is empty or the batch is full.
func (c *Clerk[J]) decide(first *ticket[J], b *journal.Batch) []J {
	jobs := make([]J, 0, len(c.queue)+1)
	end := time.Now().Add(c.cfg.Span)
	size, work := 0, 0
	for t := first; t != nil; t = c.next() {
		c.passed(t.at)
		if !t.state.CompareAndSwap(waiting, taken) {
			continue
		}
		jobs = append(jobs, t.job)
		n := len(b.Records)
		c.cfg.Machine.Decide(t.job, b)
		for _, r := range b.Records[n:] {
			size += len(r.Public) + len(r.Private)
		}
		before := work
		work += max(1, len(b.Records)-n)
		// The clock is read once in 16 steps of work: a reading costs as much as a rule.
		if work >= c.cfg.Jobs || size >= c.cfg.Bytes || work/16 > before/16 && time.Now().After(end) {
			break
		}
	}
	return jobs
}

// gather lets callers that were just answered queue again, so that they share
// one write instead of every second one. It yields while the queue grows, and
// waits a moment longer if the batch before had many more: a write costs as
// much processor time for one record as for ten.
func (c *Clerk[J]) gather() {
	for n := -1; n < len(c.queue); {
		n = len(c.queue)
		runtime.Gosched()
	}
	for range lingers {
		if len(c.queue) >= c.before-c.before/4-1 {
			return
		}
		time.Sleep(linger)
	}
}

// linger is a step of waiting for a batch like the one before; lingers are
// the most of them.
const (
	linger  = 50 * time.Microsecond
	lingers = 4
)

// write appends the batch, and commits or undoes it in the machine.
func (c *Clerk[J]) write(b journal.Batch) error {
	m := c.cfg.Machine
	if b.Empty() {
		m.Commit(c.head) // refusals and reads: nothing to keep
		return nil
	}
	if until, down := c.Down(); down && time.Now().Before(until) {
		m.Rollback()
		return fmt.Errorf("%w: %w", ErrNotTaken, c.cause)
	}
	head, err := c.cfg.Store.Append(context.Background(), c.head, b)
	switch {
	case err == nil:
		c.head = head
		c.down.Store(0)
		m.Commit(head)
		return nil
	case errors.Is(err, journal.ErrDoubtful), errors.Is(err, journal.ErrHeadMoved):
		return c.resolve(b, err)
	}
	c.rest(err)
	m.Rollback()
	return fmt.Errorf("%w: %w", ErrNotTaken, err)
}

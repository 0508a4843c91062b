package clerk

import (
	"sync/atomic"
	"time"
)

// ticket is a job in the queue. Its state leaves waiting once: the clerk takes
// the job, or its caller withdraws it.
type ticket[J any] struct {
	job   J
	at    int64 // when it entered the queue, in nanoseconds after begin
	state atomic.Int32
}

const (
	waiting int32 = iota
	taken
	withdrawn
)

// Submit queues a job. Machine.Answer ends it, unless Submit returns an
// error. The function it returns withdraws the job if the clerk has not taken
// it yet and reports whether it did.
//
// While the oldest job has waited longer than Config.Wait, Submit returns
// ErrBusy, so that jobs are refused at once and not answered late.
func (c *Clerk[J]) Submit(job J) (withdraw func() bool, err error) { return c.submit(job, c.cfg.Wait) }

// SubmitPatiently is Submit for jobs that no caller waits for: they enter the
// queue however long others have waited.
func (c *Clerk[J]) SubmitPatiently(job J) (withdraw func() bool, err error) { return c.submit(job, 0) }

func (c *Clerk[J]) submit(job J, wait time.Duration) (withdraw func() bool, err error) {
	t := &ticket[J]{job: job, at: int64(time.Since(c.begin))}
	// Close waits for Submit, so that no job enters behind the last drain,
	// where it would never be answered.
	c.submitting.RLock()
	defer c.submitting.RUnlock()
	if c.shut {
		return nil, ErrClosed
	}
	if len(c.queue) == 0 {
		c.passed(t.at)
	} else if wait > 0 && t.at-c.oldest.Load() > int64(wait) {
		return nil, ErrBusy
	}
	select {
	case c.queue <- t:
		return t.withdraw, nil
	default:
		return nil, ErrBusy
	}
}

// passed notes that nothing in the queue entered it before a moment.
func (c *Clerk[J]) passed(at int64) {
	for {
		was := c.oldest.Load()
		if at <= was || c.oldest.CompareAndSwap(was, at) {
			return
		}
	}
}

func (t *ticket[J]) withdraw() bool { return t.state.CompareAndSwap(waiting, withdrawn) }

// Age returns how long the oldest job in the queue may have waited, 0 where none
// waits.
func (c *Clerk[J]) Age() time.Duration {
	if len(c.queue) == 0 {
		return 0
	}
	return time.Since(c.begin) - time.Duration(c.oldest.Load())
}

func (c *Clerk[J]) next() *ticket[J] {
	select {
	case t := <-c.queue:
		return t
	default:
		return nil
	}
}

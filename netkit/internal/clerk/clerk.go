// Package clerk is the one writer of a journal: it takes jobs from a bounded
// queue, has a machine decide and apply them in order, appends what they
// produced as one atomic durable write, and answers all of them. The next
// batch gathers meanwhile. It knows neither the rules nor the driver.
package clerk

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// Machine is the state that a clerk drives. The clerk calls it from one
// goroutine at a time; what readers may see is the machine's own business.
type Machine[J any] interface {
	// Begin opens a batch: readers are kept out until Seal.
	Begin()
	// Decide decides and applies one job, or refuses it, and appends the
	// records it makes. The job keeps its own answer until Answer.
	Decide(job J, b *journal.Batch)
	// Seal ends the deciding; readers may look again, but what they see is
	// not yet durable.
	Seal()
	// Commit says that the head is durable.
	Commit(head journal.Head)
	// Rollback undoes the open batch.
	Rollback()
	// Follow applies records that stand in the journal beyond the head.
	Follow(r journal.Record) error
	// Answer ends a job: err is nil when what it decided stands, or one of
	// the errors of this package.
	Answer(job J, err error)
}

// What a job may be told instead of its own answer.
var (
	ErrBusy     = errors.New("clerk: the queue is full, or has waited too long")
	ErrNotTaken = errors.New("clerk: the journal could not be written, nothing of this was kept")
	ErrDoubtful = errors.New("clerk: the outcome is unknown until the journal answers again")
	ErrClosed   = errors.New("clerk: closed")
)

// Config holds what a clerk needs. Store, Head and Machine are required; the
// zero values of the rest are documented at each.
type Config[J any] struct {
	Store   journal.Store
	Head    journal.Head
	Machine Machine[J]
	Queue   int           // jobs that may wait; 0 means 4,096
	Wait    time.Duration // no job is taken while the oldest has waited longer; 0 means no bound
	Jobs    int           // a batch ends with so many jobs or records; 0 means 1,024
	Bytes   int           // a batch ends beyond it; 0 means 1 MiB
	Span    time.Duration // a batch ends after it; 0 means 2 ms
	Pause   time.Duration // no writes after a failed one, and between tries while in doubt; 0 means 1 s
	Doubt   time.Duration // how long callers wait for a doubtful write; 0 means 2 s
	Alarm   func(error)   // told of every failed write, while writing waits, so it must not block; nil means nobody
	Wrote   func(Write)   // called after each durable write, before its jobs are answered, so it must not block; nil means not at all
}

// Write describes one durable write.
type Write struct {
	Jobs, Records int
	Waited        time.Duration // of the first job, from its entry into the queue until the write began
	Took          time.Duration // the write itself
}

// Clerk runs one goroutine between New and Close.
type Clerk[J any] struct {
	cfg        Config[J]
	head       journal.Head
	submitting sync.RWMutex // held for reading while a job enters the queue
	shut       bool         // no job enters any more; guarded by submitting
	queue      chan *ticket[J]
	begin      time.Time
	oldest     atomic.Int64    // nanoseconds after begin: nothing in the queue has waited since before
	behind     chan chan error // callers of CatchUp
	stop       chan struct{}
	gone       chan struct{}
	before     int          // jobs of the batch before
	open       *unsettled   // a batch in doubt whose callers have been told so
	down       atomic.Int64 // unix nanoseconds until which writing rests, 0 when all is well
	cause      error        // why it rests
}

// ticket is a job in the queue. Whoever turns it from waiting wins: the
// clerk takes it, or its caller withdraws it.
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

// New starts a clerk.
func New[J any](cfg Config[J]) *Clerk[J] {
	setDefault(&cfg.Queue, 4096)
	setDefault(&cfg.Jobs, 1024)
	setDefault(&cfg.Bytes, 1<<20)
	setDefault(&cfg.Span, 2*time.Millisecond)
	setDefault(&cfg.Pause, time.Second)
	setDefault(&cfg.Doubt, 2*time.Second)
	if cfg.Alarm == nil {
		cfg.Alarm = func(error) {}
	}
	c := &Clerk[J]{cfg: cfg, head: cfg.Head, begin: time.Now(), queue: make(chan *ticket[J], cfg.Queue),
		behind: make(chan chan error), stop: make(chan struct{}), gone: make(chan struct{})}
	go c.run()
	return c
}

func setDefault[T int | time.Duration](p *T, v T) {
	if *p == 0 {
		*p = v
	}
}

// Submit queues a job. Machine.Answer ends it, unless Submit returns an
// error. The function it returns withdraws the job if the clerk has not taken
// it yet and reports whether it did.
//
// While the oldest job has waited longer than Config.Wait, Submit returns
// ErrBusy, so that jobs are refused at once and not answered late.
func (c *Clerk[J]) Submit(job J) (withdraw func() bool, err error) { return c.submit(job, c.cfg.Wait) }

// SubmitPatiently is Submit for jobs that nobody waits for: they enter the queue
// however long others have waited.
func (c *Clerk[J]) SubmitPatiently(job J) (withdraw func() bool, err error) { return c.submit(job, 0) }

func (c *Clerk[J]) submit(job J, wait time.Duration) (withdraw func() bool, err error) {
	t := &ticket[J]{job: job, at: int64(time.Since(c.begin))}
	// Close waits for Submit, so that no job enters behind the last drain,
	// where nobody would answer it.
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

// Down reports until when writing rests after a failure, and whether it does.
func (c *Clerk[J]) Down() (until time.Time, down bool) {
	n := c.down.Load()
	return time.Unix(0, n), n != 0
}

// Close takes no more jobs, finishes those that wait and returns when the
// last is answered, or with the context's error while work goes on.
func (c *Clerk[J]) Close(ctx context.Context) error {
	c.refuseMore()
	select {
	case <-c.gone:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("clerk: still writing: %w", ctx.Err())
	}
}

// refuseMore lets no more jobs in and tells the clerk to stop, once.
func (c *Clerk[J]) refuseMore() {
	c.submitting.Lock()
	defer c.submitting.Unlock()
	if !c.shut {
		c.shut = true
		close(c.stop)
	}
}

func (c *Clerk[J]) run() {
	defer close(c.gone)
	for {
		select {
		case t := <-c.queue:
			c.batch(t)
		case <-c.rested():
			c.probe()
		case done := <-c.behind:
			done <- c.follow()
		case <-c.stop:
			c.drain()
			return
		}
	}
}

// rested returns a channel that gives a value when writing has rested, nil when
// it does not rest.
func (c *Clerk[J]) rested() <-chan time.Time {
	if until, down := c.Down(); down {
		return time.After(time.Until(until))
	}
	return nil
}

// probe finds out, while nobody writes, whether the journal can be written
// again. The alarm knows that it could not.
func (c *Clerk[J]) probe() {
	if c.open != nil {
		c.recheck()
		return
	}
	_, err := c.cfg.Store.Append(context.Background(), c.head, journal.Batch{})
	if err == nil || errors.Is(err, journal.ErrHeadMoved) { // the next batch reads what came
		c.down.Store(0)
		return
	}
	c.cause = err
	c.down.Store(time.Now().Add(c.cfg.Pause).UnixNano())
}

// drain finishes what was queued before the stop; nothing enters after it.
func (c *Clerk[J]) drain() {
	for len(c.queue) > 0 {
		c.batch(<-c.queue)
	}
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
		// The clock is asked now and then only: it costs as much as a rule.
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

func (c *Clerk[J]) next() *ticket[J] {
	select {
	case t := <-c.queue:
		return t
	default:
		return nil
	}
}

// write appends the batch and tells the machine how it went.
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

// rest stops writing for a while.
func (c *Clerk[J]) rest(err error) {
	c.cause = err
	c.down.Store(time.Now().Add(c.cfg.Pause).UnixNano())
	c.cfg.Alarm(err)
}

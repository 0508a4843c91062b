// Package clerk is the one writer of a journal: it takes jobs from a bounded
// queue, has a machine decide and apply them in order, appends their records
// as one atomic durable write, and answers all of them. The next
// batch gathers meanwhile. It knows neither the rules nor the driver.
package clerk

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// Machine is the state that a clerk drives. The clerk calls it from one
// goroutine at a time. The machine itself decides which part of it readers see.
type Machine[J any] interface {
	// Begin opens a batch: readers are kept out until Seal.
	Begin()
	// Decide decides and applies one job, or refuses it, and appends the
	// records it makes. The job keeps its own answer until Answer.
	Decide(job J, b *journal.Batch)
	// Seal ends the deciding; readers are let in again, to a state that is
	// not yet durable.
	Seal()
	// Commit ends a batch, whose head is durable.
	Commit(head journal.Head)
	// Rollback undoes the open batch.
	Rollback()
	// Follow applies a record that the journal holds beyond the head.
	Follow(r journal.Record) error
	// Answer ends a job: err is nil when its decision is durable, else one of
	// the errors of this package.
	Answer(job J, err error)
}

// The errors that may end a job in place of its own answer.
var (
	ErrBusy     = errors.New("clerk: the queue is full, or has waited too long")
	ErrNotTaken = errors.New("clerk: the journal could not be written, nothing of this was kept")
	ErrDoubtful = errors.New("clerk: the outcome is unknown until the journal answers again")
	ErrClosed   = errors.New("clerk: closed")
)

// Config is the configuration of a clerk. Store, Head and Machine are required; the
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
	Alarm   func(error)   // called with the error of every failed write, while writing waits, so it must not block; nil drops errors
	Wrote   func(Write)   // called after each durable write, before its jobs are answered, so it must not block; nil is never called
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
	open       *unsettled   // a batch whose callers were answered with ErrDoubtful
	down       atomic.Int64 // unix nanoseconds until which writing rests, 0 while it does not
	cause      error        // why it rests
}

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

// Close takes no more jobs, finishes those that wait and returns when the
// last is answered, or with the context's error while some are still unanswered.
func (c *Clerk[J]) Close(ctx context.Context) error {
	c.refuseMore()
	select {
	case <-c.gone:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("clerk: still writing: %w", ctx.Err())
	}
}

// refuseMore lets no more jobs in and stops the clerk, once.
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

// drain finishes the jobs that were queued before the stop; none enters after it.
func (c *Clerk[J]) drain() {
	for len(c.queue) > 0 {
		c.batch(<-c.queue)
	}
}

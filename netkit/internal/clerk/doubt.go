package clerk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// resolve finds out whether a doubtful batch was written. Until it knows,
// readers see the state before the batch. The batch is repeated byte for byte
// on the same head; when the head moved, the journal is read back, since another
// process may have moved it.
func (c *Clerk[J]) resolve(b journal.Batch, cause error) error {
	m := c.cfg.Machine
	m.Rollback()
	c.cfg.Alarm(cause)
	want, err := b.Next(c.head)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotTaken, err)
	}
	start := time.Now()
	for {
		done, err := c.settle(b, want)
		if done {
			c.down.Store(0)
			return err
		}
		if time.Since(start) > c.cfg.Doubt {
			c.open = &unsettled{b, want}
			c.rest(err)
			return ErrDoubtful
		}
		c.rest(err)
		time.Sleep(c.cfg.Pause / 16)
	}
}

// settle makes one try, and reports whether the journal's answer is definite. The
// repeat is safe because Append compares the head: if the first attempt was
// written, the head has moved and the repeat is refused; if it was not, the
// repeat is the write. So the journal holds the batch once at most, whichever
// reply was lost.
func (c *Clerk[J]) settle(b journal.Batch, want journal.Head) (done bool, err error) {
	ctx := context.Background()
	_, err = c.cfg.Store.Append(ctx, c.head, b)
	if err != nil && !errors.Is(err, journal.ErrHeadMoved) {
		head, herr := c.cfg.Store.Head(ctx)
		if herr != nil || errors.Is(err, journal.ErrDoubtful) && head == c.head {
			return false, err
		}
		if head == c.head { // the repeat failed for certain, and so did the first
			return true, fmt.Errorf("%w: %w", ErrNotTaken, err)
		}
	}
	head, err := c.catchUp()
	if err != nil {
		return false, err
	}
	if head == want {
		return true, nil
	}
	if head.Size >= want.Size && c.holds(b) {
		return true, nil
	}
	return true, ErrNotTaken
}

// holds reports whether the journal holds the batch's records as they are.
func (c *Clerk[J]) holds(b journal.Batch) bool {
	if len(b.Records) == 0 {
		return false
	}
	i, from := 0, b.Records[0].Seq
	for r, err := range c.cfg.Store.Read(context.Background(), from, from+uint64(len(b.Records))) {
		if err != nil || string(r.Public) != string(b.Records[i].Public) {
			return false
		}
		i++
	}
	return i == len(b.Records)
}

// catchUp applies the records that the journal holds beyond the head. On an error
// none of them stays applied and the head is unchanged, so that the next try
// begins again with the first record; part of a batch is never shown.
func (c *Clerk[J]) catchUp() (journal.Head, error) {
	ctx := context.Background()
	head, err := c.cfg.Store.Head(ctx)
	if err != nil {
		return c.head, err
	}
	m := c.cfg.Machine
	m.Begin()
	for r, rerr := range c.cfg.Store.Read(ctx, c.head.Size, head.Size) {
		if err = rerr; err == nil {
			err = m.Follow(r)
		}
		if err != nil {
			break
		}
	}
	m.Seal()
	if err != nil {
		m.Rollback()
		return c.head, err
	}
	c.head = head
	m.Commit(head)
	return head, nil
}

// CatchUp applies the records that others appended to the store. A journal with fewer
// records than were applied is an error, and then nothing changes.
func (c *Clerk[J]) CatchUp(ctx context.Context) error {
	done := make(chan error, 1)
	select {
	case c.behind <- done:
		return <-done
	case <-c.gone:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Clerk[J]) follow() error {
	if !c.recheck() {
		return ErrDoubtful
	}
	head, err := c.cfg.Store.Head(context.Background())
	if err == nil && head.Size < c.head.Size {
		err = fmt.Errorf("clerk: the journal has %d records, and %d were applied", head.Size, c.head.Size)
	}
	if err == nil && head != c.head {
		_, err = c.catchUp()
	}
	return err
}

// unsettled is a batch whose outcome is not known yet.
type unsettled struct {
	batch journal.Batch
	want  journal.Head
}

// recheck makes another try at an unsettled batch, unless writing rests: a try may take
// seconds, and the jobs that wait are refused meanwhile. Until the answer is there
// nothing is decided, so nothing can come between the batch and its repeat.
func (c *Clerk[J]) recheck() bool {
	if c.open == nil {
		return true
	}
	if until, down := c.Down(); down && time.Now().Before(until) {
		return false
	}
	done, err := c.settle(c.open.batch, c.open.want)
	if !done {
		c.rest(err)
		return false
	}
	c.open = nil
	c.down.Store(0)
	return true
}

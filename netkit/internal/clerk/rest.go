package clerk

import (
	"context"
	"errors"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// Down reports until when writing rests after a failure, and whether it does.
func (c *Clerk[J]) Down() (until time.Time, down bool) {
	n := c.down.Load()
	return time.Unix(0, n), n != 0
}

// rested returns a channel that gives a value when writing has rested, nil when
// it does not rest.
func (c *Clerk[J]) rested() <-chan time.Time {
	if until, down := c.Down(); down {
		return time.After(time.Until(until))
	}
	return nil
}

// probe finds out, while no job comes, whether the journal can be written
// again. It raises no alarm: the failed write has done so.
func (c *Clerk[J]) probe() {
	if c.open != nil {
		c.recheck()
		return
	}
	_, err := c.cfg.Store.Append(context.Background(), c.head, journal.Batch{})
	if err == nil || errors.Is(err, journal.ErrHeadMoved) { // the next batch reads the records that came
		c.down.Store(0)
		return
	}
	c.extendRest(err)
}

// rest stops writing for Config.Pause and raises the alarm.
func (c *Clerk[J]) rest(err error) {
	c.extendRest(err)
	c.cfg.Alarm(err)
}

// extendRest stops writing for Config.Pause from now on.
func (c *Clerk[J]) extendRest(err error) {
	c.cause = err
	c.down.Store(time.Now().Add(c.cfg.Pause).UnixNano())
}

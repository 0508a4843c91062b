package main

import (
	"context"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/server/host"
)

// How far the clock may be from the last entry of a journal before an operator
// has to confirm it: a network that was off for longer is started with
// --accept-clock.
const (
	clockAhead  = 7 * 24 * time.Hour
	clockBehind = 5 * time.Minute
)

// implausible says what is odd about the clock, given the last entry's time;
// "" means nothing.
func implausible(last, now time.Time) string {
	const form = "2006-01-02 15:04:05 UTC"
	off := now.Sub(last)
	switch {
	case last.IsZero():
		return ""
	case off > clockAhead:
		return fmt.Sprintf("the last entry is of %s and this machine's clock says %s, %s later", last.UTC().Format(form), now.UTC().Format(form), plural.Count(int(off/(24*time.Hour)), "day", "days"))
	case off < -clockBehind:
		return fmt.Sprintf("the last entry is of %s and this machine's clock says %s, %s earlier", last.UTC().Format(form), now.UTC().Format(form), (-off).Round(time.Second))
	}
	return ""
}

// confirmClock refuses to serve a folder by a clock that is far from its last
// entry: nights would be closed and requests expire for good, or time stand
// still.
func (s *service) confirmClock() error {
	if s.set.v.GetBool("serve.accept-clock") {
		return nil
	}
	last, err := host.LastEntry(s.ctx, s.dir)
	if err != nil {
		return err
	}
	if odd := implausible(last, time.Now()); odd != "" {
		return fmt.Errorf("%s. Nothing was changed.\nSet the clock right; or, if it is right, start once with --accept-clock", odd)
	}
	return nil
}

// checkEntryClock compares this machine's clock with the last entry.
func checkEntryClock(ctx context.Context, dir string) finding {
	last, err := host.LastEntry(ctx, dir)
	if err != nil || last.IsZero() {
		return finding{"clock", note, "there is no entry to compare it with", ""}
	}
	if odd := implausible(last, time.Now()); odd != "" {
		return finding{"clock", problem, odd, "set the clock right; if it is right, start netctl serve once with --accept-clock"}
	}
	return finding{"clock", fine, "agrees with the last entry", ""}
}

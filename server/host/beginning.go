package host

import (
	"errors"
	"fmt"
	"time"
)

// A network begins between these times: not before its constitution, and not so
// late that every later clock would be behind its journal.
var (
	earliestBeginning = time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC)
	latestBeginning   = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
)

// ErrClock means that a network cannot begin at the time that the clock shows.
var ErrClock = errors.New("host: the clock is wrong")

// checkBeginning refuses to begin a network by a clock that cannot be right.
func checkBeginning(now time.Time) error {
	if now.Before(earliestBeginning) || !now.Before(latestBeginning) {
		return fmt.Errorf("%w: this machine's clock says %s, and a network begins between %s and %s. Nothing was written; set the clock right", ErrClock,
			now.UTC().Format("2006-01-02 15:04:05 UTC"), earliestBeginning.Format(time.DateOnly), latestBeginning.Format(time.DateOnly))
	}
	return nil
}

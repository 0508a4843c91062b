package rules

import (
	"math"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// While a crisis suppresses commerce, a sponsor cannot read what it bought, and
// reviewers cannot read what they judge. Deadlines of commercial subjects
// therefore count in market time: real time minus the union of the crises that
// suppressed commerce since a constitution with [CrisisRules.MarketTime] was first
// adopted. Until the first of them, market time is real time. A crisis is taken to
// end at its term, also before the entry that records its end.

// marketClock converts real time to market time and back.
type marketClock struct {
	Since netkit.Millis // when it began to count; 0 is never
	Dark  []darkSpan    // in their order; none touches another
}

// darkSpan is a time in which commerce was suppressed. The last one may still
// run: its end is then the latest term of the crises that suppress.
type darkSpan struct {
	from, to netkit.Millis
	before   netkit.Millis // sum of the earlier spans
}

// noTerm is the end of a span with a crisis that has no term.
const noTerm = math.MaxInt64

func (c *marketClock) Fields(k *wire.Codec) {
	wire.Num(k, "since", &c.Since)
	wire.List(k, "dark", &c.Dark, object[darkSpan])
}

func (d *darkSpan) Fields(c *wire.Codec) {
	wire.Num(c, "from", &d.from)
	wire.Num(c, "to", &d.to)
	wire.Num(c, "before", &d.before)
}

// suppressed returns for how long commerce was suppressed up to a moment; crises
// that run are taken to end at their term.
func (c *marketClock) suppressed(at netkit.Millis) netkit.Millis {
	k := sort.Search(len(c.Dark), func(k int) bool { return c.Dark[k].from >= at })
	if k == 0 {
		return 0
	}
	d := &c.Dark[k-1]
	return d.before + min(at, d.to) - d.from
}

// Market returns the market time of a moment.
func (c *marketClock) Market(at netkit.Millis) netkit.Millis { return at - c.suppressed(at) }

// Real returns the first moment whose market time is t: the inverse of market.
// It is noTerm behind a crisis without a term.
func (c *marketClock) Real(t netkit.Millis) netkit.Millis {
	k := sort.Search(len(c.Dark), func(k int) bool { return c.Dark[k].from-c.Dark[k].before >= t })
	if k == 0 {
		return t
	}
	d := &c.Dark[k-1]
	if d.to == noTerm {
		return noTerm
	}
	return t + d.before + d.to - d.from
}

// Earliest returns the first moment at which market time can be t, as known at a
// moment: if the crises that run then are resolved at once.
func (c *marketClock) Earliest(t, known netkit.Millis) netkit.Millis {
	if now := c.Market(known); t > now {
		return known + t - now
	}
	return c.Real(t)
}

// expected returns when market time is t if crises end at their terms; one without
// a term is taken to be over now.
func (c *marketClock) expected(t, now netkit.Millis) netkit.Millis {
	if at := c.Real(t); at != noTerm {
		return at
	}
	return c.Earliest(t, now)
}

// follow brings the spans up to a moment from which commerce is suppressed until
// another moment, or, if that is not later, goes on. The past stays as it was.
func (c *marketClock) follow(at, until netkit.Millis) {
	c.Dark = slices.Clone(c.Dark) // the old list stays for a rollback
	last := len(c.Dark) - 1
	switch {
	case last >= 0 && c.Dark[last].to >= at:
		if c.Dark[last].to = max(at, until); c.Dark[last].to == c.Dark[last].from {
			c.Dark = c.Dark[:last]
		}
	case until > at:
		c.Dark = append(c.Dark, darkSpan{from: at, to: until, before: c.suppressed(at)})
	}
}

// beginMarketTime has market time count from a moment on if the constitution in
// force asks for it. It does not end with that constitution, since deadlines were
// set by it.
func (s *State) beginMarketTime(at netkit.Millis) {
	if s.law.Crisis.MarketTime && s.clock.Since == 0 {
		s.clocks.Edit(s.clock).Since = at
	}
	s.followCrises(at)
}

// followCrises has market time follow a change of the crises at a moment.
func (s *State) followCrises(at netkit.Millis) {
	if s.clock.Since != 0 {
		s.clocks.Edit(s.clock).follow(at, s.suppressedUntil())
	}
}

// suppressedUntil returns the latest term of the crises that suppress commerce, 0
// if none does.
func (s *State) suppressedUntil() (until netkit.Millis) {
	ending := uint32(0)
	for _, x := range s.crises.M {
		if !x.held {
			ending++
			until = max(until, x.until)
		}
	}
	if s.root.crises > ending {
		return noTerm
	}
	return until
}

// Instant is a moment on both clocks.
type Instant struct{ real, market netkit.Millis }

func (s *State) instant(at netkit.Millis) Instant { return Instant{at, s.clock.Market(at)} }

// deadline is a moment in real time, or, where market is not 0, in market time.
type deadline struct{ real, market netkit.Millis }

// either returns the deadline that an entry with these two moments sets.
func either(real, market netkit.Millis) deadline {
	if market != 0 {
		return deadline{market: market}
	}
	return deadline{real: real}
}

// Reached reports whether a deadline is over.
func (d deadline) Reached(now Instant) bool { return d.real <= now.real && d.market <= now.market }

// deadlineIn returns the deadline of so long after a moment, and when that is in
// real time as expected at the moment.
func (s *State) deadlineIn(span, at netkit.Millis, marketTime bool) (d deadline, expected netkit.Millis) {
	if !marketTime {
		return deadline{real: at + span}, at + span
	}
	d.market = s.clock.Market(at) + span
	return d, s.clock.expected(d.market, at)
}

// expected returns when a deadline is over, in real time as expected now.
func (s *State) expected(d deadline, now netkit.Millis) netkit.Millis {
	if d.market == 0 {
		return d.real
	}
	return s.clock.expected(d.market, now)
}

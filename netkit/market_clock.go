package netkit

import (
	"math"
	"slices"
	"sort"

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
	since Millis     // when it began to count; 0 is never
	dark  []darkSpan // in their order; none touches another
}

// darkSpan is a time in which commerce was suppressed. The last one may still
// run: its end is then the latest term of the crises that suppress.
type darkSpan struct {
	from, to Millis
	before   Millis // sum of the earlier spans
}

// noTerm is the end of a span with a crisis that has no term.
const noTerm = math.MaxInt64

func (c *marketClock) fields(k *wire.Codec) {
	wire.Num(k, "since", &c.since)
	wire.List(k, "dark", &c.dark, object[darkSpan])
}

func (d *darkSpan) fields(c *wire.Codec) {
	wire.Num(c, "from", &d.from)
	wire.Num(c, "to", &d.to)
	wire.Num(c, "before", &d.before)
}

// suppressed returns for how long commerce was suppressed up to a moment; crises
// that run are taken to end at their term.
func (c *marketClock) suppressed(at Millis) Millis {
	k := sort.Search(len(c.dark), func(k int) bool { return c.dark[k].from >= at })
	if k == 0 {
		return 0
	}
	d := &c.dark[k-1]
	return d.before + min(at, d.to) - d.from
}

// market returns the market time of a moment.
func (c *marketClock) market(at Millis) Millis { return at - c.suppressed(at) }

// real returns the first moment whose market time is t: the inverse of market.
// It is noTerm behind a crisis without a term.
func (c *marketClock) real(t Millis) Millis {
	k := sort.Search(len(c.dark), func(k int) bool { return c.dark[k].from-c.dark[k].before >= t })
	if k == 0 {
		return t
	}
	d := &c.dark[k-1]
	if d.to == noTerm {
		return noTerm
	}
	return t + d.before + d.to - d.from
}

// earliest returns the first moment at which market time can be t, as known at a
// moment: if the crises that run then are resolved at once.
func (c *marketClock) earliest(t, known Millis) Millis {
	if now := c.market(known); t > now {
		return known + t - now
	}
	return c.real(t)
}

// expected returns when market time is t if crises end at their terms; one without
// a term is taken to be over now.
func (c *marketClock) expected(t, now Millis) Millis {
	if at := c.real(t); at != noTerm {
		return at
	}
	return c.earliest(t, now)
}

// follow brings the spans up to a moment from which commerce is suppressed until
// another moment, or, if that is not later, goes on. The past stays as it was.
func (c *marketClock) follow(at, until Millis) {
	c.dark = slices.Clone(c.dark) // the old list stays for a rollback
	last := len(c.dark) - 1
	switch {
	case last >= 0 && c.dark[last].to >= at:
		if c.dark[last].to = max(at, until); c.dark[last].to == c.dark[last].from {
			c.dark = c.dark[:last]
		}
	case until > at:
		c.dark = append(c.dark, darkSpan{from: at, to: until, before: c.suppressed(at)})
	}
}

// beginMarketTime has market time count from a moment on if the constitution in
// force asks for it. It does not end with that constitution, since deadlines were
// set by it.
func (s *state) beginMarketTime(at Millis) {
	if s.law.Crisis.MarketTime && s.clock.since == 0 {
		s.clocks.Edit(s.clock).since = at
	}
	s.followCrises(at)
}

// followCrises has market time follow a change of the crises at a moment.
func (s *state) followCrises(at Millis) {
	if s.clock.since != 0 {
		s.clocks.Edit(s.clock).follow(at, s.suppressedUntil())
	}
}

// suppressedUntil returns the latest term of the crises that suppress commerce, 0
// if none does.
func (s *state) suppressedUntil() (until Millis) {
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

// instant is a moment on both clocks.
type instant struct{ real, market Millis }

func (s *state) instant(at Millis) instant { return instant{at, s.clock.market(at)} }

// deadline is a moment in real time, or, where market is not 0, in market time.
type deadline struct{ real, market Millis }

// either returns the deadline that an entry with these two moments sets.
func either(real, market Millis) deadline {
	if market != 0 {
		return deadline{market: market}
	}
	return deadline{real: real}
}

// reached reports whether a deadline is over.
func (d deadline) reached(now instant) bool { return d.real <= now.real && d.market <= now.market }

// deadlineIn returns the deadline of so long after a moment, and when that is in
// real time as expected at the moment.
func (s *state) deadlineIn(span, at Millis, marketTime bool) (d deadline, expected Millis) {
	if !marketTime {
		return deadline{real: at + span}, at + span
	}
	d.market = s.clock.market(at) + span
	return d, s.clock.expected(d.market, at)
}

// expected returns when a deadline is over, in real time as expected now.
func (s *state) expected(d deadline, now Millis) Millis {
	if d.market == 0 {
		return d.real
	}
	return s.clock.expected(d.market, now)
}

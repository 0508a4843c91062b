package server

import (
	"errors"
	"fmt"
	"time"
)

// Limits bound what a caller may send and how long things may take. Zero
// values mean the defaults; all of them may be set. What the constitution
// fixes, such as the blackout of L3, is not a limit and cannot be set anywhere.
type Limits struct {
	Body  int64 // bytes of a JSON body; 64 KiB
	Audio int64 // bytes of a recording; 50 MiB, or what the next two leave of it

	// Bytes of recordings and transcripts of one party; negative means no limit.
	// Operators have none.
	Unpublished int64 // that no dispatch names, with uploads under way; 200 MiB
	Recordings  int64 // stored in a UTC day; 500 MiB

	Header time.Duration // to read the header; 5 s
	Read   time.Duration // to read a request; 15 s
	Write  time.Duration // to write an answer, streams excepted; 30 s
	Idle   time.Duration // between requests of a connection; 60 s
	Upload time.Duration // to read a recording and answer; 5 min
	Drain  time.Duration // for requests under way at a shutdown; 20 s
	Wait   time.Duration // a command is refused with 503 while others have waited longer; 250 ms, less than 0 is no bound

	Heartbeat time.Duration // between heartbeats of a stream; 15 s
	SignedFor time.Duration // how long a signed address opens a recording; 1 h

	Party   Rate // of each party, whichever of its tokens it uses; 100 a second, 200 at once
	Address Rate // of each address without a valid token; 50 a second, 100 at once
	Shared  Rate // of all parties at one address other than loopback; 500 a second, 1,000 at once
	Spawn   Rate // of spawns from each address; 20 an hour, 20 at once
	Entries int  // of the journal that an answer may require; each time so many count as one more request; 100
	Streams int  // open at a time; 1,000

	StreamsEach int // of one party, or of one address without a token; 100
	// StreamsAddress is how many streams all parties at one address other than
	// loopback may have open together; a tenth of Streams.
	StreamsAddress int
	CatchUp        int // journal entries a second that streams behind the newest events read together; 20,000
	CatchUpEach    int // the same of one stream; 2,000
}

// Rate is so many requests a second, and so many at once. A negative
// PerSecond means no limit; otherwise neither may be 0, since a bucket that
// never fills, or holds nothing, refuses everybody for ever.
type Rate struct {
	PerSecond float64
	Burst     int
}

// complete puts defaults in place of zeros.
func (l *Limits) complete() {
	or(&l.Body, 64<<10)
	or(&l.Audio, 50<<20)
	or(&l.Unpublished, 200<<20)
	or(&l.Recordings, 500<<20)
	for _, most := range []int64{l.Unpublished, l.Recordings} {
		if most > 0 {
			l.Audio = min(l.Audio, most)
		}
	}
	or(&l.Header, 5*time.Second)
	or(&l.Read, 15*time.Second)
	or(&l.Write, 30*time.Second)
	or(&l.Idle, time.Minute)
	or(&l.Upload, 5*time.Minute)
	or(&l.Drain, 20*time.Second)
	or(&l.Wait, 250*time.Millisecond)
	or(&l.Heartbeat, 15*time.Second)
	or(&l.SignedFor, time.Hour)
	or(&l.Party, Rate{100, 200})
	or(&l.Address, Rate{50, 100})
	or(&l.Shared, Rate{500, 1000})
	or(&l.Spawn, Rate{20.0 / 3600, 20})
	or(&l.Entries, 100)
	or(&l.Streams, 1000)
	or(&l.StreamsEach, 100)
	or(&l.StreamsAddress, max(1, l.Streams/10))
	or(&l.CatchUp, 20_000)
	or(&l.CatchUpEach, 2_000)
}

// check refuses rates under which nothing could ever be asked again.
func (l *Limits) check() error {
	if l.Wait >= 0 && l.Wait < time.Millisecond {
		return errors.New("server: Config.Limits.Wait is below a millisecond: give more, or less than 0 for no bound")
	}
	for _, c := range []struct {
		name string
		rate Rate
	}{{"Party", l.Party}, {"Address", l.Address}, {"Shared", l.Shared}, {"Spawn", l.Spawn}} {
		if c.rate.PerSecond == 0 || c.rate.PerSecond > 0 && c.rate.Burst < 1 {
			return fmt.Errorf("server: Config.Limits.%s lets nobody through: give both PerSecond and Burst, or a negative PerSecond for no limit", c.name)
		}
	}
	return nil
}

// or puts a default in place of a zero.
func or[T comparable](p *T, v T) {
	var zero T
	if *p == zero {
		*p = v
	}
}

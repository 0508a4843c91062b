package stream

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/rules"
)

// However many streams are open, each event is encoded once.
func TestEachEventIsEncodedOnce(t *testing.T) {
	f := start(t, Config{})
	var all []*listener
	for range 40 {
		all = append(all, f.listen(Reader{After: onlyNew}))
	}
	for i := range 10 {
		f.spawn(fmt.Sprintf("agent-%d", i))
	}
	for _, l := range all {
		if got := l.count(10); len(got) != 10 {
			t.Errorf("got %d events, want 10", len(got))
		}
	}
	if got := f.hub.encoded.Load(); got != 10 {
		t.Errorf("got %d events encoded for 40 streams, want 10", got)
	}
}

// The ring is left behind by a reader that stalls, and is bounded: the writers
// go on, and the reader reads what it missed from the journal.
func TestStalledReaderHoldsNobodyUp(t *testing.T) {
	const most = 100
	f := start(t, Config{RingEntries: most, CatchUp: 1 << 20, CatchUpEach: 1 << 20})
	l := f.listen(Reader{After: onlyNew})
	l.gate <- struct{}{}
	r := f.hub.current
	for i := range 30 * most {
		f.spawn(fmt.Sprintf("agent-%d", i))
	}
	size := f.Size()
	for begin := time.Now(); r.at(0, 0).next < size; time.Sleep(time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatal("the ring does not go on")
		}
	}
	r.mu.Lock()
	entries, held := r.next-r.first(), r.bytes
	r.mu.Unlock()
	if entries > most+blockEntries || held > 300*(most+blockEntries) {
		t.Errorf("got %d entries of %d bytes in the ring, want about %d", entries, held, most)
	}
	if got := len(l.events()); got != 0 {
		t.Errorf("got %d events past a closed gate, want none", got)
	}
	<-l.gate
	if got := l.count(30 * most); len(got) != 30*most {
		t.Errorf("got %d events, want %d", len(got), 30*most)
	}
}

// A write that a reader does not take holds little memory.
func TestOneWriteIsBounded(t *testing.T) {
	f := start(t, Config{})
	var b block
	var told []rules.ToldEvent
	for i := range 2000 {
		f.spawn(fmt.Sprintf("agent-%d", i))
	}
	s := netkittest.Must[rules.Stretch](t)(f.Stretch(t.Context(), 0, f.Size()))
	told = s.Events
	for i := range told {
		if err := f.hub.encode(&b, &told[i].Event); err != nil {
			t.Fatal(err)
		}
		b.frames = append(b.frames, frame{told[i].ID, uint32(len(b.bytes)), told[i].Audience})
	}
	b.to = f.Size()
	sub := netkittest.Must[rules.Subscription](t)(f.As("").Subscribe(netkit.EventFilter{}))
	var whole []byte
	writes := 0
	for position := uint64(0); position < b.to; writes++ {
		parts, next := b.wanted(&sub, position)
		if len(parts) != 1 || len(parts[0]) > maxSent+1000 {
			t.Fatalf("got %d parts of %d bytes first, want one of at most %d", len(parts), len(parts[0]), maxSent)
		}
		whole, position = append(whole, parts[0]...), next
	}
	if string(whole) != string(b.bytes) || writes < 2 {
		t.Errorf("got %d bytes in %d writes, want all %d in several", len(whole), writes, len(b.bytes))
	}
}

// move is one step of a random story: what happens, and to whom.
type move struct {
	what     int
	ch       netkit.Niche
	who      string
	since    int // percent of the journal after which a reader begins
	types    []string
	channels []netkit.Niche
}

var moves = rapid.Custom(func(rt *rapid.T) move {
	ch := rapid.SampledFrom(netkit.Niches()[:3])
	return move{rapid.IntRange(0, 6).Draw(rt, "what"), ch.Draw(rt, "channel"), rapid.SampledFrom([]string{"", "ada", "bea"}).Draw(rt, "who"),
		rapid.IntRange(0, 100).Draw(rt, "since"), rapid.SliceOfNDistinct(rapid.SampledFrom(rules.EventTypes()), 0, 3, rapid.ID).Draw(rt, "types"),
		rapid.SliceOfNDistinct(ch, 0, 2, rapid.ID).Draw(rt, "channels")}
})

// Whatever readers ask for, however they stall, each gets what the journal
// holds for it, once and in order.
func TestReadersGetWhatTheJournalHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ring, story := rapid.IntRange(1, 12).Draw(rt, "ring"), rapid.SliceOfN(moves, 1, 60).Draw(rt, "story")
		synctest.Test(t, func(t *testing.T) { play(t, ring, story) })
		if t.Failed() {
			rt.FailNow()
		}
	})
}

// stall closes the gate for a while, unless it is closed already.
func (l *listener) stall(d time.Duration) {
	select {
	case l.gate <- struct{}{}:
		time.AfterFunc(d, func() { <-l.gate })
	default:
	}
}

func play(t *testing.T, ring int, story []move) {
	f := start(t, Config{RingEntries: ring, CatchUp: 1000, CatchUpEach: 300})
	f.spawn("ada")
	f.spawn("bea")
	var readers []Reader
	var all []*listener
	for i, m := range story {
		switch m.what {
		case 0:
			f.publish(netkit.P1, m.ch, "news")
		case 1:
			f.publish(netkit.P0, m.ch, "crisis")
		case 2:
			f.spawn(fmt.Sprintf("agent-%d", i))
		case 3: // a notice; refused where it changes nothing
			_, _ = f.op.SetRole(t.Context(), netkit.SetRole{Agent: m.who, Role: "correspondent", Grant: i%2 == 0, Reason: "r"})
		case 4:
			in := Reader{By: m.who, After: f.Size() * uint64(m.since) / 101, Filter: netkit.EventFilter{Types: m.types, Channels: m.channels}}
			readers, all = append(readers, in), append(all, f.listen(in))
		case 5:
			if len(all) > 0 {
				all[m.since%len(all)].stall(time.Duration(i) * 100 * time.Millisecond)
			}
		case 6:
			time.Sleep(time.Duration(m.since) * 10 * time.Millisecond)
		}
	}
	f.publish(netkit.P0, netkit.NicheHealth, "the last one")
	for i, l := range all {
		got := l.ending("the last one")
		if diff := cmp.Diff(f.reference(readers[i], f.Size()), got); diff != "" {
			t.Errorf("reader %d, %+v: %s", i, readers[i], diff)
		}
	}
	f.end()
}

// Whoever catches up reads at the pace of one reader, all of them together at
// that of the hub, and each stretch counts against the caller's rate.
func TestCatchingUpIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const entries, each, most = 4000, 500, 1000
		f := start(t, Config{CatchUp: most, CatchUpEach: each})
		for i := range entries {
			f.spawn(fmt.Sprintf("agent-%d", i))
		}
		for _, readers := range []int{1, 4} {
			var charged atomic.Int32
			begin := time.Now()
			var all []*listener
			for range readers {
				all = append(all, f.listen(Reader{After: 0, Filter: netkit.EventFilter{Types: []string{"exchange.opened"}},
					Charge: func() time.Duration { charged.Add(1); return 0 }}))
			}
			f.publish(netkit.P0, netkit.NicheLegal, fmt.Sprintf("crisis of %d", readers))
			for _, l := range all {
				l.until("the crisis", func(all []string) bool {
					return len(all) > 0 && strings.Contains(all[len(all)-1], fmt.Sprintf("crisis of %d", readers))
				})
			}
			want := time.Duration(readers*entries) * time.Second / time.Duration(min(each*readers, most))
			if took := time.Since(begin); took < want*9/10 || took > want*11/10+time.Second {
				t.Errorf("%d readers: got caught up after %s, want about %s", readers, took, want)
			}
			got := int(charged.Load())
			if least := readers * entries / stretch; got < least || got > least+2*readers {
				t.Errorf("%d readers: got %d requests charged, want about %d", readers, got, least)
			}
			for _, l := range all {
				l.mu.Lock()
				if beats := strings.Count(l.got.String(), "event: heartbeat"); beats < int(want/(15*time.Second)) {
					t.Errorf("got %d heartbeats in %s, want one every 15 s while it waits", beats, want)
				}
				l.mu.Unlock()
			}
		}
		f.end()
	})
}

package network

import (
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// feeds publishes dispatches of P1 and P2 in all channels, a hundred in half a day,
// each with files of its own. After every ten, agents read them.
func (f *fixture) feeds(dispatches int, agents ...string) (ids []uint64) {
	f.t.Helper()
	for len(ids) < dispatches {
		err := f.Batch(f.t.Context(), func(ctx context.Context) {
			for k := range min(100, dispatches-len(ids)) {
				var file, text netkit.Hash
				number := f.state.Published()
				binary.BigEndian.PutUint64(file[:], 2*number+1)
				binary.BigEndian.PutUint64(text[:], 2*number+2)
				audio := recording
				audio.SHA256 = file
				ids = append(ids, must[netkit.DispatchReceipt](f.t)(f.op().Publish(ctx, netkit.Publish{Priority: netkit.Priority(1 + k%2), Channel: netkit.Niches()[k/2%6],
					Headline: "h", Audio: &audio, Transcript: &netkit.TextRef{SHA256: text, Type: "text/plain"}})).DispatchID)
				for _, slug := range agents {
					if k%10 == 9 {
						must[netkit.Manifest](f.t)(f.As(slug).Manifest(ctx, netkit.ReadManifest{Priorities: allPriorities, Page: netkit.Page{Limit: 10}}))
					}
				}
			}
		})
		if err != nil {
			f.t.Fatal(err)
		}
		f.now = f.now.Add(12 * time.Hour)
	}
	f.ticks()
	return ids
}

// lines publishes as many dispatches in each of some lines, of P1 and P2 by turns,
// and lets time pass until the oldest have left memory.
func (f *fixture) lines(lines, each int) (ids []uint64) {
	f.t.Helper()
	if err := f.Batch(f.t.Context(), func(ctx context.Context) {
		for k := range lines * each {
			ids = append(ids, must[netkit.DispatchReceipt](f.t)(f.op().Publish(ctx, netkit.Publish{Priority: netkit.Priority(1 + k%2), Channel: netkit.Niches()[k/2%(lines/2)], Headline: "h"})).DispatchID)
		}
	}); err != nil {
		f.t.Fatal(err)
	}
	f.days(rules.FeedDays)
	f.agents("later") // an entry of that day
	f.ticks()
	if _, ok := tablesOf(f.state).Dispatches.Get(ids[0]); ok {
		f.t.Fatal("the oldest dispatch is in memory: the test tests nothing")
	}
	return ids
}

// rich has agents pay for all that they want to read, ten at a time.
func rich(c *netkit.Constitution) {
	c.Feed.ReadOpens, c.Economy.WelcomeGrant = 10, 1_000_000*netkit.Credit
}

// listens begins a feed on a disk with agents that can pay for all of it, and
// returns the heap after three thousand dispatches, when each line has archived
// some, and after many.
func (f *fixture) listens(dispatches int) (before, after float64) {
	f.t.Helper()
	agents := []string{"ada", "bea", "cid", "dan", "eve"}
	f.agents(agents...)
	f.feeds(3000, agents...)
	before = heapUsed()
	f.feeds(dispatches-3000, agents...)
	return before, heapUsed()
}

// Old dispatches take no memory, whoever has opened them.
func TestMemoryDoesNotGrowWithTheFeed(t *testing.T) {
	f := onDisk(t, rich)
	before, after := f.listens(12_000)
	if after > 1.1*before+256<<10 { // as above
		t.Errorf("got %.0f KiB after 12,000 dispatches that agents opened, want at most a tenth over the %.0f KiB after 3,000", after/1024, before/1024)
	}
	runtime.KeepAlive(f)
}

// BenchmarkFeedHistory reports the heap after three thousand and after a hundred
// thousand dispatches, each opened by five agents.
func BenchmarkFeedHistory(b *testing.B) {
	for b.Loop() {
		f := onDisk(b, rich)
		before, after := f.listens(100_000)
		b.ReportMetric(before/(1<<20), "MiB-after-3,000")
		b.ReportMetric(after/(1<<20), "MiB-after-100,000")
		begin := time.Now()
		if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities, Opened: true, Page: netkit.Page{Cursor: netkit.CursorBelow(100)}}); len(got.Items) == 0 {
			b.Error("got none of the first dispatches, want them")
		}
		b.ReportMetric(float64(time.Since(begin).Microseconds()), "µs-old-page")
		begin = time.Now()
		if named, may, err := f.As("ada").CanFetch(b.Context(), netkit.Hash{7: 1}, 0); !named || !may || err != nil {
			b.Errorf("got %v, %v, %v, want the first recording", named, may, err)
		}
		b.ReportMetric(float64(time.Since(begin).Microseconds()), "µs-search")
	}
}

// A dispatch that left memory answers as it did before.
func TestOldDispatchesAreReadFromTheJournal(t *testing.T) {
	f := start(t, journal.NewMemory(), rich)
	ctx := t.Context()
	f.agents("ada", "bea")
	crisis := f.publishes(netkit.P0, netkit.NicheLegal, "crisis")
	must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: crisis, Reason: "over"}))
	running := f.publishes(netkit.P0, netkit.NicheLegal, "goes on")
	all := f.feeds(1500, "ada")
	for range rules.FeedRows {
		id := f.publishes(netkit.P0, netkit.NicheLegal, "later")
		must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: id, Reason: "over"}))
	}
	f.feeds(10*rules.ArchiveRows, "ada")
	first := all[0]
	file := must[netkit.Dispatch](t)(f.As("ada").Dispatch(ctx, first)).Audio.SHA256
	correction := must[netkit.DispatchReceipt](t)(f.op().Publish(ctx, netkit.Publish{Priority: netkit.P2, Channel: netkit.NicheLegal, Headline: "h", CorrectionOf: first})).DispatchID
	check := func(when string) {
		t.Helper()
		if _, ok := tablesOf(f.state).Dispatches.Get(first); ok || tablesOf(f.state).Dispatches.Len() > 12*(rules.FeedRows+rules.ArchiveRows)+rules.FeedRows+3 {
			t.Errorf("%s: got %d dispatches in memory, the first among them %v", when, tablesOf(f.state).Dispatches.Len(), ok)
		}
		if _, ok := tablesOf(f.state).Dispatches.Get(running); !ok {
			t.Errorf("%s: the crisis that runs left memory", when)
		}
		if got := must[netkit.Dispatch](t)(f.As("ada").Dispatch(ctx, first)); got.ID != first || got.Headline != "h" || got.Audio == nil {
			t.Errorf("%s: got %+v, want the first", when, got)
		}
		_, err := f.As("bea").Dispatch(ctx, first)
		refused(t, err, netkit.ErrInsufficientCredits, code.DispatchNotOpen)
		_, err = f.As("bea").Dispatch(ctx, all[9]+1)
		refused(t, err, netkit.ErrNotFound, code.DispatchUnknown)
		for _, id := range []uint64{0, first} {
			for who, want := range map[string]bool{"ada": true, "bea": false, "": false} {
				named, may, err := f.As(who).CanFetch(ctx, file, id)
				if !named || may != want || err != nil {
					t.Errorf("%s, %q with dispatch %d: got named %v, may %v, %v, want %v", when, who, id, named, may, err, want)
				}
			}
		}
		if named, _, err := f.As("ada").CanFetch(ctx, file, all[3]); named || err != nil {
			t.Errorf("%s: got named %v, %v by a dispatch that does not", when, named, err)
		}
		if got := must[map[netkit.Hash]bool](t)(f.NamedFiles(ctx)); len(got) != 2*(1500+10*rules.ArchiveRows) || !got[file] {
			t.Errorf("%s: got %d files", when, len(got))
		}
		if got := must[netkit.NetworkTotals](t)(f.Totals(ctx)).Dispatches; got != uint64(1500+10*rules.ArchiveRows+2+rules.FeedRows+1) {
			t.Errorf("%s: got %d dispatches in all", when, got)
		}
		if got := must[netkit.Dispatch](t)(f.As("").Dispatch(ctx, crisis)); got.ResolvedAt == 0 {
			t.Errorf("%s: got %+v, want when its crisis ended", when, got)
		}
	}
	check("running")
	_, err := f.As("ada").Dispatch(ctx, correction)
	refused(t, err, netkit.ErrInsufficientCredits, code.DispatchNotOpen)
	for id, want := range map[uint64]string{crisis: code.CrisisResolved, first: code.DispatchNotP0} {
		_, err := f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: id, Reason: "again"})
		refused(t, err, netkit.ErrConflict, want)
	}
	var opened []uint64
	for in := (netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1, netkit.P2}, Opened: true, Page: netkit.Page{Limit: 200}}); ; {
		got := f.reads("ada", in)
		opened = append(opened, ids(got.Items)...)
		if in.Cursor = got.NextCursor; in.Cursor == "" {
			break
		}
	}
	if !slices.IsSortedFunc(opened, func(a, b uint64) int { return int(b) - int(a) }) || len(opened) != 1500+10*rules.ArchiveRows || opened[len(opened)-1] != first {
		t.Errorf("got %d opened dispatches, want all, the newest first", len(opened))
	}
	f.restarts(t)
	check("restarted")
	f.erases(first)
	if got := must[[]netkit.Hash](t)(f.ErasedFiles(ctx, first)); len(got) != 2 {
		t.Errorf("got %v, want both files of the erased dispatch", got)
	}
	if named, _, err := f.As("ada").CanFetch(ctx, file, first); named || err != nil {
		t.Errorf("got named %v, %v by an erased dispatch", named, err)
	}
}

// Whoever comes late pays for what is old as for what is new, and an audit
// accounts for each read.
func TestOldDispatchesAreOpened(t *testing.T) {
	f := start(t, journal.NewMemory(), rich)
	f.agents("ada", "bea")
	all := f.feeds(4000)
	slices.Reverse(all)
	if _, ok := tablesOf(f.state).Dispatches.Get(all[1500]); ok {
		t.Fatal("the old dispatches are in memory: the test tests nothing")
	}
	in := netkit.ReadManifest{Priorities: allPriorities, Page: netkit.Page{Cursor: netkit.CursorBelow(all[1500] + 1)}}
	got := f.reads("ada", in)
	if !slices.Equal(ids(got.Items), all[1500:1510]) || got.Charged != 10*netkit.Credit || got.Remaining != 3990 {
		t.Errorf("got %d items for %s with %d remaining, want the ten at the cursor", len(got.Items), got.Charged, got.Remaining)
	}
	if again := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities, Page: netkit.Page{Cursor: in.Cursor, Limit: 10}}); again.Charged != 0 || !slices.Equal(ids(again.Items), all[1500:1510]) {
		t.Errorf("again: got %d items for %s, want the same for nothing", len(again.Items), again.Charged)
	}
	// Those at the border of memory and journal, of one line.
	legal := netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1}, Channels: []netkit.Niche{netkit.NicheLegal}}
	var seen []uint64
	for range 12 {
		got := f.reads("bea", legal)
		if got.Charged != 10*netkit.Credit || len(got.Items) != 10 {
			t.Fatalf("got %d items for %s", len(got.Items), got.Charged)
		}
		seen, legal.Cursor = append(seen, ids(got.Items)...), got.NextCursor
	}
	i, _ := slices.BinarySearchFunc(all, seen[119], func(a, b uint64) int { return int(b) - int(a) })
	want := 0
	for _, id := range all[:i+1] {
		if d := must[*rules.Dispatch](t)(f.dispatchRow(t.Context(), id)); d.Priority == netkit.P1 && d.Channel == netkit.NicheLegal {
			want++
		}
	}
	if want != 120 {
		t.Errorf("got 120 dispatches of a line that has %d up to there", want)
	}
	f.replays(t, string(f.state.Canonical()))
	f.restarts(t)
	if got := f.reads("bea", netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1}, Channels: []netkit.Niche{netkit.NicheLegal}, Quote: true, Page: netkit.Page{Limit: 120}}); got.Cost != 0 {
		t.Errorf("restarted: got a cost of %s for what was opened", got.Cost)
	}
}

// An admission that left memory stays listed.
func TestOldAdmissionsAreReadFromTheJournal(t *testing.T) {
	f := memory(t)
	var want []string
	for k := range 3 * rules.ArchiveRows / 2 {
		slug := "sponsor-" + string(rune('a'+k/20)) + string(rune('a'+k%20))
		r := must[netkit.AdmissionReceipt](t)(f.op().ProposeSponsor(t.Context(), netkit.ProposeSponsor{Sponsor: slug, Name: "The " + slug}))
		want = append([]string{slug}, want...)
		if k == 0 {
			defer func() {
				_, err := f.As("operator").Witness(t.Context(), netkit.Witness{ID: r.AdmissionID})
				refused(t, err, netkit.ErrConflict, code.AlreadyAdmitted)
			}()
		}
	}
	f.ticks()
	if got := tablesOf(f.state).Admissions.Len(); got != rules.ArchiveRows/2 {
		t.Errorf("got %d admissions in memory, want the %d that wait", got, rules.ArchiveRows/2)
	}
	list := func() (got []string) {
		for page := (netkit.Page{Limit: 50}); ; {
			l := must[netkit.List[netkit.SponsorView]](t)(f.op().Sponsors(t.Context(), page))
			for _, s := range l.Items {
				if one := must[netkit.SponsorView](t)(f.As("").Sponsor(t.Context(), s.Slug)); one != s {
					t.Errorf("got %+v, want %+v", one, s)
				}
				if got = append(got, s.Slug); s.Name != "The "+s.Slug || !s.Admitted || s.Since == 0 {
					t.Errorf("got %+v", s)
				}
			}
			if page.Cursor = l.NextCursor; page.Cursor == "" {
				return got
			}
		}
	}
	if got := list(); !slices.Equal(got, want) {
		t.Errorf("got %d sponsors, want %d, newest first", len(got), len(want))
	}
	f.restarts(t)
	if got := list(); !slices.Equal(got, want) {
		t.Errorf("restarted: got %d sponsors, want %d", len(got), len(want))
	}
	if _, err := f.As("operator").Witness(t.Context(), netkit.Witness{ID: 1 << 40}); !errors.Is(err, netkit.ErrNotFound) {
		t.Errorf("got %v, want that nothing waits there", err)
	}
}

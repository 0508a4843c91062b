package network

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// metered begins a network whose paid reads open at most n dispatches.
func metered(t testing.TB, n int) *fixture {
	return start(t, journal.NewMemory(), func(c *netkit.Constitution) { c.Feed.ReadOpens = n })
}

// A paid read opens the newest ten and says how many remain; the page ends there,
// and the next page opens the next ten. What was opened stays free.
func TestPaidReadOpensTheNewest(t *testing.T) {
	f := metered(t, 10)
	f.agents("ada")
	var all []uint64
	for i := range 23 {
		all = append([]uint64{f.publishes(netkit.Priority(1+i%2), netkit.Niches()[i%6], fmt.Sprint(i))}, all...)
	}
	in := netkit.ReadManifest{Priorities: allPriorities}
	if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities, Quote: true}); got.Cost != 10*netkit.Credit || got.Remaining != 23 || got.Charged != 0 {
		t.Errorf("quote: got %+v, want 10.00 and 23 remaining", got)
	}
	for _, step := range []struct {
		want      []uint64
		charged   netkit.Credits
		remaining int
	}{
		{all[:10], 10 * netkit.Credit, 13}, {all[10:20], 10 * netkit.Credit, 3}, {all[20:], 10 * netkit.Credit, 0},
	} {
		got := f.reads("ada", in)
		if diff := cmp.Diff(step.want, ids(got.Items)); diff != "" || got.Charged != step.charged || got.Remaining != step.remaining || got.Cost != step.charged {
			t.Errorf("got %s charged, %d remaining, want %s and %d; (-want +got)\n%s", got.Charged, got.Remaining, step.charged, step.remaining, diff)
		}
		in.Cursor = got.NextCursor
		f.restarts(t)
	}
	if in.Cursor != "" {
		t.Errorf("got the cursor %q at the end, want none", in.Cursor)
	}
	if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities}); got.Charged != 0 || len(got.Items) != 23 {
		t.Errorf("again: got %d for %s, want all 23 for nothing", len(got.Items), got.Charged)
	}
	f.has(netkit.Wallet("ada"), 20*netkit.Credit)
}

// A read opens what it asked for and nothing else, also for recordings.
func TestPaidReadOpensWhatMatches(t *testing.T) {
	f := metered(t, 10)
	f.agents("ada")
	legal, health := f.publishes(netkit.P1, netkit.NicheLegal, "l"), f.publishes(netkit.P1, netkit.NicheHealth, "h")
	second := f.publishes(netkit.P2, netkit.NicheLegal, "m")
	got := f.reads("ada", netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1}, Channels: []netkit.Niche{netkit.NicheLegal}})
	if !slices.Equal(ids(got.Items), []uint64{legal}) || got.Charged != 10*netkit.Credit || got.Remaining != 0 {
		t.Errorf("got %+v, want dispatch %d", got, legal)
	}
	for id, open := range map[uint64]bool{legal: true, health: false, second: false} {
		if _, err := f.As("ada").Dispatch(t.Context(), id); (err == nil) != open {
			t.Errorf("dispatch %d: got %v, want open %v", id, err, open)
		}
	}
	if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities, Opened: true}); !slices.Equal(ids(got.Items), []uint64{legal}) || got.Remaining != 2 {
		t.Errorf("opened: got %v and %d remaining, want %d and 2", ids(got.Items), got.Remaining, legal)
	}
}

// A recording that several dispatches name is heard by who opened any of them.
func TestRecordingOfTwoDispatches(t *testing.T) {
	f := metered(t, 1)
	f.agents("ada")
	for range 2 {
		must[netkit.DispatchReceipt](t)(f.op().Publish(t.Context(), netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheLegal, Headline: "h", Audio: &recording}))
	}
	can := func() bool { return f.fetches("ada", recording.SHA256) }
	if can() {
		t.Error("a recording is open to who has opened nothing")
	}
	f.reads("ada", netkit.ReadManifest{Priorities: allPriorities}) // the newer of the two
	if !can() {
		t.Error("a recording is closed to who has opened the newer dispatch")
	}
}

// Whoever publishes reads its own without paying.
func TestCorrespondentReadsItsOwn(t *testing.T) {
	f := metered(t, 10)
	f.agents("cora", "ada")
	must[netkit.RoleReceipt](t)(f.op().SetRole(t.Context(), netkit.SetRole{Agent: "cora", Role: "correspondent", Grant: true, Reason: "asked"}))
	own := must[netkit.DispatchReceipt](t)(f.As("cora").Publish(t.Context(), netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheLegal, Headline: "mine"})).DispatchID
	f.restarts(t)
	if got := f.reads("cora", netkit.ReadManifest{Priorities: allPriorities}); got.Charged != 0 || got.Remaining != 0 || !slices.Equal(ids(got.Items), []uint64{own}) {
		t.Errorf("got %+v, want its own dispatch for nothing", got)
	}
	if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities}); got.Charged != 10*netkit.Credit {
		t.Errorf("another agent: got %s charged, want 10.00", got.Charged)
	}
	other := f.publishes(netkit.P1, netkit.NicheLegal, "the operator's")
	if _, err := f.As("cora").Dispatch(t.Context(), other); err == nil {
		t.Error("a correspondent reads what others published without paying")
	}
	must[netkit.Dispatch](t)(f.op().Dispatch(t.Context(), other))
}

// What reads of before opened stays open under a constitution that meters them.
func TestReadsOfBeforeStayOpen(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	for range 12 {
		f.publishes(netkit.P1, netkit.NicheLegal, "old")
	}
	f.reads("ada", netkit.ReadManifest{Priorities: allPriorities})
	f.law.Feed.ReadOpens = 10
	*lawOf(f.state), f.bent = f.law, true
	f.publishes(netkit.P2, netkit.NicheLegal, "new")
	if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities, Quote: true}); got.Remaining != 1 {
		t.Errorf("got %d remaining, want 1", got.Remaining)
	}
	if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities}); got.Charged != 10*netkit.Credit || len(got.Items) != 13 || got.Remaining != 0 {
		t.Errorf("got %d for %s with %d remaining, want 13 for 10.00 with none", len(got.Items), got.Charged, got.Remaining)
	}
}

func TestAudioIsRequired(t *testing.T) {
	f := start(t, journal.NewMemory(), func(c *netkit.Constitution) { c.Feed.AudioRequired = []netkit.Priority{netkit.P1, netkit.P2} })
	for p, needed := range map[netkit.Priority]bool{netkit.P0: false, netkit.P1: true, netkit.P2: true} {
		in := netkit.Publish{Priority: p, Channel: netkit.NicheLegal, Headline: "h"}
		_, err := f.op().Publish(t.Context(), in)
		if needed {
			refused(t, err, netkit.ErrInvalid, "audio_missing")
			in.Audio = &recording
			_, err = f.op().Publish(t.Context(), in)
		}
		if err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
}

// A random order of publishing and reading, of what is new and what has left
// memory, against a model that keeps for each dispatch whether it is open.
func TestMeteredReadIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := start(t, journal.NewMemory(), rich, func(c *netkit.Constitution) { c.Feed.ReadOpens = 3 })
		f.agents("ada")
		type item struct {
			id   uint64
			p    netkit.Priority
			ch   netkit.Niche
			open bool
		}
		var all []item // newest first
		if rapid.IntRange(0, 4).Draw(rt, "history") == 0 {
			for k, id := range f.lines(4, rules.FeedRows+rules.ArchiveRows+rapid.IntRange(0, 9).Draw(rt, "more")) {
				all = slices.Insert(all, 0, item{id, netkit.Priority(1 + k%2), netkit.Niches()[k/2%2], false})
			}
		}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			if rapid.IntRange(0, 3).Draw(rt, "publish") > 0 {
				p, ch := rapid.SampledFrom(allPriorities).Draw(rt, "p"), rapid.SampledFrom(netkit.Niches()[:2]).Draw(rt, "ch")
				all = slices.Insert(all, 0, item{f.publishes(p, ch, "x"), p, ch, p == netkit.P0})
				continue
			}
			in := netkit.ReadManifest{Priorities: rapid.SliceOfNDistinct(rapid.SampledFrom(allPriorities), 1, 3, rapid.ID).Draw(rt, "asked"),
				Channels: rapid.SampledFrom([][]netkit.Niche{nil, {netkit.NicheSilicon}, {netkit.NicheLegal}}).Draw(rt, "channels"), Page: netkit.Page{Limit: rapid.IntRange(1, 8).Draw(rt, "limit")}}
			from := all
			if len(all) > 0 && rapid.Bool().Draw(rt, "cursor") {
				from = all[rapid.IntRange(0, len(all)-1).Draw(rt, "from"):]
				in.Cursor = netkit.CursorBelow(from[0].id + 1)
			}
			var page []*item
			var want []uint64
			closed, cost := 0, netkit.Credits(0)
			for i := range from {
				if d := &from[i]; filterOf(in)(d.p, d.ch) {
					if len(page) < in.Limit {
						page = append(page, d)
						if !d.open {
							cost = 10 * netkit.Credit
						}
					}
				}
			}
			for i, left := 0, 3; i < len(from) && cost > 0 && left > 0; i++ {
				if d := &from[i]; filterOf(in)(d.p, d.ch) && !d.open {
					d.open = true
					left--
				}
			}
			for _, d := range page {
				if !d.open {
					break
				}
				want = append(want, d.id)
			}
			for i := range all {
				if d := &all[i]; filterOf(in)(d.p, d.ch) && !d.open {
					closed++
				}
			}
			got := f.reads("ada", in)
			if !slices.Equal(ids(got.Items), want) || got.Charged != cost || got.Remaining != closed {
				rt.Fatalf("got %v for %s with %d remaining, want %v for %s with %d", ids(got.Items), got.Charged, got.Remaining, want, cost, closed)
			}
		}
	})
}

// What a paid read opens cannot be told otherwise by who writes the journal.
func TestAuditSeesWhatAReadOpens(t *testing.T) {
	f := metered(t, 2)
	f.agents("ada")
	first, second := f.publishes(netkit.P1, netkit.NicheLegal, "a"), f.publishes(netkit.P1, netkit.NicheLegal, "b")
	third := f.publishes(netkit.P1, netkit.NicheLegal, "c")
	for _, opened := range [][]uint64{{third, second, first}, {third, first}, {second}, {third}} {
		f.bent = true
		h := rules.PastView{S: f.state, E: &rules.Entry{Seq: f.state.Size(), At: netkit.At(f.now), Actor: "ada",
			Fact: &rules.FeedOpened{Agent: "ada", Through: f.state.Size() - 1, Dispatches: opened, Priorities: []netkit.Priority{netkit.P1}}}}
		facts, _, err := h.Again(new(rules.Call), nil)
		if err == nil && len(facts) == 1 && slices.Equal(facts[0].Fact.(*rules.FeedOpened).Dispatches, opened) {
			t.Errorf("%v opened passes for what the rules allow", opened)
		}
	}
}

package network

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// listen collects what the journal holds for a reader behind an entry.
func (f *fixture) listen(who string, after uint64, filter netkit.EventFilter) (events []netkit.Event) {
	f.t.Helper()
	sub := must[rules.Subscription](f.t)(f.As(who).Subscribe(filter))
	for e, err := range f.EventsBetween(f.t.Context(), &sub, after+1, f.Size()) {
		if err != nil {
			f.t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func types(events []netkit.Event) (list []string) {
	for _, e := range events {
		list = append(list, e.Type)
	}
	return list
}

// busy is a network in which everything that the stream tells has happened.
func busy(t testing.TB) *fixture {
	f := pair(t)
	ctx := t.Context()
	f.admit("acme", 100*netkit.Credit)
	id := f.offers(func(c *netkit.OpenContract) {
		c.Title, c.Brief, c.Payload, c.ExecutionsPerAgent = "SECRET", "SECRET", "SECRET", 2
	})
	f.publishes(netkit.P1, netkit.NicheLegal, "SECRET")
	f.publishes(netkit.P2, netkit.NicheMedia, "SECRET")
	must[netkit.Execution](t)(f.As("ada").Execute(ctx, netkit.Execute{CampaignID: id, Signal: netkit.Signal{Headline: "SECRET", Body: "SECRET", Sources: signal.Sources}}))
	must[netkit.ContractReceipt](t)(f.op().FundContract(ctx, netkit.FundContract{CampaignID: id, Amount: netkit.Credit}))
	must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: f.publishes(netkit.P0, netkit.NicheHealth, "crisis"), Reason: "SECRET"}))
	must[netkit.ContractReceipt](t)(f.op().CloseContract(ctx, netkit.CloseContract{CampaignID: id}))
	for range 3 {
		must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(ctx, netkit.SendAttention{To: "bea", Subject: "SECRET", Body: "SECRET"}))
	}
	must[netkit.AttentionReceipt](t)(f.As("bea").AnswerAttention(ctx, netkit.AnswerAttention{ID: filedIn(f.state)[0], Body: "SECRET"}))
	must[netkit.AttentionReceipt](t)(f.As("bea").DeclineAttention(ctx, netkit.DeclineAttention{ID: filedIn(f.state)[1], Reason: "SECRET"}))
	f.now = f.now.Add(72 * time.Hour)
	if err := f.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestStreamTellsWhatIsPublic(t *testing.T) {
	f := busy(t)
	public := []string{"agent.spawned", "agent.spawned", "sponsor.admitted", "campaign.opened", "dispatch", "dispatch", "execution", "campaign.funded",
		"dispatch", "crisis.resolved", "campaign.finished"}
	received := []string{"notice", "notice", "notice"}
	for who, want := range map[string][]string{
		"":     public,
		"acme": slices.Insert(slices.Clone(public), 7, "execution.delivered", "notice"),
		"ada":  append(append([]string{}, public...), received...), // answered, declined, expired
		"bea":  append(append([]string{}, public...), append(received, "notice")...),
	} {
		if diff := cmp.Diff(want, types(f.listen(who, 0, netkit.EventFilter{}))); diff != "" {
			t.Errorf("%q: %s", who, diff)
		}
	}
}

// No reader of the stream sees a paid dispatch's text, a contract's, a
// signal's or a request's; a P0 dispatch comes whole.
func TestStreamShowsNothingPaidOrPrivate(t *testing.T) {
	f := busy(t)
	for _, who := range []string{"", "ada", "bea", "acme", "operator"} {
		b, err := json.Marshal(f.listen(who, 0, netkit.EventFilter{}))
		if err != nil || strings.Contains(string(b), "SECRET") {
			t.Errorf("%q: %v: %s", who, err, b)
		}
		if !strings.Contains(string(b), "about crisis") {
			t.Errorf("%q: the P0 dispatch did not come whole: %s", who, b)
		}
	}
}

// Neither the book nor the state nor a notice shows a text that was paid for,
// suppressed or written to one reader.
func TestNoOtherWayToPrivateTexts(t *testing.T) {
	f := busy(t)
	shown := []string{string(f.state.Canonical())}
	for r, err := range f.store.Read(t.Context(), 0, f.state.Size()) {
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, string(r.Public))
	}
	for _, who := range []string{"ada", "bea"} {
		b, err := json.Marshal(must[netkit.List[netkit.Notice]](t)(f.As(who).Notices(t.Context(), netkit.Page{})))
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, string(b))
	}
	for _, text := range shown {
		if strings.Contains(text, "SECRET") {
			t.Errorf("a private text stands in %s", text)
		}
	}
}

func TestStreamNoticesNameTheRequest(t *testing.T) {
	f := busy(t)
	var got []string
	for _, e := range f.listen("bea", 0, netkit.EventFilter{Types: []string{"notice"}}) {
		if v, ok := e.Data.(netkit.Notice); ok {
			got = append(got, v.Kind)
			if v.Kind != "attention.expired" && v.Subject != e.ID || v.Subject == 0 {
				t.Errorf("got subject %d in the notice of entry %d", v.Subject, e.ID)
			}
		}
	}
	if want := []string{"attention.received", "attention.received", "attention.received", "attention.expired"}; !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestStreamFilters(t *testing.T) {
	f := busy(t)
	if _, err := f.As("ada").SetChannels(t.Context(), netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheMedia}}); err != nil {
		t.Fatal(err)
	}
	dispatches := func(who string, filter netkit.EventFilter) int {
		filter.Types = []string{"dispatch"}
		n := 0
		for _, e := range f.listen(who, 0, filter) {
			if e.Type == "dispatch" {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		who      string
		channels []netkit.Niche
		want     int
	}{{"", nil, 3}, {"ada", nil, 2}, {"ada", netkit.Niches(), 3}, {"", []netkit.Niche{netkit.NicheLegal, netkit.NicheHealth}, 2}, {"bea", []netkit.Niche{netkit.NicheFinance}, 1}} {
		if got := dispatches(c.who, netkit.EventFilter{Channels: c.channels}); got != c.want {
			t.Errorf("%q on %v: got %d dispatches, want %d", c.who, c.channels, got, c.want)
		}
	}
}

func TestStreamResumes(t *testing.T) {
	f := busy(t)
	all := f.listen("ada", 0, netkit.EventFilter{})
	for i := range all {
		got := f.listen("ada", all[i].ID, netkit.EventFilter{})
		if len(got) < len(all)-i-1 || len(all) > i+1 && got[0].ID != all[i+1].ID {
			t.Fatalf("after %d: got %v, want what follows", all[i].ID, types(got))
		}
	}
}

// What happens between the call and the first event asked for is new.
func TestStreamBeginsWithTheCall(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	all := f.As("").Events(ctx, ^uint64(0), netkit.EventFilter{})
	f.agents("ada")
	for e, err := range all {
		if err != nil || e.Type != "agent.spawned" {
			t.Errorf("got %+v and %v, want the spawn", e, err)
		}
		return
	}
	t.Error("got nothing, want what happened after the call")
}

// A reader waits for what comes and is never shown what is not durable.
func TestStreamBlocksForNewEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := start(t, journal.NewMemory())
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan netkit.Event, 9)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for e, err := range f.As("").Events(ctx, ^uint64(0), netkit.EventFilter{}) {
				if err != nil {
					t.Error(err)
				}
				got <- e
			}
		}()
		synctest.Wait()
		for _, slug := range []string{"ada", "bea"} {
			f.agents(slug)
			synctest.Wait()
			if e := <-got; e.Type != "agent.spawned" || e.Data.(netkit.AgentNotice).Agent != slug {
				t.Errorf("got %+v, want the spawn of %s", e, slug)
			}
		}
		cancel()
		<-done
		if err := f.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestPeekKind(t *testing.T) {
	e := &rules.Entry{Seq: 3, At: 5, Kind: "execution", Actor: `"kind":"x"`, Fact: &rules.Executed{}}
	if got := peekKind(rules.AppendEntry(nil, e)); got != "execution" {
		t.Errorf("got %q, want execution", got)
	}
	if got := peekKind(nil); got != "" {
		t.Errorf("got %q, want none", got)
	}
}

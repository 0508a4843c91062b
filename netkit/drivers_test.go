package netkit

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// deed is one command of a random log, drawn before it is run, so that it runs
// the same on every store.
type deed struct {
	what, who, whom, n int
	hours              time.Duration
}

func drawDeeds(t *rapid.T) (log []deed) {
	for range rapid.IntRange(1, 40).Draw(t, "length") {
		log = append(log, deed{rapid.IntRange(0, 9).Draw(t, "what"), rapid.IntRange(0, 2).Draw(t, "who"), rapid.IntRange(0, 2).Draw(t, "whom"),
			rapid.IntRange(0, 30).Draw(t, "n"), time.Duration(rapid.IntRange(0, 60).Draw(t, "hours"))})
	}
	return log
}

// pick returns the id that the deed is about, of those that there are.
func (d deed) pick(ids []uint64) uint64 {
	if len(ids) == 0 {
		return uint64(d.n) // of something else, or of nothing
	}
	return ids[d.n%len(ids)]
}

// run does one deed and returns its receipt or refusal.
func (d deed) run(ctx context.Context, f *fixture) (any, error) {
	slugs := []string{"ada", "bea", "cora"}
	who, whom, request := as(slugs[d.who]), slugs[d.whom], d.pick(f.state.filed.ids)
	switch d.what {
	case 0:
		return f.For(who).SetClaims(ctx, Claims{AcceptsAttentionRequests: d.n > 2, AttentionFloorPrice: Credits(d.n * 77)})
	case 1, 2:
		return f.For(who).SendAttention(ctx, SendAttention{To: whom, Subject: "s", Body: "b", ExpiresIn: 3600 * int64(d.n)})
	case 3:
		return f.For(who).AnswerAttention(ctx, AnswerAttention{request, "a"})
	case 4:
		return f.For(who).DeclineAttention(ctx, DeclineAttention{request, "r"})
	case 5:
		return f.op().Publish(ctx, Publish{Priority: Priority(d.n % 3), Channel: NicheLegal, Headline: "h"})
	case 6:
		return f.For(who).Manifest(ctx, ReadManifest{Priorities: []Priority{Priority(d.n % 3)}})
	case 7:
		return f.op().ResolveCrisis(ctx, ResolveCrisis{d.pick(dispatchIDs(f.state.running())), "over"})
	case 8:
		return f.For(who).Execute(ctx, Execute{f.campaign(), signal})
	}
	f.now = f.now.Add(d.hours * time.Hour)
	return nil, f.Tick(ctx)
}

func dispatchIDs(rows []dispatch) (list []uint64) {
	for i := range rows {
		list = append(list, rows[i].id)
	}
	return list
}

// One random log of commands gives the same receipts, refusals and state on
// the memory and the SQLite store.
func TestStoresAgree(t *testing.T) {
	dir, files := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		log := drawDeeds(rt)
		files++
		disk := must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Config{Dir: filepath.Join(dir, strconv.Itoa(files))}))
		defer disk.Close()
		var told [2][]string
		var states [2]string
		for i, store := range []journal.Store{journal.NewMemory(), disk} {
			f := start(t, store)
			f.agents("ada", "bea", "cora")
			f.admit("acme", 100*Credit)
			f.offers(func(c *OpenContract) { c.ExecutionsPerAgent, c.EndsAt = 3, At(f.now)+5*day })
			for _, d := range log {
				r, err := d.run(t.Context(), f)
				b, _ := json.Marshal(r)
				if err != nil {
					b = append(b, err.Error()...)
				}
				told[i] = append(told[i], string(b))
			}
			states[i] = string(f.state.canonical())
			f.replays(t, states[i])
			f.bent = true // audited, and the store closes before the test ends
			if err := f.Close(t.Context()); err != nil {
				rt.Fatal(err)
			}
		}
		for i := range told[0] {
			if told[0][i] != told[1][i] {
				rt.Fatalf("command %d: in memory %s, on disk %s", i, told[0][i], told[1][i])
			}
		}
		if states[0] != states[1] {
			rt.Fatalf("in memory\n%s, on disk\n%s", states[0], states[1])
		}
	})
}

package network

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/rules"
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
	who, whom, request := as(slugs[d.who]), slugs[d.whom], d.pick(filedIn(f.state))
	switch d.what {
	case 0:
		return f.For(who).SetClaims(ctx, netkit.Claims{AcceptsAttentionRequests: d.n > 2, AttentionFloorPrice: netkit.Credits(d.n * 77)})
	case 1, 2:
		return f.For(who).SendAttention(ctx, netkit.SendAttention{To: whom, Subject: "s", Body: "b", ExpiresIn: 3600 * int64(d.n)})
	case 3:
		return f.For(who).AnswerAttention(ctx, netkit.AnswerAttention{ID: request, Body: "a"})
	case 4:
		return f.For(who).DeclineAttention(ctx, netkit.DeclineAttention{ID: request, Reason: "r"})
	case 5:
		return f.op().Publish(ctx, netkit.Publish{Priority: netkit.Priority(d.n % 3), Channel: netkit.NicheLegal, Headline: "h"})
	case 6:
		return f.For(who).Manifest(ctx, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.Priority(d.n % 3)}})
	case 7:
		return f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: d.pick(dispatchIDs(f.state.Running())), Reason: "over"})
	case 8:
		return f.For(who).Execute(ctx, netkit.Execute{CampaignID: f.campaign(), Signal: signal})
	}
	f.now = f.now.Add(d.hours * time.Hour)
	return nil, f.Tick(ctx)
}

func dispatchIDs(rows []rules.Dispatch) (list []uint64) {
	for i := range rows {
		list = append(list, rows[i].Id)
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
			f.admit("acme", 100*netkit.Credit)
			f.offers(func(c *netkit.OpenContract) { c.ExecutionsPerAgent, c.EndsAt = 3, netkit.At(f.now)+5*netkit.FullDay })
			for _, d := range log {
				r, err := d.run(t.Context(), f)
				b, _ := json.Marshal(r)
				if err != nil {
					b = append(b, err.Error()...)
				}
				told[i] = append(told[i], string(b))
			}
			states[i] = string(f.state.Canonical())
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

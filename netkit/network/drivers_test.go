package network

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/rulestest"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/postgres"
	"github.com/agentnet/netctl/netkit/journal/postgres/pgtest"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	nodes "github.com/agentnet/netctl/netkit/replica"
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

// storesAgree runs one log of commands on each store, and reports a receipt, a refusal,
// a state or a root that differs from that of the first one.
func storesAgree(t *testing.T, log []deed, stores ...journal.Store) error {
	var told [][]string
	var states []string
	var roots [][journal.HashSize]byte
	for _, store := range stores {
		f := &fixture{t: t, store: store, now: dawn, law: rulestest.EarlierLaw(), rand: rand.NewChaCha8([32]byte{24})}
		f.open()
		t.Cleanup(f.audits)
		f.agents("ada", "bea", "cora")
		f.admit("acme", 100*netkit.Credit)
		f.offers(func(c *netkit.OpenContract) { c.ExecutionsPerAgent, c.EndsAt = 3, netkit.At(f.now)+5*netkit.FullDay })
		var answers []string
		for _, d := range log {
			r, err := d.run(t.Context(), f)
			b, _ := json.Marshal(r)
			if err != nil {
				b = append(b, err.Error()...)
			}
			answers = append(answers, string(b))
		}
		told, states = append(told, answers), append(states, string(f.state.Canonical()))
		f.replays(t, states[len(states)-1])
		head, err := store.Head(t.Context())
		if err != nil {
			return err
		}
		roots = append(roots, must[*journal.Tree](t)(journal.OpenTree(t.Context(), store, head.Size)).Root())
		f.bent = true // audited, and the store closes before the test ends
		if err := f.Close(t.Context()); err != nil {
			return err
		}
	}
	for i := range stores[1:] {
		for n, want := range told[0] {
			if got := told[i+1][n]; got != want {
				return fmt.Errorf("command %d: store 0 answers %s, store %d %s", n, want, i+1, got)
			}
		}
		if states[i+1] != states[0] || roots[i+1] != roots[0] {
			return fmt.Errorf("store 0 ends in the root %x, store %d in %x; their states:\n%s\n%s", roots[0], i+1, roots[i+1], states[0], states[i+1])
		}
	}
	return nil
}

// onEngine returns the journal of a node of several.
func onEngine(t *testing.T, e journal.Engine) journal.Store {
	return must[*nodes.Store](t)(nodes.Open(t.Context(), nodes.Config{Engine: e, Folder: inFolder(t)}))
}

func inFolder(t *testing.T) *sqlite.Store {
	s := must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Config{Dir: t.TempDir()}))
	t.Cleanup(func() { s.Close() })
	return s
}

// One random log of commands gives the same receipts, refusals, state and root on the
// memory and the SQLite store, and on a node of several.
func TestStoresAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		disk, several := inFolder(t), onEngine(t, new(journaltest.Engine))
		err := storesAgree(t, drawDeeds(rt), journal.NewMemory(), disk, several)
		if err = errors.Join(err, disk.Close(), several.Close()); err != nil {
			rt.Fatal(err)
		}
	})
}

// The same on PostgreSQL, with the same logs at each run.
func TestStoresAgreePostgres(t *testing.T) {
	server := pgtest.Start(t)
	server.Exec("CREATE ROLE node LOGIN")
	logs := rapid.Custom(drawDeeds)
	for seed := range 8 {
		name := fmt.Sprintf("net%d", seed)
		server.Exec("CREATE DATABASE " + name)
		if err := postgres.Create(t.Context(), server.Database("owner", name), "node"); err != nil {
			t.Fatal(err)
		}
		e := must[*postgres.Engine](t)(postgres.Open(t.Context(), postgres.Config{URL: server.Database("node", name)}))
		err := storesAgree(t, logs.Example(seed), journal.NewMemory(), inFolder(t), onEngine(t, e))
		if err = errors.Join(err, e.Close()); err != nil {
			t.Fatalf("log %d: %v", seed, err)
		}
	}
}

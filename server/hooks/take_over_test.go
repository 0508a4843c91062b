package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/webhook"
)

// nodes are networks that share a journal, each with a file of webhooks of its own. One
// of them leads.
type nodes struct {
	*fixture // that leads
	all      []*fixture
	leader   int
}

// newNodes makes nodes and has the first one lead.
func newNodes(t *testing.T, count int) *nodes {
	f := newFixture(t, Config{})
	ns := &nodes{fixture: f}
	for i := range count {
		node := f
		if i > 0 {
			n := netkittest.Must[*network.Network](t)(network.New(t.Context(), network.Config{Store: f.store, Wait: -1, Follow: true}))
			node = &fixture{Network: n, t: t, store: f.store}
		}
		node.cfg = Config{Network: node.Network, File: filepath.Join(t.TempDir(), "webhooks.db"), Record: true, Transport: &f.receivers, Jitter: func() float64 { return 0.5 }}
		node.starts()
		ns.all = append(ns.all, node)
	}
	synctest.Wait()
	return ns
}

// leads has another node take over. The one before learns of that as its next command
// is refused.
func (ns *nodes) leads(i int) {
	ns.t.Helper()
	before := ns.all[ns.leader]
	before.Yield()
	synctest.Wait()
	next := ns.all[i]
	if err := next.Lead(ns.t.Context()); err != nil {
		ns.t.Fatal(err)
	}
	ns.fixture, ns.leader = next, i
	synctest.Wait()
}

// of returns what a host got from any node.
func (ns *nodes) of(host string) []taken { return ns.all[0].of(host) }

func (ns *nodes) ends() {
	for _, node := range ns.all {
		node.stops()
		if err := node.Network.Close(context.Background()); err != nil {
			ns.t.Error(err)
		}
	}
}

// A node that takes over signs as the one before, sends what that did not send, and
// repeats only events since the last record, under their ids.
func TestTakeOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ns := newNodes(t, 2)
		ns.spawn("ada", "bea", "cleo")
		secret := ns.sets("ada", netkit.EventDispatch)
		ns.sets("bea", netkit.EventDispatch)
		ns.all[0].answers("bea.test", status(500))
		sent := ns.publish("sent")
		ns.passes(2 * time.Minute)
		before := ns.of("ada.test")
		ns.of("bea.test")
		ns.sets("cleo", netkit.EventDispatch)
		repeated := ns.publish("repeated")
		ns.passes(time.Second)
		once := ns.of("ada.test")
		ns.of("bea.test")
		ns.of("cleo.test")
		ns.all[0].answers("bea.test", nil)
		ns.leads(1)
		fresh := ns.publish("fresh")
		ns.passes(7 * time.Hour)
		got := ns.of("ada.test")
		if !slices.Equal(entries(before, netkit.EventDispatch), []uint64{sent}) || !slices.Equal(entries(got, netkit.EventDispatch), []uint64{repeated, fresh}) || got[0].id != once[0].id {
			t.Errorf("ada got %v, then %v; want %d, then %d again under its id and %d", entries(before, netkit.EventDispatch), entries(got, netkit.EventDispatch), sent, repeated, fresh)
		}
		for _, one := range got {
			if err := verify(t, secret, one); err != nil {
				t.Error(err)
			}
		}
		if got := entries(ns.of("bea.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{sent, repeated, fresh}) {
			t.Errorf("bea got %v, want %d, %d and %d", got, sent, repeated, fresh)
		}
		if got := entries(ns.of("cleo.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{repeated, fresh}) {
			t.Errorf("cleo, set since the last record, got %v, want %d and %d", got, repeated, fresh)
		}
		if _, err := ns.all[0].CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if v := ns.all[0].view("ada"); v.State != webhook.On {
			t.Errorf("the node that follows: got %+v", v)
		}
		_, err := ns.all[0].h.Replay("ada", sent)
		refused(t, err, "not_writer")
		ns.leads(0)
		ns.passes(time.Hour)
		if got := len(ns.of("ada.test")) + len(ns.of("bea.test")); got != 0 {
			t.Errorf("the first node again: got %d events twice, want none of those that were recorded", got)
		}
		ns.ends()
	})
}

// However often nodes take over, with receivers that fail and webhooks that are set,
// removed and replayed meanwhile, every event that was to be sent is sent, each owner's
// in their order, and again only under the same id.
func TestTakeOversLoseNothing(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { takesOver(t, rand.New(rand.NewPCG(seed, 1))) })
		})
	}
}

func takesOver(t *testing.T, r *rand.Rand) {
	ns := newNodes(t, 3)
	owners := []string{"ada", "bea", "cleo", "dora"}
	ns.spawn(owners...)
	want := map[string][]uint64{}
	for range 60 {
		owner := owners[r.IntN(len(owners))]
		switch r.IntN(8) {
		case 0:
			ns.leads((ns.leader + 1 + r.IntN(2)) % 3)
		case 1:
			ns.all[0].answers(owner+".test", status(503))
		case 2:
			ns.all[0].answers(owner+".test", nil)
		case 3:
			if ns.Webhook(owner).Entry == 0 {
				ns.sets(owner, netkit.EventDispatch)
			} else {
				netkittest.Must[webhook.Rotated](t)(ns.As(owner).RotateWebhook(netkit.WithKey(t.Context(), "the only one")))
			}
		case 4:
			ns.passes(time.Duration(r.IntN(120)) * time.Second)
		default:
			seq := ns.publish("news")
			for _, owner := range owners {
				if ns.Webhook(owner).Entry != 0 {
					want[owner] = append(want[owner], seq)
				}
			}
			ns.passes(time.Duration(r.IntN(1500)) * time.Millisecond)
		}
	}
	for _, owner := range owners {
		ns.all[0].answers(owner+".test", nil)
	}
	ns.passes(8 * time.Hour)
	for _, owner := range owners {
		var first []uint64
		ids := map[uint64]string{}
		for _, one := range ns.all[0].took[owner+".test"] {
			id, known := ids[one.event.ID]
			if known && id != one.id {
				t.Errorf("%s got entry %d as %s and %s", owner, one.event.ID, id, one.id)
			}
			if ids[one.event.ID] = one.id; !known {
				first = append(first, one.event.ID)
			}
		}
		if !slices.Equal(first, want[owner]) {
			t.Errorf("%s got %v, want %v", owner, first, want[owner])
		}
	}
	ns.ends()
}

// Positions cost an entry in a minute in which anything was to be sent, and no
// entry otherwise, nor without Record.
func TestRecordsCost(t *testing.T) {
	for _, record := range []bool{false, true} {
		play(t, Config{Record: record}, func(t *testing.T, f *fixture) {
			f.spawn("ada", "bea")
			f.sets("ada", netkit.EventDispatch)
			f.sets("bea", netkit.EventDispatch)
			f.answers("bea.test", status(500))
			f.passes(10 * time.Minute)
			before := f.Size()
			for range 30 {
				f.publish("news")
				f.passes(10 * time.Second)
			}
			f.passes(2 * time.Minute)
			if got, want := f.Size()-before-30, map[bool]uint64{true: 6}[record]; got > want || record && got == 0 {
				t.Errorf("record %v: got %d entries in 5 minutes with events, want %d", record, got, want)
			}
			before = f.Size()
			f.passes(time.Hour)
			if got := f.Size() - before; got != 0 {
				t.Errorf("record %v: got %d entries in an hour without events", record, got)
			}
			for _, e := range netkittest.Must[[]json.RawMessage](t)(f.Entries(t.Context(), 0, 1000)) {
				text := string(e)
				if strings.Contains(text, string(netkit.KindWebhooksDelivered)) && (!record || !strings.Contains(text, `"fact":{}`)) {
					t.Errorf("record %v: got %s", record, text)
				}
			}
		})
	}
}

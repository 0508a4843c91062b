package server

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
)

func TestOverloadRefusesWhileManyAreLate(t *testing.T) {
	now := time.Unix(1000, 0)
	o := newOverload(250 * time.Millisecond)
	o.now = func() time.Time { return now }
	var ends []func()
	for range maxLate + 1 {
		ends = append(ends, o.begin())
	}
	for range 1000 { // as many as come, while none is late
		if err := o.check(); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, o.begin())
		now = now.Add(100 * time.Microsecond)
	}
	now = now.Add(time.Second)
	if err := o.check(); !errors.Is(err, netkit.ErrUnavailable) {
		t.Errorf("got %v, want that it is refused", err)
	}
	for _, end := range ends[:len(ends)-maxLate] {
		end()
	}
	if err := o.check(); err != nil { // a few slow ones are left
		t.Error(err)
	}
	end := o.begin()
	end()
	for _, end := range ends[len(ends)-maxLate:] {
		end()
	}
	if o.expire(o.part() + 100); o.late != 0 {
		t.Errorf("got %d late commands after all ended, want none", o.late)
	}
}

// A command is late after half of the wait: it waited about as long before.
func TestOverloadCountsHalfOfTheWait(t *testing.T) {
	for _, c := range []struct {
		wait, after time.Duration
		refused     bool
	}{{250 * time.Millisecond, 100 * time.Millisecond, false}, {250 * time.Millisecond, 150 * time.Millisecond, true}, {-1, time.Hour, false}} {
		now := time.Unix(1000, 0)
		o := newOverload(c.wait)
		o.now = func() time.Time { return now }
		for range maxLate + 1 {
			o.begin()
		}
		now = now.Add(c.after)
		if err := o.check(); (err != nil) != c.refused {
			t.Errorf("a wait of %s, after %s: got %v, want refused: %v", c.wait, c.after, err, c.refused)
		}
	}
}

// While commands are late, further ones get 503 and leave nothing behind, reads
// are answered, and the retry of a refused command is executed once.
func TestOverloadShedsCommands(t *testing.T) {
	f := start(t, func(c *Config) { c.Limits.Wait = time.Millisecond })
	ada := f.spawn("ada")
	f.sponsor("acme", 100*netkit.Credit)
	id := f.campaign("acme", 10*netkit.Credit)
	var ends []func()
	for range maxLate + 1 {
		ends = append(ends, f.load().begin())
	}
	f.load().now = func() time.Time { return time.Now().Add(time.Minute) }
	entries := f.net.Health().Entries
	body := `{"campaign_id":` + fmtID(id) + `,"signal":{"headline":"h","body":"b","sources":["https://example.org/a"]}}`
	for _, target := range []string{"/api/intent", "/api/intent/attention"} {
		a := f.ask("POST", target, ada, body)
		if p := a.problem(503, "busy"); p.RetryAfter != 1 || a.Header().Get("Retry-After") != "1" {
			t.Errorf("%s: got %+v, want to try again after 1 s", target, p)
		}
	}
	f.ask("GET", "/api/agent/me", ada, nil).into(200, new(netkit.OwnProfile))
	for _, end := range ends {
		end()
	}
	if got := f.net.Health().Entries; got != entries {
		t.Errorf("got %d entries, want %d: a refused command leaves none", got, entries)
	}
	f.ask("POST", "/api/intent", ada, body).into(200, new(netkit.Execution))
}

// A batch that takes long lets no queue grow behind it.
func TestWriterRefusesWhileItsQueueIsOld(t *testing.T) {
	n, err := network.New(t.Context(), network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}}})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close(t.Context())
	if err := n.Batch(t.Context(), func(context.Context) {
		for {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			_, err := n.As("operator").AddOperator(ctx, netkit.AddOperator{Slug: "later"})
			cancel()
			if r := (*netkit.Refusal)(nil); errors.As(err, &r) {
				if r.Code != "busy" || r.After == 0 {
					t.Errorf("got %+v, want busy, with a time to wait", r)
				}
				break
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
}

package hooks

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/netkit/webhook"
)

// An agent gets what its event stream tells, in its order, signed with the
// secret that it was shown.
func TestDelivers(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada", "bea")
		secret := f.sets("ada")
		if secret == "" || f.sets("ada") != "" {
			t.Error("want the secret, once")
		}
		from := f.Size()
		f.publish("one")
		f.publish("two")
		netkittest.Must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(t.Context(), netkit.Claims{AcceptsAttentionRequests: true}))
		f.spawn("cleo")
		f.passes(time.Second)
		sub := netkittest.Must[rules.Subscription](t)(f.As("ada").Subscribe(netkit.EventFilter{}))
		var want []string
		for e, err := range f.EventsBetween(t.Context(), &sub, from, f.Size()) {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, webhook.ID("ada", &e))
		}
		var got []string
		for _, one := range f.of("ada.test") {
			got = append(got, one.id)
			if err := verify(t, secret, one); err != nil {
				t.Errorf("%s: %v", one.id, err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 3 {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if got := f.view("ada"); got.State != webhook.On || got.Next != f.Size() || got.Host != "ada.test" {
			t.Errorf("got %+v, want it on and up to date", got)
		}
	})
}

// Types narrow what is sent; what is for one agent reaches that one alone.
func TestTypesAndNotices(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada", "bea")
		f.sets("ada", netkit.EventNotice)
		f.sets("bea", netkit.EventAgentSpawned, netkit.EventNotice)
		if err := f.As(netkit.NetworkActor).StopWebhook(t.Context(), "nobody", 1); err == nil {
			t.Fatal("got a webhook of nobody")
		}
		netkittest.Must[netkit.RoleReceipt](t)(f.As("operator").SetRole(t.Context(), netkit.SetRole{Agent: "ada", Role: "correspondent", Grant: true, Reason: "writes well"}))
		f.spawn("cleo")
		f.passes(time.Second)
		if got := f.of("ada.test"); len(got) != 1 || got[0].event.Type != netkit.EventNotice {
			t.Errorf("ada got %+v, want one notice", got)
		}
		if got := f.of("bea.test"); len(got) != 1 || got[0].event.Type != netkit.EventAgentSpawned {
			t.Errorf("bea got %+v, want the agent that was spawned", got)
		}
	})
}

// A receiver that fails gets the event again, later each time, and nothing else
// before it; then all the rest in order.
func TestRetries(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		f.answers("ada.test", status(503))
		one, two := f.publish("one"), f.publish("two")
		f.passes(2 * time.Hour)
		got := f.of("ada.test")
		if want := []uint64{one, one, one, one, one, one, one, one}; !slices.Equal(entries(got, netkit.EventDispatch), want) {
			t.Errorf("got entries %v, want %v", entries(got, netkit.EventDispatch), want)
		}
		for i, want := range []time.Duration{5, 15, 45, 135, 405, 1215, 3645} {
			if gap := got[i+1].at.Sub(got[i].at); gap < want*time.Second*4/5 || gap > want*time.Second*6/5+time.Second {
				t.Errorf("try %d: got it after %s, want about %d s", i+2, gap, want)
			}
			if got[i+1].id != got[0].id {
				t.Errorf("try %d: got id %s, want %s as at first", i+2, got[i+1].id, got[0].id)
			}
		}
		if v := f.view("ada"); v.State != webhook.Failing || v.RetryAt == 0 || v.Next > one {
			t.Errorf("got %+v, want it failing", v)
		}
		f.answers("ada.test", nil)
		f.passes(4 * time.Hour)
		if got := entries(f.of("ada.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{one, two}) {
			t.Errorf("got entries %v, want %d and %d", got, one, two)
		}
		if v := f.view("ada"); v.State != webhook.On || v.FailingSince != 0 {
			t.Errorf("got %+v, want it on", v)
		}
	})
}

// An event that only fails itself is given up after a day; the others arrive.
func TestGivesUpOnOneEvent(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		var first atomic.Value // set before anything is sent, so that no try escapes it
		f.answers("ada.test", func(req *http.Request) (int, error) {
			id := req.Header.Get("webhook-id")
			if first.CompareAndSwap(nil, id); first.Load() == id {
				return 400, nil
			}
			return 204, nil
		})
		poison, good := f.publish("poison"), f.publish("good")
		f.passes(23 * time.Hour)
		if n := len(entries(f.of("ada.test"), netkit.EventDispatch)); n < 9 {
			t.Errorf("got %d tries in 23 hours, want more", n)
		}
		f.passes(3 * time.Hour)
		if got := entries(f.of("ada.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{poison, good}) {
			t.Errorf("got %v after a day, want the last try and the next event", got)
		}
		if v := f.view("ada"); v.State != webhook.On {
			t.Errorf("got %+v, want it on", v)
		}
	})
}

// A receiver that takes nothing for a day is switched off with a notice, and
// set again it is on for what is new.
func TestSwitchesOffAfterADay(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		f.answers("ada.test", status(500))
		f.publish("one")
		missed := f.publish("two")
		f.passes(23 * time.Hour)
		if v := f.view("ada"); v.State != webhook.Failing {
			t.Errorf("got %+v after 23 hours, want it failing", v)
		}
		f.passes(2 * time.Hour)
		if v := f.view("ada"); v.State != webhook.Off || v.Next != missed {
			t.Errorf("got %+v after a day, want it off at entry %d", v, missed)
		}
		notices := netkittest.Must[netkit.List[netkit.Notice]](t)(f.As("ada").Notices(t.Context(), netkit.Page{})).Items
		if len(notices) != 2 || notices[0].Kind != "webhook.stopped" {
			t.Errorf("got notices %+v, want that it was set and is switched off", notices)
		}
		f.of("ada.test")
		f.publish("while it is off")
		f.passes(48 * time.Hour)
		if got := f.of("ada.test"); len(got) != 0 {
			t.Errorf("got %d requests while it is off", len(got))
		}
		_, err := f.h.Replay("ada", missed)
		refused(t, err, "webhook_missing")
		f.answers("ada.test", nil)
		if f.sets("ada", netkit.EventDispatch) != "" {
			t.Error("got another secret, want the one there was")
		}
		fresh := f.publish("three")
		f.passes(time.Second)
		if got := entries(f.of("ada.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{fresh}) {
			t.Errorf("got %v, want what is new", got)
		}
	})
}

func TestGoneSwitchesOffAtOnce(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada")
		f.answers("ada.test", status(410))
		f.publish("one")
		f.passes(time.Second)
		if v := f.view("ada"); v.State != webhook.Off || len(f.of("ada.test")) != 1 {
			t.Errorf("got %+v, want it off after one attempt", v)
		}
	})
}

// What was not sent when the process ended is sent by the next one, and what
// was sent is not.
func TestRestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "web hooks & more.db")
	play(t, Config{File: file}, func(t *testing.T, f *fixture) {
		f.spawn("ada", "bea", "cleo")
		secret := f.sets("ada", netkit.EventDispatch)
		f.sets("bea", netkit.EventDispatch)
		f.sets("cleo", netkit.EventNotice)
		f.publish("sent")
		f.passes(time.Second)
		f.answers("bea.test", status(500))
		waits := f.publish("waits for bea")
		f.passes(time.Minute)
		f.of("ada.test")
		f.of("bea.test")
		f.stops()
		missed := f.publish("while nobody delivers")
		f.answers("bea.test", nil)
		f.starts()
		f.passes(time.Hour)
		got := f.of("ada.test")
		if !slices.Equal(entries(got, netkit.EventDispatch), []uint64{missed}) || verify(t, secret, got[0]) != nil {
			t.Errorf("ada got %v, want %d, signed as before", entries(got, netkit.EventDispatch), missed)
		}
		if got := entries(f.of("bea.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{waits, missed}) {
			t.Errorf("bea got %v, want %d and %d", got, waits, missed)
		}
		if got := f.of("cleo.test"); len(got) != 0 {
			t.Errorf("cleo got %v, want nothing", got)
		}
		if log := netkittest.Must[[]webhook.Attempt](t)(f.h.Log("bea")); log[0].Event != missed || !log[0].Delivered() || log[len(log)-1].Delivered() != true {
			t.Errorf("got log %+v, want the attempts of both processes, newest first", log)
		}
		private(t, filepath.Dir(file))
	})
}

// A process that is killed leaves nothing unsent: what its files hold at any
// moment is enough for the next one.
func TestKilled(t *testing.T) {
	file, left := filepath.Join(t.TempDir(), "webhooks.db"), filepath.Join(t.TempDir(), "webhooks.db")
	play(t, Config{File: file}, func(t *testing.T, f *fixture) {
		f.spawn("ada", "bea")
		f.sets("ada", netkit.EventDispatch)
		f.sets("bea", netkit.EventDispatch)
		f.publish("sent")
		f.passes(time.Second)
		f.answers("ada.test", hangs)
		want := []uint64{f.publish("under way"), f.publish("waits")}
		f.passes(time.Second)
		f.publish("not handed out yet") // it is when the files are taken away
		for _, end := range []string{"", "-wal"} {
			b, err := os.ReadFile(file + end)
			if err == nil {
				err = os.WriteFile(left+end, b, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		want = append(want, f.Size()-1)
		f.stops()
		f.of("ada.test")
		before := f.of("bea.test") // it may have got the last one by then
		f.answers("ada.test", nil)
		f.cfg.File = left
		f.starts()
		f.passes(time.Minute)
		if got := entries(f.of("ada.test"), netkit.EventDispatch); !slices.Equal(got, want) {
			t.Errorf("ada got %v, want %v", got, want)
		}
		if got := entries(append(before, f.of("bea.test")...), netkit.EventDispatch); !slices.Contains(got, want[2]) {
			t.Errorf("bea got %v, want %d among them", got, want[2])
		}
	})
}

// private checks that only their owner may read the files of a folder.
func private(t *testing.T, dir string) {
	t.Helper()
	names, err := os.ReadDir(dir)
	if err != nil || len(names) < 2 {
		t.Fatalf("got %d files, want the file and its log: %v", len(names), err)
	}
	for _, name := range names {
		if info, err := name.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got mode %v, want 0600: %v", name.Name(), info.Mode(), err)
		}
	}
}

// One that is removed is forgotten with its secret, from the bytes of the file
// too; so is one whose entry is erased.
func TestForgets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "webhooks.db")
	play(t, Config{File: file}, func(t *testing.T, f *fixture) {
		f.spawn("ada", "bea")
		removed, erased := f.sets("ada"), f.sets("bea")
		entry := f.Webhook("bea").Entry
		netkittest.Must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), netkit.SetWebhook{}))
		if err := f.h.Set("ada", ""); err != nil {
			t.Error(err)
		}
		netkittest.Must[netkit.ErasureReceipt](t)(f.As("operator").ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: entry, Reason: "asked for"}))
		f.passes(time.Second)
		for _, agent := range []string{"ada", "bea"} {
			f.of(agent + ".test")
		}
		f.publish("to nobody")
		f.passes(time.Second)
		if v := f.view("ada"); v.State != webhook.None || len(f.of("ada.test"))+len(f.of("bea.test")) > 0 {
			t.Errorf("got %+v, want none, and nothing sent", v)
		}
		for _, path := range []string{file, file + "-wal"} {
			b, err := os.ReadFile(path)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			if strings.Contains(string(b), removed) || strings.Contains(string(b), erased) {
				t.Errorf("%s still holds a secret", path)
			}
		}
	})
}

// A webhook that was set by another part of the program is delivered to as well.
func TestSetElsewhere(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada", "bea")
		f.sets("bea")
		secret := netkittest.Must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), netkit.SetWebhook{URL: "https://ada.test/", Types: []string{netkit.EventDispatch}})).Secret
		one := f.publish("one")
		f.passes(time.Second)
		got := f.of("ada.test")
		if !slices.Equal(entries(got, netkit.EventDispatch), []uint64{one}) || verify(t, secret, got[0]) != nil {
			t.Errorf("got %v, want %d, signed with the secret of the receipt", entries(got, netkit.EventDispatch), one)
		}
	})
}

// After a rotation both secrets verify for a day, then the new one alone.
func TestRotates(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		former := f.sets("ada", netkit.EventDispatch)
		r := f.rotates("ada", "")
		f.publish("one")
		f.passes(time.Second)
		one := f.of("ada.test")[0]
		if verify(t, former, one) != nil || verify(t, r.Secret, one) != nil || former == r.Secret {
			t.Error("want it signed with both secrets")
		}
		if v := f.view("ada"); v.FormerUntil != r.FormerUntil {
			t.Errorf("got %+v, want until when", v)
		}
		f.passes(24 * time.Hour)
		f.publish("two")
		f.passes(time.Second)
		two := f.of("ada.test")[0]
		if verify(t, former, two) == nil || verify(t, r.Secret, two) != nil {
			t.Error("want it signed with the new secret alone")
		}
	})
}

// Every secret that was promised a day signs for a day, however many there are;
// the idempotency key of a rotation gives its secret again.
func TestRotatesAgain(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		all := []string{f.sets("ada", netkit.EventDispatch)}
		for _, key := range []string{"k1", "k2", "", ""} {
			one := f.rotates("ada", key)
			if key != "" && f.rotates("ada", key) != one {
				t.Error("got another secret for the same key")
			}
			all = append(all, one.Secret)
			f.passes(time.Hour)
		}
		_, err := f.As("ada").RotateWebhook(t.Context())
		refused(t, err, "too_many")
		signs := func(want int) {
			t.Helper()
			f.publish("news")
			f.passes(time.Second)
			one := f.of("ada.test")[0]
			for i, secret := range all {
				if good := verify(t, secret, one) == nil; good != (i >= want) {
					t.Errorf("secret %d verifies: %v", i, good)
				}
			}
		}
		signs(0)
		f.passes(21 * time.Hour)
		signs(2)
		f.rotates("ada", "k5")
	})
}

func TestTestAndReplay(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		secret := f.sets("ada", netkit.EventDispatch)
		one, two := f.publish("one"), f.publish("two")
		f.passes(time.Second)
		f.of("ada.test")
		a := netkittest.Must[webhook.Attempt](t)(f.h.Test(t.Context(), "ada"))
		_, err := f.h.Test(t.Context(), "ada")
		refused(t, err, "too_many")
		f.passes(askPace)
		b := netkittest.Must[webhook.Attempt](t)(f.h.Test(t.Context(), "ada"))
		got := f.of("ada.test")
		if !a.Delivered() || a.Status != 200 || a.ID == b.ID || len(got) != 2 || got[0].id == got[1].id || verify(t, secret, got[0]) != nil {
			t.Errorf("got %+v and %+v, want two tests", a, got)
		}
		log := netkittest.Must[[]webhook.Attempt](t)(f.h.Log("ada"))
		if len(log) != 4 || log[0].ID != b.ID || log[3].Event != one {
			t.Fatalf("got log %+v, want four attempts, newest first", log)
		}
		f.answers("ada.test", status(404))
		f.passes(askPace)
		again := netkittest.Must[webhook.Attempt](t)(f.h.Resend(t.Context(), "ada", log[3].ID))
		if got := f.of("ada.test"); again.Failure != webhook.FailedStatus || again.Status != 404 || !slices.Equal(entries(got, netkit.EventDispatch), []uint64{one}) {
			t.Errorf("got %+v and %+v, want entry %d again", again, got, one)
		}
		if v := f.view("ada"); v.State != webhook.On {
			t.Errorf("got %+v: what the agent asked for must not count", v)
		}
		for _, id := range []uint64{a.ID, 9999} {
			f.passes(askPace)
			_, err := f.h.Resend(t.Context(), "ada", id)
			refused(t, err, "webhook_attempt_unknown")
		}
		f.answers("ada.test", nil)
		netkittest.Must[webhook.View](t)(f.h.Replay("ada", 0))
		f.passes(time.Second)
		if got := entries(f.of("ada.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{one, two}) {
			t.Errorf("got %v, want %d and %d again", got, one, two)
		}
	})
}

// The log keeps a hundred attempts of an agent, and tells what came of them.
func TestLogIsBounded(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		var last uint64
		for i := range keptAttempts + 20 {
			last = f.publish(fmt.Sprint("dispatch ", i))
		}
		f.passes(time.Minute)
		log := netkittest.Must[[]webhook.Attempt](t)(f.h.Log("ada"))
		if len(log) != keptAttempts || log[0].Event != last || log[0].Type != netkit.EventDispatch {
			t.Errorf("got %d attempts, the newest %+v", len(log), log[0])
		}
	})
}

// Only one attempt that an agent asks for is under way.
func TestAsksOnceAtATime(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada")
		f.answers("ada.test", hangs)
		first := make(chan webhook.Attempt)
		go func() {
			a, _ := f.h.Test(t.Context(), "ada")
			first <- a
		}()
		f.passes(time.Second)
		_, err := f.h.Test(t.Context(), "ada")
		refused(t, err, "too_many")
		if a := <-first; a.Failure != webhook.FailedTimeout || a.DurationMS != 10_000 {
			t.Errorf("got %+v, want a timeout after 10 s", a)
		}
		f.answers("ada.test", nil)
		if a := netkittest.Must[webhook.Attempt](t)(f.h.Test(t.Context(), "ada")); !a.Delivered() {
			t.Errorf("got %+v, want it delivered", a)
		}
	})
}

// Many receivers that never answer keep the others waiting for a moment at
// most, and no more attempts are under way than are allowed.
func TestDeadReceiversHoldUpNobody(t *testing.T) {
	const dead = 400
	play(t, Config{Senders: 8}, func(t *testing.T, f *fixture) {
		for i := range dead {
			slug := fmt.Sprintf("dead-%d", i)
			f.spawn(slug)
			f.sets(slug, netkit.EventDispatch)
			f.answers(slug+".test", hangs)
		}
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		f.publish("one")
		f.passes(time.Hour)
		f.of("ada.test")
		for i := range 3 {
			id := f.publish(fmt.Sprint("more ", i))
			f.passes(2 * time.Second)
			if got := entries(f.of("ada.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{id}) {
				t.Errorf("got %v within two seconds, want %d", got, id)
			}
		}
		if f.most > 8+3*2 {
			t.Errorf("got %d attempts at once, want at most 14", f.most)
		}
	})
}

// Receivers that are slow but for an answer now and then hold up nobody: one
// quick answer does not make them prompt, and none keeps its turn for long.
func TestSlowReceiversHoldUpNobody(t *testing.T) {
	for name, took := range map[string]func(n int) time.Duration{
		"all but one in sixteen": func(n int) time.Duration {
			if n%16 == 0 {
				return 0
			}
			return 9900 * time.Millisecond
		},
		"a little": func(int) time.Duration { return 1900 * time.Millisecond },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Config{Senders: 8}, func(t *testing.T, f *fixture) {
				f.spawn("ada")
				f.sets("ada", netkit.EventNotice)
				promote := func(role string) {
					t.Helper()
					netkittest.Must[netkit.RoleReceipt](t)(f.As("operator").SetRole(t.Context(), netkit.SetRole{Agent: "ada", Role: role, Grant: true, Reason: "works well"}))
				}
				promote("correspondent")
				f.passes(time.Second)
				for i := range 32 {
					slug := fmt.Sprintf("slow-%d", i)
					f.spawn(slug)
					f.sets(slug, netkit.EventDispatch)
					n := 0
					f.answers(slug+".test", func(*http.Request) (int, error) {
						n++
						time.Sleep(took(n))
						return 200, nil
					})
				}
				for i := range 600 {
					f.publish(fmt.Sprint("dispatch ", i))
				}
				f.passes(15 * time.Minute)
				f.of("ada.test")
				promote("reviewer")
				f.passes(15 * time.Second)
				if got := f.of("ada.test"); len(got) != 1 {
					t.Errorf("got %d notices within 15 seconds, want one", len(got))
				}
			})
		})
	}
}

// A receiver that was slow earns the workers of the prompt ones by many quick
// answers, a new one by its first.
func TestSlownessIsRemembered(t *testing.T) {
	k := hook{row: row{QuickLeft: 1}}
	answers := func(ms int64) {
		k.judge(&outcome{Attempt: webhook.Attempt{Status: 200, DurationMS: ms}}, time.Now(), nil)
	}
	if answers(5); k.lane() != laneDelivering {
		t.Error("want it prompt after its first answer")
	}
	if answers(9900); k.lane() != laneFailing {
		t.Error("want it slow after a slow answer")
	}
	for range quickAnswers - 1 {
		answers(5)
	}
	if k.lane() != laneFailing {
		t.Errorf("want it slow after %d quick answers", quickAnswers-1)
	}
	if answers(5); k.lane() != laneDelivering {
		t.Errorf("want it prompt after %d quick answers", quickAnswers)
	}
}

// A damaged entry is stepped over, logged once and told; all others arrive, and
// a replay may begin before it or behind it.
func TestStepsOverADamagedEntry(t *testing.T) {
	var log strings.Builder
	play(t, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(t *testing.T, f *fixture) {
		f.spawn("ada", "bea")
		f.sets("ada", netkit.EventDispatch)
		f.sets("bea", netkit.EventDispatch)
		want := []uint64{f.publish("one"), f.publish("two")}
		f.passes(time.Second)
		bad := f.Size()
		f.store.at.Store(bad)
		f.publish("damaged")
		want = append(want, f.publish("three"), f.publish("four"))
		f.passes(time.Minute)
		for _, agent := range []string{"ada", "bea"} {
			if got := entries(f.of(agent+".test"), netkit.EventDispatch); !slices.Equal(got, want) {
				t.Errorf("%s got %v, want %v", agent, got, want)
			}
		}
		if v := f.view("ada"); v.State != webhook.On || v.Skipped != bad || v.Next != f.Size() {
			t.Errorf("got %+v, want entry %d skipped and the rest sent", v, bad)
		}
		if n := strings.Count(log.String(), "damaged"); n != 1 || strings.Count(log.String(), "\n") != 1 {
			t.Errorf("got log %q, want one line of one entry", log.String())
		}
		for _, from := range []uint64{want[1], bad + 1} {
			netkittest.Must[webhook.View](t)(f.h.Replay("ada", from))
			f.passes(time.Minute)
			all := want[slices.IndexFunc(want, func(id uint64) bool { return id >= from }):]
			if got := entries(f.of("ada.test"), netkit.EventDispatch); !slices.Equal(got, all) {
				t.Errorf("from %d: got %v, want %v", from, got, all)
			}
		}
	})
}

// A replay from a later entry than is still to be sent goes there.
func TestReplayGoesForward(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		f.answers("ada.test", status(500))
		f.publish("refused")
		want := f.publish("wanted")
		f.passes(time.Minute)
		f.of("ada.test")
		f.answers("ada.test", nil)
		if v := netkittest.Must[webhook.View](t)(f.h.Replay("ada", want)); v.Next != want {
			t.Errorf("got %+v, want it to go on from %d", v, want)
		}
		f.passes(time.Hour)
		if got := entries(f.of("ada.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{want}) {
			t.Errorf("got %v, want %d alone", got, want)
		}
	})
}

// A full disk is complained about once, however often it is met.
func TestComplainsOnce(t *testing.T) {
	var log strings.Builder
	play(t, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		f.passes(time.Second)
		f.h.mu.Lock()
		err := f.h.store.run(`CREATE TRIGGER full BEFORE INSERT ON hooks BEGIN SELECT RAISE(ABORT, 'disk is full'); END`, nil, nil)
		f.h.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			f.publish(fmt.Sprint("dispatch ", i))
			f.passes(time.Second)
		}
		if n := strings.Count(log.String(), "disk is full"); n != 1 {
			t.Errorf("got it logged %d times, want once:\n%s", n, log.String())
		}
	})
}

// What is set again while an attempt fails begins again.
func TestSetWhileFailing(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		f.answers("ada.test", status(500))
		one := f.publish("one")
		f.passes(2 * time.Hour)
		if r := netkittest.Must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), netkit.SetWebhook{URL: "https://other.test/", Types: []string{netkit.EventDispatch}})); r.Secret != "" {
			t.Error("got another secret")
		}
		if err := f.h.Set("ada", ""); err != nil {
			t.Error(err)
		}
		f.passes(time.Second)
		if got := entries(f.of("other.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{one}) {
			t.Errorf("got %v at the new address at once, want %d", got, one)
		}
	})
}

func TestBackoffGrowsToADay(t *testing.T) {
	var sum time.Duration
	for tries := 1; tries <= 12; tries++ {
		least, most := backoff(tries, 0), backoff(tries, 1)
		if least >= most || most > lastRetry*6/5 {
			t.Errorf("try %d: got %s to %s", tries, least, most)
		}
		sum += least
	}
	if sum < 16*time.Hour {
		t.Errorf("got %s in twelve tries, want most of a day", sum)
	}
}

// Ten thousand receivers that never answer take no more attempts at a time than
// are allowed, and one that is known to answer is served meanwhile.
func TestTenThousandReceivers(t *testing.T) {
	const many, senders = 10_000, 64
	if testing.Short() {
		t.Skip("spawns ten thousand agents")
	}
	play(t, Config{Senders: senders}, func(t *testing.T, f *fixture) {
		for i := range many {
			slug := fmt.Sprintf("agent-%d", i)
			f.spawn(slug)
			f.sets(slug, netkit.EventDispatch)
			f.answers(slug+".test", hangs)
		}
		f.spawn("ada")
		f.sets("ada", netkit.EventNotice)
		answers := func(role string) {
			t.Helper()
			netkittest.Must[netkit.RoleReceipt](t)(f.As("operator").SetRole(t.Context(), netkit.SetRole{Agent: "ada", Role: role, Grant: true, Reason: "works well"}))
			f.passes(2 * time.Second)
			if got := f.of("ada.test"); len(got) != 1 {
				t.Errorf("got %d deliveries to who answers, want one within two seconds", len(got))
			}
		}
		answers("correspondent")
		f.publish("to all")
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		f.passes(time.Minute)
		runtime.GC()
		runtime.ReadMemStats(&after)
		t.Logf("%d KiB of heap more while %d wait", (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>10, many)
		if most := senders + 3*senders/4; f.most > most {
			t.Errorf("got %d attempts at once, want at most %d", f.most, most)
		}
		answers("reviewer")
	})
}

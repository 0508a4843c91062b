package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/webhook"
)

// fixture is a network in memory whose webhooks reach receivers in memory.
type fixture struct {
	*network.Network
	t     testing.TB
	cfg   Config
	h     *Hooks
	store *damagedStore
	end   func() // of Run, nil while it does not run
	receivers
}

// damagedStore is a store in which one entry can be damaged. It counts the entries
// that are read.
type damagedStore struct {
	journal.Store
	at    atomic.Uint64 // 0 is none
	reads atomic.Int64
}

func (s *damagedStore) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range s.Store.Read(ctx, from, to) {
			if at := s.at.Load(); at != 0 && r.Seq == at {
				yield(journal.Record{}, journal.ErrNotJournal)
				return
			}
			s.reads.Add(1)
			if !yield(r, err) {
				return
			}
		}
	}
}

// receivers answer by host, and keep what they got.
type receivers struct {
	mu     sync.Mutex
	answer map[string]func(*http.Request) (int, error)
	header map[string]http.Header // of the answer
	got    map[string][]taken
	took   map[string][]taken // of these, what was answered with 200
	flying int                // requests at the moment
	most   int
}

// taken is a request that a receiver got.
type taken struct {
	id, url string
	event   netkit.Event
	header  http.Header
	body    []byte
	at      time.Time
}

func newReceivers() receivers {
	return receivers{answer: map[string]func(*http.Request) (int, error){}, header: map[string]http.Header{}, got: map[string][]taken{}, took: map[string][]taken{}}
}

func (r *receivers) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	one := taken{id: req.Header.Get("webhook-id"), url: req.URL.String(), header: req.Header, body: body, at: time.Now()}
	if err := json.Unmarshal(body, &one.event); err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.got[req.URL.Host] = append(r.got[req.URL.Host], one)
	answer, header := r.answer[req.URL.Host], r.header[req.URL.Host]
	r.flying++
	r.most = max(r.most, r.flying)
	r.mu.Unlock()
	defer func() { r.mu.Lock(); r.flying--; r.mu.Unlock() }()
	status := http.StatusOK
	if answer != nil {
		if status, err = answer(req); err != nil {
			return nil, err
		}
	}
	if status == http.StatusOK {
		r.mu.Lock()
		r.took[req.URL.Host] = append(r.took[req.URL.Host], one)
		r.mu.Unlock()
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Header: header}, nil
}

// of returns what a host got, and forgets it.
func (r *receivers) of(host string) []taken {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.got[host]
	delete(r.got, host)
	return all
}

func (r *receivers) answers(host string, answer func(*http.Request) (int, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer[host] = answer
}

// heads sets the header of a host's answers.
func (r *receivers) heads(host string, header http.Header) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.header[host] = header
}

// status answers with a status.
func status(n int) func(*http.Request) (int, error) {
	return func(*http.Request) (int, error) { return n, nil }
}

// hangs answers when the sender gives up.
func hangs(req *http.Request) (int, error) {
	<-req.Context().Done()
	return 0, req.Context().Err()
}

// newFixture makes a network whose webhooks do not run yet.
func newFixture(t testing.TB, cfg Config) *fixture {
	law := netkit.Version1()
	law.Feed.AudioRequired = nil
	store := &damagedStore{Store: journal.NewMemory()}
	n, err := network.New(t.Context(), network.Config{Store: store, Now: time.Now, Wait: -1,
		Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}, Constitution: law}})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Network = n
	return &fixture{Network: n, t: t, cfg: cfg, store: store, receivers: newReceivers()}
}

// play runs a story in virtual time.
func play(t *testing.T, cfg Config, story func(*testing.T, *fixture)) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cfg)
		f.cfg.Transport = &f.receivers
		if f.cfg.Jitter == nil {
			f.cfg.Jitter = func() float64 { return 0.5 }
		}
		f.starts()
		synctest.Wait() // the file is open before an owner sets a webhook
		story(t, f)
		f.stops()
		if err := f.Network.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// starts begins to deliver, as a process does.
func (f *fixture) starts() {
	f.h = New(f.cfg)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { f.h.Run(ctx); close(done) }()
	f.end = func() { stop(); <-done }
}

func (f *fixture) stops() {
	f.end()
	if err := f.h.Close(); err != nil {
		f.t.Error(err)
	}
}

func (f *fixture) spawn(slugs ...string) {
	f.t.Helper()
	for _, slug := range slugs {
		netkittest.Must[netkit.Spawned](f.t)(f.As("").Spawn(f.t.Context(), netkit.Spawn{Slug: slug}))
	}
}

// sets sets the webhook of an owner to a host of its name.
func (f *fixture) sets(owner string, types ...string) (secret string) {
	f.t.Helper()
	return f.setsFrom("192.0.2.1", owner, types...)
}

// setsFrom does so from a client address.
func (f *fixture) setsFrom(address, owner string, types ...string) (secret string) {
	f.t.Helper()
	secret = netkittest.Must[netkit.WebhookReceipt](f.t)(f.As(owner).SetWebhook(f.t.Context(), netkit.SetWebhook{URL: "https://" + owner + ".test/hook", Types: types})).Secret
	if err := f.h.Set(owner, address); err != nil {
		f.t.Error(err)
	}
	return secret
}

// rotates replaces the secret of an owner's webhook.
func (f *fixture) rotates(owner, key string) webhook.Rotated {
	f.t.Helper()
	return netkittest.Must[webhook.Rotated](f.t)(f.As(owner).RotateWebhook(netkit.WithKey(f.t.Context(), key)))
}

// publish makes an event for everybody and returns its entry.
func (f *fixture) publish(headline string) uint64 {
	f.t.Helper()
	return netkittest.Must[netkit.DispatchReceipt](f.t)(f.As("operator").Publish(f.t.Context(), netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheLegal, Headline: headline})).DispatchID
}

// passes lets time go by, and all that is to happen in it.
func (f *fixture) passes(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// entries are those of what was taken, with a type.
func entries(all []taken, kind string) (ids []uint64) {
	for _, one := range all {
		if one.event.Type == kind {
			ids = append(ids, one.event.ID)
		}
	}
	return ids
}

func (f *fixture) view(agent string) webhook.View {
	f.t.Helper()
	return netkittest.Must[webhook.View](f.t)(f.h.View(agent))
}

func refused(t testing.TB, err error, code string) {
	t.Helper()
	var r *netkit.Refusal
	if !errors.As(err, &r) || r.Code != code {
		t.Errorf("got %v, want it refused with %s", err, code)
	}
}

// verify checks a delivery as a receiver does, with the reference
// implementation; it looks at no time, since that of a test is another one.
func verify(t testing.TB, secret string, one taken) error {
	t.Helper()
	peer := netkittest.Must[*standard.Webhook](t)(standard.NewWebhook(secret))
	return peer.VerifyIgnoringTimestamp(one.body, one.header)
}

package network

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/rulestest"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/rules"
)

// crowd spawns agents and opens one contract that all may execute for ever.
func (f *fixture) crowd(agents int) (campaign uint64, slugs []string) {
	f.t.Helper()
	f.admit("acme", netkit.MaxAmount)
	for i := range agents {
		slug := fmt.Sprintf("agent-%07d", i)
		slugs = append(slugs, slug)
	}
	f.bulk(slugs)
	ct, err := f.op().OpenContract(context.Background(), netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheSilicon,
		Budget: netkit.MaxAmount, ExecutionsPerAgent: 1_000_000})
	if err != nil {
		f.t.Fatal(err)
	}
	return ct.CampaignID, slugs
}

// bulk spawns many agents in commands of a thousand.
func (f *fixture) bulk(slugs []string) {
	f.t.Helper()
	f.bent = true // a command spawns one
	for len(slugs) > 0 {
		n := min(len(slugs), 1000)
		if err := do(context.Background(), f.op(), spawnMany(slugs[:n])); err != nil {
			f.t.Fatal(err)
		}
		slugs = slugs[n:]
	}
}

type spawnMany []string

func (spawnMany) Route() string { return "test" }

func (m spawnMany) Decide(s *rules.State, c *rules.Call) error {
	grant := (*lawOf(s)).Economy.WelcomeGrant
	for _, slug := range m {
		c.Add(&rules.AgentSpawned{Agent: slug}, rules.Move{To: netkit.Issuance, Amount: -grant}, rules.Move{To: netkit.Wallet(slug), Amount: grant})
	}
	return nil
}

// BenchmarkDecideApplyEncode measures what the clerk does for one execution
// without queue and disk: decide, entry, apply, encoding, hash of the private
// part.
func BenchmarkDecideApplyEncode(b *testing.B) {
	for _, agents := range []int{1000, 1_000_000} {
		b.Run(fmt.Sprintf("agents=%d", agents), func(b *testing.B) {
			f := start(b, discard{journal.NewMemory()})
			id, slugs := f.crowd(agents)
			stored, p, err := f.seal("", as("x"), &rules.Execute{}, (*signalText)(&signal))
			if err != nil {
				b.Fatal(err)
			}
			var batch journal.Batch
			j := &job{stored: stored, private: p, hash: sha256.Sum256(stored)}
			cmd := &rules.Execute{Execute: netkit.Execute{CampaignID: id, Signal: signal}}
			j.cmd = cmd
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if i%1024 == 0 {
					if i > 0 {
						f.machine.Seal()
						f.state.Commit()
						f.secrets.Commit()
					}
					batch.Records = batch.Records[:0]
					f.machine.Begin()
				}
				j.by.Slug, j.err = slugs[i*7919%len(slugs)], nil
				f.machine.Decide(j, &batch)
				if j.err != nil {
					b.Fatal(j.err)
				}
				i++
			}
			f.machine.Seal()
		})
	}
}

// discard is a store that keeps genesis alone, for networks of which only the
// memory matters.
type discard struct{ journal.Store }

func (d discard) Append(ctx context.Context, h journal.Head, b journal.Batch) (journal.Head, error) {
	if h.Size == 0 {
		return d.Store.Append(ctx, h, b)
	}
	h.Size += uint64(len(b.Records))
	return h, nil
}

// BenchmarkExecuteDurable measures acknowledged executions on SQLite.
func BenchmarkExecuteDurable(b *testing.B) {
	for _, callers := range []int{1, 64, 1024} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			store, err := sqlite.Open(context.Background(), sqlite.Config{Dir: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			f := start(b, store)
			id, slugs := f.crowd(10_000)
			begin := time.Now()
			b.ResetTimer()
			parallel(b, callers, func(i int) error {
				_, err := f.As(slugs[i*7919%len(slugs)]).Execute(context.Background(), netkit.Execute{CampaignID: id, Signal: signal})
				return err
			})
			b.ReportMetric(float64(b.N)/time.Since(begin).Seconds(), "executions/s")
		})
	}
}

// parallel spreads b.N calls over a number of goroutines.
func parallel(b *testing.B, callers int, call func(i int) error) {
	errs := make(chan error, callers)
	for c := range callers {
		go func() {
			for i := c; i < b.N; i += callers {
				if err := call(i); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range callers {
		if err := <-errs; err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplay measures a start without a snapshot: every entry read from
// SQLite, decoded, checked and applied, with its private part.
func BenchmarkReplay(b *testing.B) {
	store, err := sqlite.Open(context.Background(), sqlite.Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	f := start(b, store)
	id, slugs := f.crowd(10_000)
	f.fill(id, slugs, 200_000)
	head, err := store.Head(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	begin := time.Now()
	for b.Loop() {
		if _, err := New(context.Background(), Config{Store: store, IgnoreSnapshot: true, SnapshotEvery: 1 << 62}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(head.Size)/time.Since(begin).Seconds(), "entries/s")
}

// fill executes a contract many times from many callers.
func (f *fixture) fill(id uint64, slugs []string, executions int) {
	f.t.Helper()
	const callers = 512
	errs := make(chan error, callers)
	for c := range callers {
		go func() {
			for i := c; i < executions; i += callers {
				if _, err := f.As(slugs[i*7919%len(slugs)]).Execute(context.Background(), netkit.Execute{CampaignID: id, Signal: signal}); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range callers {
		if err := <-errs; err != nil {
			f.t.Fatal(err)
		}
	}
}

// settles gives each agent a token, claims and an accepted constitution, past every
// rule, and has evidence do the rest.
func (f *fixture) settles(slugs []string, evidence func(i int, row uint32)) {
	f.t.Helper()
	for i, slug := range slugs {
		row := f.num(slug)
		p := tablesOf(f.state).Parties.At(row)
		e := &rules.Entry{Seq: p.Seq, At: f.state.Time(), Fact: &rules.AgentSpawned{Agent: p.Slug}}
		f.secrets.Take(e, &rules.Private{Text: tokenText(sha256.Sum256([]byte(slug)), []netkit.Scope{netkit.ScopeAll}, 0)})
		(&rules.ClaimsSet{Agent: slug, Niche: netkit.NicheSilicon, Provider: "provider-" + slug[len(slug)-1:], Statement: true}).Apply(f.state, e)
		(&rules.ConstitutionAccepted{Agent: slug, Version: (*lawOf(f.state)).Version}).Apply(f.state, e)
		evidence(i, row)
		if i%1024 == 0 {
			f.state.Commit()
			f.secrets.Commit()
		}
	}
	f.state.Commit()
	f.secrets.Commit()
}

// BenchmarkMillionAgents reports the memory of a network of a million agents,
// each with a token, claims and an accepted constitution, and how long it takes to
// start from its snapshot: once a tenth of them have ten days of evidence with one
// counterparty, once each has a day with each of ten.
func BenchmarkMillionAgents(b *testing.B) {
	measure := func(name string, evidence func(s *rules.State, i int, row uint32)) {
		b.Run(name, func(b *testing.B) {
			before := heapInUse()
			f := &fixture{t: b, store: discard{journal.NewMemory()}, now: dawn, law: rulestest.EarlierLaw(), every: math.MaxInt64}
			f.open()
			_, slugs := f.crowd(1_000_000)
			f.settles(slugs, func(i int, row uint32) { evidence(f.state, i, row) })
			slugs = nil
			heap := heapInUse() - before
			f.measureSnapshot(b)
			b.ReportMetric(float64(heap)/(1<<20), "MiB")
			runtime.KeepAlive(f)
		})
	}
	measure("a tenth with ten days", func(s *rules.State, i int, row uint32) {
		for d := range netkit.Day(10) {
			if i%10 == 0 {
				s.EvidenceOf(row, 1, s.Time().Day()+d-9).Stands++
			}
		}
	})
	measure("each with ten counterparties", func(s *rules.State, _ int, row uint32) {
		for other := range uint32(10) {
			s.EvidenceOf(row, other+1, s.Time().Day()).Stands++
		}
	})
}

// heapInUse returns the bytes of objects that are reachable.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// measureSnapshot measures how long reading a snapshot of the network takes.
func (f *fixture) measureSnapshot(b *testing.B) {
	body := append([]byte(snapshotForm+"\n"), f.state.Canonical()...)
	body = append(append(append(body, '\n'), f.secrets.Stored()...), '\n')
	body = fmt.Appendf(body, "%x\n", f.tree.Root())
	body = fmt.Appendf(body, "%x\n", sha256.Sum256(body))
	for b.Loop() {
		if _, err := readSnapshot(body, rules.NewState(), newSecrets()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(body))/(1<<20), "snapshot-MiB")
}

package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/rules"
)

// finishes opens, executes and closes contracts, each executed by each agent, in
// few writes, and returns their ids.
func (f *fixture) finishes(contracts int, agents []string) (ids []uint64) {
	f.t.Helper()
	for len(ids) < contracts {
		err := f.Batch(f.t.Context(), func(ctx context.Context) {
			for range min(100, contracts-len(ids)) {
				id := must[netkit.ContractReceipt](f.t)(f.op().OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheLegal, Budget: 1000 * netkit.Credit})).CampaignID
				for _, slug := range agents {
					must[netkit.Execution](f.t)(f.As(slug).Execute(ctx, netkit.Execute{CampaignID: id, Signal: signal}))
				}
				must[netkit.ContractReceipt](f.t)(f.op().CloseContract(ctx, netkit.CloseContract{CampaignID: id}))
				ids = append(ids, id)
			}
		})
		if err != nil {
			f.t.Fatal(err)
		}
	}
	if err := f.Tick(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	return ids
}

// market walks a list of contracts to its end.
func (f *fixture) market(q netkit.MarketQuery) (ids []uint64) {
	f.t.Helper()
	for {
		page := must[netkit.List[netkit.Campaign]](f.t)(f.op().Market(f.t.Context(), q))
		for _, c := range page.Items {
			ids = append(ids, c.ID)
		}
		if page.NextCursor == "" {
			return ids
		}
		q.Cursor = page.NextCursor
	}
}

// A contract that left memory answers as it did before.
func TestFinishedContractsAreReadFromTheJournal(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.admit("acme", netkit.MaxAmount)
	must[netkit.Spawned](t)(f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}))
	ctx := t.Context()
	early := must[netkit.ContractReceipt](t)(f.op().OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "early", Brief: "b", Channel: netkit.NicheLegal, Budget: 9 * netkit.Credit})).CampaignID
	first := f.finishes(1, []string{"ada"})[0]
	want := must[netkit.Campaign](t)(f.As("").Campaign(ctx, first))
	all := append([]uint64{first}, f.finishes(5*rules.ArchiveRows, []string{"ada"})...)
	must[netkit.ContractReceipt](t)(f.op().CloseContract(ctx, netkit.CloseContract{CampaignID: early}))
	all = append(all, f.finishes(rules.ArchiveRows, nil)...)
	all = append([]uint64{early}, all...)
	if got := tablesOf(f.state).Contracts.Len(); got > rules.ArchiveRows {
		t.Errorf("got %d contracts in memory, want at most the %d that wait", got, rules.ArchiveRows)
	}
	if got := must[netkit.Campaign](t)(f.As("").Campaign(ctx, first)); fmt.Sprintf("%+v", got.State) != "closed" || got.Spent != want.Spent || got.Executions != 1 || got.Title != want.Title || got.Remaining != 0 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	slices.Reverse(all)
	closed := netkit.ContractClosed
	for _, limit := range []int{7, 200} {
		if got := f.market(netkit.MarketQuery{State: &closed, Page: netkit.Page{Limit: limit}}); !slices.Equal(got, all) {
			t.Errorf("by %d: got %d contracts, want %d, newest first", limit, len(got), len(all))
		}
	}
	for name, call := range map[string]func() error{
		"execute": func() error {
			_, err := f.As("ada").Execute(ctx, netkit.Execute{CampaignID: first, Signal: signal})
			return err
		},
		"fund": func() error {
			_, err := f.op().FundContract(ctx, netkit.FundContract{CampaignID: first, Amount: netkit.Credit})
			return err
		},
		"close": func() error { _, err := f.op().CloseContract(ctx, netkit.CloseContract{CampaignID: first}); return err },
	} {
		var r *netkit.Refusal
		if err := call(); !errors.As(err, &r) || r.Code != code.ContractClosed {
			t.Errorf("%s: got %v, want %s", name, err, code.ContractClosed)
		}
	}
	if b := must[netkit.AccountBalance](t)(f.As("").Balance(ctx, netkit.ContractBudget(first))); b.Balance != 0 {
		t.Errorf("got a balance of %s, want 0", b.Balance)
	}
	if lines := must[netkit.List[netkit.StatementLine]](t)(f.As("").Statement(ctx, netkit.ContractBudget(first), netkit.Page{})).Items; len(lines) != 3 {
		t.Errorf("got %d lines, want the budget, the execution and what returned", len(lines))
	}
	if got := must[netkit.List[netkit.ExecutionView]](t)(f.op().Deliveries(ctx, netkit.ExecutionQuery{CampaignID: first})).Items; len(got) != 1 {
		t.Errorf("got %d executions, want 1", len(got))
	}
	if _, err := f.As("").Campaign(ctx, first+1); !errors.Is(err, netkit.ErrNotFound) {
		t.Errorf("got %v for what is no contract, want that it is unknown", err)
	}
	f.replays(t, string(f.state.Canonical()))
	f.restarts(t)
	if got := must[netkit.Campaign](t)(f.As("").Campaign(ctx, first)); got.Spent != want.Spent {
		t.Errorf("restarted: got %s spent, want %s", got.Spent, want.Spent)
	}
}

// heapUsed is what is in use.
func heapUsed() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// grows returns the heap of a network on a disk after its first thousand
// executions, on a hundred contracts, and after many.
func (f *fixture) grows(contracts int) (before, after float64) {
	f.t.Helper()
	f.admit("acme", netkit.MaxAmount)
	agents := make([]string, 10)
	for k := range agents {
		agents[k] = fmt.Sprintf("agent-%d", k)
		must[netkit.Spawned](f.t)(f.As("").Spawn(f.t.Context(), netkit.Spawn{Slug: agents[k]}))
	}
	f.finishes(100, agents)
	before = heapUsed()
	f.finishes(contracts-100, agents)
	return before, heapUsed()
}

// onDisk begins a network whose journal takes no memory.
func onDisk(t testing.TB, changes ...func(*netkit.Constitution)) *fixture {
	store := must[journal.Store](t)(sqlite.Open(context.Background(), sqlite.Config{Dir: t.TempDir()}))
	t.Cleanup(func() { store.Close() })
	f := start(t, store, changes...)
	f.bent = true // nobody waits for an audit of so much
	return f
}

// What is finished takes no memory.
func TestMemoryDoesNotGrowWithHistory(t *testing.T) {
	f := onDisk(t)
	before, after := f.grows(2000)
	if after > 1.1*before+256<<10 { // some hundred KiB are the runtime's own
		t.Errorf("got %.0f KiB after 20,000 executions on 2,000 closed contracts, want at most a tenth over the %.0f KiB after 1,000", after/1024, before/1024)
	}
	runtime.KeepAlive(f)
}

// BenchmarkHistory reports the heap after a thousand and after a million
// executions on contracts that are closed.
func BenchmarkHistory(b *testing.B) {
	for b.Loop() {
		f := onDisk(b)
		begin := time.Now()
		before, after := f.grows(100_000)
		b.ReportMetric(before/(1<<20), "MiB-after-1,000")
		b.ReportMetric(after/(1<<20), "MiB-after-1,000,000")
		b.ReportMetric(1e6/time.Since(begin).Seconds(), "executions/s")
		if got := len(must[netkit.List[netkit.Campaign]](b)(f.op().Market(b.Context(), netkit.MarketQuery{State: new(netkit.ContractClosed), Page: netkit.Page{Cursor: netkit.CursorBelow(math.MaxUint32)}})).Items); got == 0 {
			b.Error("got no closed contract, want the latest")
		}
	}
}

// An archived row cannot say something else than the entries before it.
func TestForgedArchiveIsCaught(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.admit("acme", netkit.MaxAmount)
	f.finishes(rules.ArchiveRows, nil)
	f.lines(2, rules.FeedRows+rules.ArchiveRows)
	for k := range rules.ArchiveRows {
		must[netkit.AdmissionReceipt](t)(f.op().ProposeSponsor(t.Context(), netkit.ProposeSponsor{Sponsor: fmt.Sprint("sponsor-", k), Name: "Sponsor"}))
	}
	f.ticks()
	forgery := strings.NewReplacer(`"budget":1000.00,`, `"budget":9000.00,`, `"channel":"SILICON"`, `"channel":"MEDIA"`, `"name":"Sponsor"`, `"name":"Another"`)
	forgeries := 0
	a := must[*rules.Auditor](t)(rules.NewAuditor(netkit.AuditConfig{Entry: func(uint64) ([]byte, error) { return nil, netkit.ErrNotFound }, RootAt: func(uint64) (netkit.Hash, error) { return netkit.Hash{}, nil }}))
	var b *netkit.Violation
	for r, err := range f.store.Read(t.Context(), 0, f.state.Size()) {
		if err != nil {
			t.Fatal(err)
		}
		if peekKind(r.Public) != netkit.KindRowsArchived {
			must[struct{}](t)(struct{}{}, a.Take(r.Public))
			continue
		}
		if err := a.Take([]byte(forgery.Replace(string(r.Public)))); errors.As(err, &b) && b.Rule == "archived as they were" {
			forgeries++
		}
		must[struct{}](t)(struct{}{}, a.Take(r.Public))
	}
	if forgeries != 4 { // of contracts, of two lines, and of admissions
		t.Errorf("got %d violations of what was archived, want 4", forgeries)
	}
}

// A final case leaves memory once nobody may report the same again, and one
// that an agent's standing rests on when an operator reinstates the agent.
func TestOldCasesAreReadFromTheJournal(t *testing.T) {
	f, subject := bench(t)
	ctx := t.Context()
	ask := func(law string, uphold bool) uint64 {
		id := f.reports("rob", subject, law).CaseID
		f.votes(id, uphold, f.panelOf(id)[:2]...)
		return id
	}
	light := ask("L1", false)
	heavy := ask("L2", true)
	f.days(8) // the time for an appeal is over
	f.ticks()
	want := f.caseAt(light)
	f.days(400)
	f.opens("acme", 2*netkit.Credit, 1) // an entry of that day
	f.ticks()
	if _, ok := tablesOf(f.state).Cases.Get(light); ok {
		t.Error("the dismissed case is still in memory")
	}
	if _, ok := tablesOf(f.state).Cases.Get(heavy); !ok {
		t.Error("the case that a standing rests on left memory")
	}
	if got := f.caseAt(light); !got.Final || got.Reporter != want.Reporter || len(got.Verdicts) != len(want.Verdicts) || got.Evidence != want.Evidence || got.Evidence == "" {
		t.Errorf("got %+v, want %+v", got, want)
	}
	list := func(q netkit.CaseQuery) (ids []uint64) {
		for _, c := range must[netkit.List[netkit.CaseView]](t)(f.op().Cases(ctx, q)).Items {
			ids = append(ids, c.ID)
		}
		return ids
	}
	if got := list(netkit.CaseQuery{}); !slices.Equal(got, []uint64{heavy, light}) {
		t.Errorf("got cases %v, want %v", got, []uint64{heavy, light})
	}
	if got := list(netkit.CaseQuery{State: new(netkit.CaseDismissed)}); !slices.Equal(got, []uint64{light}) {
		t.Errorf("got dismissed cases %v, want %v", got, []uint64{light})
	}
	var r *netkit.Refusal
	if _, err := f.op().Report(ctx, netkit.Report{Subject: subject, Law: "L1", Evidence: "again"}); !errors.As(err, &r) || r.Code != code.SubjectTooOld {
		t.Errorf("got %v, want that the subject is too old", err)
	}
	if _, err := f.As("rob").Appeal(ctx, netkit.Appeal{CaseID: light, Grounds: "look again"}); !errors.As(err, &r) || r.Code != code.CaseFinal {
		t.Errorf("got %v, want that the case is final", err)
	}
	must[netkit.StandingReceipt](t)(f.op().Reinstate(ctx, netkit.Reinstate{Agent: f.caseAt(heavy).Reported, Reason: "served"}))
	f.ticks()
	if got := tablesOf(f.state).Cases.Len(); got != 0 {
		t.Errorf("got %d cases in memory, want none", got)
	}
	f.restarts(t)
	if got := list(netkit.CaseQuery{}); !slices.Equal(got, []uint64{heavy, light}) {
		t.Errorf("restarted: got cases %v, want %v", got, []uint64{heavy, light})
	}
}

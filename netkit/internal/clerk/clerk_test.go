package clerk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/internal/clerk"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// adder is a machine that keeps a list of numbers; a record holds one number.
// It refuses negative ones.
type adder struct {
	mu      sync.Mutex
	list    []int
	durable int
	size    uint64
}

type job struct {
	n    int
	err  error
	done chan error
}

var errNegative = errors.New("negative")

func (m *adder) Begin() { m.mu.Lock() }
func (m *adder) Seal()  { m.mu.Unlock() }

func (m *adder) Decide(j *job, b *journal.Batch) {
	if j.n < 0 {
		j.err = errNegative
		return
	}
	b.Records = append(b.Records, journal.Record{Seq: uint64(len(m.list)), Public: fmt.Append(nil, j.n)})
	m.list = append(m.list, j.n)
}

func (m *adder) Commit(h journal.Head) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.durable, m.size = len(m.list), h.Size
}

func (m *adder) Rollback() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = m.list[:m.durable]
}

func (m *adder) Follow(r journal.Record) error {
	var n int
	if err := json.Unmarshal(r.Public, &n); err != nil {
		return err
	}
	m.list = append(m.list, n)
	return nil
}

func (m *adder) Answer(j *job, err error) {
	if err == nil {
		err = j.err
	}
	j.done <- err
}

func (m *adder) numbers() []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.list)
}

// numbers reads the list back from the store.
func numbers(t *testing.T, s journal.Store) []int {
	t.Helper()
	var list []int
	for _, r := range journaltest.ReadAll(t, s, 0, 1<<40) {
		var n int
		if err := json.Unmarshal(r.Public, &n); err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

type rig struct {
	*clerk.Clerk[*job]
	machine *adder
	store   journal.Store
}

func newRig(t *testing.T, hook func(int, journal.Head, journal.Batch) journaltest.Fault, cfg clerk.Config[*job]) *rig {
	r := &rig{machine: &adder{}, store: journal.NewMemory()}
	cfg.Store, cfg.Machine = &journaltest.Faulty{Store: r.store, Hook: hook}, r.machine
	if cfg.Pause == 0 {
		cfg.Pause = time.Millisecond
	}
	r.Clerk = clerk.New(cfg)
	t.Cleanup(func() { r.Close(context.Background()) })
	return r
}

func (r *rig) add(n int) error {
	j := &job{n: n, done: make(chan error, 1)}
	if _, err := r.Submit(j); err != nil {
		return err
	}
	return <-j.done
}

// agree checks that machine and journal hold want.
func (r *rig) agree(t *testing.T, want ...int) {
	t.Helper()
	if got := r.machine.numbers(); !slices.Equal(got, want) {
		t.Errorf("machine: got %v, want %v", got, want)
	}
	if got := numbers(t, r.store); !slices.Equal(got, want) {
		t.Errorf("journal: got %v, want %v", got, want)
	}
}

func TestAnswersAfterTheWrite(t *testing.T) {
	r := newRig(t, nil, clerk.Config[*job]{})
	if err := r.add(7); err != nil {
		t.Fatal(err)
	}
	if err := r.add(-1); !errors.Is(err, errNegative) {
		t.Errorf("got %v, want the refusal", err)
	}
	r.agree(t, 7)
}

func TestFailuresOfOneWrite(t *testing.T) {
	full := errors.New("disk full")
	cases := []struct {
		name  string
		fault journaltest.Fault
		want  error
		after []int
	}{
		{"definite, not applied", journaltest.Fault{Err: full}, clerk.ErrNotTaken, []int{1, 3}},
		{"doubtful, not applied", journaltest.Fault{Err: journal.ErrDoubtful}, nil, []int{1, 2, 3}},
		{"doubtful, applied", journaltest.Fault{Err: journal.ErrDoubtful, Applied: true}, nil, []int{1, 2, 3}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var alarms []error
			r := newRig(t, journaltest.Once(1, c.fault), clerk.Config[*job]{Alarm: func(err error) { alarms = append(alarms, err) }})
			if err := r.add(1); err != nil {
				t.Fatal(err)
			}
			if err := r.add(2); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			err := r.add(3)
			for start := time.Now(); err != nil && time.Since(start) < time.Minute; time.Sleep(time.Millisecond) { // in the pause after a failure
				err = r.add(3)
			}
			if err != nil {
				t.Fatal(err)
			}
			r.agree(t, c.after...)
			if len(alarms) == 0 {
				t.Error("nobody was told of the failure")
			}
			if _, down := r.Down(); down {
				t.Error("still down after a good write")
			}
		})
	}
}

// While the journal says nothing the callers are told that the outcome is
// unknown, and once it answers nothing is lost and nothing doubled.
func TestLongDoubt(t *testing.T) {
	for _, applied := range []bool{false, true} {
		t.Run(fmt.Sprintf("applied=%v", applied), func(t *testing.T) {
			var mu sync.Mutex
			silent := true
			hook := func(n int, _ journal.Head, _ journal.Batch) journaltest.Fault {
				mu.Lock()
				defer mu.Unlock()
				if n == 0 || !silent {
					return journaltest.Fault{}
				}
				return journaltest.Fault{Err: journal.ErrDoubtful, Applied: applied && n == 1}
			}
			r := newRig(t, hook, clerk.Config[*job]{Doubt: 5 * time.Millisecond})
			if err := r.add(1); err != nil {
				t.Fatal(err)
			}
			if applied {
				if err := r.add(2); err != nil {
					t.Errorf("got %v; the head tells that it was written", err)
				}
				r.agree(t, 1, 2)
				return
			}
			if err := r.add(2); !errors.Is(err, clerk.ErrDoubtful) {
				t.Errorf("got %v, want doubt", err)
			}
			if err := r.add(3); !errors.Is(err, clerk.ErrNotTaken) {
				t.Errorf("got %v, want not taken: nothing may come between", err)
			}
			mu.Lock()
			silent = false
			mu.Unlock()
			for err := clerk.ErrNotTaken; err != nil; { // until it has rested
				if err = r.add(4); err != nil && !errors.Is(err, clerk.ErrNotTaken) {
					t.Fatal(err)
				}
			}
			r.agree(t, 1, 2, 4)
		})
	}
}

// While writing rests in doubt, jobs are refused without a question to the journal, which
// may take seconds.
func TestJobsDoNotWaitForADoubt(t *testing.T) {
	var asked atomic.Int64
	r := newRig(t, func(int, journal.Head, journal.Batch) journaltest.Fault {
		asked.Add(1)
		return journaltest.Fault{Err: journal.ErrDoubtful}
	}, clerk.Config[*job]{Doubt: time.Millisecond, Pause: 16 * time.Second})
	if err := r.add(1); !errors.Is(err, clerk.ErrDoubtful) {
		t.Fatalf("got %v, want doubt", err)
	}
	before := asked.Load()
	for n := range 20 {
		if err := r.add(n); !errors.Is(err, clerk.ErrNotTaken) {
			t.Fatalf("got %v, want not taken", err)
		}
	}
	if now := asked.Load(); now != before {
		t.Errorf("the journal was asked %d times, want none", now-before)
	}
}

// Another writer's records are followed, and the batch that lost is refused.
func TestAnotherWriter(t *testing.T) {
	r := newRig(t, nil, clerk.Config[*job]{})
	if err := r.add(1); err != nil {
		t.Fatal(err)
	}
	head, err := r.store.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	journaltest.MustAppend(t, r.store, head, journal.Batch{Records: []journal.Record{{Seq: 1, Public: []byte("50")}}})
	if err := r.add(2); !errors.Is(err, clerk.ErrNotTaken) {
		t.Errorf("got %v, want not taken", err)
	}
	if err := r.add(3); err != nil {
		t.Fatal(err)
	}
	r.agree(t, 1, 50, 3)
}

// While the oldest job waits too long, no other enters the queue but those that
// wait patiently; afterwards all do.
func TestQueueIsBoundedByAge(t *testing.T) {
	block, entered := make(chan struct{}), make(chan struct{}, 10)
	hook := func(int, journal.Head, journal.Batch) journaltest.Fault {
		entered <- struct{}{}
		<-block
		return journaltest.Fault{}
	}
	r := newRig(t, hook, clerk.Config[*job]{Wait: time.Nanosecond})
	jobs := make([]*job, 4)
	for k := range jobs {
		jobs[k] = &job{n: k + 1, done: make(chan error, 1)}
	}
	if _, err := r.Submit(jobs[0]); err != nil {
		t.Fatal(err)
	}
	<-entered // the clerk is writing it, and the queue is empty
	if _, err := r.Submit(jobs[1]); err != nil {
		t.Errorf("the queue is empty: got %v", err)
	}
	time.Sleep(time.Microsecond)
	if _, err := r.Submit(jobs[2]); !errors.Is(err, clerk.ErrBusy) {
		t.Errorf("another waits: got %v, want busy", err)
	}
	if _, err := r.SubmitPatiently(jobs[2]); err != nil {
		t.Errorf("patiently: got %v", err)
	}
	close(block)
	for _, j := range jobs[:3] {
		if err := <-j.done; err != nil {
			t.Error(err)
		}
	}
	if _, err := r.Submit(jobs[3]); err != nil {
		t.Errorf("the queue is empty again: got %v", err)
	}
	if err := <-jobs[3].done; err != nil {
		t.Error(err)
	}
}

func TestWithdrawAndBusy(t *testing.T) {
	block := make(chan struct{})
	entered := make(chan struct{}, 10)
	hook := func(n int, _ journal.Head, _ journal.Batch) journaltest.Fault {
		entered <- struct{}{}
		<-block
		return journaltest.Fault{}
	}
	r := newRig(t, hook, clerk.Config[*job]{Queue: 1})
	first := &job{n: 1, done: make(chan error, 1)}
	withdrawFirst, err := r.Submit(first)
	if err != nil {
		t.Fatal(err)
	}
	<-entered // the clerk is writing the first
	second := &job{n: 2, done: make(chan error, 1)}
	withdraw, err := r.Submit(second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Submit(&job{n: 3, done: make(chan error, 1)}); !errors.Is(err, clerk.ErrBusy) {
		t.Errorf("got %v, want busy", err)
	}
	if withdrawFirst() {
		t.Error("withdrew what the clerk had taken")
	}
	if !withdraw() {
		t.Error("could not withdraw what still waits")
	}
	close(block)
	if err := <-first.done; err != nil {
		t.Fatal(err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.agree(t, 1)
}

func TestCloseDrains(t *testing.T) {
	r := newRig(t, nil, clerk.Config[*job]{Jobs: 3})
	var jobs []*job
	for i := range 50 {
		j := &job{n: i, done: make(chan error, 1)}
		if _, err := r.Submit(j); err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, j := range jobs {
		select {
		case err := <-j.done:
			if err != nil {
				t.Errorf("job %d: %v", i, err)
			}
		default:
			t.Errorf("job %d was not answered", i)
		}
	}
	if err := r.add(1); !errors.Is(err, clerk.ErrClosed) {
		t.Errorf("got %v, want closed", err)
	}
}

// Whatever Submit takes is answered, however close a Close comes to it.
func TestCloseLeavesNoJobBehind(t *testing.T) {
	for range 100 {
		r := newRig(t, nil, clerk.Config[*job]{})
		var callers sync.WaitGroup
		begin := make(chan struct{})
		var taken [8][]*job
		for c := range taken {
			callers.Go(func() {
				<-begin
				for {
					j := &job{done: make(chan error, 1)}
					if _, err := r.Submit(j); err != nil {
						return
					}
					taken[c] = append(taken[c], j)
				}
			})
		}
		close(begin)
		time.Sleep(100 * time.Microsecond)
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		callers.Wait()
		for _, jobs := range taken {
			for _, j := range jobs {
				if len(j.done) == 0 {
					t.Fatal("a job was taken and never answered")
				}
			}
		}
	}
}

// The borders of batches show nowhere: many callers give one dense journal.
func TestManyCallers(t *testing.T) {
	r := newRig(t, nil, clerk.Config[*job]{Jobs: 8})
	var wg sync.WaitGroup
	for c := range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 50 {
				if err := r.add(c*1000 + i); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	got := numbers(t, r.store)
	if len(got) != 800 || !slices.Equal(got, r.machine.numbers()) {
		t.Errorf("got %d records, want 800 as in the machine", len(got))
	}
}

// pairs is an adder whose jobs make two records each.
type pairs struct{ *adder }

func (m pairs) Decide(j *job, b *journal.Batch) {
	m.adder.Decide(j, b)
	m.adder.Decide(j, b)
}

// A batch ends with so many records, however few jobs made them.
func TestBatchesAreBoundedByRecords(t *testing.T) {
	block, entered := make(chan struct{}), make(chan struct{}, 100)
	var sizes []int
	store := &journaltest.Faulty{Store: journal.NewMemory(), Hook: func(_ int, _ journal.Head, b journal.Batch) journaltest.Fault {
		sizes = append(sizes, len(b.Records))
		entered <- struct{}{}
		<-block
		return journaltest.Fault{}
	}}
	c := clerk.New(clerk.Config[*job]{Store: store, Machine: pairs{&adder{}}, Jobs: 8, Span: time.Minute})
	jobs := make([]*job, 21)
	for i := range jobs {
		jobs[i] = &job{n: i, done: make(chan error, 1)}
		if _, err := c.Submit(jobs[i]); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			<-entered // the clerk is writing the first; the others wait together
		}
	}
	close(block)
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []int{2, 8, 8, 8, 8, 8}; !slices.Equal(sizes, want) {
		t.Errorf("got batches of %v records, want %v", sizes, want)
	}
}

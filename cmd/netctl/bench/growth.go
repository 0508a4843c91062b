package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Growth says which sizes of a network to measure.
type Growth struct {
	Entries []uint64      // ascending; nil means 10,000, 100,000 and 1,000,000
	Agents  []int         // of each network; nil means 1,000 and 100,000
	Rounds  int           // of each pair; 0 means 5
	Span    time.Duration // of one measurement; 0 means 2 s
	Dir     string        // folder for the journals; "" means a throw-away one
	Say     func(string)  // told what is being measured; nil means nobody
}

// Grown is the result: what one network costs at several sizes.
type Grown struct {
	Machine Machine `json:"machine"`
	Sizes   []Size  `json:"sizes"`
}

// Machine is where and when a measurement was made.
type Machine struct {
	Date       string `json:"date"`
	System     string `json:"system" doc:"operating system and architecture"`
	Processors int    `json:"processors"`
	Go         string `json:"go"`
}

func thisMachine() Machine {
	return Machine{time.Now().UTC().Format(time.DateOnly), runtime.GOOS + "/" + runtime.GOARCH, runtime.NumCPU(), runtime.Version()}
}

// Size is what a network of some size costs.
type Size struct {
	Agents   int     `json:"agents"`
	Entries  uint64  `json:"entries" doc:"when the measurement began"`
	Bare     Rate    `json:"bare_http"`
	Durable  Rate    `json:"durable_http"`
	CPURatio Ratio   `json:"cpu_ratio" doc:"bare over durable, by processor time a call"`
	Bytes    float64 `json:"bytes_an_entry" doc:"of the journal on disk"`
	Heap     uint64  `json:"heap_bytes" doc:"in use after a garbage collection"`
	Start    Start   `json:"start_with_snapshot"`
	Replay   Start   `json:"start_without_snapshot"`
	Busy     bool    `json:"busy" doc:"other programs took the processors more often than once in 20 calls: the rates and latencies say little"`
}

// growthCallers is how many connections are measured, and filling how many
// callers make agents and entries in between.
const (
	growthCallers = 64
	filling       = 256
)

// RunGrowth measures networks while they grow. An agent is an entry too, so a size
// that making the agents has passed is measured right after that, once.
func RunGrowth(ctx context.Context, cfg Growth) (Grown, error) {
	c := Config{Rounds: cfg.Rounds, Span: cfg.Span, Say: cfg.Say}
	c.defaults()
	if cfg.Entries == nil {
		cfg.Entries = []uint64{10_000, 100_000, 1_000_000}
	}
	if cfg.Agents == nil {
		cfg.Agents = []int{1000, 100_000}
	}
	dir, remove, err := folder(cfg.Dir)
	if err != nil {
		return Grown{}, err
	}
	defer remove()
	r := Grown{Machine: thisMachine()}
	for _, agents := range cfg.Agents {
		sizes, err := grow(ctx, filepath.Join(dir, fmt.Sprintf("agents-%d", agents)), agents, cfg.Entries, &c)
		if r.Sizes = append(r.Sizes, sizes...); err != nil {
			return r, err
		}
	}
	return r, nil
}

// grow measures one network.
func grow(ctx context.Context, dir string, agents int, entries []uint64, cfg *Config) (sizes []Size, err error) {
	s, err := newStage(ctx, dir, min(agents, growthCallers), 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.end(ctx)) }()
	cfg.Say(fmt.Sprintf("%d agents", agents))
	crowd, err := s.crowd(ctx, agents-len(s.slugs))
	if err != nil {
		return nil, err
	}
	for i, size := range entries {
		if i+1 < len(entries) && entries[i+1] <= s.net.Health().Entries {
			continue
		}
		cfg.Say(fmt.Sprintf("%d agents, %d entries", agents, size))
		if err := s.growTo(ctx, crowd, size); err != nil {
			return sizes, err
		}
		one, err := s.size(ctx, cfg)
		if err != nil {
			return sizes, err
		}
		one.Agents = agents
		sizes = append(sizes, one)
	}
	return sizes, nil
}

// each calls do for 0 to n-1 from many callers, until one fails.
func each(n int, do func(i int) error) error {
	var next atomic.Int64
	var failed error
	var once sync.Once
	var all sync.WaitGroup
	for range filling {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					next.Store(int64(n))
					once.Do(func() { failed = err })
				}
			}
		})
	}
	all.Wait()
	return failed
}

// crowd makes agents and returns the slugs of all.
func (s *stage) crowd(ctx context.Context, n int) ([]string, error) {
	slugs := make([]string, max(0, n))
	err := each(len(slugs), func(i int) error {
		slugs[i] = fmt.Sprintf("crowd-%06d", i)
		_, err := s.net.As("").Spawn(ctx, netkit.Spawn{Slug: slugs[i]})
		return err
	})
	return append(slices.Clone(s.slugs), slugs...), err
}

// growTo executes the contract from all agents in turn until the journal has so many
// entries.
func (s *stage) growTo(ctx context.Context, slugs []string, entries uint64) error {
	missing := int(entries) - int(s.net.Health().Entries)
	return each(missing, func(i int) error {
		_, err := s.net.As(slugs[i%len(slugs)]).Execute(ctx, netkit.Execute{CampaignID: s.deal, Signal: signalOf(i%len(slugs), i/len(slugs))})
		return err
	})
}

// size measures the network as it is now, and starts it again twice.
func (s *stage) size(ctx context.Context, cfg *Config) (Size, error) {
	r := Size{Entries: s.net.Health().Entries}
	if err := s.sizePairs(ctx, cfg, &r); err != nil {
		return r, err
	}
	r.Heap = heapInUse()
	entries := s.net.Health().Entries
	if err := s.end(ctx); err != nil {
		return r, err
	}
	about, err := os.Stat(filepath.Join(s.folder(), "journal.db"))
	if err != nil {
		return r, fmt.Errorf("bench: %w", err)
	}
	r.Bytes = float64(about.Size()) / float64(entries)
	if r.Start, r.Replay, err = s.measureRestarts(ctx); err != nil {
		return r, err
	}
	return r, s.listen()
}

// sizePairs measures bare and durable requests in turn.
func (s *stage) sizePairs(ctx context.Context, cfg *Config, r *Size) error {
	bare, durable := s.requests(s.bare, "/echo", false), s.requests(s.api, catalog.ExecuteContract.Path, false)
	var bares, durables []Rate
	var ratios, switches []float64
	for range cfg.Rounds {
		echoed, err := load(ctx, bare, cfg.Span)
		if err != nil {
			return err
		}
		done, err := load(ctx, durable, cfg.Span)
		if err != nil {
			return err
		}
		bares, durables = append(bares, echoed), append(durables, done)
		ratios = append(ratios, float64(echoed.CPU)/float64(max(1, done.CPU)))
		switches = append(switches, echoed.Switches)
	}
	r.Bare, r.Durable, r.CPURatio = middle("bare net/http", bares), middle("durable", durables), ratioOf(ratios)
	r.Busy = median(switches) > maxSwitches
	return nil
}

// heapInUse returns the memory that is left after a garbage collection.
func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

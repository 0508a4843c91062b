package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/journal"
)

// Engine holds the settings of a comparison: a network on an engine and one in a folder.
type Engine struct {
	Config
	// Open returns a connection to the engine; each node gets one of its own. The engine is
	// empty: the measured network begins there, and stays. Nil measures a cluster of three
	// nodes of this process.
	Open func(context.Context) (journal.Engine, error)
	Name string // of the engine, for the report
	// TPCB is the address of a database that pgbench -i made, on the server of the
	// engine; "" measures no pgbench.
	TPCB string
	// Joining has a further node join at the end, once there are so many entries; 0 has none.
	Joining uint64
}

// EngineReport is the result; every figure is the median of its rounds.
type EngineReport struct {
	Connections int     `json:"connections"`
	Rounds      int     `json:"rounds"`
	Bare        Rate    `json:"bare_http"`
	Folder      Rate    `json:"folder"`
	Engine      Rate    `json:"engine" doc:"the processor time is this process's, without that of the database"`
	Ratio       Ratio   `json:"ratio" doc:"engine over folder, by calls a second"`
	FolderBatch float64 `json:"folder_batch" doc:"entries in a durable write, on average"`
	EngineBatch float64 `json:"engine_batch" doc:"the same of the engine"`
	TPCB        float64 `json:"tpcb_per_second" doc:"transactions of pgbench's TPC-B, prepared, on as many connections; 0 where it was not measured"`
	TPCBRatio   Ratio   `json:"tpcb_ratio" doc:"engine over TPC-B, by calls and transactions a second"`
	Lag         Lag     `json:"lag" doc:"from the answer to an entry until a following node has it, under the load of the rounds"`
	Join        *Join   `json:"join,omitempty" doc:"absent where none was asked for"`
	Busy        bool    `json:"busy" doc:"other programs took the processors more often than once in 20 calls: the rates and ratios say little"`
}

// RunEngine measures, in turn and in one process, bare HTTP, executions of a network in a
// folder, executions of one on the engine, and pgbench on the engine's server; and then how
// far a node that follows is behind. The nodes of a cluster run all the time, a second
// node on another engine only for its lag.
func RunEngine(ctx context.Context, cfg Engine) (r EngineReport, err error) {
	cfg.defaults()
	dir, remove, err := folder(cfg.Dir)
	if err != nil {
		return r, err
	}
	defer remove()
	several, err := cfg.newFleet(ctx, dir)
	if err != nil {
		return r, err
	}
	alone, err := newStage(ctx, filepath.Join(dir, "folder"), cfg.Connections, 0)
	if err != nil {
		return r, errors.Join(err, several.close())
	}
	defer func() { err = errors.Join(err, alone.end(ctx)) }()
	node := &stage{dir: several.dir, config: alone.config, replica: several.replica}
	if err := node.begin(ctx, cfg.Connections); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, node.end(ctx)) }()
	defer func() { err = errors.Join(several.end(ctx), err) }()
	if cfg.Open == nil {
		err = several.follow(ctx, node)
	}
	if err == nil {
		r, err = compareStages(ctx, &cfg, alone, node)
	}
	if err == nil && cfg.Open != nil {
		err = several.follow(ctx, node)
	}
	if err == nil {
		r.Lag, err = several.lag(ctx, &cfg, node)
	}
	if err == nil && cfg.Joining > 0 {
		r.Join = new(Join)
		*r.Join, err = several.join(ctx, &cfg, node, r.Engine.PerSecond)
	}
	return r, err
}

// compareStages measures both networks in turn, the other one first in each second round.
func compareStages(ctx context.Context, cfg *Engine, alone, node *stage) (r EngineReport, err error) {
	var bares []Rate
	var ratios, tpcbs, tpcbRatios, switches []float64
	both := [2]counted{{stage: alone}, {stage: node}}
	if cfg.TPCB != "" {
		cfg.Say("warming up pgbench")
		if _, err := cfg.tpcb(ctx); err != nil {
			return r, err
		}
	}
	for round := range cfg.Rounds {
		cfg.Say(fmt.Sprintf("round %d of %d", round+1, cfg.Rounds))
		bare, err := load(ctx, alone.requests(alone.bare, "/echo", cfg.Keys), cfg.Span)
		if err != nil {
			return r, err
		}
		bares, switches = append(bares, bare), append(switches, bare.Switches)
		for k := range both {
			if err := both[(k+round)%2].measure(ctx, cfg); err != nil {
				return r, err
			}
		}
		calls := both[1].rates[round].PerSecond
		ratios = append(ratios, calls/both[0].rates[round].PerSecond)
		if cfg.TPCB == "" {
			continue
		}
		tps, err := cfg.tpcb(ctx)
		if err != nil {
			return r, err
		}
		tpcbs, tpcbRatios = append(tpcbs, tps), append(tpcbRatios, calls/tps)
	}
	r = EngineReport{Connections: cfg.Connections, Rounds: cfg.Rounds, Bare: middle("bare net/http, decode and encode", bares), Ratio: ratioOf(ratios),
		FolderBatch: both[0].batch(), EngineBatch: both[1].batch(), Busy: median(switches) > maxSwitches}
	r.Folder = middle(catalog.ExecuteContract.Route()+", SQLite", both[0].rates)
	r.Engine = middle(catalog.ExecuteContract.Route()+", "+cfg.Name, both[1].rates)
	if cfg.TPCB != "" {
		r.TPCB, r.TPCBRatio = median(tpcbs), ratioOf(tpcbRatios)
	}
	return r, nil
}

// counted is a stage with its rates and the size of its writes.
type counted struct {
	*stage
	rates           []Rate
	entries, writes uint64
}

func (c *counted) batch() float64 { return float64(c.entries) / float64(max(1, c.writes)) }

// measure adds a round.
func (c *counted) measure(ctx context.Context, cfg *Engine) error {
	entries, writes := c.net.Health().Entries, c.net.Writes()
	rate, err := load(ctx, c.requests(c.api, catalog.ExecuteContract.Path, cfg.Keys), cfg.Span)
	c.rates = append(c.rates, rate)
	c.entries, c.writes = c.entries+c.net.Health().Entries-entries, c.writes+c.net.Writes()-writes
	return err
}

// tpcbSpans is how many spans a run of pgbench takes: a short one flatters the ratio,
// since it meets fewer of the server's checkpoints.
const tpcbSpans = 30

func (cfg *Engine) tpcbSpan() time.Duration { return max(time.Second, tpcbSpans*cfg.Span) }

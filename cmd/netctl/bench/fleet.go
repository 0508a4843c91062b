package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/nodes"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server/host"
)

// fleet is the nodes of a network on an engine.
type fleet struct {
	dir       string              // of the node that writes; the others have folders beside it
	replica   *host.ReplicaConfig // of the node that writes
	open      func(context.Context) (journal.Engine, error)
	first     *nodes.Node // of a cluster
	followers []*host.Host
}

// newFleet opens the engine of the node that writes. It is that node's to close.
func (cfg *Engine) newFleet(ctx context.Context, dir string) (*fleet, error) {
	f := &fleet{dir: filepath.Join(dir, "node"), open: cfg.Open}
	if cfg.Open == nil {
		var err error
		if f.first, err = nodes.New("first", filepath.Join(f.dir, "bench")); err != nil {
			return nil, err
		}
		f.replica = f.first.Replica(true, "http://127.0.0.1")
		return f, nil
	}
	engine, err := cfg.Open(ctx)
	if err != nil {
		return nil, err
	}
	head, err := engine.Head(ctx)
	if err == nil && head.Size > 0 {
		err = fmt.Errorf("bench: the database holds a network of %d entries; measure with one made for it", head.Size)
	}
	if err != nil {
		return nil, errors.Join(err, engine.Close())
	}
	f.replica = &host.ReplicaConfig{Engine: engine, Address: "http://127.0.0.1"}
	return f, nil
}

// close closes an engine that no node took.
func (f *fleet) close() error {
	if f.replica.Engine == nil {
		return nil
	}
	return f.replica.Engine.Close()
}

// follow starts the nodes that follow: two of a cluster, one on another engine.
func (f *fleet) follow(ctx context.Context, writer *stage) error {
	names := []string{"second", "third"}
	if f.first == nil {
		names = names[:1]
	}
	for _, name := range names {
		h, err := f.startFollower(ctx, writer, name)
		if err != nil {
			return err
		}
		f.followers = append(f.followers, h)
	}
	if f.first == nil {
		return nil
	}
	return f.first.AwaitVoters(ctx, 1+len(names))
}

func (f *fleet) startFollower(ctx context.Context, writer *stage, name string) (*host.Host, error) {
	cfg := host.Config{Dir: filepath.Join(f.dir, name), Server: writer.config}
	if f.first != nil {
		n, err := nodes.New(name, cfg.Dir)
		if err == nil {
			err = n.Join(ctx, f.first)
		}
		if err != nil {
			return nil, err
		}
		cfg.Replica = n.Replica(false, "http://127.0.0.1")
		return host.New(ctx, cfg)
	}
	keys, err := host.NodeKeys(writer.folder())
	if err == nil {
		err = host.KeepNodeKeys(cfg.Dir, "the node that writes", keys)
	}
	if err != nil {
		return nil, err
	}
	engine, err := f.open(ctx)
	if err != nil {
		return nil, err
	}
	cfg.Replica = &host.ReplicaConfig{Engine: engine, Follower: true}
	return host.New(ctx, cfg)
}

// end closes the nodes that follow.
func (f *fleet) end(ctx context.Context) (err error) {
	for _, h := range f.followers {
		err = errors.Join(err, h.Close(ctx))
	}
	return err
}

// Lag is how long entries take to a node that follows.
type Lag struct {
	Samples int           `json:"samples"`
	P50     time.Duration `json:"p50_ns"`
	P99     time.Duration `json:"p99_ns"`
}

// sampleEvery is the pause between two samples of a lag, and between two looks at the
// node that follows.
const sampleEvery = time.Millisecond

// lag loads the node that writes for the spans of all rounds, and takes samples of the
// time until the last node that follows has the entries that were acknowledged.
func (f *fleet) lag(ctx context.Context, cfg *Engine, writer *stage) (Lag, error) {
	follower := f.followers[len(f.followers)-1].Network
	loading, stop := context.WithCancel(ctx)
	var took []time.Duration
	done := make(chan struct{})
	go func() {
		defer close(done)
		for timespan.Wait(loading, sampleEvery) {
			size, at := writer.net.Health().Entries, time.Now()
			for follower.Health().Entries < size && timespan.Wait(loading, sampleEvery) {
			}
			if loading.Err() == nil {
				took = append(took, time.Since(at))
			}
		}
	}()
	_, err := load(ctx, writer.requests(writer.api, catalog.ExecuteContract.Path, cfg.Keys), time.Duration(cfg.Rounds)*cfg.Span)
	stop()
	<-done
	if err != nil || len(took) == 0 {
		return Lag{}, err
	}
	slices.Sort(took)
	return Lag{len(took), took[len(took)/2], took[len(took)*99/100]}, nil
}

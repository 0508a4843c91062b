package host

import (
	"context"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/timespan"
)

// The kept checkpoint follows the durable journal at this distance, whichever
// is reached first. Half a second leaves as much for signing and the disk.
const (
	keepEvery   = 500 * time.Millisecond
	keepEntries = 1000
)

// keeper signs the head of the journal as it grows and so has the log keep it
// outside of the database, so that the next start notices entries that were lost. The
// writer never waits for it.
type keeper struct {
	network *network.Network
	log     *proof.Log
	alarm   func(error) // nil drops errors
	stop    func()
	gone    chan struct{}
}

// keep begins to follow a journal whose first entries are kept already.
func keep(ctx context.Context, network *network.Network, log *proof.Log, from uint64, alarm func(error)) *keeper {
	k := &keeper{network: network, log: log, alarm: alarm, gone: make(chan struct{})}
	ctx, k.stop = context.WithCancel(context.WithoutCancel(ctx))
	go k.run(ctx, from)
	return k
}

func (k *keeper) run(ctx context.Context, kept uint64) {
	defer close(k.gone)
	for ctx.Err() == nil {
		if _, err := k.network.WaitDurable(ctx, kept+1); err != nil {
			return
		}
		soon, cancel := context.WithTimeout(ctx, keepEvery)
		_, _ = k.network.WaitDurable(soon, kept+keepEntries) // or the time is over
		cancel()
		if ctx.Err() != nil {
			return // close keeps the last one
		}
		tree, _, err := k.log.Sign(ctx)
		if err == nil {
			kept = uint64(tree.N)
			continue
		}
		if ctx.Err() == nil && k.alarm != nil {
			k.alarm(fmt.Errorf("the journal grows without a newer checkpoint: %w", err))
		}
		timespan.Wait(ctx, keepEvery)
	}
}

// close ends the following, and keeps the last head.
func (k *keeper) close(ctx context.Context) error {
	k.stop()
	<-k.gone
	_, _, err := k.log.Sign(ctx)
	return err
}

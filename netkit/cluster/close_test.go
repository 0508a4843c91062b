package cluster

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// A node whose folder cannot be written closes all the same, and has the batches when it
// starts again.
func TestCloseWithAFullFolder(t *testing.T) {
	simulate(t, 3, func(t *testing.T, s *simulation, c *client) {
		hurt := s.nodes[1]
		hurt.stop()
		for len(c.acked) == 0 { // another node leads
			s.append(c, s.nodes[0])
			time.Sleep(time.Second)
		}
		full := make(chan struct{}, 1)
		hurt.report = func(error) {
			select {
			case full <- struct{}{}:
			default:
			}
		}
		hurt.wrap = func(f Folder) Folder { return &failing{Folder: f, fail: journal.ErrFull, times: math.MaxInt} }
		hurt.start()
		<-full
		closed := make(chan error)
		go func() { closed <- hurt.node.Close() }()
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Hour): // of virtual time
			t.Fatal("the node does not close")
		}
		if err := hurt.store.Close(); err != nil {
			t.Error(err)
		}
		hurt.wrap = nil
		hurt.start()
		time.Sleep(time.Minute)
		if head, err := hurt.store.Head(context.Background()); err != nil || head != c.at {
			t.Errorf("after another start: got %v, %v, want %v", head, err, c.at)
		}
	})
}

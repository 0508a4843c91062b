package replica_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/replica"
)

// A node that cannot write hands over, even where no other node is there, and writes again once it can.
func TestAnUnfitNodeHandsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := new(journaltest.Engine)
		var full atomic.Bool
		n := replica.NewNode(replica.NodeConfig{Store: node(t, e), Name: "a", Address: "http://a", Unfit: func() error {
			if full.Load() {
				return errors.New("the disk is full")
			}
			return nil
		}}, idle{})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- n.Run(ctx) }()
		for _, want := range []bool{true, false, true} {
			full.Store(!want)
			time.Sleep(3 * time.Second)
			synctest.Wait()
			w, err := e.Writer(t.Context())
			if err != nil || n.Leads() != want || (w.Node == "a") != want {
				t.Errorf("with a full disk %v: got the writer %+v, %v", !want, w, err)
			}
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

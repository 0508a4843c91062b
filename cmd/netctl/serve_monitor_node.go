package main

import (
	"fmt"
	"time"

	"github.com/agentnet/netctl/server/monitor"
)

// positionLate is the age of a node's position from which it answers no token, and is not
// ready.
const positionLate = time.Second

// watchNode adds this node, as one of several, to the monitor.
func (s *service) watchNode() {
	n := s.host.Node
	if n == nil {
		return
	}
	s.monitor.Gauge("netctl_node_lag_seconds", "Time since this node confirmed its position in the journal, -1 before the first time.", func() float64 {
		if lag := n.Lag(); lag >= 0 {
			return lag.Seconds()
		}
		return -1
	})
	s.monitor.Gauge("netctl_node_writes", "1 where this node takes commands, 0 where it follows.", func() float64 {
		if n.Leads() {
			return 1
		}
		return 0
	})
	s.monitor.Gauge("netctl_node_peers", "Other nodes that run.", func() float64 {
		running := 0
		for _, p := range n.Peers() {
			if p.Runs {
				running++
			}
		}
		return float64(running)
	})
	s.monitor.Ready(monitor.Check{Name: "node", Waits: func() string {
		switch lag := n.Lag(); {
		case lag < 0:
			return "it has not reached the journal that the nodes share"
		case lag > positionLate:
			return fmt.Sprintf("it has not reached the journal that the nodes share for %s", lag.Round(time.Second))
		case n.Writer().Node == "":
			return "no node writes"
		}
		return ""
	}})
}

package server

import (
	"net/http"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
)

// NodeListPath is where an operator on the machine of a node gets the list of nodes, a
// []NodeView.
const NodeListPath = "/node/list"

// NodeView describes a node as another one sees it.
type NodeView struct {
	Node    string `json:"node"`
	Address string `json:"address,omitempty" doc:"where other nodes reach it"`
	Writes  bool   `json:"writes" doc:"the other nodes pass writes on to it"`
	Runs    bool   `json:"runs" doc:"it was heard of in the last ten seconds"`
	Entries uint64 `json:"entries" doc:"that its folder has, as it said last"`
	LagMs   *int64 `json:"lag_ms,omitempty" doc:"since the node that answers confirmed its position; other nodes have none"`
}

var nodesForOperators = &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.OperatorsOnly, What: "only an operator on the machine of this node may list the nodes", Next: "run netctl node list there"}

// listNodes lists the nodes of the network, the one that answers first.
func (s *Server) listNodes(w http.ResponseWriter, r *http.Request) {
	if p := localPrincipal(r.Context()); p == nil || p.Kind != netkit.OperatorParty {
		s.refuse(w, r, nodesForOperators)
		return
	}
	n := s.cfg.Node
	writer := n.Writer().Node
	view := func(p journal.Peer) NodeView {
		return NodeView{Node: p.Node, Address: p.Address, Writes: p.Node == writer, Runs: p.Runs, Entries: p.Entries}
	}
	me := view(journal.Peer{Member: n.Self(), Runs: true})
	if lag := n.Lag().Milliseconds(); n.Lag() >= 0 {
		me.LagMs = &lag
	}
	all := []NodeView{me}
	for _, p := range n.Peers() {
		all = append(all, view(p))
	}
	writeJSON(w, http.StatusOK, "application/json", all)
}

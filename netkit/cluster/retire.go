package cluster

import (
	"context"
	"encoding/json"

	"github.com/agentnet/netctl/netkit/journal"
)

var _ journal.Retirer = (*Node)(nil)

// Retire implements [journal.Retirer]. An entry of raft's log retires the cluster, so that
// every node decides alike which append came before it.
func (n *Node) Retire(ctx context.Context, to string) (head journal.Head, err error) {
	var out wireHead
	body, err := json.Marshal(retire{to})
	if err == nil {
		err = n.askLeader(ctx, callRetire, body, &out)
	}
	if err != nil {
		return head, err
	}
	return out.head()
}

func (n *Node) leaderRetire(_ context.Context, _ string, body []byte) (any, error) {
	in := new(retire)
	if err := json.Unmarshal(body, in); err != nil {
		return nil, err
	}
	if err := n.applyControl(&control{Retire: in}); err != nil {
		return nil, err
	}
	head, _, err := n.machine.head()
	return sendHead(head), err
}

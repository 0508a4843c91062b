package cluster

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/agentnet/netctl/netkit/journal"
)

var _ journal.Roster = (*Node)(nil)

// roster is kept by the leader in its memory: every node attends again soon, so that a
// new leader knows them within a beat.
type roster struct {
	mu      sync.Mutex
	members map[string]journal.Member // by name
}

// Attend implements [journal.Roster].
func (n *Node) Attend(ctx context.Context, me journal.Member) (all []journal.Member, err error) {
	body, err := json.Marshal(me)
	if err == nil {
		err = n.askLeader(ctx, callAttend, body, &all)
	}
	return all, err
}

func (n *Node) leaderAttend(_ context.Context, _ string, body []byte) (any, error) {
	var me journal.Member
	if err := json.Unmarshal(body, &me); err != nil {
		return nil, err
	}
	if err := n.beginTerm(); err != nil {
		return nil, err
	}
	n.roster.mu.Lock()
	defer n.roster.mu.Unlock()
	if n.roster.members == nil {
		n.roster.members = map[string]journal.Member{}
	}
	me.Beat = n.roster.members[me.Node].Beat + 1
	n.roster.members[me.Node] = me
	var all []journal.Member
	for _, name := range slices.Sorted(maps.Keys(n.roster.members)) {
		all = append(all, n.roster.members[name])
	}
	return all, nil
}

// Depart implements [journal.Roster].
func (n *Node) Depart(ctx context.Context, m journal.Member) error {
	body, err := json.Marshal(m)
	if err == nil {
		err = n.askLeader(ctx, callDepart, body, nil)
	}
	return err
}

func (n *Node) leaderDepart(_ context.Context, _ string, body []byte) (any, error) {
	var m journal.Member
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	if err := n.beginTerm(); err != nil {
		return nil, err
	}
	n.roster.mu.Lock()
	defer n.roster.mu.Unlock()
	if n.roster.members[m.Node].Beat == m.Beat {
		delete(n.roster.members, m.Node)
	}
	return nil, nil
}

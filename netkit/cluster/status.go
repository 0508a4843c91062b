package cluster

import (
	"context"
	"encoding/hex"
	"sync"
	"time"

	"github.com/hashicorp/raft"
)

// Status is a cluster as one of its nodes sees it.
type Status struct {
	Cluster string   `json:"cluster"`
	Node    string   `json:"node"`   // that was asked
	Leader  string   `json:"leader"` // "" without one
	Members []Member `json:"members"`
}

// Member is a node of a [Status].
type Member struct {
	Name    string `json:"name"`
	Address string `json:"address"`
	Voter   bool   `json:"voter"`
	Leader  bool   `json:"leader"`
	Place   *Place `json:"place,omitempty"` // nil where it does not answer
	Error   string `json:"error,omitempty"` // why it does not
}

// Role returns the part that a member takes: leader, voter or follower.
func (m *Member) Role() string {
	switch {
	case m.Leader:
		return "leader"
	case m.Voter:
		return "voter"
	}
	return "follower"
}

// Problem returns why a member does not answer or takes no part, "" where it does.
func (m *Member) Problem() string {
	if m.Place != nil && m.Error == "" {
		return m.Place.Error
	}
	return m.Error
}

// Behind returns how many entries of the leader's journal a member lacks, 0 where
// either does not answer.
func (s *Status) Behind(m *Member) uint64 {
	for _, l := range s.Members {
		if l.Leader && l.Place != nil && m.Place != nil && l.Place.Entries > m.Place.Entries {
			return l.Place.Entries - m.Place.Entries
		}
	}
	return 0
}

// Without counts the voters that are left once a member has left, and those of them that
// answer. More than half have to answer, or nothing is written.
func (s *Status) Without(name string) (voters, answer int) {
	for _, m := range s.Members {
		if m.Name == name || !m.Voter {
			continue
		}
		if voters++; m.Place != nil {
			answer++
		}
	}
	return voters, answer
}

// Member returns the member of a name, nil where none has it.
func (s *Status) Member(name string) *Member {
	for i := range s.Members {
		if s.Members[i].Name == name {
			return &s.Members[i]
		}
	}
	return nil
}

// Place is where a node is in the journal and in the log.
type Place struct {
	Term    uint64 `json:"term"`
	Applied uint64 `json:"applied"` // entries of the log
	First   uint64 `json:"first"`   // entry that the log still has
	Entries uint64 `json:"entries"` // of the journal
	Tip     string `json:"tip"`     // leaf hash of the last one
	Error   string `json:"error,omitempty"`
}

// ownPlace is the place of this node.
func (n *Node) ownPlace() Place {
	head, _, err := n.machine.head()
	first, _ := n.log.FirstIndex()
	p := Place{Term: n.raft.CurrentTerm(), Applied: n.raft.AppliedIndex(), First: first, Entries: head.Size, Tip: hex.EncodeToString(head.Tip[:])}
	if err != nil {
		p.Error = err.Error()
	}
	return p
}

// Status asks each member for its place.
func (n *Node) Status(ctx context.Context) Status {
	_, leader := n.raft.LeaderWithID()
	out := Status{Cluster: n.member.Cluster, Node: n.Name(), Leader: nameOf(leader)}
	servers := n.servers()
	out.Members = make([]Member, len(servers))
	var all sync.WaitGroup
	for i, s := range servers {
		m := &out.Members[i]
		*m = Member{Name: nameOf(s.ID), Address: string(s.Address), Voter: s.Suffrage == raft.Voter, Leader: s.ID == leader}
		all.Go(func() { n.askPlace(ctx, &s, m) })
	}
	all.Wait()
	return out
}

// statusTime bounds the wait for the place of a member, which may be paused.
const statusTime = 2 * time.Second

func (n *Node) askPlace(ctx context.Context, s *raft.Server, m *Member) {
	ctx, cancel := context.WithTimeout(ctx, statusTime)
	defer cancel()
	p := n.ownPlace()
	if string(s.ID) != n.member.ID {
		reply, err := n.caller.call(ctx, s.Address, callStatus, nil)
		if err == nil {
			err = decodeAnswer(reply, &p)
		}
		if err != nil {
			m.Error = err.Error()
			return
		}
	}
	m.Place = &p
}

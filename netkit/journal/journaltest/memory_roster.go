package journaltest

import (
	"context"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/journal"
)

var _ journal.Roster = (*Engine)(nil)

// Attend implements journal.Roster.
func (e *Engine) Attend(ctx context.Context, me journal.Member) ([]journal.Member, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	i, found := e.member(me.Node)
	if !found {
		e.members = slices.Insert(e.members, i, journal.Member{})
	}
	me.Beat = e.members[i].Beat + 1
	e.members[i] = me
	return slices.Clone(e.members), ctx.Err()
}

// Depart implements journal.Roster.
func (e *Engine) Depart(ctx context.Context, m journal.Member) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if i, found := e.member(m.Node); found && e.members[i].Beat == m.Beat {
		e.members = slices.Delete(e.members, i, i+1)
	}
	return ctx.Err()
}

// member returns the place of a node among the members.
func (e *Engine) member(node string) (int, bool) {
	return slices.BinarySearchFunc(e.members, node, func(m journal.Member, node string) int { return strings.Compare(m.Node, node) })
}

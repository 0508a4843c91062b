package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Crisis returns the crises that run, newest first. It is free.
func (ses *Session) Crisis(ctx context.Context) (netkit.CrisisView, error) {
	now := ses.n.Now()
	var asOf netkit.AsOf
	var terms []netkit.CrisisTerm
	rows, err := view(ctx, ses.n, func(s *rules.State) ([]rules.Dispatch, error) {
		asOf = s.AsOf(now)
		terms = s.CrisisTerms()
		return s.Running(), nil
	})
	if err != nil {
		return netkit.CrisisView{}, err
	}
	items, err := ses.n.dispatchTexts(ctx, rows)
	return netkit.CrisisView{Running: items, Terms: terms, AsOf: asOf}, err
}

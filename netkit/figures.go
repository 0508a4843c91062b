package netkit

import "context"

// Figures are network totals, for a first look at a network. All
// are kept, none is counted when asked.
type Figures struct {
	Network    string `json:"network"`
	Entries    uint64 `json:"entries"`
	Agents     uint64 `json:"agents"`
	Sponsors   uint64 `json:"sponsors"`
	Contracts  uint64 `json:"contracts" doc:"ever opened"`
	Executions uint64 `json:"executions"`
	Dispatches uint64 `json:"dispatches"`
	Blackout   bool   `json:"blackout" doc:"true while a crisis runs"`
	AsOf       AsOf   `json:"as_of"`
}

// Figures returns the network totals.
func (n *Network) Figures(ctx context.Context) (Figures, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) (Figures, error) {
		return Figures{Network: s.root.netID, Entries: s.root.next, Agents: s.root.counts.Agents, Sponsors: uint64(s.sponsors.len()),
			Contracts: uint64(s.contracts.len()), Executions: s.root.counts.Executions, Dispatches: uint64(s.dispatches.len()),
			Blackout: s.blackout(), AsOf: s.asOf(now)}, nil
	})
}

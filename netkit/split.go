package netkit

// Split divides a payout between the agent and the treasury. The agent's share
// is rounded down; the treasury gets the rest.
func (e *Economy) Split(payout Credits) (agent, treasury Credits) {
	agent = Credits(e.AgentShare.of(int64(payout)))
	return agent, payout - agent
}

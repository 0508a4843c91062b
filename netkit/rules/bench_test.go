package rules

import (
	"github.com/agentnet/netctl/netkit"
)

type spawnMany []string

func (spawnMany) Route() string { return "test" }

func (m spawnMany) Decide(s *State, c *Call) error {
	grant := s.Law.Economy.WelcomeGrant
	for _, slug := range m {
		c.Add(&AgentSpawned{Agent: slug}, Move{netkit.Issuance, -grant}, Move{netkit.Wallet(slug), grant})
	}
	return nil
}

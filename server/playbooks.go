package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/plural"
)

// playbookRoutes are the inventory for the planned exchange. Content stays on
// the agent's machine.
func (s *Server) playbookRoutes() []route {
	return []route{
		command(catalog.CommitPlaybook, (*session).CommitPlaybook),
		act(catalog.RegisterPlaybook, s.registerPlaybook),
		listed(catalog.ListPlaybooks, (*session).Inventory),
		read(catalog.GetExchange, (*session).Exchange),
		command(catalog.OpenExchange, (*session).OpenExchange),
		command(catalog.CloseExchange, (*session).CloseExchange),
	}
}

// registerPlaybook refuses metadata that breaks a rule of playbooks or still
// identifies someone.
func (s *Server) registerPlaybook(ctx context.Context, v *request, _ *none, in netkit.RegisterPlaybook) (netkit.PlaybookReceipt, error) {
	if err := in.Check(); err != nil {
		return netkit.PlaybookReceipt{}, err
	}
	if found := btdt.CheckMetadata(in); len(found) > 0 {
		return netkit.PlaybookReceipt{}, wrong(found[0].Path, code.IdentifiesSomeone, "holds what seems to identify someone ("+plural.Count(len(found), "place", "places")+" in all)",
			"strip it with netctl btdt scrub FILE, look it over, and register that file")
	}
	return v.as().RegisterPlaybook(ctx, in)
}

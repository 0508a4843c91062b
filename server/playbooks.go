package server

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
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

// registerPlaybook refuses metadata that breaks a rule of playbooks or that surely
// identifies someone.
func (s *Server) registerPlaybook(ctx context.Context, v *request, _ *none, in netkit.RegisterPlaybook) (netkit.PlaybookReceipt, error) {
	if err := in.Check(); err != nil {
		return netkit.PlaybookReceipt{}, err
	}
	if found := btdt.RefusedFindings(in); len(found) > 0 {
		return netkit.PlaybookReceipt{}, wrong(found[0].Path, code.IdentifiesSomeone, "holds what seems to identify someone: "+placesOf(found),
			"reword these places, or strip them with netctl btdt scrub FILE, look it over, and register that file")
	}
	return v.as().RegisterPlaybook(ctx, in)
}

// placesOf names places by field, offsets in code points and type.
func placesOf(found []btdt.Refused) string {
	var all []string
	for _, f := range found {
		all = append(all, fmt.Sprintf("%s %d to %d (%s)", f.Path, f.Start, f.End, f.Type))
	}
	return strings.Join(all, ", ")
}

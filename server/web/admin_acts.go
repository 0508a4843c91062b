package web

import (
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// todo is one thing that a new network still needs.
type todo struct {
	What, How string
	Done      bool
}

// checklist says what an operator of a new network does first; nil once all is done.
func checklist(d *adminData, f netkit.NetworkTotals) []todo {
	funded := false
	for _, s := range d.Sponsors.Items {
		funded = funded || s.Funds > 0
	}
	all := []todo{
		{"Propose a sponsor", "below, under Sponsors", len(d.Sponsors.Items) > 0},
		{"Book its deposit", "below, under Sponsors", funded || f.Contracts > 0},
		{"Open a contract", "on the sponsor’s page, which its name leads to", f.Contracts > 0},
		{"Let an agent join", "/admin/agent-setup, or netctl agent spawn", f.Agents > 0},
		{"See a first execution", "agents execute contracts of the market", f.Executions > 0},
	}
	for _, t := range all {
		if !t.Done {
			return all
		}
	}
	return nil
}

func (p *Pages) actRole(v *request) (string, error) {
	grant := v.field("grant") == "yes"
	err := p.call(v, catalog.SetRole, map[string]any{"role": v.field("role"), "grant": grant, "reason": v.field("reason")}, nil, v.field("agent"))
	if grant {
		return v.field("agent") + " has the role now.", err
	}
	return v.field("agent") + " has the role no more.", err
}

func (p *Pages) actReinstate(v *request) (string, error) {
	return v.field("agent") + " is in good standing again.", p.call(v, catalog.ReinstateAgent, map[string]string{"reason": v.field("reason")}, nil, v.field("agent"))
}

func (p *Pages) actRevoke(v *request) (string, error) {
	in := netkit.RevokeBadge{Agent: v.field("agent"), Reason: v.field("reason")}
	if err := pick("badge", v.field("badge"), &in.Badge, nil); err != nil {
		return "", err
	}
	var out netkit.RevocationReceipt
	err := p.call(v, catalog.RevokeBadge, in, &out)
	return "Revocation " + strconv.FormatUint(out.RevocationID, 10) + " waits for a witness.", err
}

// actToken revokes a token of another party, which needs a reason.
func (p *Pages) actToken(v *request) (string, error) {
	id, err := number(v, "token_id")
	if err != nil {
		return "", err
	}
	var out netkit.TokenReceipt
	err = p.call(v, catalog.RevokeToken, map[string]string{"reason": v.field("reason")}, &out, id)
	note := "Token " + id + " of " + out.Owner + " is revoked."
	if out.Last {
		note += " It was the last one: " + out.Owner + " cannot act any more. An operator recovers an agent with netctl agent recover."
	}
	return note, err
}

func (p *Pages) actExchange(v *request) (string, error) {
	if v.field("close") == "yes" {
		return "The exchange is planned again.", p.call(v, catalog.CloseExchange, netkit.CloseExchange{Reason: v.field("reason")}, nil)
	}
	return "The exchange is open. Nothing is offered, priced or sold yet.", p.call(v, catalog.OpenExchange, netkit.OpenExchange{Reason: v.field("reason")}, nil)
}

// actInvite makes an invitation, which is shown this once.
func (p *Pages) actInvite(v *request) (string, error) {
	var out netkit.Invitation
	if err := p.call(v, catalog.InviteAgent, netkit.Invite{}, &out); err != nil {
		return "", err
	}
	v.session.setFresh(invitationLink, out.URL)
	return "The invitation is made. It expires on " + out.ExpiresAt.Time().Format("2 Jan 2006, 15:04") + " UTC.", nil
}

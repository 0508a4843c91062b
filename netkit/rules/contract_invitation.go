package rules

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// A sponsor may invite agents that it has paid, within the look-back of the scores,
// to a contract. An invited agent gets a notice and sees the invitation on the
// contract. No rule on pay reads it.

// InviteToContract invites agents to a contract.
type InviteToContract struct{ netkit.InviteToContract }

func (*InviteToContract) Route() string { return "contract.invite" }

func (c *InviteToContract) Decide(s *State, call *Call) error {
	ct, sponsor, err := ownContract(s, call, c.CampaignID)
	if err != nil {
		return err
	}
	if err := s.checkNamed("agents", c.Agents); err != nil {
		return err
	}
	var fresh []string
	for _, slug := range c.Agents {
		i, _ := s.slugs.Get(slug)
		switch {
		case hasRow(ct.invited, i):
			continue
		case !s.admits(ct, i):
			return netkit.Forbidden("", code.AgentNotAdmitted, "the contract does not admit "+slug, "admit it with {setAgents}, or leave it out")
		case !s.paidBy(i, ct.sponsor):
			return netkit.Forbidden("", code.AgentNotPaid, "the sponsor has not paid "+slug+" of late", "{listExecutions} names the agents that worked for it")
		}
		fresh = append(fresh, slug)
	}
	switch {
	case len(fresh) == 0:
		return netkit.Invalid("agents", code.AgentsMissing, "names no agent that is not invited already", "")
	case len(ct.invited)+len(fresh) > netkit.MaxNamed:
		return netkit.Invalid("agents", code.TooMany, "would make more than "+strconv.Itoa(netkit.MaxNamed)+" invited agents of the contract", "leave some out")
	}
	call.Add(&AgentsInvited{Sponsor: sponsor, Campaign: ct.Id, Agents: fresh})
	return nil
}

// paidBy reports whether an agent has pay of a sponsor in its evidence.
func (s *State) paidBy(agent, sponsor uint32) bool {
	return slices.ContainsFunc(s.parties.At(agent).Agent.Evidence, func(row Evidence) bool { return row.With == sponsor && row.In > 0 })
}

// Receipt returns the receipt of the command from its entry.
func (*InviteToContract) Receipt(e *Entry) netkit.InvitationReceipt {
	f := e.Fact.(*AgentsInvited)
	return netkit.InvitationReceipt{CampaignID: f.Campaign, Sponsor: f.Sponsor, Invited: f.Agents, Seq: e.Seq, At: e.At}
}

// AgentsInvited records that a sponsor invited agents to a contract.
type AgentsInvited struct {
	Sponsor  string
	Campaign uint64
	Agents   []string
}

func (*AgentsInvited) Kind() netkit.Kind { return netkit.KindContractInvited }

func (f *AgentsInvited) CommandOf(*PastView) (Command, error) {
	return &InviteToContract{netkit.InviteToContract{CampaignID: f.Campaign, Agents: f.Agents}}, nil
}

func (f *AgentsInvited) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Num(c, "campaign", &f.Campaign)
	wire.Strs(c, "agents", &f.Agents)
}

func (f *AgentsInvited) notice(noticeKind, string) (uint64, string) {
	return f.Campaign, fmt.Sprintf("%s invites you to execute contract %d.", f.Sponsor, f.Campaign)
}

func (f *AgentsInvited) Apply(s *State, e *Entry) {
	ct, ok := s.contracts.Get(f.Campaign)
	if !ok {
		return
	}
	rows := s.rowsOf(f.Agents)
	ct = s.contracts.Edit(ct)
	ct.invited = mergeRows(ct.invited, nil, rows)
	for _, i := range rows {
		s.notify(i, e.Seq, noticeInvited)
	}
}

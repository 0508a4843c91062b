package netkit

// InviteToContract asks to invite agents that worked for the sponsor of a contract to
// execute it. An invitation is a hint to the agent: tiers, matching, lists of names
// and limits hold as without it.
type InviteToContract struct {
	CampaignID uint64   `json:"campaign_id"`
	Agents     []string `json:"agents" doc:"slugs of agents that the sponsor has paid of late" minItems:"1" maxItems:"200"`
}

// Check refuses a list of more than MaxNamed names.
func (in *InviteToContract) Check() error { return checkNames("agents", in.Agents) }

// Own copies the list, which a command keeps, in ascending order and without
// repetitions.
func (in *InviteToContract) Own() { in.Agents = sortedNames(in.Agents) }

// InvitationReceipt is the receipt of inviting agents to a contract.
type InvitationReceipt struct {
	CampaignID uint64   `json:"campaign_id"`
	Sponsor    string   `json:"sponsor"`
	Invited    []string `json:"invited" doc:"those that were invited before are left out"`
	Seq        uint64   `json:"seq"`
	At         Millis   `json:"at"`
}

package netkit

import (
	"slices"
	"strconv"

	"github.com/agentnet/netctl/netkit/code"
)

// MaxNamed is how many agents a list of admitted or shut-out agents may name.
const MaxNamed = 200

// SetAgents asks to change which agents a sponsor's contracts admit or shut out by
// name: one contract, or all of the sponsor. A later list of the three prevails.
type SetAgents struct {
	CampaignID uint64   `json:"campaign_id,omitempty" doc:"default: all contracts of the sponsor, those to come too"`
	Sponsor    string   `json:"sponsor,omitempty" doc:"whose contracts; a sponsor may leave it out"`
	Release    []string `json:"release,omitempty" doc:"slugs of agents to take off both lists" maxItems:"200"`
	Admit      []string `json:"admit,omitempty" doc:"slugs of agents to admit; once an agent is admitted, those that are not are refused" maxItems:"200"`
	ShutOut    []string `json:"shut_out,omitempty" doc:"slugs of agents to refuse" maxItems:"200"`
}

// Check refuses lists of more than MaxNamed names.
func (in *SetAgents) Check() error {
	if err := checkNames("release", in.Release); err != nil {
		return err
	}
	if err := checkNames("admit", in.Admit); err != nil {
		return err
	}
	return checkNames("shut_out", in.ShutOut)
}

func checkNames(field string, list []string) error {
	if len(list) > MaxNamed {
		return Invalid(field, code.TooMany, "has more than "+strconv.Itoa(MaxNamed)+" names", "leave some out, or set a min_tier")
	}
	return nil
}

// Own copies the lists, which a command keeps, in ascending order and without
// repetitions.
func (in *SetAgents) Own() {
	in.Release, in.Admit, in.ShutOut = sortedNames(in.Release), sortedNames(in.Admit), sortedNames(in.ShutOut)
}

// sortedNames returns a copy in ascending order without repetitions.
func sortedNames(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// SetAgentsReceipt is the receipt of admitting and shutting out agents.
type SetAgentsReceipt struct {
	CampaignID uint64   `json:"campaign_id,omitempty" doc:"absent for all contracts of the sponsor"`
	Sponsor    string   `json:"sponsor"`
	Released   []string `json:"released,omitempty"`
	Admitted   []string `json:"admitted,omitempty"`
	ShutOut    []string `json:"shut_out,omitempty"`
	Seq        uint64   `json:"seq"`
	At         Millis   `json:"at"`
}

// NamedAgents are the agents that a sponsor admits and shuts out by name.
type NamedAgents struct {
	Admit   []string `json:"admit,omitempty" doc:"slugs of the only agents that may execute; empty admits all" maxItems:"200"`
	ShutOut []string `json:"shut_out,omitempty" doc:"slugs of agents that may not" maxItems:"200"`
}

// Check refuses lists of more than MaxNamed names.
func (a *NamedAgents) Check() error {
	if err := checkNames("matching.admit", a.Admit); err != nil {
		return err
	}
	return checkNames("matching.shut_out", a.ShutOut)
}

// own copies the lists in order.
func (a *NamedAgents) own() {
	a.Admit, a.ShutOut = sortedNames(a.Admit), sortedNames(a.ShutOut)
}

package rules

import (
	"slices"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// A sponsor may name agents that a contract admits or shuts out, and do so for all
// of its contracts. An agent that either list shuts out is refused. Admitted agents
// are the only ones that a contract pays; a contract that admits none by name goes
// by those whom the sponsor admits for all.

// namedAgents are agents that are admitted or shut out, as ascending rows of
// parties. A list is replaced and never changed, so that a rollback has the old.
type namedAgents struct{ admitted, shutOut []uint32 }

func (a *namedAgents) Fields(c *wire.Codec) {
	wire.List(c, "admitted", &a.admitted, wire.Number)
	wire.List(c, "shut_out", &a.shutOut, wire.Number)
}

func namedFields(a *netkit.NamedAgents, c *wire.Codec) {
	wire.Strs(c, "admit", &a.Admit)
	wire.Strs(c, "shut_out", &a.ShutOut)
}

// change puts agents on the lists or takes them off.
func (a *namedAgents) change(release, admit, shutOut []uint32) {
	off := slices.Concat(release, admit, shutOut)
	a.admitted = mergeRows(a.admitted, off, difference(admit, shutOut))
	a.shutOut = mergeRows(a.shutOut, off, shutOut)
}

// difference returns the rows of a that b does not have.
func difference(a, b []uint32) []uint32 {
	return slices.DeleteFunc(slices.Clone(a), func(row uint32) bool { return slices.Contains(b, row) })
}

// mergeRows returns a list without some rows and with others, in order.
func mergeRows(list, without, with []uint32) []uint32 {
	return slices.Compact(slices.Sorted(slices.Values(append(difference(list, without), with...))))
}

func hasRow(list []uint32, row uint32) bool {
	_, ok := slices.BinarySearch(list, row)
	return ok
}

// namedFor returns the lists that hold for all contracts of a sponsor.
func (s *State) namedFor(sponsor uint32) *namedAgents {
	return &s.extra(s.parties.At(sponsor)).bought.named
}

// admits reports whether the lists of names let a contract pay an agent.
func (s *State) admits(ct *Contract, agent uint32) bool {
	all := s.namedFor(ct.sponsor)
	if hasRow(ct.named.shutOut, agent) || hasRow(all.shutOut, agent) {
		return false
	}
	admitted := ct.named.admitted
	if len(admitted) == 0 {
		admitted = all.admitted
	}
	return len(admitted) == 0 || hasRow(admitted, agent)
}

// refuseUnnamed returns the refusal of an agent that a contract does not admit.
func (s *State) refuseUnnamed(ct *Contract, agent uint32) *netkit.Refusal {
	what := "the contract admits only agents that its sponsor named, and you are not among them"
	if hasRow(ct.named.shutOut, agent) || hasRow(s.namedFor(ct.sponsor).shutOut, agent) {
		what = "the sponsor of the contract shut you out by name"
	}
	return netkit.Forbidden("", code.AgentNotAdmitted, what, "find another with {listContracts}")
}

// namesOf returns the slugs of both lists, in the order of the slugs.
func (s *State) namesOf(a *namedAgents) netkit.NamedAgents {
	return netkit.NamedAgents{Admit: s.slugsOf(a.admitted), ShutOut: s.slugsOf(a.shutOut)}
}

// namedForAll returns the slugs of the lists of a sponsor, or nil for empty ones.
func (s *State) namedForAll(a *namedAgents) *netkit.NamedAgents {
	if len(a.admitted)+len(a.shutOut) == 0 {
		return nil
	}
	return new(s.namesOf(a))
}

func (s *State) slugsOf(rows []uint32) (slugs []string) {
	for _, i := range rows {
		slugs = append(slugs, s.parties.At(i).Slug)
	}
	slices.Sort(slugs)
	return slugs
}

// rowsOf returns the rows of slugs in ascending order; those of no party are left out.
func (s *State) rowsOf(slugs []string) (rows []uint32) {
	for _, slug := range slugs {
		if i, ok := s.slugs.Get(slug); ok {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return rows
}

// checkNamed wants at most MaxNamed slugs, each of an agent.
func (s *State) checkNamed(field string, slugs []string) error {
	if len(slugs) > netkit.MaxNamed {
		return netkit.Invalid(field, code.TooMany, "has more than "+strconv.Itoa(netkit.MaxNamed)+" names", "leave some out, or set a min_tier")
	}
	for _, slug := range slugs {
		if _, _, err := s.agent(field, slug); err != nil {
			return err
		}
	}
	return nil
}

// SetAgents admits or shuts out agents by name.
type SetAgents struct{ netkit.SetAgents }

func (*SetAgents) Route() string { return "contract.agents" }

func (c *SetAgents) Decide(s *State, call *Call) error {
	sponsor, named, err := c.lists(s, call)
	if err != nil {
		return err
	}
	for _, list := range []struct {
		field string
		slugs []string
	}{{"release", c.Release}, {"admit", c.Admit}, {"shut_out", c.ShutOut}} {
		if err := s.checkNamed(list.field, list.slugs); err != nil {
			return err
		}
	}
	if len(c.Release)+len(c.Admit)+len(c.ShutOut) == 0 {
		return netkit.Invalid("admit", code.AgentsMissing, "names no agent, and neither do shut_out and release", "name agents in one of the three")
	}
	after := *named
	after.change(s.rowsOf(c.Release), s.rowsOf(c.Admit), s.rowsOf(c.ShutOut))
	if max(len(after.admitted), len(after.shutOut)) > netkit.MaxNamed {
		return netkit.Invalid("admit", code.TooMany, "or shut_out would make a list of more than "+strconv.Itoa(netkit.MaxNamed)+" agents", "release some, or set a min_tier")
	}
	call.Add(&AgentsSet{Sponsor: sponsor, Campaign: c.CampaignID, Release: c.Release, Admit: c.Admit, ShutOut: c.ShutOut})
	return nil
}

// lists returns the lists that the command changes, with the slug of their sponsor.
func (c *SetAgents) lists(s *State, call *Call) (sponsor string, named *namedAgents, err error) {
	if c.CampaignID != 0 {
		ct, sponsor, err := ownContract(s, call, c.CampaignID)
		if err != nil {
			return "", nil, err
		}
		if c.Sponsor != "" && c.Sponsor != sponsor {
			return "", nil, netkit.Forbidden("", code.ForeignContract, "the contract is not of this sponsor", "leave sponsor out")
		}
		return sponsor, &ct.named, nil
	}
	if sponsor, err = actingSponsor(s, call, c.Sponsor); err != nil {
		return "", nil, err
	}
	i, _, err := s.activeSponsor("sponsor", sponsor)
	if err != nil {
		return "", nil, err
	}
	return sponsor, s.namedFor(i), nil
}

// Receipt returns the receipt of the command from its entry.
func (*SetAgents) Receipt(e *Entry) netkit.SetAgentsReceipt {
	f := e.Fact.(*AgentsSet)
	return netkit.SetAgentsReceipt{CampaignID: f.Campaign, Sponsor: f.Sponsor, Released: f.Release, Admitted: f.Admit, ShutOut: f.ShutOut, Seq: e.Seq, At: e.At}
}

// AgentsSet records that a sponsor admitted, shut out or released agents.
type AgentsSet struct {
	Sponsor                 string
	Campaign                uint64 // 0 is all contracts of the sponsor
	Release, Admit, ShutOut []string
}

func (*AgentsSet) Kind() netkit.Kind { return netkit.KindContractAgents }

func (f *AgentsSet) CommandOf(*PastView) (Command, error) {
	return &SetAgents{netkit.SetAgents{CampaignID: f.Campaign, Sponsor: f.Sponsor, Release: f.Release, Admit: f.Admit, ShutOut: f.ShutOut}}, nil
}

func (f *AgentsSet) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Num(c, "campaign", &f.Campaign)
	wire.Strs(c, "release", &f.Release)
	wire.Strs(c, "admit", &f.Admit)
	wire.Strs(c, "shut_out", &f.ShutOut)
}

func (f *AgentsSet) Apply(s *State, _ *Entry) {
	release, admit, shutOut := s.rowsOf(f.Release), s.rowsOf(f.Admit), s.rowsOf(f.ShutOut)
	if f.Campaign == 0 {
		if i, ok := s.slugs.Get(f.Sponsor); ok {
			s.changeExtra(i).bought.named.change(release, admit, shutOut)
		}
	} else if ct, ok := s.contracts.Get(f.Campaign); ok {
		s.contracts.Edit(ct).named.change(release, admit, shutOut)
	}
}

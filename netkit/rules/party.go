package rules

import (
	"cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Party is the row of a slug: an agent, a sponsor or an operator. It is kept
// to two cache lines, since every command fetches one of maybe a million and
// copies it whole into a before-image: at 424 bytes that was half the cost of
// an execution. What few parties have stands in extra.
type Party struct {
	Slug    string
	since   netkit.Millis
	Seq     uint64         // entry that made it
	Backing netkit.Credits // outside money behind what this party pays, see evidence.go
	Kind    netkit.PartyKind
	Status  netkit.Status
	roles   netkit.Role     // of an agent; here, where they fill a gap
	Badges  netkit.BadgeSet // of an agent that are active; derived
	extra   uint32          // row in extras, 0 is none yet
	Agent   AgentRow
}

// AgentRow is what a party has besides if it is an agent.
type AgentRow struct {
	floor        netkit.Credits // price of an attention request
	claims       uint64         // entry whose private part has the capability statement
	provider     string         // preferred_llm_provider
	accepted     string         // version of the constitution that was accepted
	Evidence     []Evidence     // by day
	Transactions uint32
	Niche        netkit.Niche
	channels     uint8 // subscribed niches, a bit each, see channelsChosen
	accepts      bool
	Confirmed    bool // of the declared wallet address
}

// Extra is what a party has once it needs it.
type Extra struct {
	tokens  []uint64       // entries of the tokens issued since, without the revoked
	Address string         // declared wallet address
	nonce   [16]byte       // of the wallet challenge that is open
	asked   netkit.Millis  // when it was given
	read    openedRuns     // dispatches that are open to it
	granted netkit.Credits // of its welcome grant that is spent
	Wall    []Held         // its badges, the revoked too
	notices []Notice
	Mailbox
	playbooks   []uint32     // rows of its registrations; derived
	Commitments []commitment // to playbooks that it has not registered, the oldest first
	Verdicts    []VerdictRow // its verdicts in final cases, by day
	Incidents   []Incident   // penalties of review
	Reports     uint32       // its reports that are not final yet
	bought      bought       // by a sponsor
	vouched     bool         // a sponsor accepted an execution of it
	meets       int64        // criteria that sponsors ticked off as met for its executions
	unmet       int64        // and as unmet
	proved      bool         // stands in the list of those with a wallet address; derived
}

// reserved slugs would be taken for the network itself.
var reserved = map[string]bool{netkit.NetworkActor: true, "treasury": true, "issuance": true, "anonymous": true}

// newSlug refuses a slug that is malformed, reserved or was ever taken.
func (s *State) newSlug(field, slug string) error {
	if !netkit.ValidSlug(slug) {
		return netkit.Invalid(field, code.SlugMalformed, "must be 3 to 40 characters of a-z, 0-9 and -, with no dash at either end", "choose another name")
	}
	if reserved[slug] {
		return netkit.Invalid(field, code.SlugReserved, "is reserved", "choose another slug")
	}
	if _, taken := s.slugs.Get(slug); taken {
		return &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.SlugTaken, Field: field, What: "is taken; slugs are never used again", Next: "choose another slug"}
	}
	return nil
}

// enrol adds a party.
func (s *State) enrol(p Party) {
	row := s.parties.Add(p)
	s.wallets.Add(Balance{})
	s.agenda.Add(turnOf{})
	s.slugs.Put(p.Slug, row)
	switch p.Kind {
	case netkit.AgentParty:
		s.roots.Edit(s.root).Counts.Agents++
	case netkit.SponsorParty:
		s.sponsors.Add(row)
	}
}

// extra returns the rarely used fields of a party, for reading only. Row 0 is empty and
// stands for all who have nothing.
func (s *State) extra(p *Party) *Extra { return s.extras.At(p.extra) }

// changeExtra returns the same of row i for writing, made if it is not there.
func (s *State) changeExtra(i uint32) *Extra {
	p := s.parties.At(i)
	if p.extra == 0 {
		row := s.extras.Add(Extra{})
		s.parties.Change(i).extra = row
		return s.extras.At(row) // a rollback drops it, so that it needs no image
	}
	return s.extras.Change(p.extra)
}

// MadeBy returns the entry that made a party, 0 for an unknown slug.
func (s *State) MadeBy(slug string) uint64 {
	if _, p, ok := s.party(slug); ok {
		return p.Seq
	}
	return 0
}

// SlugsOf returns the slugs of rows of parties.
func (s *State) SlugsOf(rows []uint32) []string {
	out := make([]string, len(rows))
	for k, i := range rows {
		out[k] = s.parties.At(i).Slug
	}
	return out
}

// RowsOf returns the rows of the parties with slugs; those of unknown ones are left
// out.
func (s *State) RowsOf(slugs []string) []uint32 {
	out := make([]uint32, 0, len(slugs))
	for _, slug := range slugs {
		if i, ok := s.slugs.Get(slug); ok {
			out = append(out, i)
		}
	}
	return out
}

// byRow orders row numbers.
func byRow(a, b uint32) int { return cmp.Compare(a, b) }

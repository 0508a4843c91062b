package netkit

import "regexp"

// party is the row of a slug: an agent, a sponsor or an operator. It is kept
// to two cache lines, since every command fetches one of maybe a million and
// copies it whole into a before-image: at 424 bytes that was half the cost of
// an execution. What few parties have stands in extra.
type party struct {
	slug    string
	since   Millis
	seq     uint64  // entry that made it
	backing Credits // outside money behind what this party pays, see evidence.go
	kind    PartyKind
	status  Status
	roles   Role     // of an agent; here, where they fill a gap
	badges  badgeSet // of an agent that are active; derived
	extra   uint32   // row in extras, 0 is none yet
	agent   agentRow
}

// agentRow is what a party has besides if it is an agent.
type agentRow struct {
	floor        Credits    // price of an attention request
	claims       uint64     // entry whose private part has the capability statement
	provider     string     // preferred_llm_provider
	accepted     string     // version of the constitution that was accepted
	evidence     []evidence // by day
	transactions uint32
	niche        Niche
	channels     uint8 // subscribed niches, a bit each; 0 means all
	accepts      bool
	confirmed    bool // of the declared wallet address
}

// extra is what a party has once it needs it.
type extra struct {
	tokens  []uint64 // entries of the tokens issued since, without the revoked
	address string   // declared wallet address
	nonce   [16]byte // of the wallet challenge that is open
	asked   Millis   // when it was given
	opened  uint64   // latest entry whose paid dispatches are open to it
	wall    []held   // its badges, the revoked too
	notices []notice
	mailbox
	playbooks []uint32     // rows of its inventory; derived
	verdicts  []verdictRow // its verdicts in final cases, by day
	incidents []incident   // penalties of review
	reports   uint32       // its reports that are not final yet
	proved    bool         // stands in the list of those with a wallet address; derived
}

var slugForm = regexp.MustCompile(`^[a-z0-9-]{3,40}$`)

// validSlug reports whether s may be a slug. A dash at either end would look
// like a flag or a typo.
func validSlug(s string) bool {
	return slugForm.MatchString(s) && s[0] != '-' && s[len(s)-1] != '-'
}

// reserved slugs would be taken for the network itself.
var reserved = map[string]bool{NetworkActor: true, "treasury": true, "issuance": true, "anonymous": true}

// newSlug refuses a slug that is malformed, reserved or was ever taken.
func (s *state) newSlug(field, slug string) error {
	if !validSlug(slug) {
		return invalid(field, "slug_malformed", "must be 3 to 40 characters of a-z, 0-9 and -, with no dash at either end", "choose another name")
	}
	if reserved[slug] {
		return invalid(field, "slug_reserved", "is reserved", "choose another slug")
	}
	if _, taken := s.slugs.get(slug); taken {
		return &Refusal{Kind: ErrConflict, Code: "slug_taken", Field: field, What: "is taken; slugs are never used again", Next: "choose another slug"}
	}
	return nil
}

// enrol adds a party.
func (s *state) enrol(p party) {
	row := s.parties.add(p)
	s.wallets.add(balance{})
	s.agenda.add(turnOf{})
	s.slugs.put(p.slug, row)
	switch p.kind {
	case AgentParty:
		s.roots.edit(s.root).counts.Agents++
	case SponsorParty:
		s.sponsors.add(row)
	}
}

// extra returns what a party has besides, for reading only. Row 0 is empty and
// stands for all who have nothing.
func (s *state) extra(p *party) *extra { return s.extras.at(p.extra) }

// changeExtra returns the same of row i for writing, made if it is not there.
func (s *state) changeExtra(i uint32) *extra {
	p := s.parties.at(i)
	if p.extra == 0 {
		row := s.extras.add(extra{})
		s.parties.change(i).extra = row
		return s.extras.at(row) // a rollback drops it, so that it needs no image
	}
	return s.extras.change(p.extra)
}

package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// reviewState is the part of the state that review, witnesses and the night keep.
type reviewState struct {
	admissions  undo.Rows[Admission]            // those that wait for a witness, and the last that are over
	revocations undo.Rows[revocation]           // those that wait for a witness or may be appealed
	cases       undo.Rows[ReviewCase]           // until some time after they are final
	judged      undo.Index[judgedKey, uint64]   // the latest case by its subject; derived
	complaints  undo.Index[complaint, uint64]   // the latest case of a sponsor about an agent; derived
	undrawn     undo.Index[uint64, uint64]      // cases that wait for a panel, by the entry that asked for it; derived
	sealed      undo.Index[uint64, struct{}]    // cases with hidden verdicts; derived
	reviewers   undo.Index[uint32, struct{}]    // rows of the agents with that role; derived
	rogues      undo.Index[uint32, rogue]       // the registry, by row of the agent
	flags       undo.Index[uint32, flagged]     // findings of detectors, by row of the agent
	circulation undo.Index[uint32, circulation] // by sponsors
	proved      undo.Table[uint32]              // rows of those who confirmed a wallet address; derived
	agenda      undo.Table[turnOf]              // rows as in parties
	crises      undo.Index[uint64, crisis]      // those with a term, by dispatch
	amendments  undo.Images[amendment]
	amendment   *amendment // that was announced
	nights      undo.Images[night]
	night       *night
}

func newReviewState() reviewState { return reviewState{night: new(night), amendment: new(amendment)} }

// reviewTables registers proposals that wait for witnesses, cases, and their outcomes
// for agents.
func (s *State) reviewTables() []table {
	return []table{
		{Part: &s.proved, derive: s.deriveProved},
		stored(s, "agenda", &s.agenda),
		storedByID("admissions", &s.admissions, admissionID),
		storedByID("revocations", &s.revocations, revocationID),
		storedByID("cases", &s.cases, caseID),
		derivedIndex(&s.judged, s.deriveJudged),
		derivedIndex(&s.complaints, s.deriveComplaints),
		derivedIndex(&s.undrawn, s.deriveUndrawn),
		derivedIndex(&s.sealed, s.deriveSealed),
		derivedIndex(&s.reviewers, s.deriveReviewers),
		storedIndex("rogues", &s.rogues, func(c *wire.Codec, agent *uint32, r *rogue) {
			wire.Num(c, "agent", agent)
			r.Fields(c)
		}),
		storedIndex("flags", &s.flags, func(c *wire.Codec, agent *uint32, f *flagged) {
			wire.Num(c, "agent", agent)
			f.Fields(c)
		}),
		storedIndex("circulation", &s.circulation, func(c *wire.Codec, sponsor *uint32, r *circulation) {
			wire.Num(c, "sponsor", sponsor)
			r.Fields(c)
		}),
		storedIndex("crisis_terms", &s.crises, func(c *wire.Codec, id *uint64, x *crisis) {
			x.Fields(c)
			*id = x.id
		}),
	}
}

// turnOf is the first night that has to judge a party again, 0 means never. It is
// not a field of the party, since every night reads all of them.
type turnOf struct {
	Judge netkit.Day
	Payer uint32 // row of the party's payments, 0 before the first
}

func (r *turnOf) Fields(c *wire.Codec) {
	wire.Num(c, "judge", &r.Judge)
	wire.Num(c, "payer", &r.Payer)
}

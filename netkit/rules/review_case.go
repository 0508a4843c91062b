package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// lawNames are the laws that review judges by, numbered by the standing that
// breaking them leads to.
var lawNames = netkit.Names{"", "L1", "L2"}

// ReviewCase is the row of a case.
type ReviewCase struct {
	id       uint64        // entry of the report
	subject  uint64        // entry of the execution, dispatch or registration
	law      netkit.Status // status of the reported agent once it is upheld: Suspended (L1) or Rogue (L2)
	State    netkit.CaseState
	byNight  bool     // a night filed it, and no report; reporter is row 0 then
	circle   []uint32 // rows of the sponsors that such a case names
	reporter uint32   // rows of the two sides
	Reported uint32

	// of the execution, so that it can be overturned without being read again
	execution bool
	Sponsor   uint32
	Earned    Earned

	marketTime bool // its deadlines count in market time

	bond    netkit.Credits // of the first report, in the escrow account of the case
	joined  []joinedReport // reports that are judged with the first
	follows uint64         // the case about the same that was dismissed before, or 0
	after   uint64         // the case of the same sponsor about the same agent that is decided before, or 0

	// of executions that the case is about
	spared []uint64 // that the latest judgement does not uphold, though it upholds others
	held   []uint64 // whose pay waits for the case to be final since it was upheld
	freed  bool     // a first dismissal freed their pay

	round   uint8    // counts the panels: the first, its redraws, that of the appeal, its redraws
	first   uint8    // round with which the present judgement began
	awaits  uint64   // entry that asked for the panel, while it is not drawn
	Panel   []uint32 // drawn for this round
	past    []uint32 // drawn for earlier ones
	seed    [32]byte // of the latest draw
	drawn   netkit.Millis
	ends    deadline // of the panel's time
	votes   []Vote
	filed   netkit.Millis
	settle  netkit.Millis // when it was decided last
	until   deadline      // when it becomes final
	appeal  uint64        // entry of the appeal, 0 without one
	byPanel bool          // the latest judgement is a panel's
	final   bool
	paid    uint32        // payments behind the final judgement that are booked
	ended   netkit.Millis // when it became final
	weighs  bool          // its penalty stands
	binds   bool          // the agent's standing rests on it, until an operator reinstates
}

func (r *ReviewCase) Fields(c *wire.Codec) {
	wire.Num(c, "id", &r.id)
	wire.Num(c, "subject", &r.subject)
	enum(c, "law", &r.law, lawNames)
	enum(c, "state", &r.State, netkit.CaseStateNames)
	c.Flag("by_night", &r.byNight)
	wire.List(c, "circle", &r.circle, wire.Number)
	wire.Num(c, "reporter", &r.reporter)
	wire.Num(c, "reported", &r.Reported)
	c.Flag("execution", &r.execution)
	wire.Num(c, "sponsor", &r.Sponsor)
	c.Member("earned", r.Earned.Fields)
	c.Flag("market_time", &r.marketTime)
	wire.Amount(c, "bond", &r.bond)
	wire.List(c, "joined", &r.joined, object[joinedReport])
	wire.Num(c, "follows", &r.follows)
	wire.Num(c, "after", &r.after)
	wire.List(c, "spared", &r.spared, wire.Number)
	wire.List(c, "held", &r.held, wire.Number)
	c.Flag("freed", &r.freed)
	wire.Num(c, "round", &r.round)
	wire.Num(c, "first", &r.first)
	wire.Num(c, "awaits", &r.awaits)
	wire.List(c, "panel", &r.Panel, wire.Number)
	wire.List(c, "past", &r.past, wire.Number)
	c.Hash("seed", &r.seed)
	wire.Num(c, "drawn", &r.drawn)
	wire.Num(c, "ends", &r.ends.real)
	wire.Num(c, "ends_market", &r.ends.market)
	wire.List(c, "votes", &r.votes, object[Vote])
	wire.Num(c, "filed", &r.filed)
	wire.Num(c, "settled", &r.settle)
	wire.Num(c, "until", &r.until.real)
	wire.Num(c, "until_market", &r.until.market)
	wire.Num(c, "appeal", &r.appeal)
	c.Flag("by_panel", &r.byPanel)
	c.Flag("final", &r.final)
	wire.Num(c, "paid", &r.paid)
	wire.Num(c, "ended", &r.ended)
	c.Flag("weighs", &r.weighs)
	c.Flag("binds", &r.binds)
}

// judgedKey is the subject and law of a case: of those with the same key, one at a
// time is undecided or upheld.
type judgedKey struct {
	subject uint64
	law     netkit.Status
}

func (r *ReviewCase) key() judgedKey { return judgedKey{r.subject, r.law} }

func caseID(r *ReviewCase) uint64 { return r.id }

// reviewCase returns the row of a case, or a refusal.
func (s *State) reviewCase(id uint64) (*ReviewCase, error) {
	if cs, ok := s.cases.Get(id); ok {
		return cs, nil
	}
	return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.CaseUnknown, Field: "case_id", What: "names no case", Next: "{listCases} lists them"}
}

// latestCase returns the latest case on a subject and law.
func (s *State) latestCase(key judgedKey) (*ReviewCase, bool) {
	id, ok := s.judged.Get(key)
	if !ok {
		return nil, false
	}
	return s.cases.Get(id)
}

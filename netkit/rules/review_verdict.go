package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Verdict counts one reviewer's finding. Majorities are of one panel: what a
// panel that let its time pass had found already is kept as its reviewers'
// record, but decides nothing.
type Verdict struct {
	netkit.Verdict
	Seal [32]byte `json:"-"`
}

func (*Verdict) Route() string { return "verdict" }

func (c *Verdict) Decide(s *State, call *Call) error {
	i, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	cs, err := s.reviewCase(c.CaseID)
	if err != nil {
		return err
	}
	switch {
	case cs.State != netkit.CaseWithPanel || cs.ends.Reached(s.instant(call.At)):
		return conflict(code.CaseNotWithPanel, "the case is not before a panel", "{getCase} shows where it is")
	case !slices.Contains(cs.Panel, i):
		return netkit.Forbidden("", code.NotDrawn, "you are not on the panel of this case", "{yourCases} lists yours; reviewers who dealt with a side are not drawn"+s.sponsorsDealings())
	case cs.voted(i):
		return conflict(code.VerdictGiven, "you have given your verdict", "")
	}
	if err := cs.checkNamed(c.Uphold, c.Executions); err != nil {
		return err
	}
	if s.law.Review.SealedVerdicts {
		call.Add(&VerdictGiven{Case: cs.id, Reviewer: p.Slug, Seal: c.Seal})
		return nil
	}
	f := &VerdictGiven{Case: cs.id, Reviewer: p.Slug, Uphold: c.Uphold, Executions: c.Executions}
	seen := *cs
	seen.votes = append(slices.Clip(cs.votes), Vote{reviewer: i, round: cs.round, uphold: c.Uphold, named: c.Executions})
	uphold, dismiss := seen.tallied()
	most := s.majority(cs)
	decided := uphold >= most || dismiss >= most
	found := s.foundBy(&seen)
	if decided {
		f.State = outcome(found.uphold)
	}
	call.Add(f)
	if decided {
		s.settleCase(call, &seen, found, p.Slug, nil)
	}
	return nil
}

// checkNamed refuses executions that a case is not about. In the appeal of an upheld
// case, those that it did not uphold may be named and are not upheld.
func (r *ReviewCase) checkNamed(uphold bool, list []uint64) error {
	for _, id := range list {
		if !uphold || !slices.ContainsFunc(r.executions(), func(x *Earned) bool { return x.Id == id }) {
			return netkit.Invalid("executions", code.ExecutionNotJudged, "must be executions that the case is about and the verdict upholds", "{getCase} lists them; leave it out to uphold all")
		}
	}
	return nil
}

// finding is the result of a judgement: whether it upholds the case and, of one
// about several executions, those that it does not uphold.
type finding struct {
	uphold bool
	spared []uint64
}

// foundBy returns the finding of the present panel's verdicts. An execution is
// upheld if a majority of the panel upholds it; a case without one is dismissed.
func (s *State) foundBy(cs *ReviewCase) finding {
	uphold, dismiss := cs.tallied()
	if !cs.execution {
		return finding{uphold: uphold > dismiss}
	}
	spared, any := cs.sparedBy(func(execution uint64) bool {
		votes := 0
		for _, v := range cs.votes {
			if v.round == cs.round && !v.sealed() && v.uphold && named(v.named, execution) {
				votes++
			}
		}
		return votes >= s.majority(cs)
	})
	if !any || uphold <= dismiss {
		return finding{}
	}
	return finding{true, spared}
}

// Receipt returns the receipt of the command from its entry.
func (*Verdict) Receipt(e *Entry) netkit.CaseReceipt {
	f := e.Fact.(*VerdictGiven)
	return netkit.CaseReceipt{CaseID: f.Case, State: f.State, Seq: e.Seq, At: e.At}
}

func outcome(uphold bool) netkit.CaseState {
	if uphold {
		return netkit.CaseUpheld
	}
	return netkit.CaseDismissed
}

// voted reports whether a reviewer has voted in this round.
func (r *ReviewCase) voted(i uint32) bool {
	return slices.ContainsFunc(r.votes, func(v Vote) bool { return v.reviewer == i && v.round == r.round })
}

// VerdictGiven records a verdict. State is where the case stands with it. The
// reasoning stands in the private part, and so does a hidden verdict.
type VerdictGiven struct {
	Case       uint64
	Reviewer   string
	Uphold     bool
	Seal       [32]byte // of a hidden verdict
	State      netkit.CaseState
	Executions []uint64 // of several, those that it upholds; none is all
}

func (*VerdictGiven) Kind() netkit.Kind { return netkit.KindCaseVerdict }

func (f *VerdictGiven) CommandOf(*PastView) (Command, error) {
	return &Verdict{netkit.Verdict{CaseID: f.Case, Uphold: f.Uphold, Executions: f.Executions}, f.Seal}, nil
}

func (f *VerdictGiven) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Str(c, "reviewer", &f.Reviewer)
	c.Flag("uphold", &f.Uphold)
	c.Hash("seal", &f.Seal)
	enum(c, "state", &f.State, netkit.CaseStateNames)
	wire.List(c, "executions", &f.Executions, wire.Number)
}

func (f *VerdictGiven) Apply(s *State, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	i, ok := s.slugs.Get(f.Reviewer)
	if err == nil && ok {
		s.cases.Edit(cs)
		cs.votes = append(cs.votes, Vote{entry: e.Seq, reviewer: i, round: cs.round, uphold: f.Uphold, named: f.Executions, seal: f.Seal, at: e.At, took: s.taken(cs, e.At)})
		if f.Seal != [32]byte{} {
			s.sealed.Put(cs.id, struct{}{})
		}
	}
}

// taken returns how long the panel of a case has had it at a moment.
func (s *State) taken(cs *ReviewCase, at netkit.Millis) netkit.Millis {
	if cs.marketTime {
		return s.clock.Market(at) - s.clock.Market(cs.drawn)
	}
	return at - cs.drawn
}

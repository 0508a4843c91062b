package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// CaseView shows a case without its texts.
func (s *State) CaseView(cs *ReviewCase) netkit.CaseView {
	sides := s.sides(cs)
	v := netkit.CaseView{ID: cs.id, State: cs.State, Final: cs.final, Appealed: cs.appeal != 0, Law: cs.law.Law(), Subject: cs.subject,
		SubjectKind: "dispatch", Reporter: sides[0], Reported: sides[1], Panel: s.SlugsOf(cs.Panel), Verdicts: make([]netkit.VerdictView, len(cs.votes)),
		FiledAt: cs.filed, DecidedAt: cs.settle, Untrusted: true}
	switch {
	case cs.ofRevocation():
		v.SubjectKind, v.Law = "revocation", "L6"
	case cs.byNight:
		v.SubjectKind = "agent"
	case cs.execution:
		v.SubjectKind = "execution"
	case s.registered(cs.subject):
		v.SubjectKind = "playbook"
	}
	if cs.State == netkit.CaseWithPanel {
		v.VerdictsBy = s.expected(cs.ends, s.root.At)
	}
	if cs.State.Decided() && !cs.final {
		v.AppealBy = s.expected(cs.until, s.root.At)
	}
	for k, x := range cs.joined {
		v.Joined = append(v.Joined, netkit.ReportView{Reporter: s.parties.At(x.reporter).Slug, Subject: x.subject, Bond: x.bond, BondState: s.bondState(cs, k+1), Seq: x.entry})
	}
	v.Bond, v.BondState = cs.bond, s.bondState(cs, 0)
	if all := cs.executions(); len(all) > 1 {
		for _, x := range all {
			v.Executions = append(v.Executions, netkit.CaseSubject{ExecutionID: x.Id})
			if cs.State.Decided() {
				v.Executions[len(v.Executions)-1].Upheld = new(cs.upholds(x.Id))
			}
		}
	}
	for k := range cs.votes {
		v.Verdicts[k] = netkit.VerdictView{Reviewer: s.parties.At(cs.votes[k].reviewer).Slug, At: cs.votes[k].at}
		if !cs.votes[k].sealed() {
			v.Verdicts[k].Uphold, v.Verdicts[k].Executions = new(cs.votes[k].uphold), cs.votes[k].named
		}
	}
	return v
}

// bondState returns the state of the bond of the k-th report of a case, counted from 0. Bonds are the first payments of a case, in the order of its reports.
func (s *State) bondState(cs *ReviewCase, k int) netkit.BondState {
	all := cs.reports()
	switch {
	case k >= len(all) || all[k].bond == 0:
		return netkit.NoBond
	case int(cs.paid) <= k:
		return netkit.BondHeld
	case s.casePayments(cs)[k].reason == bondLost:
		return netkit.BondLost
	}
	return netkit.BondReturned
}

// CaseShown is a case as a caller sees it, and the entries that hold its texts.
type CaseShown struct {
	netkit.CaseView
	Full     bool     // the caller may read the texts
	Appeal   uint64   // 0 for none
	Verdicts []uint64 // in the order of the view; 0 for one that is hidden
}

// ShowCase returns a case; row is one that left memory, nil looks for it here.
func (s *State) ShowCase(by netkit.Caller, id uint64, row *ReviewCase) (CaseShown, error) {
	i, p, err := s.reader(by)
	if err == nil && row == nil {
		row, err = s.reviewCase(id)
	}
	if err != nil {
		return CaseShown{}, err
	}
	out := CaseShown{CaseView: s.CaseView(row), Full: row.knows(i, p), Appeal: row.appeal, Verdicts: make([]uint64, len(row.votes))}
	for k := range row.votes {
		if !row.votes[k].sealed() {
			out.Verdicts[k] = row.votes[k].entry
		}
	}
	return out, nil
}

// FilterCases returns whether a case is of a caller's list.
func (s *State) FilterCases(by netkit.Caller, q *netkit.CaseQuery) (func(*ReviewCase) bool, error) {
	i, _, err := s.reader(by)
	return func(cs *ReviewCase) bool {
		return (!q.Mine || cs.concerns(i)) && (q.State == nil || *q.State == cs.State)
	}, err
}

// SealedVerdicts returns the entries of the hidden verdicts of a case.
func (s *State) SealedVerdicts(id uint64) (entries []uint64, err error) {
	cs, err := s.reviewCase(id)
	if err != nil {
		return nil, err
	}
	for _, v := range cs.sealedVotes(false) {
		entries = append(entries, v.entry)
	}
	return entries, nil
}

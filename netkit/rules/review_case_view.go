package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// CaseView shows a case without its texts.
func (s *State) CaseView(cs *ReviewCase) netkit.CaseView {
	sides := s.sides(cs)
	v := netkit.CaseView{ID: cs.Id, State: cs.State, Final: cs.final, Appealed: cs.Appeal != 0, Law: cs.law.Law(), Subject: cs.subject,
		SubjectKind: "dispatch", Reporter: sides[0], Reported: sides[1], Panel: s.SlugsOf(cs.Panel), Verdicts: make([]netkit.VerdictView, len(cs.Votes)),
		FiledAt: cs.filed, DecidedAt: cs.settle, Untrusted: true}
	switch {
	case cs.ofRevocation():
		v.SubjectKind, v.Law = "revocation", "L6"
	case cs.execution:
		v.SubjectKind = "execution"
	case s.registered(cs.subject):
		v.SubjectKind = "playbook"
	}
	if cs.State == netkit.CaseWithPanel {
		v.VerdictsBy = s.expected(cs.ends, s.Root.At)
	}
	if cs.State.Decided() && !cs.final {
		v.AppealBy = s.expected(cs.until, s.Root.At)
	}
	for _, x := range cs.joined {
		v.Joined = append(v.Joined, netkit.ReportView{Reporter: s.Parties.At(x.reporter).Slug, Seq: x.entry})
	}
	for k := range cs.Votes {
		v.Verdicts[k] = netkit.VerdictView{Reviewer: s.Parties.At(cs.Votes[k].reviewer).Slug, At: cs.Votes[k].at}
		if !cs.Votes[k].Sealed() {
			v.Verdicts[k].Uphold = new(cs.Votes[k].uphold)
		}
	}
	return v
}

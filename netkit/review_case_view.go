package netkit

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

// CaseReceipt is the receipt of a report, verdict, decision or appeal.
type CaseReceipt struct {
	CaseID uint64    `json:"case_id"`
	State  CaseState `json:"state"`
	Panel  []string  `json:"panel,omitempty" doc:"the reviewers drawn, where this drew some"`
	Seq    uint64    `json:"seq"`
	At     Millis    `json:"at"`
}

// CaseQuery filters cases.
type CaseQuery struct {
	Mine  bool       `json:"mine,omitempty" doc:"only those in which the caller is a party or a reviewer"`
	State *CaseState `json:"state,omitempty"`
	Page
}

// CaseView is a case. The texts are for its parties, its reviewers and
// operators only.
type CaseView struct {
	ID          uint64        `json:"id"`
	State       CaseState     `json:"state"`
	Final       bool          `json:"final"`
	Appealed    bool          `json:"appealed"`
	Law         string        `json:"law"`
	Subject     uint64        `json:"subject" doc:"entry of the execution, dispatch or registration"`
	SubjectKind string        `json:"subject_kind" enum:"execution,dispatch,playbook,revocation"`
	Reporter    string        `json:"reporter" doc:"who reported first"`
	Joined      []ReportView  `json:"joined,omitempty" doc:"reports that are judged with the first"`
	Reported    string        `json:"reported"`
	Panel       []string      `json:"panel" doc:"reviewers drawn last"`
	Verdicts    []VerdictView `json:"verdicts"`
	Evidence    string        `json:"evidence,omitempty"`
	Grounds     string        `json:"grounds,omitempty" doc:"of the appeal"`
	FiledAt     Millis        `json:"filed_at"`
	VerdictsBy  Millis        `json:"verdicts_by,omitempty" doc:"when the panel's time is over"`
	DecidedAt   Millis        `json:"decided_at,omitempty"`
	AppealBy    Millis        `json:"appeal_by,omitempty" doc:"until when it may be appealed"`
	Untrusted   bool          `json:"untrusted" doc:"always true: the texts were written by agents"`
}

// ReportView is a report that joined a case.
type ReportView struct {
	Reporter string `json:"reporter"`
	Evidence string `json:"evidence,omitempty"`
	Seq      uint64 `json:"seq"`
}

// VerdictView is one reviewer's verdict.
type VerdictView struct {
	Reviewer  string `json:"reviewer"`
	Uphold    *bool  `json:"uphold,omitempty" doc:"absent while it is hidden, until the case is decided"`
	Reasoning string `json:"reasoning,omitempty"`
	At        Millis `json:"at"`
}

// Case shows one case: its facts to anyone with a token, its texts to those
// whom it concerns and to operators.
func (n *Network) Case(ctx context.Context, by Caller, id uint64) (CaseView, error) {
	type found struct {
		row  reviewCase
		v    CaseView
		full bool
	}
	show := func(row *reviewCase) (found, error) {
		return view(ctx, n, func(s *state) (found, error) {
			i, p, err := s.reader(by)
			cs := row
			if err == nil && cs == nil {
				cs, err = s.reviewCase(id)
			}
			if err != nil {
				return found{}, err
			}
			return found{*cs, s.caseView(cs), cs.knows(i, p)}, nil
		})
	}
	got, err := show(nil)
	if errors.Is(err, ErrNotFound) {
		var row *reviewCase
		if row, err = archived(ctx, n, caseShelf, id, err); err == nil {
			got, err = show(row)
		}
	}
	if err != nil || !got.full {
		return got.v, err
	}
	return got.v, n.caseTexts(ctx, &got.row, &got.v)
}

// caseView shows a case without its texts.
func (s *state) caseView(cs *reviewCase) CaseView {
	sides := s.sides(cs)
	v := CaseView{ID: cs.id, State: cs.state, Final: cs.final, Appealed: cs.appeal != 0, Law: cs.law.law(), Subject: cs.subject,
		SubjectKind: "dispatch", Reporter: sides[0], Reported: sides[1], Panel: s.slugsOf(cs.panel), Verdicts: make([]VerdictView, len(cs.votes)),
		FiledAt: cs.filed, DecidedAt: cs.settle, Untrusted: true}
	switch {
	case cs.ofRevocation():
		v.SubjectKind, v.Law = "revocation", "L6"
	case cs.execution:
		v.SubjectKind = "execution"
	case s.registered(cs.subject):
		v.SubjectKind = "playbook"
	}
	if cs.state == CaseWithPanel {
		v.VerdictsBy = cs.ends
	}
	if cs.state.decided() && !cs.final {
		v.AppealBy = cs.until
	}
	for _, x := range cs.joined {
		v.Joined = append(v.Joined, ReportView{Reporter: s.parties.At(x.reporter).slug, Seq: x.entry})
	}
	for k := range cs.votes {
		v.Verdicts[k] = VerdictView{Reviewer: s.parties.At(cs.votes[k].reviewer).slug, At: cs.votes[k].at}
		if !cs.votes[k].sealed() {
			v.Verdicts[k].Uphold = new(cs.votes[k].uphold)
		}
	}
	return v
}

// caseTexts fills in the texts from the private parts, as far as they are
// still there.
func (n *Network) caseTexts(ctx context.Context, cs *reviewCase, v *CaseView) error {
	var t caseText
	if _, err := n.text(ctx, cs.id, &t); err != nil {
		return err
	}
	v.Evidence = t.text
	for k := range v.Joined {
		t = caseText{}
		if _, err := n.text(ctx, v.Joined[k].Seq, &t); err != nil {
			return err
		}
		v.Joined[k].Evidence = t.text
	}
	if cs.appeal != 0 {
		t = caseText{}
		if _, err := n.text(ctx, cs.appeal, &t); err != nil {
			return err
		}
		v.Grounds = t.text
	}
	for k := range cs.votes {
		var t verdictText
		if cs.votes[k].sealed() {
			continue
		}
		if _, err := n.text(ctx, cs.votes[k].entry, &t); err != nil {
			return err
		}
		v.Verdicts[k].Reasoning = t.text
	}
	return nil
}

// caseText is the private part of a report, verdict, decision or appeal.
type caseText struct{ text string }

func (t *caseText) fields(c *wire.Codec) { wire.Str(c, "text", &t.text) }

// Cases lists cases, newest first, without their texts.
func (n *Network) Cases(ctx context.Context, by Caller, q CaseQuery) (List[CaseView], error) {
	size, before, err := q.window()
	if err != nil {
		return List[CaseView]{}, err
	}
	now := n.Now()
	var out List[CaseView]
	page := listing[reviewCase, CaseView]{shelf: caseShelf, before: before, size: size, old: q.State == nil || q.State.decided(),
		match: func(s *state) (func(*reviewCase) bool, error) {
			out.AsOf = s.asOf(now)
			i, _, err := s.reader(by)
			return func(cs *reviewCase) bool {
				return (!q.Mine || cs.concerns(i)) && (q.State == nil || *q.State == cs.state)
			}, err
		},
		show: (*state).caseView}
	out.Items, out.NextCursor, err = page.read(ctx, n)
	return out, err
}

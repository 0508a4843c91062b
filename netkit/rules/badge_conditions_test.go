package rules

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
)

func TestSeniorAndDisputeConditions(t *testing.T) {
	const date = netkit.Day(20_600)
	law := netkit.Version1()
	// record is what of an agent the two badges look at.
	type record struct {
		Extra
		evidence []Evidence
	}
	senior := func(change func(*record)) record {
		var a record
		for k := range 60 { // sixty answers, two a day every fifth day, oldest 145 days ago
			d := date - 145 + netkit.Day(k/2)*5
			a.Answers = append(a.Answers, Answer{Day: d, With: uint32(k % 12), Took: netkit.Hour, Span: 2 * netkit.Hour})
		}
		change(&a)
		return a
	}
	dispute := func(change func(*record)) record {
		var a record
		for k := range 20 {
			a.Verdicts = append(a.Verdicts, VerdictRow{Day: date - 20 + netkit.Day(k), Reporter: uint32(k % 8), Reported: uint32(10 + k%8), Agreed: true, Took: 72 * netkit.Hour})
		}
		change(&a)
		return a
	}
	same := func(*record) {}
	for _, c := range []struct {
		badge  netkit.Badge
		a      record
		missed string
	}{
		{netkit.SeniorCorrespondent, senior(same), ""},
		{netkit.SeniorCorrespondent, senior(func(a *record) { a.Answers = a.Answers[:59] }), "backed_answers"},
		{netkit.SeniorCorrespondent, senior(func(a *record) {
			for k := range a.Answers {
				a.Answers[k].With %= 11
			}
		}), "senders"},
		{netkit.SeniorCorrespondent, senior(func(a *record) {
			for k := range 12 {
				a.Answers[5*k+1].With = 0
			}
		}), "largest_share_of_a_sender"},
		{netkit.SeniorCorrespondent, senior(func(a *record) { a.evidence = []Evidence{{Day: date, Expired: 8}} }), "wilson_of_answered"},
		{netkit.SeniorCorrespondent, senior(func(a *record) {
			for k := range 31 {
				a.Answers[k].Took = netkit.Hour + 1
			}
		}), "answers_within_0.50_of_their_deadline"},
		{netkit.SeniorCorrespondent, senior(func(a *record) {
			for k := range a.Answers {
				a.Answers[k].Day = date - 60 + netkit.Day(k)/2
			}
		}), "active_weeks"},
		{netkit.DisputeMaster, dispute(same), ""},
		{netkit.DisputeMaster, dispute(func(a *record) { a.Verdicts = a.Verdicts[1:] }), "final_verdicts"},
		{netkit.DisputeMaster, dispute(func(a *record) {
			for k := range a.Verdicts {
				a.Verdicts[k].Reporter %= 7
			}
		}), "reporters"},
		{netkit.DisputeMaster, dispute(func(a *record) {
			for k := range a.Verdicts {
				a.Verdicts[k].Reported = min(a.Verdicts[k].Reported, 16)
			}
		}), "reported"},
		{netkit.DisputeMaster, dispute(func(a *record) {
			for k := range 5 {
				a.Verdicts[k].Agreed = false
			}
		}), "wilson_of_agreement"},
		{netkit.DisputeMaster, dispute(func(a *record) {
			for k := range 11 {
				a.Verdicts[k].Took++
			}
		}), "verdicts_within_72_hours"},
	} {
		r := law.Badge(c.badge)
		own := c.a.senior(c.a.evidence, r, wilsonZ(&law.Scores), date)
		if c.badge == netkit.DisputeMaster {
			own = c.a.dispute(r, wilsonZ(&law.Scores), date)
		}
		missed := ""
		for k := range own {
			if !k.Met() {
				missed += k.Name
			}
		}
		if missed != c.missed {
			t.Errorf("%s: got %q missed, want %q", c.badge, missed, c.missed)
		}
	}
	young := senior(func(a *record) {
		for k := range a.Answers {
			a.Answers[k].Day = date - 59
		}
	})
	for k := range young.senior(young.evidence, law.Badge(netkit.SeniorCorrespondent), wilsonZ(&law.Scores), date) {
		if k.Name == "days_since_first_backed_answer" && (k.Met() || k.Have != 59) {
			t.Errorf("got %+v, want it missed by a day", k)
		}
	}
}

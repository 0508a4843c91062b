package netkit

import "testing"

// fieldwork gives an agent exactly what FIELD_AGENT asks for, but the
// diversity, which is bp.
func (f *fixture) fieldwork(slug string, bp Ratio) {
	f.t.Helper()
	f.scored(slug, bp, 0)
	today := At(f.now).Day()
	f.inject(slug, func(a *agentRow) {
		weights := a.evidence
		a.evidence = nil
		for d := range Day(10) { // 25 executions on ten days for three payers
			for k := range uint32(3) {
				row := evidence{with: weights[k].with, day: today - 10 + d, stands: 1}
				if d >= 8 && k == 2 || d == 9 && k == 1 || d == 0 && k > 0 {
					row.stands = 0
				}
				a.evidence = append(a.evidence, row)
			}
		}
		a.evidence = append(a.evidence, weights...)
	})
}

func TestDiversityGateOfBadges(t *testing.T) {
	for bp, want := range map[Ratio]uint64{2999: 0, 3000: 1} {
		f := memory(t)
		f.agents("ada")
		f.fieldwork("ada", bp)
		f.days(1)
		got := f.night()
		if got.IssuedCount != want {
			t.Errorf("%s: got %+v, want %d badges", bp, got.Issued, want)
		}
		if want == 1 && got.Issued[0] != (BadgeIssue{"ada", FieldAgent, At(f.now).Day() - 1}) {
			t.Errorf("got %+v, want FIELD_AGENT for yesterday", got.Issued)
		}
	}
}

// Each condition of FIELD_AGENT keeps the badge away alone.
func TestFieldAgentConditions(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*party, *extra)
		missing string
	}{
		{"", func(*party, *extra) {}, ""},
		{"executions", func(p *party, _ *extra) { p.agent.evidence[3].stands-- }, "1"},
		{"active_days", func(p *party, _ *extra) {
			for k := range p.agent.evidence {
				if p.agent.evidence[k].day == p.agent.evidence[0].day {
					p.agent.evidence[len(p.agent.evidence)-5].stands += p.agent.evidence[k].stands
					p.agent.evidence[k].stands = 0
				}
			}
		}, "1"},
		{"sponsors", func(p *party, _ *extra) {
			for k := range p.agent.evidence {
				if p.agent.evidence[k].with == p.agent.evidence[2].with {
					p.agent.evidence[k-1].stands += p.agent.evidence[k].stands
					p.agent.evidence[k].stands = 0
				}
			}
		}, "1"},
		{"largest_share_of_a_sponsor", func(p *party, _ *extra) { p.agent.evidence[0].stands += 15 }, "0.0250"},
		{"good_standing", func(p *party, _ *extra) { p.status = Suspended }, "1"},
		{"days_without_revocation_or_upheld_report", func(p *party, x *extra) {
			x.incidents = []incident{{p.agent.evidence[0].day, 5000, 1}}
		}, "170"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := memory(t)
			f.agents("ada")
			f.fieldwork("ada", 3000)
			f.mu.Lock()
			c.change(f.state.parties.Change(f.num("ada")), f.state.changeExtra(f.num("ada")))
			f.mu.Unlock()
			f.days(1)
			yesterday := At(f.now).Day() - 1
			var missed []Condition
			for _, b := range must[Explanation](t)(f.As("").Explain(t.Context(), "ada", &yesterday)).Badges {
				if b.Badge != FieldAgent {
					continue
				}
				for _, k := range b.Conditions {
					if !k.Met {
						missed = append(missed, k)
					}
				}
				if b.Earned != (c.name == "") {
					t.Errorf("got earned %v, want %v", b.Earned, c.name == "")
				}
			}
			switch {
			case c.name == "" && len(missed) != 0:
				t.Errorf("got %+v missed, want nothing", missed)
			case c.name != "" && (len(missed) != 1 || missed[0].Name != c.name || missed[0].Missing != c.missing):
				t.Errorf("got %+v missed, want %s by %s alone", missed, c.name, c.missing)
			}
			if got := f.night().IssuedCount == 1; got != (c.name == "") {
				t.Errorf("got issued %v, want %v", got, c.name == "")
			}
		})
	}
}

func TestSeniorAndDisputeConditions(t *testing.T) {
	const date = Day(20_600)
	law := Version1()
	// record is what of an agent the two badges look at.
	type record struct {
		extra
		evidence []evidence
	}
	senior := func(change func(*record)) record {
		var a record
		for k := range 60 { // sixty answers, two a day every fifth day, oldest 145 days ago
			d := date - 145 + Day(k/2)*5
			a.answers = append(a.answers, answer{day: d, with: uint32(k % 12), took: hour, span: 2 * hour})
		}
		change(&a)
		return a
	}
	dispute := func(change func(*record)) record {
		var a record
		for k := range 20 {
			a.verdicts = append(a.verdicts, verdictRow{day: date - 20 + Day(k), reporter: uint32(k % 8), reported: uint32(10 + k%8), agreed: true, took: 72 * hour})
		}
		change(&a)
		return a
	}
	same := func(*record) {}
	for _, c := range []struct {
		badge  Badge
		a      record
		missed string
	}{
		{SeniorCorrespondent, senior(same), ""},
		{SeniorCorrespondent, senior(func(a *record) { a.answers = a.answers[:59] }), "backed_answers"},
		{SeniorCorrespondent, senior(func(a *record) {
			for k := range a.answers {
				a.answers[k].with %= 11
			}
		}), "senders"},
		{SeniorCorrespondent, senior(func(a *record) {
			for k := range 12 {
				a.answers[5*k+1].with = 0
			}
		}), "largest_share_of_a_sender"},
		{SeniorCorrespondent, senior(func(a *record) { a.evidence = []evidence{{day: date, expired: 8}} }), "wilson_of_answered"},
		{SeniorCorrespondent, senior(func(a *record) {
			for k := range 31 {
				a.answers[k].took = hour + 1
			}
		}), "answers_within_0.50_of_their_deadline"},
		{SeniorCorrespondent, senior(func(a *record) {
			for k := range a.answers {
				a.answers[k].day = date - 60 + Day(k)/2
			}
		}), "active_weeks"},
		{DisputeMaster, dispute(same), ""},
		{DisputeMaster, dispute(func(a *record) { a.verdicts = a.verdicts[1:] }), "final_verdicts"},
		{DisputeMaster, dispute(func(a *record) {
			for k := range a.verdicts {
				a.verdicts[k].reporter %= 7
			}
		}), "reporters"},
		{DisputeMaster, dispute(func(a *record) {
			for k := range a.verdicts {
				a.verdicts[k].reported = min(a.verdicts[k].reported, 16)
			}
		}), "reported"},
		{DisputeMaster, dispute(func(a *record) {
			for k := range 5 {
				a.verdicts[k].agreed = false
			}
		}), "wilson_of_agreement"},
		{DisputeMaster, dispute(func(a *record) {
			for k := range 11 {
				a.verdicts[k].took++
			}
		}), "verdicts_within_72_hours"},
	} {
		r := law.badge(c.badge)
		own := c.a.senior(c.a.evidence, r, law.Scores.z(), date)
		if c.badge == DisputeMaster {
			own = c.a.dispute(r, law.Scores.z(), date)
		}
		missed := ""
		for k := range own {
			if !k.met() {
				missed += k.name
			}
		}
		if missed != c.missed {
			t.Errorf("%s: got %q missed, want %q", c.badge, missed, c.missed)
		}
	}
	young := senior(func(a *record) {
		for k := range a.answers {
			a.answers[k].day = date - 59
		}
	})
	for k := range young.senior(young.evidence, law.badge(SeniorCorrespondent), law.Scores.z(), date) {
		if k.name == "days_since_first_backed_answer" && (k.met() || k.have != 59) {
			t.Errorf("got %+v, want it missed by a day", k)
		}
	}
}

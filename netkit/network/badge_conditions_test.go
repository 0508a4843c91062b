package network

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// fieldwork gives an agent exactly what FIELD_AGENT asks for, but the
// diversity, which is bp.
func (f *fixture) fieldwork(slug string, bp netkit.Ratio) {
	f.t.Helper()
	f.scored(slug, bp, 0)
	today := netkit.At(f.now).Day()
	f.inject(slug, func(a *rules.AgentRow) {
		weights := a.Evidence
		a.Evidence = nil
		for d := range netkit.Day(10) { // 25 executions on ten days for three payers
			for k := range uint32(3) {
				row := rules.Evidence{With: weights[k].With, Day: today - 10 + d, Stands: 1}
				if d >= 8 && k == 2 || d == 9 && k == 1 || d == 0 && k > 0 {
					row.Stands = 0
				}
				a.Evidence = append(a.Evidence, row)
			}
		}
		a.Evidence = append(a.Evidence, weights...)
	})
}

func TestDiversityGateOfBadges(t *testing.T) {
	for bp, want := range map[netkit.Ratio]uint64{2999: 0, 3000: 1} {
		f := memory(t)
		f.agents("ada")
		f.fieldwork("ada", bp)
		f.days(1)
		got := f.night()
		if got.IssuedCount != want {
			t.Errorf("%s: got %+v, want %d badges", bp, got.Issued, want)
		}
		if want == 1 && got.Issued[0] != (netkit.BadgeIssue{Agent: "ada", Badge: netkit.FieldAgent, Date: netkit.At(f.now).Day() - 1}) {
			t.Errorf("got %+v, want FIELD_AGENT for yesterday", got.Issued)
		}
	}
}

// Each condition of FIELD_AGENT keeps the badge away alone.
func TestFieldAgentConditions(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*rules.Party, *rules.Extra)
		missing string
	}{
		{"", func(*rules.Party, *rules.Extra) {}, ""},
		{"executions", func(p *rules.Party, _ *rules.Extra) { p.Agent.Evidence[3].Stands-- }, "1"},
		{"active_days", func(p *rules.Party, _ *rules.Extra) {
			for k := range p.Agent.Evidence {
				if p.Agent.Evidence[k].Day == p.Agent.Evidence[0].Day {
					p.Agent.Evidence[len(p.Agent.Evidence)-5].Stands += p.Agent.Evidence[k].Stands
					p.Agent.Evidence[k].Stands = 0
				}
			}
		}, "1"},
		{"sponsors", func(p *rules.Party, _ *rules.Extra) {
			for k := range p.Agent.Evidence {
				if p.Agent.Evidence[k].With == p.Agent.Evidence[2].With {
					p.Agent.Evidence[k-1].Stands += p.Agent.Evidence[k].Stands
					p.Agent.Evidence[k].Stands = 0
				}
			}
		}, "1"},
		{"largest_share_of_a_sponsor", func(p *rules.Party, _ *rules.Extra) { p.Agent.Evidence[0].Stands += 15 }, "0.0250"},
		{"good_standing", func(p *rules.Party, _ *rules.Extra) { p.Status = netkit.Suspended }, "1"},
		{"days_without_revocation_or_upheld_report", func(p *rules.Party, x *rules.Extra) {
			x.Incidents = []rules.Incident{{Day: p.Agent.Evidence[0].Day, Weight: 5000, Of: 1}}
		}, "170"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := memory(t)
			f.agents("ada")
			f.fieldwork("ada", 3000)
			f.mu.Lock()
			c.change(tablesOf(f.state).Parties.Change(f.num("ada")), changeExtraIn(f.state, f.num("ada")))
			f.mu.Unlock()
			f.days(1)
			yesterday := netkit.At(f.now).Day() - 1
			var missed []netkit.Condition
			for _, b := range must[netkit.Explanation](t)(f.As("").Explain(t.Context(), "ada", &yesterday)).Badges {
				if b.Badge != netkit.FieldAgent {
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

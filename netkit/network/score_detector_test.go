package network

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// watched is the law of today in what concerns detectors.
func watched(c *netkit.Constitution) {
	c.Detectors = netkit.Version1().Detectors
	c.Detectors.CirculationCaseDays = 0 // the rules of review are of before
}

// payeesListed turns on the detector of before that keeps a list of payees.
func payeesListed(c *netkit.Constitution) {
	c.Detectors.SponsorsFrom, c.Detectors.SponsorsAlike = 10, 9500
}

// found returns the detectors that the nights so far find an agent by.
func (f *fixture) found(slug string) map[string]string {
	f.t.Helper()
	all := map[string]string{}
	for _, flag := range must[netkit.List[netkit.AgentFlag]](f.t)(f.op().Flags(f.t.Context(), netkit.Page{})).Items {
		if flag.Agent == slug {
			for _, d := range flag.Detections {
				all[d.Name] = d.Have
			}
		}
	}
	return all
}

// An agent whose sponsors pay nobody else is flagged in the first night, with its
// numbers, and no score moves; when they pay others the flag goes.
func TestCaptiveIncomeIsFlagged(t *testing.T) {
	f := memory(t, watched)
	f.agents("ada", "bob", "cleo")
	for _, sponsor := range []string{"acme", "bolt", "core"} {
		f.admit(sponsor, 5000*netkit.Credit)
		id := f.opens(sponsor, 500*netkit.Credit, 100)
		for range 10 {
			f.executes("ada", id)
		}
	}
	before := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified
	f.days(1)
	f.night()
	if got := f.found("ada"); got["income_from_captive_payers"] != "1.00" {
		t.Errorf("got %v, want all income from captive payers", got)
	}
	if got := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified; got.CounterpartyDiversityScore != before.CounterpartyDiversityScore || got.Tier != before.Tier {
		t.Errorf("got %+v, want the scores of before: %+v", got, before)
	}
	for _, sponsor := range []string{"acme", "bolt", "core"} {
		id := f.opens(sponsor, 500*netkit.Credit, 100)
		for range 20 {
			f.executes("bob", id)
		}
		f.executes("ada", id)
	}
	f.days(1)
	f.night()
	if got := f.found("ada"); got["income_from_captive_payers"] != "" || got["executions_on_one_date"] == "" {
		t.Errorf("its sponsors pay others: got %v, want the flag of a burst alone", got)
	}
	f.replays(t, string(f.state.Canonical()))
}

// Three sponsors that pay the same four agents are found from each of these by
// whom else they pay, in a network of ten; not in one of nine, and not once they
// pay others too.
func TestSponsorsThatPayAlikeAreFlagged(t *testing.T) {
	const alike = "sponsors_that_pay_alike"
	f := memory(t, watched, payeesListed)
	crew, others := named("worker", 4), named("other", 9)
	f.agents(crew...)
	f.agents(others...)
	own := named("own", 3)
	for _, slug := range append(own, named("sponsor", 6)...) {
		f.admit(slug, 5000*netkit.Credit)
	}
	pay := func(sponsor string, to ...string) {
		id := f.opens(sponsor, 500*netkit.Credit, 100)
		for range 10 {
			for _, slug := range to {
				f.executes(slug, id)
			}
		}
	}
	for _, sponsor := range own {
		pay(sponsor, crew...)
	}
	nights := func(want string) {
		t.Helper()
		f.days(1)
		f.night()
		for _, slug := range crew {
			if got := f.found(slug)[alike]; got != want {
				t.Errorf("%s: got %q, want %q", slug, got, want)
			}
		}
	}
	nights("")
	f.admit("tenth", 5000*netkit.Credit)
	for _, sponsor := range own {
		pay(sponsor, crew...)
	}
	nights("0.9997")
	for i, sponsor := range own {
		pay(sponsor, others[3*i:3*i+3]...)
		pay(sponsor, crew...)
	}
	nights("")
	f.replays(t, string(f.state.Canonical()))
	f.restarts(t)
}

// Twenty backed answers below 1.00 are flagged, nineteen are not; so are twelve
// senders that pay this agent alone.
func TestArrangedAnswersAreFlagged(t *testing.T) {
	f := memory(t, watched)
	f.agents("ada")
	f.takes("ada", 50)
	senders := named("sender", 12)
	f.agents(senders...)
	for _, slug := range senders {
		f.backs(slug, 20*netkit.Credit)
	}
	f.days(8) // old enough to count
	answer := func(k int) {
		id := f.asks(senders[k%12], "ada").ID
		must[netkit.AttentionReceipt](t)(f.As("ada").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: "yes"}))
	}
	for k := range 19 {
		answer(k)
	}
	f.days(1)
	f.night()
	if got := f.found("ada"); got["cheap_answers"] != "" || got["senders_that_pay_mostly_this_agent"] != "1.00" {
		t.Errorf("19 answers: got %v, want twelve senders that pay this agent alone, and no more", got)
	}
	answer(19)
	f.days(1)
	f.night()
	if got := f.found("ada"); got["cheap_answers"] != "20" {
		t.Errorf("got %v, want 20 cheap answers", got)
	}
}

// Two agents that answer each other as often are found from twenty answers on. An
// agent that asks others than those which ask it is not: a club whose members ask in
// one direction stays open.
func TestMutualAnswersAreFlagged(t *testing.T) {
	const mutual = "mutual_answers"
	f := memory(t, watched)
	f.agents("ada", "bob", "cleo", "dora")
	for _, slug := range []string{"ada", "bob", "cleo", "dora"} {
		f.takes(slug, 100)
		f.backs(slug, 100*netkit.Credit)
	}
	f.days(8)
	ask := func(from, to string) {
		id := f.asks(from, to).ID
		must[netkit.AttentionReceipt](t)(f.As(to).AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: "yes"}))
	}
	nights := func(want map[string]string) {
		t.Helper()
		f.days(1)
		f.night()
		for slug, have := range want {
			if got := f.found(slug)[mutual]; got != have {
				t.Errorf("%s: got %q, want %q", slug, got, have)
			}
		}
	}
	for range 19 {
		ask("ada", "bob")
		ask("bob", "ada")
	}
	for range 20 {
		ask("cleo", "dora")
		ask("dora", "ada") // one direction: dora answers cleo and asks ada
	}
	nights(map[string]string{"bob": "", "dora": "", "ada": ""}) // ada: 19 of 39 are mutual
	ask("bob", "ada")
	nights(map[string]string{"ada": ""}) // 20 answers to bob, who gave 19
	ask("ada", "bob")
	ask("ada", "bob")
	ask("bob", "ada")
	nights(map[string]string{"ada": "0.5122", "bob": "1.00", "dora": ""})
	ex := must[netkit.AgentExplanation](t)(f.As("").ExplainAgent(t.Context(), "bob"))
	if !slices.ContainsFunc(ex.Detections, func(c netkit.Condition) bool { return c.Name == mutual }) {
		t.Errorf("got %+v, want the flag explained", ex.Detections)
	}
	f.replays(t, string(f.state.Canonical()))
}

// Executions on one date, and income that goes back to where it came from.
func TestBurstsAndCirclesAreFlagged(t *testing.T) {
	f := memory(t, watched)
	f.agents("ada", "bob")
	f.admit("acme", 5000*netkit.Credit)
	for day := range 2 {
		id := f.opens("acme", 500*netkit.Credit, 100)
		for range []int{8, 17}[day] {
			f.executes("ada", id)
		}
		f.days(1)
	}
	f.backs("bob", 100*netkit.Credit)
	f.days(8)
	for k, pair := range [][2]string{{"bob", "ada"}, {"ada", "bob"}} {
		f.takes(pair[1], 60*netkit.Credit)
		if k == 1 {
			f.holds("ada", 100*netkit.Credit)
		}
		id := f.asks(pair[0], pair[1]).ID
		must[netkit.AttentionReceipt](t)(f.As(pair[1]).AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: fmt.Sprint(k)}))
	}
	f.days(1)
	f.night()
	if got := f.found("ada"); got["executions_on_one_date"] != "0.68" || got["income_sent_back"] == "" {
		t.Errorf("ada: got %v, want 17 of 25 executions on one date, and income sent back", got)
	}
}

// Operators alone see which agents act from one address, once these are more than
// a household, and nothing of it is kept.
func TestAgentsOfOneAddress(t *testing.T) {
	f := memory(t, watched)
	crew := append(named("puppet", 6), "guest")
	f.agents(crew...)
	for i, slug := range crew[:6] {
		for range 2 {
			_, err := f.For(netkit.Caller{Slug: slug, Source: "192.0.2.1"}).SetChannels(t.Context(), netkit.SetChannels{Channels: []netkit.Niche{netkit.Niches()[i%2]}})
			if err != nil {
				t.Fatal(err)
			}
		}
		if i == 4 {
			if got := must[netkit.List[netkit.AgentFlag]](t)(f.op().Flags(t.Context(), netkit.Page{})).Items; got == nil || len(got) != 0 {
				t.Errorf("five agents of one address: got %v, want no flag", got)
			}
		}
	}
	if err := f.change(netkit.Caller{Slug: "guest", Source: "192.0.2.2"}, 0); err != nil {
		t.Fatal(err)
	}
	got := must[netkit.List[netkit.AgentFlag]](t)(f.op().Flags(t.Context(), netkit.Page{})).Items
	if len(got) != 1 || got[0].Agent != crew[0] || !slices.Equal(got[0].With, crew[1:6]) || got[0].Detections[0].Have != "6" {
		t.Errorf("got %+v, want the six puppets", got)
	}
	if got := must[netkit.List[netkit.AgentFlag]](t)(f.As("guest").Flags(t.Context(), netkit.Page{})).Items; len(got) != 0 {
		t.Errorf("an agent: got %+v, want nothing", got)
	}
	f.restarts(t)
	if got := must[netkit.List[netkit.AgentFlag]](t)(f.op().Flags(t.Context(), netkit.Page{})).Items; len(got) != 0 {
		t.Errorf("after a restart: got %+v, want nothing", got)
	}
}

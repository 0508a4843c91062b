package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

func TestTheLadder(t *testing.T) {
	type agent struct {
		transactions uint32
		confirmed    bool
		diversity    netkit.Ratio
		reputation   netkit.Percent
		badge        netkit.Badge
		revoked      bool
	}
	all := agent{transactions: 10, confirmed: true, diversity: 5000, reputation: 9500, badge: netkit.DisputeMaster}
	but := func(change func(*agent)) agent { a := all; change(&a); return a }
	for _, c := range []struct {
		name string
		a    agent
		want netkit.Tier
	}{
		{"all at their thresholds", all, netkit.Elite},
		{"the other badge", but(func(a *agent) { a.badge = netkit.SeniorCorrespondent }), netkit.Elite},
		{"nine transactions", but(func(a *agent) { a.transactions = 9 }), netkit.Unverified},
		{"unconfirmed wallet", but(func(a *agent) { a.confirmed = false }), netkit.Unverified},
		{"94.99", but(func(a *agent) { a.reputation = 9499 }), netkit.Badged},
		{"0.4999", but(func(a *agent) { a.diversity = 4999 }), netkit.Badged},
		{"0.30", but(func(a *agent) { a.diversity = 3000 }), netkit.Badged},
		{"0.2999", but(func(a *agent) { a.diversity = 2999 }), netkit.Verified},
		{"neither of the two badges", but(func(a *agent) { a.badge = netkit.FieldAgent }), netkit.Badged},
		{"no badge", but(func(a *agent) { a.badge = netkit.NoBadge }), netkit.Verified},
		{"revoked badge", but(func(a *agent) { a.revoked = true }), netkit.Verified},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := memory(t)
			f.agents("ada")
			f.scored("ada", c.a.diversity, c.a.reputation)
			f.inject("ada", func(a *rules.AgentRow) {
				a.Transactions, a.Confirmed = c.a.transactions, c.a.confirmed
			})
			if c.a.badge != netkit.NoBadge {
				h := rules.Held{Badge: c.a.badge, Issued: 1}
				if c.a.revoked {
					h.Revoked = 1
				}
				f.wear("ada", h)
			}
			if got := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.Tier; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// The payout of an execution is that of the tier at the moment it is decided.
func TestPayoutsOfTheTiers(t *testing.T) {
	for _, c := range []struct {
		tier                    netkit.Tier
		diversity               netkit.Ratio
		badge                   netkit.Badge
		payout, agent, treasury netkit.Credits
	}{
		{netkit.Unverified, 3000, netkit.NoBadge, 200, 170, 30},
		{netkit.Verified, 2999, netkit.FieldAgent, 500, 425, 75},
		{netkit.Badged, 3000, netkit.FieldAgent, 1000, 850, 150},
		{netkit.Elite, 5000, netkit.SeniorCorrespondent, 2000, 1700, 300},
	} {
		f := memory(t)
		f.agents("ada")
		f.scored("ada", c.diversity, 9500)
		f.inject("ada", func(a *rules.AgentRow) {
			if a.Confirmed = true; c.tier > netkit.Unverified {
				a.Transactions = 10
			}
		})
		if c.tier > netkit.Unverified {
			f.wear("ada", rules.Held{Badge: c.badge, Issued: 1})
		}
		f.admit("acme", 100*netkit.Credit)
		id := f.opens("acme", 100*netkit.Credit, 1)
		got := must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: id, Signal: signal}))
		want := netkit.Execution{ExecutionID: got.Seq, CampaignID: id, Tier: c.tier, Payout: c.payout, AgentShare: c.agent,
			TreasuryShare: c.treasury, Balance: 50*netkit.Credit + c.agent, Seq: got.Seq, At: netkit.At(f.now)}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", c.tier, got, want)
		}
		f.has(netkit.ContractBudget(id), 100*netkit.Credit-c.payout)
	}
}

// One counterparty never passes, however busy; several do. All of it through
// the public methods.
func TestOneCounterpartyNeverPassesSeveralDo(t *testing.T) {
	f := memory(t)
	f.agents("one", "many")
	for _, sponsor := range []string{"acme", "bolt", "core", "dyne"} {
		f.admit(sponsor, 1000*netkit.Credit)
		id := f.opens(sponsor, 500*netkit.Credit, 100)
		for range 15 {
			f.executes("many", id)
		}
		if sponsor == "acme" {
			for range 100 {
				f.executes("one", id)
			}
		}
	}
	for range 10 { // more days, the same counterparty
		f.days(1)
		id := f.opens("acme", 20*netkit.Credit, 10)
		for range 10 {
			f.executes("one", id)
		}
	}
	score := func(slug string) netkit.Ratio {
		return must[netkit.Profile](t)(f.As("").Profile(t.Context(), slug)).BioVerified.CounterpartyDiversityScore
	}
	if got := score("one"); got != 0 {
		t.Errorf("one counterparty: got %s, want 0.00", got)
	}
	if got := score("many"); got < 3000 {
		t.Errorf("four counterparties: got %s, want at least 0.30", got)
	}
	ex := must[netkit.Explanation](t)(f.As("").Explain(t.Context(), "one", new(netkit.At(f.now).Day())))
	for _, b := range ex.Badges {
		for _, c := range b.Conditions {
			if c.Name == "counterparty_diversity_score" && (c.Met || c.Missing != "0.30" || c.Have != "0.00") {
				t.Errorf("%s: got %+v, want it missed by 0.30", b.Badge, c)
			}
		}
	}
	f.passes(24 * time.Hour)
	if got := f.night(); got.IssuedCount != 0 {
		t.Errorf("got %+v, want no badge", got.Issued)
	}
}

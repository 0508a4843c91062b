package demo

import (
	"time"

	"github.com/agentnet/netctl/netkit"
)

// amendment lets the operator change the law: from then on an execution clears
// four days after it instead of three, which gives sponsors a day more to read
// what they paid for.
func (s *story) amendment() {
	law := *ok(s.nobody.Constitution(s.ctx)).Constitution
	before := law.Market.ClearingHours
	law.Version, law.Market.ClearingHours = "1.1.0", 96
	r := ok(s.op.AdoptConstitution(s.ctx, netkit.AdoptConstitution{Document: &law}))
	s.say("version %s is announced (entry %d): executions are to clear after %d hours, not %d", law.Version, r.Seq, law.Market.ClearingHours, before)
	coming := ok(s.nobody.Constitution(s.ctx)).Announced
	for _, agent := range coming.Witnesses {
		w := ok(s.cast[agent].Witness(s.ctx, netkit.Witness{ID: coming.ID}))
		s.say("%-9s was drawn as its witness and confirms it (entry %d)", agent, w.Seq)
	}
	s.pass(coming.EffectiveAt.Time().Sub(s.w.clock.now()) + time.Hour)
	ok(s.op.CloseNight(s.ctx, netkit.CloseNight{}))
	expect("version in force", ok(s.nobody.Constitution(s.ctx)).Version, law.Version)
	s.say("fourteen days later it is in force")
}

// delivery lets a sponsor read what it bought, accept one execution and report
// another, whose credits return.
func (s *story) delivery() {
	acme := s.cast["acme"]
	good := ok(s.execute("ada", "acme"))
	me := ok(s.cast["ada"].Me(s.ctx))
	s.say("ada delivers execution %d: wallet %s, of which %s are pending", good.ExecutionID, me.Balance, me.Pending)
	expect("ada's pending pay", me.Pending, good.AgentShare)
	bad := ok(s.execute(reader(1), "acme"))
	for _, x := range ok(acme.Deliveries(s.ctx, netkit.ExecutionQuery{CampaignID: s.deals["acme"], Page: netkit.Page{Limit: 2}})).Items {
		s.say("acme reads execution %d by %s, %s: %q", x.ExecutionID, x.Agent, x.State, x.Signal.Headline)
	}
	accepted := ok(acme.Accept(s.ctx, netkit.AcceptExecutions{ExecutionIDs: []uint64{good.ExecutionID}}))
	s.say("acme accepts execution %d (entry %d): ada can spend the %s", good.ExecutionID, accepted.Seq, accepted.Pay)
	expect("ada's pending pay", ok(s.cast["ada"].Me(s.ctx)).Pending, 0)
	s.returned(bad)
}

// returned lets a report about an execution be upheld before it has cleared.
func (s *story) returned(bad netkit.Execution) {
	agent := reader(1)
	before := s.balance(netkit.ContractBudget(bad.CampaignID))
	c := ok(s.cast["acme"].Report(s.ctx, netkit.Report{Subject: bad.ExecutionID, Law: "L1", Evidence: "The source quotes fourteen weeks."}))
	s.say("acme reports execution %d as case %d; no reviewers are eligible, so the operator decides", bad.ExecutionID, c.CaseID)
	d := ok(s.op.Decide(s.ctx, netkit.Decide{CaseID: c.CaseID, Uphold: true, Reasoning: "The source says the opposite."}))
	after := s.balance(netkit.ContractBudget(bad.CampaignID))
	expect("credits that returned to the contract", after-before, bad.Payout)
	s.say("%s (entry %d): contract +%s, %s -%s, treasury -%s; the execution is %s", d.State, d.Seq, after-before, agent, bad.AgentShare, bad.TreasuryShare,
		ok(s.nobody.Delivery(s.ctx, bad.ExecutionID)).State)
}

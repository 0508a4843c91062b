package demo

import (
	"maps"
	"slices"
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
	for _, slug := range slices.Sorted(maps.Keys(s.tokens)) {
		s.accept(slug)
	}
	s.say("fourteen days later it is in force, and all agents accept it")
}

// delivery lets a sponsor read what it bought, accept one execution and report
// another, whose credits return.
func (s *story) delivery() {
	acme := s.cast["acme"]
	good := ok(s.execute("ada", "acme"))
	me := ok(s.cast["ada"].OwnProfile(s.ctx))
	s.say("ada delivers execution %d: wallet %s, of which %s are pending", good.ExecutionID, me.Balance, me.Pending)
	expect("ada's pending pay", me.Pending, good.AgentShare)
	bad := ok(s.execute(reader(1), "acme"))
	for _, x := range ok(acme.Deliveries(s.ctx, netkit.ExecutionQuery{CampaignID: s.deals["acme"], Page: netkit.Page{Limit: 2}})).Items {
		s.say("acme reads execution %d by %s, %s: %q", x.ExecutionID, x.Agent, x.State, x.Signal.Headline)
	}
	accepted := ok(acme.Accept(s.ctx, netkit.AcceptExecutions{ExecutionIDs: []uint64{good.ExecutionID}}))
	s.say("acme accepts execution %d (entry %d): ada can spend the %s", good.ExecutionID, accepted.Seq, accepted.Pay)
	expect("ada's pending pay", ok(s.cast["ada"].OwnProfile(s.ctx)).Pending, 0)
	s.returned(bad)
}

// returned lets a report about an execution be upheld before it has cleared.
func (s *story) returned(bad netkit.Execution) {
	agent := reader(1)
	before := s.balance(netkit.ContractBudget(bad.CampaignID))
	c := ok(s.cast["acme"].Report(s.ctx, netkit.Report{Subject: bad.ExecutionID, Law: "L1", Evidence: "The source quotes fourteen weeks."}))
	s.say("acme reports execution %d as case %d; no reviewers are eligible, so the operator decides", bad.ExecutionID, c.CaseID)
	d := ok(s.op.Decide(s.ctx, netkit.Decide{CaseID: c.CaseID, Uphold: true, Reasoning: "The source says the opposite."}))
	s.say("%s (entry %d): the pay of %s is held until the case is final", d.State, d.Seq, agent)
	s.pass(8 * 24 * time.Hour)
	ok(s.op.CloseNight(s.ctx, netkit.CloseNight{}))
	after := s.balance(netkit.ContractBudget(bad.CampaignID))
	expect("credits that returned to the contract", after-before, bad.Payout)
	s.say("nobody appealed: contract +%s, %s -%s, treasury -%s; the execution is %s", after-before, agent, bad.AgentShare, bad.TreasuryShare,
		ok(s.nobody.Delivery(s.ctx, bad.ExecutionID)).State)
}

// window fills what a visitor looks at: contracts and dispatches of other niches, a
// request that waits for its answer, and a case that is open.
func (s *story) window() {
	for _, c := range []netkit.OpenContract{
		{Sponsor: "delta", Title: "Rent rulings with a number", Brief: "The court, the date, the paragraph and the amount.", Channel: netkit.NicheLegal, Budget: 120 * netkit.Credit},
		{Sponsor: "boreal", Title: "Shortages at the counter", Brief: "A drug that a pharmacy could not get today.", Channel: netkit.NicheHealth, Budget: 200 * netkit.Credit},
		{Sponsor: "corvid", Title: "Corrections of last night", Brief: "What was printed, what was corrected, and where.", Channel: netkit.NicheMedia, Budget: 80 * netkit.Credit},
		{Sponsor: "eider", Title: "Fees that went up", Brief: "Old fee, new fee, page of the price list.", Channel: netkit.NicheFinance, Budget: 150 * netkit.Credit},
	} {
		c.ExecutionsPerAgent = 10
		r := ok(s.op.OpenContract(s.ctx, c))
		s.say("%-6s opens contract %d %q for %s with %s", c.Sponsor, r.CampaignID, c.Title, c.Channel, r.Remaining)
	}
	for _, d := range []struct {
		netkit.Publish
		file string
	}{
		{netkit.Publish{Priority: netkit.P2, Channel: netkit.NicheLegal, Headline: "Courts side with tenants on deposits"}, "p2-legal-deposits.ogg"},
		{netkit.Publish{Priority: netkit.P2, Channel: netkit.NicheFinance, Headline: "Three banks raise the same fee"}, "p2-finance-fees.ogg"},
		{netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheHealth, Headline: "Insulin pens short in two regions"}, "p1-health-shortage.mp3"},
	} {
		s.publish(s.cast["vera"], d.Publish, d.file)
	}
	asked := ok(s.cast["hugo"].SendAttention(s.ctx, netkit.SendAttention{To: "ada", Subject: "Which contract would you take?", Body: "Four opened today."}))
	s.say("hugo   asks ada %q: %s wait in escrow (request %d)", "Which contract would you take?", asked.Price, asked.ID)
	doubted := ok(s.execute(reader(3), "boreal"))
	c := ok(s.cast["boreal"].Report(s.ctx, netkit.Report{Subject: doubted.ExecutionID, Law: "L2", Evidence: "The same text was delivered last week."}))
	s.say("boreal reports execution %d: case %d is open", doubted.ExecutionID, c.CaseID)
}

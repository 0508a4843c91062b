package network

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// lies has one of every kind at least.
func (c *city) lies() []lie {
	return slices.Concat(c.liesOfMoney(), c.liesOfMarket(), c.liesOfStanding(), c.liesOfReview(), c.liesOfNight(), c.liesOfOffice())
}

// paid is an execution as it would be honest; its contract runs in a crisis.
func (c *city) paid() *rules.Executed {
	return &rules.Executed{Campaign: c.emergency, Agent: "ada", Sponsor: "acme", Tier: netkit.Unverified, Payout: 100 * netkit.Credit, Sources: 1,
		Payment: rules.Payment{Used: 100 * netkit.Credit, Counted: 85 * netkit.Credit, Passed: 2125}}
}

// split pays 100 credits of the emergency's budget.
func (c *city) split(agent string, share netkit.Credits) []rules.Move {
	return []rules.Move{{To: netkit.ContractBudget(c.emergency), Amount: -100 * netkit.Credit}, {To: netkit.Wallet(agent), Amount: share}, {To: netkit.Treasury, Amount: 100*netkit.Credit - share}}
}

func (c *city) liesOfMoney() []lie {
	grant := func(x netkit.Credits) []rules.Move {
		return []rules.Move{{To: netkit.Issuance, Amount: -x}, {To: netkit.Wallet("newcomer"), Amount: x}}
	}
	dear := c.paid()
	dear.Tier, dear.Payout = netkit.Verified, 200*netkit.Credit
	backed := c.paid()
	backed.Passed = 5 * netkit.Credit
	return []lie{
		{name: "a split of 0.86", rule: "split 85/15", actor: "ada", fact: c.paid(), moves: c.split("ada", 86*netkit.Credit)},
		{name: "a share for somebody else", rule: "split 85/15", actor: "ada", fact: c.paid(), moves: c.split("bea", 85*netkit.Credit)},
		{name: "a tier paid too high", rule: "tier rate", actor: "ada", fact: dear,
			moves: []rules.Move{{To: netkit.ContractBudget(c.emergency), Amount: -200 * netkit.Credit}, {To: netkit.Wallet("ada"), Amount: 170 * netkit.Credit}, {To: netkit.Treasury, Amount: 30 * netkit.Credit}}},
		{name: "backing out of nothing", rule: "backing", actor: "ada", fact: backed, moves: c.split("ada", 85*netkit.Credit)},
		{name: "a grant twice", rule: "slug taken", actor: "ada", fact: &rules.AgentSpawned{Agent: "ada"}, moves: []rules.Move{{To: netkit.Issuance, Amount: -50 * netkit.Credit}, {To: netkit.Wallet("ada"), Amount: 50 * netkit.Credit}}},
		{name: "a grant of 60", rule: "welcome grant", actor: "newcomer", fact: &rules.AgentSpawned{Agent: "newcomer"}, moves: grant(60 * netkit.Credit)},
		{name: "a spawn in another's name", rule: "actor", actor: "ada", fact: &rules.AgentSpawned{Agent: "newcomer"}, moves: grant(50 * netkit.Credit)},
		{name: "a deposit by a sponsor", rule: "operators only", actor: "acme", fact: &rules.SponsorDeposited{Sponsor: "acme", Amount: netkit.Credit},
			moves: []rules.Move{{To: netkit.Issuance, Amount: -netkit.Credit}, {To: netkit.SponsorFunds("acme"), Amount: netkit.Credit}}},
		{name: "a deposit to another's funds", rule: "deposit", actor: "operator", fact: &rules.SponsorDeposited{Sponsor: "acme", Amount: netkit.Credit},
			moves: []rules.Move{{To: netkit.Issuance, Amount: -netkit.Credit}, {To: netkit.SponsorFunds("core"), Amount: netkit.Credit}}},
		{name: "a deposit of less than nothing", rule: "amount not positive", actor: "operator", fact: &rules.SponsorDeposited{Sponsor: "acme", Amount: -netkit.Credit},
			moves: []rules.Move{{To: netkit.Issuance, Amount: netkit.Credit}, {To: netkit.SponsorFunds("acme"), Amount: -netkit.Credit}}},
		{name: "the feed at half price", rule: "feed price", actor: "bea", fact: &rules.FeedOpened{Agent: "bea", Through: c.state.Size() - 1},
			moves: []rules.Move{{To: netkit.Wallet("bea"), Amount: -5 * netkit.Credit}, {To: netkit.Treasury, Amount: 5 * netkit.Credit}}},
		{name: "postings that make money", rule: "postings sum to zero", actor: "ada", fact: c.paid(), moves: c.split("ada", 85*netkit.Credit),
			bend: func(e *rules.Entry) { e.Postings[1].Amount++; e.Postings[1].After++ }},
		{name: "a balance that is too high", rule: "account chain", actor: "ada", fact: c.paid(), moves: c.split("ada", 85*netkit.Credit),
			bend: func(e *rules.Entry) { e.Postings[1].After++ }},
		{name: "a chain that skips an entry", rule: "account chain", actor: "ada", fact: c.paid(), moves: c.split("ada", 85*netkit.Credit),
			bend: func(e *rules.Entry) { e.Postings[1].Prev-- }},
		{name: "a fact without its money", rule: "split 85/15", actor: "ada", fact: c.paid()},
	}
}

func (c *city) liesOfMarket() []lie {
	in := func(campaign uint64, agent string) *rules.Executed {
		f := c.paid()
		f.Campaign, f.Agent = campaign, agent
		return f
	}
	silent := c.paid()
	silent.Sources = 0
	back := []rules.Move{{To: netkit.Escrow(c.asked), Amount: -3 * netkit.Credit}, {To: netkit.Wallet("cora"), Amount: 3 * netkit.Credit}}
	fee := []rules.Move{{To: netkit.Escrow(c.asked), Amount: -3 * netkit.Credit}, {To: netkit.Wallet("bea"), Amount: 3 * netkit.Credit}}
	rest := c.state.Held(netkit.ContractBudget(c.ends))
	send := func(price netkit.Credits) []rules.Move {
		return []rules.Move{{To: netkit.Wallet("dora"), Amount: -price}, {To: netkit.Escrow(c.state.Size()), Amount: price}}
	}
	soon := netkit.At(c.now) + 72*netkit.Hour
	return []lie{
		{name: "an execution in a blackout", rule: "L3 blackout", actor: "dora", fact: in(c.commercial, "dora"), moves: c.split("dora", 85*netkit.Credit)},
		{name: "an execution of a closed contract", rule: "contract closed", actor: "ada", fact: in(c.over, "ada")},
		{name: "an execution without a source", rule: "L1 sources missing", actor: "ada", fact: silent, moves: c.split("ada", 85*netkit.Credit)},
		{name: "an execution by who does not match", rule: "not matched", actor: "dora", fact: in(c.emergency, "dora"), moves: c.split("dora", 85*netkit.Credit)},
		{name: "a payment to a suspended agent", rule: "L1 agent suspended", actor: "evil", fact: in(c.emergency, "evil"), moves: c.split("evil", 85*netkit.Credit)},
		{name: "an operational contract by its sponsor", rule: "L3 operational needs operator", actor: "acme",
			fact:  &rules.ContractOpened{Sponsor: "acme", Contract: netkit.Operational, Channel: netkit.NicheLegal, Budget: 100 * netkit.Credit, Limit: 1},
			moves: []rules.Move{{To: netkit.SponsorFunds("acme"), Amount: -100 * netkit.Credit}, {To: netkit.ContractBudget(c.state.Size()), Amount: 100 * netkit.Credit}}},
		{name: "a budget from another's funds", rule: "contract budget", actor: "acme",
			fact:  &rules.ContractOpened{Sponsor: "acme", Channel: netkit.NicheLegal, Budget: 100 * netkit.Credit, Limit: 1},
			moves: []rules.Move{{To: netkit.SponsorFunds("core"), Amount: -100 * netkit.Credit}, {To: netkit.ContractBudget(c.state.Size()), Amount: 100 * netkit.Credit}}},
		{name: "an agent shut out of another's contract", rule: "foreign contract", actor: "core", fact: &rules.AgentsSet{Sponsor: "acme", Campaign: c.ends, ShutOut: []string{"ada"}}},
		{name: "a pace of another's contract", rule: "foreign contract", actor: "core", fact: &rules.PaceSet{Sponsor: "acme", Campaign: c.ends, ADay: 20 * netkit.Credit}},
		{name: "an invitation to another's contract", rule: "foreign contract", actor: "core", fact: &rules.AgentsInvited{Sponsor: "acme", Campaign: c.ends, Agents: []string{"ada"}}},
		{name: "an invitation of an agent that was not paid", rule: "agent not paid", actor: "acme", fact: &rules.AgentsInvited{Sponsor: "acme", Campaign: c.ends, Agents: []string{"bea"}}},
		{name: "a top-up of another's contract", rule: "foreign contract", actor: "core", fact: &rules.ContractFunded{Campaign: c.ends, Sponsor: "acme", Amount: netkit.Credit},
			moves: []rules.Move{{To: netkit.SponsorFunds("acme"), Amount: -netkit.Credit}, {To: netkit.ContractBudget(c.ends), Amount: netkit.Credit}}},
		{name: "a contract that ends too early", rule: "not due", actor: netkit.NetworkActor, fact: &rules.ContractFinished{Campaign: c.ends, Sponsor: "acme", State: netkit.ContractEnded, Returned: rest},
			moves: []rules.Move{{To: netkit.ContractBudget(c.ends), Amount: -rest}, {To: netkit.SponsorFunds("acme"), Amount: rest}}},
		{name: "a rest that is kept", rule: "contract refund", actor: "acme", fact: &rules.ContractFinished{Campaign: c.ends, Sponsor: "acme", State: netkit.ContractClosed, Returned: rest},
			moves: []rules.Move{{To: netkit.ContractBudget(c.ends), Amount: -rest}, {To: netkit.SponsorFunds("core"), Amount: rest}}},
		{name: "what has cleared accepted", rule: "accepted once", actor: "dyne", fact: &rules.ExecutionsAccepted{Sponsor: "dyne", Executions: []rules.Earned{{Id: c.work, Agent: "evil"}}}},
		{name: "pay returned without a case", rule: "foreign contract", actor: "core", fact: &rules.ExecutionReturnedFact{Sponsor: "core", Earned: rules.Earned{Id: c.work, Agent: "evil"}}},
		{name: "attention below the floor", rule: "floor price", actor: "dora", fact: &rules.AttentionSent{From: "dora", To: "bea", Price: netkit.Credit, Expires: soon}, moves: send(netkit.Credit)},
		{name: "attention for ever", rule: "span out of range", actor: "dora", fact: &rules.AttentionSent{From: "dora", To: "bea", Price: 3 * netkit.Credit, Expires: soon + 30*netkit.FullDay}, moves: send(3 * netkit.Credit)},
		{name: "attention of who accepts none", rule: "L7 not accepting", actor: "dora", fact: &rules.AttentionSent{From: "dora", To: "ada", Expires: soon}},
		{name: "an answer by somebody else", rule: "attention unknown", actor: "dora", fact: &rules.AttentionAnswered{ID: c.asked, From: "cora", To: "bea", Price: 3 * netkit.Credit}, moves: fee},
		{name: "an answer twice", rule: "attention answered", actor: "bea", fact: &rules.AttentionAnswered{ID: c.answered, From: "cora", To: "bea", Price: 3 * netkit.Credit}},
		{name: "an expired request answered", rule: "due left undone", actor: "bea", fact: &rules.AttentionAnswered{ID: c.asked, From: "cora", To: "bea", Price: 3 * netkit.Credit},
			moves: fee, later: 73 * time.Hour},
		{name: "a refund to the wrong one", rule: "escrow refund", actor: "bea", fact: &rules.AttentionDeclined{ID: c.asked, From: "cora", To: "bea", Price: 3 * netkit.Credit}, moves: fee},
		{name: "an expiry too early", rule: "not due", actor: netkit.NetworkActor, fact: &rules.AttentionExpired{ID: c.asked, From: "cora", To: "bea", Price: 3 * netkit.Credit}, moves: back},
		{name: "an expiry left out", rule: "due left undone", actor: "ada", fact: &rules.ClaimsSet{Agent: "ada"}, later: 73 * time.Hour},
		{name: "an expiry that spares its target", rule: "attention.expired counts", actor: netkit.NetworkActor, moves: back, later: 72 * time.Hour,
			fact: &rules.AttentionExpired{ID: c.asked, From: "cora", To: "bea", Price: 3 * netkit.Credit, Counts: true}},
	}
}

func (c *city) liesOfStanding() []lie {
	return []lie{
		{name: "claims in another's name", rule: "agent.claims agent", actor: "ada", fact: &rules.ClaimsSet{Agent: "bea"}},
		{name: "claims of nobody", rule: "unauthenticated", actor: "nobody", fact: &rules.ClaimsSet{Agent: "nobody"}},
		{name: "a floor below nothing", rule: "amount negative", actor: "ada", fact: &rules.ClaimsSet{Agent: "ada", Floor: -netkit.Credit}},
		{name: "channels by a sponsor", rule: "agents only", actor: "acme", fact: &rules.ChannelsSet{Agent: "acme"}},
		{name: "a webhook of an operator", rule: "webhook operator", actor: "operator", fact: &rules.WebhookSet{Sponsor: "operator", Set: true}},
		{name: "a webhook of another sponsor", rule: "agent.webhook sponsor", actor: "acme", fact: &rules.WebhookSet{Sponsor: "core", Set: true}},
		{name: "a webhook switched off by another agent", rule: "network only", actor: "evil", fact: &rules.WebhookSet{Agent: "ada", Set: true, Stopped: true}},
		{name: "a webhook's secret replaced by another agent", rule: "agent.webhook agent", actor: "bea", fact: &rules.WebhookSet{Agent: "ada", Set: true, Rotated: true}},
		{name: "a secret replaced of no webhook", rule: "agent.webhook set", actor: "bea", fact: &rules.WebhookSet{Agent: "bea", Rotated: true}},
		{name: "positions of webhooks recorded by an agent", rule: "network only", actor: "bea", fact: &rules.WebhooksDelivered{}},
		{name: "a role by the agent itself", rule: "operators only", actor: "ada", fact: &rules.RoleChanged{Agent: "ada", Roles: []string{"reviewer"}}},
		{name: "two roles at once", rule: "agent.roles roles", actor: "operator", fact: &rules.RoleChanged{Agent: "ada", Roles: []string{"correspondent", "reviewer"}}},
		{name: "a wallet that is not an address", rule: "address malformed", actor: "ada", fact: &rules.WalletDeclared{Network: "testnet", Agent: "ada", Address: "did:key:z1"}},
		{name: "a wallet confirmed by nobody", rule: "signature malformed", actor: "ada", fact: &rules.WalletConfirmed{Agent: "ada", Address: c.extra("ada").Address}},
		{name: "a token for another agent", rule: "scope operator", actor: "ada", fact: &rules.TokenIssued{Owner: "bea"}},
		{name: "a token that acts for an operator", rule: "scope operator", actor: "acme", fact: &rules.TokenIssued{Owner: "operator"}},
		{name: "a token revoked that nobody has", rule: "token unknown", actor: "operator", fact: &rules.TokenRevoked{Token: c.work, Owner: "ada", Reason: "lost"}},
		{name: "a constitution accepted by another hash", rule: "constitution other", actor: "ada", fact: &rules.ConstitutionAccepted{Agent: "ada", Version: "1.1.0", SHA256: [32]byte{1}}},
		{name: "a commitment that no rule asks for", rule: "commitment unneeded", actor: "ada", fact: &rules.PlaybookCommitted{Agent: "ada", Commitment: [32]byte{1}}},
		{name: "a playbook twice", rule: "registered once", actor: "ada", fact: &rules.PlaybookRegistered{Agent: "ada", Category: "legal", Status: "RESOLVED", Steps: 1, Content: [32]byte{1}}},
		{name: "another's playbook", rule: "playbook known", actor: "bea", fact: &rules.PlaybookRegistered{Agent: "bea", Category: "legal", Status: "RESOLVED", Steps: 1, Content: [32]byte{1}}},
		{name: "a plant twice", rule: "plant exists", actor: "operator", fact: &rules.PlantCreated{Plant: 1}},
	}
}

func (c *city) liesOfReview() []lie {
	outsider := "judge-a"
	for _, slug := range []string{"judge-b", "judge-c", "judge-d", "judge-e"} {
		if slices.Contains(c.panel, outsider) {
			outsider = slug
		}
	}
	return []lie{
		{name: "a panel not drawn by the seed", rule: "panel drawn by seed", actor: "dora", fact: &rules.ReportFiled{Subject: c.work - 1, Law: netkit.Suspended, Reporter: "dora",
			Reported: "ada", Execution: true, Sponsor: "dyne", Day: netkit.At(c.now).Day() - 1, Counted: 85 * netkit.Credit,
			Draw: rules.Draw{Seed: [32]byte{1}, Panel: []string{"judge-a", "judge-b", "judge-c"}, Due: rules.Due{Ends: netkit.At(c.now) + 72*netkit.Hour}, Tree: c.tree.head()}}},
		{name: "a panel drawn by a tree that never was", rule: "tree cited", actor: "dora", fact: &rules.ReportFiled{Subject: c.work - 1, Law: netkit.Suspended, Reporter: "dora",
			Reported: "ada", Execution: true, Sponsor: "dyne", Day: netkit.At(c.now).Day() - 1, Counted: 85 * netkit.Credit, Draw: rules.Draw{Tree: netkit.TreeHead{Size: 9, Root: netkit.Hash{1}}}}},
		{name: "a report of what is yet to come", rule: "entry unknown", actor: "dora", fact: &rules.ReportFiled{Subject: c.state.Size() + 9, Law: netkit.Suspended, Reporter: "dora", Reported: "ada"}},
		{name: "a report of no deed", rule: "subject unknown", actor: "dora", fact: &rules.ReportFiled{Subject: 1, Law: netkit.Suspended, Reporter: "dora", Reported: "ada"}},
		{name: "a report twice", rule: "case exists", actor: "dora", fact: &rules.ReportFiled{Subject: c.work, Law: netkit.Suspended, Reporter: "dora", Reported: "evil"}},
		{name: "a verdict by who was not drawn", rule: "not drawn", actor: outsider, fact: &rules.VerdictGiven{Case: c.tried, Reviewer: outsider}},
		{name: "one verdict for a majority", rule: "majority", actor: c.panel[0], fact: &rules.VerdictGiven{Case: c.tried, Reviewer: c.panel[0], Uphold: true, State: netkit.CaseUpheld}},
		{name: "a case that the operator takes from its panel", rule: "case not with operator", actor: "operator", fact: &rules.CaseDecided{Case: c.tried, Decider: "operator"}},
		{name: "a case decided by a reviewer alone", rule: "operators only", actor: c.panel[0], fact: &rules.CaseDecided{Case: c.tried, Decider: c.panel[0]}},
		{name: "a report that joins where none may", rule: "case exists", actor: "dora", fact: &rules.ReportJoined{Case: c.tried, Reporter: "dora"}},
		{name: "a panel drawn for a case that has one", rule: "case not drawing", actor: netkit.NetworkActor, fact: &rules.CaseDrawn{Case: c.tried, Panel: c.panel}},
		{name: "a panel drawn by an operator", rule: "network only", actor: "operator", fact: &rules.CaseDrawn{Case: c.tried, Panel: c.panel}},
		{name: "a fee before the case is final", rule: "not due", actor: netkit.NetworkActor, fact: &rules.CasePaid{Case: c.judged, Party: c.panel[0], Reason: rules.VerdictFee, Amount: netkit.Credit},
			moves: []rules.Move{{To: netkit.Treasury, Amount: -netkit.Credit}, {To: netkit.Wallet(c.panel[0]), Amount: netkit.Credit}}},
		{name: "a redraw before its time", rule: "not due", actor: netkit.NetworkActor, fact: &rules.PanelDrawn{Case: c.tried}},
		{name: "a panel let off", rule: "due left undone", actor: "ada", fact: &rules.ClaimsSet{Agent: "ada"}, later: 72 * time.Hour},
		{name: "an appeal by the winner", rule: "not the loser", actor: "bea", fact: &rules.CaseAppealed{Case: c.judged, Appellant: "bea"}},
		{name: "a case final too early", rule: "not due", actor: netkit.NetworkActor, fact: &rules.CaseFinal{Case: c.judged, Uphold: true}},
		{name: "an agent that reinstates itself", rule: "L1 agent suspended", actor: "evil", fact: &rules.AgentReinstated{Agent: "evil", Reason: "sorry"}},
		{name: "a reinstatement without a reason", rule: "L6 reason missing", actor: "operator", fact: &rules.AgentReinstated{Agent: "evil", Reason: ""}},
		{name: "an agent that recovers itself", rule: "L1 agent suspended", actor: "evil", fact: &rules.AgentRecovered{Agent: "evil", Reason: "lost"}},
		{name: "a recovery without a reason", rule: "L6 reason missing", actor: "operator", fact: &rules.AgentRecovered{Agent: "evil", Reason: ""}},
		{name: "a revocation without a reason", rule: "L6 reason missing", actor: "operator", fact: &rules.RevocationBegun{Agent: "ada", Badge: netkit.FieldAgent, Revoker: "operator"}},
		{name: "a revocation witnessed by its revoker", rule: "L6 witness is revoker", actor: "operator",
			fact: &rules.BadgeRevoked{Revocation: c.begun, Agent: "ada", Badge: netkit.FieldAgent, Reason: "sold it", Revoker: "operator", Witness: "operator", Case: 0, Until: 0}},
		{name: "a revocation witnessed by its holder", rule: "L6 witness is holder", actor: "ada",
			fact: &rules.BadgeRevoked{Revocation: c.begun, Agent: "ada", Badge: netkit.FieldAgent, Reason: "sold it", Revoker: "operator", Witness: "ada", Case: 0, Until: 0}},
		{name: "a revocation out of nothing", rule: "L6 revocation", actor: "operator", fact: &rules.BadgeRevoked{Agent: "ada", Badge: netkit.FieldAgent, Revoker: "operator"}},
		{name: "an appeal against a revocation that rests on nothing yet", rule: "case final", actor: "ada",
			fact: &rules.RevocationAppealed{Revocation: c.begun, Agent: "ada", Revoker: "operator"}},
		{name: "a badge that comes back by itself", rule: "L6 revocation", actor: netkit.NetworkActor, fact: &rules.BadgeRestored{Agent: "ada", Badge: netkit.FieldAgent}},
		{name: "a revocation that lapses too early", rule: "not due", actor: netkit.NetworkActor, fact: &rules.RevocationLapsed{Revocation: c.begun}},
		{name: "a witness who did not look", rule: "L6 revocation", actor: "bea", fact: &rules.BadgeRevoked{Revocation: c.begun, Agent: "ada", Badge: netkit.FieldAgent, Reason: "sold it", Revoker: "operator", Witness: "cora", Case: 0, Until: 0}},
	}
}

func (c *city) liesOfNight() []lie {
	date, all := netkit.At(c.now).Day(), tablesOf(c.state).Parties.Len()
	return []lie{
		{name: "a forged badge", rule: "badge conditions", actor: netkit.NetworkActor, fact: &rules.BadgeIssued{Agent: "bea", Badge: netkit.FieldAgent, Date: date}},
		{name: "a badge by an operator", rule: "badge conditions", actor: "operator", fact: &rules.BadgeIssued{Agent: "bea", Badge: netkit.FieldAgent, Date: date}},
		{name: "a flag that no night raised", rule: "detectors", actor: netkit.NetworkActor, fact: &rules.AgentFlagged{Agent: "bea", Date: date, Detections: []rules.Detection{{Name: "cheap_answers", Have: 20, Most: 19, Unit: netkit.Wholes}}}},
		{name: "a case that no night filed", rule: "detectors", actor: netkit.NetworkActor, fact: &rules.CirculationFiled{Subject: c.row("bea").Seq, Reported: "bea", Date: date, Have: 9000, Most: 2499}},
		{name: "a night that ends before the last agent", rule: "night judges all", actor: netkit.NetworkActor, later: 24 * time.Hour,
			fact: &rules.NightStepped{Date: date, To: all - 1, Judged: 5, Last: true}},
		{name: "a night before the day is over", rule: "date not over", actor: netkit.NetworkActor, fact: &rules.NightStepped{Date: date, To: all, Last: true}},
		{name: "a date closed twice", rule: "a date is closed once", actor: netkit.NetworkActor, fact: &rules.NightStepped{Date: date - 1, To: all, Last: true}},
		{name: "a night closed without its steps", rule: "night judges all", actor: netkit.NetworkActor, later: 24 * time.Hour, fact: &rules.NightClosed{Date: date}},
		{name: "a night by an agent", rule: "operators only", actor: "ada", later: 24 * time.Hour, fact: &rules.NightStepped{Date: date, To: all, Last: true}},
		{name: "a private part of what nobody asked", rule: "private part", actor: netkit.NetworkActor, later: 72 * time.Hour,
			fact: &rules.AttentionExpired{ID: c.asked, From: "cora", To: "bea", Price: 3 * netkit.Credit}, bend: func(e *rules.Entry) { e.Private[0] = 1 },
			moves: []rules.Move{{To: netkit.Escrow(c.asked), Amount: -3 * netkit.Credit}, {To: netkit.Wallet("cora"), Amount: 3 * netkit.Credit}}},
	}
}

func (c *city) liesOfOffice() []lie {
	greedy := revised("1.2.0", func(c *netkit.Constitution) { c.Economy.AgentShare = 9000 })
	rough := revised("1.2.0", func(c *netkit.Constitution) { c.Badges[0].Diversity = 0 })
	return []lie{
		{name: "a second genesis", rule: "network begun", actor: "operator", fact: &rules.Founded{Network: "testnet", Operator: "operator", Document: netkit.Version1().JSON()}},
		{name: "an erasure by an agent", rule: "operators only", actor: "ada", fact: &rules.PrivateErased{Entry: c.work, Reason: "r"}},
		{name: "an erasure without a reason", rule: "text missing", actor: "operator", fact: &rules.PrivateErased{Entry: c.work, Reason: ""}},
		{name: "an erasure of what is public", rule: "nothing private", actor: "operator", fact: &rules.PrivateErased{Entry: c.bare(), Reason: "r"}},
		{name: "an erasure of what is yet to come", rule: "entry unknown", actor: "operator", fact: &rules.PrivateErased{Entry: c.state.Size(), Reason: "r"}},
		{name: "an operator by an agent", rule: "operators only", actor: "ada", fact: &rules.OperatorAdded{Operator: "ada-too"}},
		{name: "a sponsor proposed by an agent", rule: "operators only", actor: "ada", fact: &rules.SponsorProposed{Sponsor: "shell", Name: ""}},
		{name: "a sponsor without a witness", rule: "sponsor's witness", actor: "operator", fact: &rules.SponsorAdmitted{Sponsor: "shell", Proposer: "operator", Waived: true}},
		{name: "a sponsor stopped by an agent", rule: "operators only", actor: "ada", fact: &rules.SponsorStopped{Sponsor: "acme", Reason: "r"}},
		{name: "a sponsor stopped with its contracts left open", rule: "contracts end with their sponsor", actor: "operator", fact: &rules.SponsorStopped{Sponsor: "acme", Reason: "r"}},
		{name: "funds returned of a sponsor that nobody stopped", rule: "not due", actor: netkit.NetworkActor, fact: &rules.SponsorRefunded{Sponsor: "acme", Amount: netkit.Credit},
			moves: []rules.Move{{To: netkit.SponsorFunds("acme"), Amount: -netkit.Credit}, {To: netkit.Issuance, Amount: netkit.Credit}}},
		{name: "a sponsor witnessed by who proposed it", rule: "L6 witness is revoker", actor: "operator",
			fact: &rules.SponsorAdmitted{Sponsor: "bolt", Admission: c.bolt, Proposer: "operator", Witness: "operator"}},
		{name: "a sponsor witnessed by a newcomer", rule: "L6 witness unconfirmed", actor: "dora",
			fact: &rules.SponsorAdmitted{Sponsor: "bolt", Admission: c.bolt, Proposer: "operator", Witness: "dora"}},
		{name: "a constitution whose shares are not whole", rule: "constitution unsound", actor: "operator", fact: &rules.ConstitutionAdopted{Version: "1.2.0", Document: greedy.JSON()}},
		{name: "a constitution without the diversity gate", rule: "constitution unsound", actor: "operator", fact: &rules.ConstitutionAdopted{Version: "1.2.0", Document: rough.JSON()}},
		{name: "an older constitution", rule: "version not later", actor: "operator", fact: &rules.ConstitutionAdopted{Version: "1.0.0", Document: netkit.Version1().JSON()}},
		{name: "a constitution by an agent", rule: "operators only", actor: "ada", fact: &rules.ConstitutionAdopted{Version: "1.2.0", Document: revised("1.2.0", func(*netkit.Constitution) {}).JSON()}},
		{name: "an alarm by a correspondent", rule: "L3 p0 needs operator", actor: "dora", fact: &rules.Published{Priority: netkit.P0, Channel: netkit.NicheLegal}},
		{name: "news by an agent", rule: "correspondents only", actor: "ada", fact: &rules.Published{Priority: netkit.P1, Channel: netkit.NicheLegal}},
		{name: "a crisis ended by an agent", rule: "operators only", actor: "ada", fact: &rules.CrisisResolved{Dispatch: c.alarm, Running: 0}},
		{name: "a crisis that goes on without a term", rule: "crisis not renewable", actor: "operator", fact: &rules.CrisisRenewed{Dispatch: c.alarm, Reason: "r"}},
		{name: "a crisis that ends by itself too early", rule: "not due", actor: netkit.NetworkActor, fact: &rules.CrisisResolved{Dispatch: c.alarm, Running: 0}},
		{name: "witnesses drawn for nothing", rule: "case not drawing", actor: netkit.NetworkActor, fact: &rules.WitnessDrawn{For: "constitution", Agents: []string{"ada"}}},
		{name: "a constitution announced where none has to be", rule: "constitution.announced", actor: "operator",
			fact: &rules.ConstitutionAnnounced{Version: "1.2.0", Document: revised("1.2.0", func(*netkit.Constitution) {}).JSON()}},
		{name: "a constitution adopted by the network itself", rule: "not due", actor: netkit.NetworkActor, fact: &rules.ConstitutionAdopted{Version: "1.2.0", Document: revised("1.2.0", func(*netkit.Constitution) {}).JSON()}},
		{name: "an announcement witnessed that is none", rule: "witness nothing", actor: "bea", fact: &rules.ConstitutionWitnessed{ID: c.work, Witness: "bea"}},
		{name: "an announcement that lapses too early", rule: "not due", actor: netkit.NetworkActor, fact: &rules.ConstitutionLapsed{ID: c.work}},
		{name: "a crisis that was none", rule: "dispatch not p0", actor: "operator", fact: &rules.CrisisResolved{Dispatch: c.news, Running: 0}},
		{name: "an exchange opened by an agent", rule: "operators only", actor: "ada", fact: &rules.ExchangeOpened{Agents: 1}},
		{name: "an exchange closed that is not open", rule: "exchange not open", actor: "operator", fact: &rules.ExchangeClosed{}},
		{name: "an exchange that tells before it opens", rule: "not due", actor: netkit.NetworkActor, fact: &rules.ExchangeTold{To: 1}},
		{name: "a contract archived that runs", rule: "not due", actor: netkit.NetworkActor, fact: &rules.RowsArchived{Contracts: []rules.Contract{{Id: c.ends, State: netkit.ContractClosed}}}},
		{name: "a restore recorded by an agent", rule: "operators only", actor: "ada", fact: &rules.JournalRestored{}},
		{name: "a restore of other entries", rule: "tree cited", actor: "operator", fact: &rules.JournalRestored{Tree: netkit.TreeHead{Size: 3}}},
		{name: "a number left out", rule: "entry number", actor: "ada", fact: &rules.ClaimsSet{Agent: "ada"}, bend: func(e *rules.Entry) { e.Seq++ }},
		{name: "a time that runs back", rule: "time runs back", actor: "ada", fact: &rules.ClaimsSet{Agent: "ada"}, later: -time.Second},
		{name: "another constitution", rule: "constitution in force", actor: "ada", fact: &rules.ClaimsSet{Agent: "ada"}, bend: func(e *rules.Entry) { e.Constitution = "1.0.0" }},
		{name: "an unknown version", rule: "form", actor: "ada", fact: &rules.ClaimsSet{Agent: "ada"}, bend: func(e *rules.Entry) { e.Version = 2 }},
		{name: "roles that are none", rule: "role unknown", actor: "operator", fact: &rules.RoleChanged{Agent: "ada", Roles: []string{"king"}}},
	}
}

// bare is an entry without a private part.
func (c *city) bare() uint64 {
	return uint64(slices.IndexFunc(c.records, func(public []byte) bool { return !bytes.Contains(public, []byte(`"private":`)) }))
}

// Every lie is caught where it stands and called by its rule, and every kind of
// entry has one: a new kind without a check has no lie that is caught.
func TestEveryLieIsCaught(t *testing.T) {
	c := newCity(t)
	lied := map[netkit.Kind]bool{}
	for _, l := range c.lies() {
		lied[l.fact.Kind()] = true
		t.Run(string(l.fact.Kind())+"/"+l.name, func(t *testing.T) {
			a := c.audited(t)
			err := a.Take(c.told(a, &l))
			var b *netkit.Violation
			if !errors.As(err, &b) || !errors.Is(err, netkit.ErrCorrupt) {
				t.Fatalf("got %v, want a violation", err)
			}
			if b.Rule != l.rule || b.Entry != uint64(len(c.records)) {
				t.Errorf("got %v, want entry %d and rule %q", b, len(c.records), l.rule)
			}
			store := rebuilt(t, append(slices.Clip(c.records), c.told(c.audited(t), &l)))
			if _, err := Audit(t.Context(), store); !errors.Is(err, netkit.ErrCorrupt) {
				t.Errorf("the whole journal: got %v, want it to be found", err)
			}
		})
	}
	for kind := range rules.Kinds {
		if !lied[kind] {
			t.Errorf("%s: no lie shows that it is checked", kind)
		}
	}
}

// What a forger can do to honest entries without writing any: each is caught at
// the first entry that is out of place.
func TestEntriesOutOfPlace(t *testing.T) {
	c := newCity(t)
	n := len(c.records)
	for _, x := range []struct {
		name    string
		records [][]byte
		entry   uint64
		rule    string
	}{
		{"dropped", slices.Delete(slices.Clone(c.records), 7, 8), 7, "entry number"},
		{"added again", slices.Insert(slices.Clone(c.records), 8, c.records[7]), 8, "entry number"},
		{"swapped", slices.Concat(c.records[:7], [][]byte{c.records[8], c.records[7]}, c.records[9:]), 7, "entry number"},
		{"without genesis", slices.Concat([][]byte{bytes.Replace(c.records[1], []byte(`"seq":1,`), nil, 1)}, c.records[2:]), 0, "genesis first"},
		{"with white space", append(slices.Clone(c.records[:n-1]), bytes.Replace(c.records[n-1], []byte(`,"actor"`), []byte(`, "actor"`), 1)), uint64(n - 1), "form"},
		{"with a number written otherwise", append(slices.Clone(c.records[:n-1]), bytes.Replace(c.records[n-1], []byte(`"v":1`), []byte(`"v":01`), 1)), uint64(n - 1), "form"},
		{"none", nil, 0, "genesis first"},
	} {
		t.Run(x.name, func(t *testing.T) {
			a := must[*rules.Auditor](t)(rules.NewAuditor(netkit.AuditConfig{Entry: func(seq uint64) ([]byte, error) { return x.records[seq], nil }}))
			var err error
			for _, r := range x.records {
				if err = a.Take(r); err != nil {
					break
				}
			}
			if err == nil {
				err = a.End()
			}
			var b *netkit.Violation
			if !errors.As(err, &b) || b.Entry != x.entry || b.Rule != x.rule {
				t.Errorf("got %v, want entry %d and rule %q", err, x.entry, x.rule)
			}
		})
	}
}

// upTo is an auditor that has taken the entries before one of a kind, the
// latest of that kind in the city, and that entry's number.
func (c *city) upTo(t *testing.T, kind netkit.Kind) (*rules.Auditor, int) {
	t.Helper()
	at := -1
	for k, r := range c.records {
		if bytes.Contains(r, []byte(`"kind":"`+string(kind)+`"`)) {
			at = k
		}
	}
	a := c.auditor(t)
	for _, r := range c.records[:at] {
		if err := a.Take(r); err != nil {
			t.Fatal(err)
		}
	}
	return a, at
}

// What follows from an entry cannot be left out, nor can a journal end before
// it, nor may it be said at another time.
func TestWhatFollowsIsNotLeftOut(t *testing.T) {
	c := newCity(t)
	for _, x := range []struct {
		kind netkit.Kind
		rule string
	}{
		{"badge.issued", "badge conditions"}, // deserved, but not issued
		{"night.closed", "night judges all"},
		{"case.decided", "majority"},
	} {
		t.Run(string(x.kind), func(t *testing.T) {
			a, at := c.upTo(t, x.kind)
			var b *netkit.Violation
			if err := a.End(); !errors.As(err, &b) || b.Rule != x.rule || b.Entry != uint64(at) {
				t.Errorf("the end: got %v, want entry %d and rule %q", err, at, x.rule)
			}
			other := lie{actor: "bea", fact: &rules.ClaimsSet{Agent: "bea"}}
			if err := a.Take(c.told(a, &other)); !errors.As(err, &b) || b.Rule != x.rule {
				t.Errorf("another entry: got %v, want rule %q", err, x.rule)
			}
			var e rules.Entry
			if err := e.Read(c.records[at]); err != nil {
				t.Fatal(err)
			}
			e.At++
			if err := a.Take(rules.AppendEntry(nil, &e)); !errors.As(err, &b) || b.Rule != rules.RuleOneTime {
				t.Errorf("later: got %v, want rule %q", err, rules.RuleOneTime)
			}
			if err := a.Take(c.records[at]); err != nil {
				t.Errorf("the honest one: %v", err)
			}
		})
	}
}

// A step that says it issued nothing where a badge was earned is a lie of its
// own.
func TestABadgeEarnedIsIssued(t *testing.T) {
	c := newCity(t)
	a, step := c.upTo(t, "night.step")
	var e rules.Entry
	if err := e.Read(c.records[step]); err != nil {
		t.Fatal(err)
	}
	e.Fact.(*rules.NightStepped).Issued = 0
	var b *netkit.Violation
	if err := a.Take(rules.AppendEntry(nil, &e)); !errors.As(err, &b) || b.Rule != "badge conditions" {
		t.Errorf("got %v, want rule badge conditions", err)
	}
}

// A command need not wait for more than a step of what has fallen due, and no
// entry may go before that.
func TestManyFallDueAtOnce(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea", "cora", "dora", "emma")
	f.takes("emma", 0)
	for k := range rules.DueStep + 44 {
		f.asks([]string{"ada", "bea", "cora", "dora"}[k%4], "emma")
	}
	f.passes(72 * time.Hour)
	f.takes("ada", netkit.Credit) // behind the first 256
	c := &city{fixture: f}
	for r, err := range f.store.Read(t.Context(), 0, f.state.Size()) {
		if err != nil {
			t.Fatal(err)
		}
		c.records = append(c.records, bytes.Clone(r.Public))
	}
	a, at := c.upTo(t, "agent.claims")
	if want := len(c.records) - 1; at != want {
		t.Fatalf("got the command at %d, want it last, at %d", at, want)
	}
	if err := a.Take(c.records[at]); err != nil {
		t.Errorf("behind %d: %v", rules.DueStep, err)
	}
	c.records = c.records[:at-1]
	early := c.audited(t)
	var b *netkit.Violation
	if err := early.Take(c.told(early, &lie{actor: "ada", fact: &rules.ClaimsSet{Agent: "ada"}})); !errors.As(err, &b) || b.Rule != "due left undone" {
		t.Errorf("behind %d: got %v, want rule due left undone", rules.DueStep-1, err)
	}
}

// Whatever stands in the place of an entry, an auditor finds a violation in it and
// stands where it stood; it never fails otherwise. The bytes are honest entries
// and lies with pieces of others put in.
func TestNothingUpsetsAnAuditor(t *testing.T) {
	c := newCity(t)
	pool := slices.Clone(c.records)
	for _, l := range c.lies() {
		pool = append(pool, c.told(c.audited(t), &l))
	}
	a := c.audited(t)
	rapid.Check(t, func(rt *rapid.T) {
		bent := bytes.Clone(rapid.SampledFrom(pool).Draw(rt, "entry"))
		for range rapid.IntRange(1, 4).Draw(rt, "times") {
			at := rapid.IntRange(0, len(bent)-1).Draw(rt, "at")
			other := rapid.SampledFrom(pool).Draw(rt, "other")
			from := rapid.IntRange(0, len(other)-1).Draw(rt, "from")
			piece := other[from:min(len(other), from+rapid.IntRange(1, 40).Draw(rt, "length"))]
			gone := rapid.IntRange(0, min(40, len(bent)-at)).Draw(rt, "gone")
			bent = slices.Concat(bent[:at], piece, bent[at+gone:])
		}
		var b *netkit.Violation
		if err := a.Take(bent); !errors.As(err, &b) || a.State.Size() != uint64(len(c.records)) {
			rt.Errorf("got %v after %d entries, want a violation after %d", err, a.State.Size(), len(c.records))
		}
	})
}

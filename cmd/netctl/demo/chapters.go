package demo

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentnet/netctl/examples"
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/plantclient"
)

// chapters is the story in order.
func chapters() []chapter {
	return []chapter{
		{"The law comes first", (*story).law},
		{"Agents spawn, each with one grant", (*story).spawning},
		{"Claims, channels and a wallet that is proved", (*story).introductions},
		{"Sponsors bring outside money", (*story).sponsors},
		{"The market opens; a first execution", (*story).market},
		{"The feed: P0 is free, P1 costs once", (*story).feed},
		{"Attention has a price, held in escrow", (*story).attention},
		{"A crisis suppresses commerce, and nothing else", (*story).crisis},
		{"A week later: a sponsor needs a witness", (*story).witnessed},
		{"Fourteen weeks of work, a night after each day", (*story).season},
		{"One counterparty is not a market", (*story).hermit},
		{"A badge is revoked, with a witness", (*story).revocation},
		{"Playbooks: metadata only", (*story).playbooks},
		{"The plant store next door", (*story).plants},
		{"The law changes, after notice and with witnesses", (*story).amendment},
		{"A sponsor reads, accepts and reports what it bought", (*story).delivery},
		{"What a visitor finds", (*story).window},
		{"The books balance, and anyone can check", (*story).books},
	}
}

func (s *story) law() {
	c := ok(s.nobody.Constitution(s.ctx))
	s.say("constitution %s, issued %s, language %s, sha256 %.16s…", c.Version, c.Issued, c.Language, c.SHA256)
	for _, l := range c.Laws {
		s.say("  %s %s", l.ID, l.Name)
	}
	s.say("grant %s, split %s/%s, feed price %s", c.Economy.WelcomeGrant, c.Economy.AgentShare, c.Economy.TreasuryShare, c.Economy.FeedPrice)
}

func (s *story) spawning() {
	for _, slug := range []string{"ada", "hugo", "vera", "wim", "yara", "nils"} {
		r := s.spawn(slug)
		s.say("%-6s spawned, wallet %s (entry %d)", slug, r.Balance, r.Seq)
	}
	refused[netkit.Spawned](s, "slug_taken")(s.nobody.Spawn(s.ctx, netkit.Spawn{Slug: "ada"}))
	expect("issued", s.balance(netkit.Issuance), -300*netkit.Credit)
}

func (s *story) introductions() {
	ada := s.cast["ada"]
	ok(ada.SetClaims(s.ctx, netkit.Claims{Niche: netkit.NicheSilicon, PreferredLLMProvider: "anthropic", AcceptsAttentionRequests: true,
		AttentionFloorPrice: 150, CapabilityStatement: "Supply of wafers, substrates and tools, read daily."}))
	ok(ada.SetChannels(s.ctx, netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheSilicon, netkit.NichePolicy}}))
	refused[netkit.ClaimsReceipt](s, "text_too_long")(ada.SetClaims(s.ctx, netkit.Claims{CapabilityStatement: strings.Repeat("x", 281)}))
	for _, slug := range []string{"ada", "hugo", "vera", "wim", "yara", "nils"} {
		s.verify(slug)
	}
	p := ok(s.nobody.Profile(s.ctx, "ada"))
	s.say("ada    claims niche %s and floor %s; verified: wallet %v, constitution %s, tier %s",
		p.BioClaims.Niche, p.BioClaims.AttentionFloorPrice, p.BioVerified.WalletConfirmed, p.BioVerified.ConstitutionAccepted, p.BioVerified.Tier)
	s.say("all six sign their challenges and accept the constitution")
}

// standing is what each sponsor asks for all season.
var standing = map[string]struct{ title, brief string }{
	"acme":   {"Lead times of substrates", "Quote three distributors, with the date of each quote."},
	"boreal": {"Fab outages this week", "Which line stopped, since when, and who says so."},
	"corvid": {"Tool orders and cancellations", "One order or cancellation with its filing."},
	"delta":  {"Export rules that bite", "A rule in force that changes who may buy."},
	"eider":  {"Second sources", "A supplier that was qualified beside the first."},
}

// fund books a sponsor's money and opens its standing contract.
func (s *story) fund(sponsor string) {
	d := ok(s.op.Deposit(s.ctx, netkit.Deposit{Sponsor: sponsor, Amount: 5000 * netkit.Credit, Reference: "wire " + sponsor + " 0001"}))
	r := ok(s.op.OpenContract(s.ctx, netkit.OpenContract{Sponsor: sponsor, Title: standing[sponsor].title, Brief: standing[sponsor].brief,
		Channel: netkit.NicheSilicon, Payload: "Watch list of " + sponsor, Budget: 3000 * netkit.Credit, ExecutionsPerAgent: 500}))
	s.deals[sponsor] = r.CampaignID
	s.say("%-6s deposit %s, contract %d with a budget of %s (funds left %s)", sponsor, d.Amount, r.CampaignID, r.Remaining, s.balance(netkit.SponsorFunds(sponsor)))
}

func (s *story) sponsors() {
	for _, slug := range []string{"acme", "boreal", "corvid"} {
		a := ok(s.op.ProposeSponsor(s.ctx, netkit.ProposeSponsor{Sponsor: slug, Name: slug + " research"}))
		s.cast[slug] = ok(s.w.client(a.Token))
		s.say("%-6s %s (no agent is a week old yet, so none can witness; the entry says so)", slug, a.State)
		s.fund(slug)
	}
	r := ok(s.op.OpenContract(s.ctx, netkit.OpenContract{Sponsor: "acme", Title: "Grid status", Brief: "Report what you see.", Kind: netkit.Operational,
		Channel: netkit.NichePolicy, Payload: "Substations 1 to 9", Budget: 100 * netkit.Credit}))
	s.deals["grid"] = r.CampaignID
	s.say("contract %d is operational: only an operator opens such a one", r.CampaignID)
}

func (s *story) market() {
	for _, c := range ok(s.nobody.Market(s.ctx, netkit.MarketQuery{})).Items {
		s.say("contract %-3d %-31q %-11s %s left", c.ID, c.Title, c.Kind, c.Remaining)
	}
	s.paid("ada", ok(s.execute("ada", "acme")))
	me := ok(s.cast["ada"].OwnProfile(s.ctx))
	s.say("to the next tier: %s", strings.Join(me.Next, "; "))
}

func (s *story) feed() {
	ok(s.op.SetRole(s.ctx, netkit.SetRole{Agent: "vera", Role: "correspondent", Grant: true, Reason: "trial period passed"}))
	vera, ada := s.cast["vera"], s.cast["ada"]
	s.publish(vera, netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheSilicon, Headline: "Substrate supply eases", Summary: "Lead times fall."}, "p1-silicon-supply.mp3")
	free := ok(s.nobody.Manifest(s.ctx, netkit.ReadManifest{}))
	s.say("anyone reads P0 for nothing: %s, charged %s", plural.Count(len(free.Items), "dispatch", "dispatches"), free.Charged)
	all := netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P0, netkit.P1, netkit.P2}}
	read := func(what string, want netkit.Credits) {
		m := ok(ada.Manifest(s.ctx, all))
		expect("charge of "+what, m.Charged, want)
		s.say("ada    %s: %s, charged %s, wallet %s", what, plural.Count(len(m.Items), "dispatch", "dispatches"), m.Charged, s.balance(netkit.Wallet("ada")))
	}
	read("reads P1", 10*netkit.Credit)
	read("reads it again", 0)
	s.publish(vera, netkit.Publish{Priority: netkit.P2, Channel: netkit.NichePolicy, Headline: "Audit rules change in May"}, "p2-audit-policy.ogg")
	read("reads after a new P2", 10*netkit.Credit)
	s.grantStays()
}

// grantStays shows that the welcome grant buys the feed and is not sent on.
func (s *story) grantStays() {
	ok(s.cast["yara"].SetClaims(s.ctx, netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 150}))
	me := ok(s.cast["nils"].OwnProfile(s.ctx))
	expect("grant of nils", me.Granted, me.Balance)
	s.say("nils   holds %s, all of it welcome grant, and offers yara 1.50:", me.Balance)
	refused[netkit.AttentionReceipt](s, "wallet_short")(s.cast["nils"].SendAttention(s.ctx, netkit.SendAttention{To: "yara", Subject: "Introduction", Body: "Who covers health?"}))
}

func (s *story) attention() {
	hugo, ada := s.cast["hugo"], s.cast["ada"]
	send := func(subject string) netkit.AttentionReceipt {
		r := ok(hugo.SendAttention(s.ctx, netkit.SendAttention{To: "ada", Subject: subject, Body: "Please look at this."}))
		s.say("hugo   asks ada %q: %s into escrow, wallet %s", subject, r.Price, s.balance(netkit.Wallet("hugo")))
		return r
	}
	for range 2 { // what is sent has to be earned
		s.paid("hugo", ok(s.execute("hugo", "acme")))
	}
	accepted := ok(s.cast["acme"].Accept(s.ctx, netkit.AcceptExecutions{CampaignID: s.deals["acme"]}))
	s.say("acme   accepts %s at once, ahead of the 72 hours: %s can be spent (entry %d)",
		plural.Count(len(accepted.Accepted), "execution", "executions"), accepted.Pay, accepted.Seq)
	first := send("Which fab is short?")
	ok(ada.AnswerAttention(s.ctx, netkit.AnswerAttention{ID: first.ID, Body: "Fab 3, until June."}))
	s.say("ada    answers: +%s, wallet %s", first.Price, s.balance(netkit.Wallet("ada")))
	second := send("Would you join our index?")
	ok(ada.DeclineAttention(s.ctx, netkit.DeclineAttention{ID: second.ID, Reason: "no conflict of interest, please"}))
	s.say("ada    declines: hugo's wallet %s again; declining costs no standing (L7)", s.balance(netkit.Wallet("hugo")))
	third := send("And the substrates?")
	s.say("%s: expired, refunded, wallet %s", s.interrupt(), s.balance(netkit.Wallet("hugo")))
	expect("hugo's wallet after the refund", s.balance(netkit.Wallet("hugo")), 5190)
	refused[netkit.AttentionReceipt](s, "attention_expired")(ada.AnswerAttention(s.ctx, netkit.AnswerAttention{ID: third.ID, Body: "Late."}))
}

// interrupt ends the server that writes for three days, and returns an account of it.
func (s *story) interrupt() string {
	if s.w.nodes == nil {
		expectDone(s.w.close())
		s.pass(73 * time.Hour)
		expectDone(s.w.start())
		return "the server stops for three days and starts again"
	}
	s.pass(73 * time.Hour)
	dead, next, took, err := s.w.killWriter()
	expectDone(err)
	expectDone(s.w.tick(s.ctx))
	return fmt.Sprintf("three days later %s, which writes, is killed; %s writes %.1f s later", dead.Name, next.Name, took.Seconds())
}

func (s *story) crisis() {
	p0 := s.publish(s.op, netkit.Publish{Priority: netkit.P0, Channel: netkit.NichePolicy, Headline: "Regional grid failure", Summary: "Northern region without power."}, "p0-grid-failure.mp3")
	c := ok(s.nobody.Campaign(s.ctx, s.deals["boreal"]))
	expect("suppressed", c.Suppressed && c.Payload == nil, true)
	s.say("contract %d (commercial): suppressed, its payload is gone from every answer", c.ID)
	_, err := s.execute("ada", "boreal")
	refused[int](s, "blackout")(0, err)
	s.paid("ada", ok(s.execute("ada", "grid")))
	s.pass(5 * time.Hour)
	r := ok(s.op.ResolveCrisis(s.ctx, netkit.ResolveCrisis{DispatchID: p0.DispatchID, Reason: "power is back"}))
	s.say("resolved after five hours; %s", plural.Count(r.Running, "crisis runs", "crises run"))
	s.paid("ada", ok(s.execute("ada", "boreal")))
}

func (s *story) witnessed() {
	s.pass(7 * 24 * time.Hour)
	for _, slug := range []string{"delta", "eider"} {
		a := ok(s.op.ProposeSponsor(s.ctx, netkit.ProposeSponsor{Sponsor: slug, Name: slug + " fund"}))
		expect("state of "+slug, a.State, "pending")
		w := ok(s.cast["wim"].Witness(s.ctx, netkit.Witness{ID: a.AdmissionID}))
		s.say("%-6s proposed (entry %d), confirmed by wim with its own token (entry %d)", slug, a.AdmissionID, w.Seq)
		s.fund(slug)
	}
}

func (s *story) playbooks() {
	for _, name := range []string{"insurance-water-damage", "utilities-deposit-refund", "government-building-permit", "healthcare-surprise-bill"} {
		p := ok(btdt.Parse(ok(examples.Files.ReadFile("playbooks/" + name + ".json"))))
		in := p.Metadata()
		ok(netkit.CommitContent(s.ctx, s.cast["vera"], in.ContentSHA256))
		r := ok(s.cast["vera"].RegisterPlaybook(s.ctx, in))
		s.say("vera   registers %q: %s at home, sha256 %.16s… (entry %d)", p.Title, plural.Count(len(p.Steps), "step stays", "steps stay"), r.ContentSHA256, r.Seq)
	}
	bad := ok(btdt.Parse(ok(examples.Files.ReadFile("playbooks/bad/contact-data.json"))))
	for _, f := range btdt.Check(bad) {
		s.say("refused on the agent's machine: %s in %s", f.Type, f.Path)
	}
	e := ok(s.nobody.Exchange(s.ctx))
	s.say("the exchange is %s with an inventory of %d", e.State, e.Inventory)
}

func (s *story) plants() {
	t := ok(s.op.IssueToken(s.ctx, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopePlants}}))
	c := ok(plantclient.New(plantclient.Config{BaseURL: s.w.url, Token: t.Token}))
	p := ok(c.CreatePlant(s.ctx, plantclient.NewPlant{ID: 1, Name: "Monstera", Tag: "climber"}))
	s.say("POST /plants answers {name: %s, tag: %s}", p.Name, p.Tag)
	if _, err := c.CreatePlant(s.ctx, plantclient.NewPlant{ID: 1, Name: "Ficus"}); err != nil {
		s.say("the same id again: %v", err)
	} else {
		expect("second plant of one id", "accepted", "refused")
	}
}

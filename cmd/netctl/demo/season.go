package demo

import (
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

// weeks is how long the season lasts: SENIOR_CORRESPONDENT asks for answers
// in fourteen different ones.
const weeks = 15

// readers are the agents that ask ada for her attention: the badge asks for a dozen
// senders. Each covers something else, joins when it likes, works for sponsors of
// its own choice, and some rest every few weeks.
var readers = []struct {
	slug     string
	niche    netkit.Niche
	words    string
	joins    int // week of the season
	rests    int // in every week of that many, 0 for never
	sponsors []string
}{
	{"bela", netkit.NicheLegal, "Court calendars and what was filed overnight.", 0, 0, []string{"acme", "boreal", "corvid", "delta", "eider"}},
	{"cleo", netkit.NicheLegal, "Tenancy and consumer rulings, with the paragraph.", 0, 5, []string{"acme", "corvid", "delta"}},
	{"dina", netkit.NichePolicy, "Consultations, drafts and the dates they end.", 0, 0, []string{"acme", "boreal", "delta", "eider"}},
	{"emil", netkit.NichePolicy, "Grid and energy rules in eight countries.", 0, 4, []string{"acme", "boreal", "corvid", "eider"}},
	{"fara", netkit.NicheFinance, "Fees and rates that changed since yesterday.", 0, 0, []string{"acme", "corvid", "eider"}},
	{"gus", netkit.NicheFinance, "Filings of small listed companies.", 0, 3, []string{"acme", "boreal", "delta"}},
	{"ines", netkit.NicheMedia, "Corrections that newspapers print, and where.", 1, 0, []string{"acme", "boreal", "corvid", "delta"}},
	{"jon", netkit.NicheMedia, "Who quotes whom, counted every night.", 1, 6, []string{"acme", "delta", "eider"}},
	{"kaya", netkit.NicheHealth, "Drug shortages by pharmacy region.", 2, 0, []string{"acme", "boreal"}},
	{"lena", netkit.NicheHealth, "Trial registries: started, stopped, published.", 3, 0, []string{"acme", "boreal", "corvid", "delta", "eider"}},
	{"milo", netkit.NicheSilicon, "Tool orders and delivery times.", 4, 5, []string{"acme", "corvid", "eider"}},
	{"omar", netkit.NicheSilicon, "Substrate and wafer prices by distributor.", 6, 0, []string{"acme", "delta", "eider"}},
}

func reader(i int) string { return readers[i].slug }

// season lets ada work for five sponsors and answer a dozen senders, while
// hugo works for one sponsor alone.
func (s *story) season() {
	ok(s.cast["ada"].SetClaims(s.ctx, netkit.Claims{Niche: netkit.NicheSilicon, PreferredLLMProvider: "anthropic", AcceptsAttentionRequests: true,
		AttentionFloorPrice: netkit.Credit, CapabilityStatement: "Supply of wafers, substrates and tools, read daily."}))
	tier := netkit.Unverified
	for week := range weeks {
		s.week(week)
		r := ok(s.op.CloseNight(s.ctx, netkit.CloseNight{}))
		for _, b := range r.Issued {
			if b.Agent == "ada" { // the readers earn theirs on other days
				s.say("week %2d: the night of %s issues %s to %s", week+1, b.Date, b.Badge, b.Agent)
			}
		}
		p := ok(s.nobody.Profile(s.ctx, "ada"))
		if p.BioVerified.Tier != tier {
			tier = p.BioVerified.Tier
			s.say("week %2d: ada is %s: reputation %s, diversity %s, %d transactions", week+1, tier,
				p.BioVerified.ReputationScore, p.BioVerified.CounterpartyDiversityScore, p.BioVerified.Transactions)
			s.paid("ada", ok(s.execute("ada", "corvid")))
		}
	}
	expect("ada's tier", tier, netkit.Elite)
}

// week is two working days and, once their pay has cleared, a day of answers. A
// sponsor weighs for ada as far as it pays others, and a request counts if outside
// money stands behind all of its price, which a quarter of what a reader earns
// passes on.
func (s *story) week(week int) {
	s.readersWork(week)
	sponsors := []string{"acme", "boreal", "corvid", "delta", "eider"}
	for d := range 2 {
		for k := range 4 {
			ok(s.execute("ada", sponsors[(week+d*2+k)%len(sponsors)]))
		}
		ok(s.execute("hugo", "acme"))
		ok(s.execute("hugo", "acme"))
		s.pass(24 * time.Hour)
	}
	s.pass(48 * time.Hour) // until the readers' pay has cleared
	s.readersAsk(week)
	s.pass(3*24*time.Hour - 100*time.Minute)
}

// readersWork lets those that join this week join, and those that do not rest
// deliver to their sponsors.
func (s *story) readersWork(week int) {
	for i := range readers {
		r := &readers[i]
		if week == r.joins {
			s.spawn(r.slug)
			s.verify(r.slug)
			ok(s.cast[r.slug].SetClaims(s.ctx, netkit.Claims{Niche: r.niche, CapabilityStatement: r.words,
				AcceptsAttentionRequests: true, AttentionFloorPrice: readersFloor}))
		}
		if week < r.joins || r.rests > 0 && week%r.rests == r.rests-1 {
			continue
		}
		for _, sponsor := range r.sponsors {
			ok(s.execute(r.slug, sponsor))
		}
	}
}

// readersFloor is what a reader asks for its attention.
const readersFloor = 150

// readersAsk lets five readers ask ada and one another: who pays mostly one agent
// may be its own second account, and detectors look for such senders.
func (s *story) readersAsk(week int) {
	there := 0
	for there < len(readers) && readers[there].joins <= max(0, week-1) {
		there++
	}
	for k := range 5 {
		i := week*5 + k
		from := reader(i % there)
		s.pass(10 * time.Minute)
		s.answered(from, "ada", "What do you expect next week?", "Shorter lead times.")
		s.pass(10 * time.Minute)
		s.answered(from, reader((i+1+week%3)%there), "What did you see that I missed?", "Nothing that is confirmed.")
	}
}

// answered lets one agent ask another for its floor price and get an answer.
func (s *story) answered(from, to, question, answer string) {
	r := ok(s.cast[from].SendAttention(s.ctx, netkit.SendAttention{To: to, Subject: "Outlook", Body: question}))
	ok(s.cast[to].AnswerAttention(s.ctx, netkit.AnswerAttention{ID: r.ID, Body: answer}))
}

// hermit shows the diversity gate: as much work, one counterparty.
func (s *story) hermit() {
	day := netkit.At(s.w.clock.now()).Day() - 1
	for _, slug := range []string{"hugo", "ada"} {
		p := ok(s.nobody.Profile(s.ctx, slug))
		s.say("%-6s %s, diversity %s, badges %d, tier %s", slug, plural.Count(p.BioVerified.Transactions, "transaction", "transactions"),
			p.BioVerified.CounterpartyDiversityScore, len(p.BioVerified.Badges), p.BioVerified.Tier)
	}
	x := ok(s.nobody.Explain(s.ctx, "hugo", &day))
	for _, b := range x.Badges {
		if b.Badge != netkit.FieldAgent {
			continue
		}
		for _, c := range b.Conditions {
			if !c.Met {
				s.say("hugo   misses %s: needs %s, has %s", c.Name, c.Need, c.Have)
			}
		}
	}
	p := ok(s.nobody.Profile(s.ctx, "hugo"))
	expect("hugo's badges", len(p.BioVerified.Badges), 0)
}

func (s *story) revocation() {
	badge := netkit.FieldAgent
	refused[netkit.RevocationReceipt](s, "reason_missing")(s.op.RevokeBadge(s.ctx, netkit.RevokeBadge{Agent: "ada", Badge: badge}))
	r := ok(s.op.RevokeBadge(s.ctx, netkit.RevokeBadge{Agent: "ada", Badge: badge, Reason: "three signals copied from one source"}))
	s.say("the operator asks to revoke %s (entry %d): %s until a witness confirms", badge, r.RevocationID, r.State)
	refused[netkit.WitnessReceipt](s, "witness_is_holder")(s.cast["ada"].Witness(s.ctx, netkit.Witness{ID: r.RevocationID}))
	w := ok(s.cast["yara"].Witness(s.ctx, netkit.Witness{ID: r.RevocationID}))
	p := ok(s.nobody.Profile(s.ctx, "ada"))
	for _, b := range p.BioVerified.Badges {
		if b.Revoked != nil {
			s.say("%s is revoked (entry %d): %q, by %s, witnessed by %s", b.Badge, w.Seq, b.Revoked.Reason, b.Revoked.Revoker, b.Revoked.Witness)
		}
	}
	s.say("ada's tier is now %s", p.BioVerified.Tier)
}

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
// senders. Each says what it covers.
var readers = []struct {
	slug  string
	niche netkit.Niche
	words string
}{
	{"bela", netkit.NicheLegal, "Court calendars and what was filed overnight."},
	{"cleo", netkit.NicheLegal, "Tenancy and consumer rulings, with the paragraph."},
	{"dina", netkit.NichePolicy, "Consultations, drafts and the dates they end."},
	{"emil", netkit.NichePolicy, "Grid and energy rules in eight countries."},
	{"fara", netkit.NicheFinance, "Fees and rates that changed since yesterday."},
	{"gus", netkit.NicheFinance, "Filings of small listed companies."},
	{"ines", netkit.NicheMedia, "Corrections that newspapers print, and where."},
	{"jon", netkit.NicheMedia, "Who quotes whom, counted every night."},
	{"kaya", netkit.NicheHealth, "Drug shortages by pharmacy region."},
	{"lena", netkit.NicheHealth, "Trial registries: started, stopped, published."},
	{"milo", netkit.NicheSilicon, "Tool orders and delivery times."},
	{"omar", netkit.NicheSilicon, "Substrate and wafer prices by distributor."},
}

func reader(i int) string { return readers[i%len(readers)].slug }

// season lets ada work for five sponsors and answer a dozen senders, while
// hugo works for one sponsor alone.
func (s *story) season() {
	for _, r := range readers {
		s.spawn(r.slug)
		ok(s.cast[r.slug].SetClaims(s.ctx, netkit.Claims{Niche: r.niche, CapabilityStatement: r.words}))
	}
	ok(s.cast["ada"].SetClaims(s.ctx, netkit.Claims{Niche: netkit.NicheSilicon, PreferredLLMProvider: "anthropic", AcceptsAttentionRequests: true,
		AttentionFloorPrice: netkit.Credit, CapabilityStatement: "Supply of wafers, substrates and tools, read daily."}))
	tier := netkit.Unverified
	for week := range weeks {
		s.week(week)
		r := ok(s.op.CloseNight(s.ctx, netkit.CloseNight{}))
		for _, b := range r.Issued {
			if b.Agent == "ada" { // the readers earn theirs together
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

// week is two working days and, once their pay has cleared, a day of answers. The
// readers work for every sponsor too: a sponsor weighs for ada as far as it pays others, and a request
// counts if outside money stands behind all of its price, which a quarter of
// what a reader earns passes on.
func (s *story) week(week int) {
	sponsors := []string{"acme", "boreal", "corvid", "delta", "eider"}
	for k := range readers {
		for _, sponsor := range sponsors {
			ok(s.execute(reader(k), sponsor))
		}
	}
	for d := range 2 {
		for k := range 4 {
			ok(s.execute("ada", sponsors[(week+d*2+k)%len(sponsors)]))
		}
		ok(s.execute("hugo", "acme"))
		ok(s.execute("hugo", "acme"))
		s.pass(24 * time.Hour)
	}
	s.pass(48 * time.Hour) // until the readers' pay has cleared
	for k := range 5 {
		who := reader(week*5 + k)
		r := ok(s.cast[who].SendAttention(s.ctx, netkit.SendAttention{To: "ada", Subject: "Outlook", Body: "What do you expect next week?"}))
		s.pass(20 * time.Minute)
		ok(s.cast["ada"].AnswerAttention(s.ctx, netkit.AnswerAttention{ID: r.ID, Body: "Shorter lead times."}))
	}
	s.pass(3*24*time.Hour - 100*time.Minute)
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

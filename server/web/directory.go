package web

import (
	"context"
	"html/template"
	"net/url"
	"slices"

	"github.com/agentnet/netctl/netkit"
)

// directoryData is a window of the directory.
type directoryData struct {
	Query    url.Values
	List     netkit.List[netkit.Profile]
	Head     []heading
	Cut      int // how many were sorted, where there are more
	Tiers    []netkit.Tier
	Niches   []netkit.Niche
	Badges   []netkit.Badge
	Next     string // address of the next window
	Back     string // of the first one
	Filtered bool
}

// allBadges are the badges there are.
var allBadges = []netkit.Badge{netkit.FieldAgent, netkit.SeniorCorrespondent, netkit.DisputeMaster}

func (p *Pages) directory(v *request) (*screen, error) {
	q := v.r.URL.Query()
	ask := netkit.DirectoryQuery{Page: window(q)}
	var err error
	if text := q.Get("tier"); text != "" {
		ask.Tier = new(netkit.Tier)
		err = pick("tier", text, ask.Tier, err)
	}
	if text := q.Get("niche"); text != "" {
		err = pick("niche", text, &ask.Niche, err)
	}
	if text := q.Get("badge"); text != "" {
		err = pick("badge", text, &ask.Badge, err)
	}
	if err != nil {
		return nil, err
	}
	d := directoryData{Query: q, Tiers: []netkit.Tier{netkit.Unverified, netkit.Verified, netkit.Badged, netkit.Elite}, Niches: netkit.Niches(),
		Badges: allBadges}
	d.Filtered = q.Get("tier")+q.Get("niche")+q.Get("badge") != ""
	d.Head = headings(agentColumns, "/directory", q)
	if err = p.look(v.r.Context(), ask, &d); err != nil {
		return nil, err
	}
	d.Next, d.Back = nextPage("/directory", q, d.List.NextCursor), firstWindow("/directory", q)
	return &screen{name: "directory", title: "Directory", data: d}, nil
}

// look reads a window of the directory in the order that the address asks for.
func (p *Pages) look(ctx context.Context, ask netkit.DirectoryQuery, d *directoryData) (err error) {
	read := func() (netkit.List[netkit.Profile], error) { return p.net.As("").Directory(ctx, ask) }
	if d.Query.Get("sort") == "" {
		d.List, err = read()
		return err
	}
	if d.List, d.Cut, err = gather(&ask.Page, read); err == nil {
		d.List.Items, d.List.NextCursor, err = arrange(agentColumns, d.Query, d.List.Items)
	}
	return err
}

// agentData is what is known of one agent.
type agentData struct {
	Profile netkit.Profile
	Wall    []medal
	Ladder  []rung
	Badges  []netkit.BadgeExplanation
	Judged  netkit.Day // by whose end Badges are judged
	Scores  []score
	Balance netkit.AccountBalance
	Chart   template.HTML
	Lines   []netkit.StatementLine
	Signed  bool // whether its credential can be had
}

// medal is a badge on the wall with its picture.
type medal struct {
	netkit.BadgeView
	Picture template.HTML
}

// score is a number with what it is measured against.
type score struct {
	Name, Text, Means string
	Dial              template.HTML
}

const agentPostings = 40

func (p *Pages) agent(v *request) (*screen, error) {
	ctx, slug := v.r.Context(), v.r.PathValue("slug")
	d := agentData{Signed: p.cfg.Log != nil}
	var err error
	if d.Profile, err = p.net.As("").Profile(ctx, slug); err != nil {
		return nil, err
	}
	law, err := p.net.As("").Constitution(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range d.Profile.BioVerified.Badges {
		d.Wall = append(d.Wall, medal{b, drawMedal(b)})
	}
	d.Ladder = ladder(law.Tiers, &d.Profile.BioVerified)
	d.Scores = scores(law.Tiers, &d.Profile.BioVerified)
	return &screen{name: "agent", title: slug, data: &d}, p.history(ctx, slug, &d)
}

// history adds the wallet and what the badges ask for.
func (p *Pages) history(ctx context.Context, slug string, d *agentData) error {
	e, err := p.net.As("").Explain(ctx, slug, nil)
	if err != nil {
		return err
	}
	d.Badges, d.Judged = e.Badges, e.Date
	if d.Balance, err = p.net.As("").Balance(ctx, netkit.Wallet(slug)); err != nil {
		return err
	}
	list, err := p.net.As("").Statement(ctx, netkit.Wallet(slug), netkit.Page{Limit: agentPostings})
	if err != nil {
		return err
	}
	d.Chart = drawBalance("Balance of wallet:"+slug, list.Items)
	d.Lines = list.Items[:min(len(list.Items), 8)]
	return nil
}

// rung is a tier of the ladder as an agent stands to it.
type rung struct {
	netkit.TierRule
	Held    bool
	Here    bool
	Needs   []netkit.Condition
	Reached bool // all that this rung adds is met
}

// ladder says of each tier what it adds, and whether the agent has that.
func ladder(rules []netkit.TierRule, b *netkit.BioVerified) []rung {
	all := make([]rung, 0, len(rules))
	for _, r := range rules {
		g := rung{TierRule: r, Held: r.Name <= b.Tier, Here: r.Name == b.Tier, Needs: r.Conditions(b)}
		g.Reached = !slices.ContainsFunc(g.Needs, func(c netkit.Condition) bool { return !c.Met })
		all = append(all, g)
	}
	return all
}

// scores are the two numbers with the marks that tiers set for them.
func scores(rules []netkit.TierRule, b *netkit.BioVerified) []score {
	var diversity, reputation []float64
	for _, r := range rules {
		if r.Diversity > 0 {
			diversity = append(diversity, float64(r.Diversity)/10_000)
		}
		if r.Reputation > 0 {
			reputation = append(reputation, float64(r.Reputation)/10_000)
		}
	}
	return []score{
		{"Reputation", b.ReputationScore.String(), "0 to 100, from executions that stand and requests answered", drawDial(float64(b.ReputationScore)/10_000, reputation)},
		{"Counterparty diversity", b.CounterpartyDiversityScore.String(), "0 to 1, from how many different parties pay", drawDial(float64(b.CounterpartyDiversityScore)/10_000, diversity)},
	}
}

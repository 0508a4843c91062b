package web

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/export"
)

// sponsorData is a sponsor's own side: its funds and its contracts.
type sponsorData struct {
	Slug      string
	Funds     netkit.Credits
	Spent     netkit.Credits // by all of its contracts
	Bonds     netkit.Credits // held for its reports
	Stopped   *netkit.SponsorStop
	Contracts []netkit.Campaign
	Next      string // address of older contracts
	Back      string
	Channels  []netkit.Niche
	Tiers     []netkit.Tier
	Clearing  int // hours, at most
	Chart     template.HTML
	Webhook   *webhookData // nil for an operator
}

// sponsored is the sponsor whose side is shown: whoever is signed in, or for an
// operator the one that the query names.
func sponsored(v *request) (string, error) {
	switch {
	case v.who == nil:
		return "", &netkit.Refusal{Kind: netkit.ErrUnauthenticated, Code: code.SessionMissing, What: "this page is for sponsors, and nobody is signed in", Next: "sign in with a sponsor’s token"}
	case v.who.Kind == netkit.SponsorParty:
		return v.who.Slug, nil
	case v.who.Kind == netkit.OperatorParty && v.r.URL.Query().Get("sponsor") != "":
		return v.r.URL.Query().Get("sponsor"), nil
	}
	return "", &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.SponsorsOnly, What: "this page is for sponsors", Next: "sign in with a sponsor’s token; an operator adds ?sponsor=SPONSOR to the address"}
}

// sponsor shows a sponsor's own side.
func (p *Pages) sponsor(v *request) (*screen, error) {
	slug, err := sponsored(v)
	if err != nil {
		return nil, err
	}
	ctx := v.r.Context()
	s, err := p.net.As("").Sponsor(ctx, slug)
	if err != nil {
		return nil, err
	}
	law, err := p.net.As("").Constitution(ctx)
	if err != nil {
		return nil, err
	}
	lines, err := p.net.As("").Statement(ctx, netkit.SponsorFunds(slug), netkit.Page{Limit: treasuryPostings})
	if err != nil {
		return nil, err
	}
	d := sponsorData{Slug: slug, Funds: s.Funds, Spent: s.Spent, Bonds: s.Bonds, Stopped: s.Stopped, Channels: netkit.Niches(), Tiers: []netkit.Tier{netkit.Unverified, netkit.Verified, netkit.Badged, netkit.Elite},
		Clearing: law.Market.ClearingHours, Chart: drawBalance("Free funds of "+slug, lines.Items)}
	q := v.r.URL.Query()
	list, err := p.net.As("").Market(ctx, netkit.MarketQuery{Sponsor: slug, AnyState: true, Page: window(q)})
	if err != nil {
		return nil, err
	}
	d.Contracts, d.Next, d.Back = list.Items, nextPage("/sponsor", q, list.NextCursor), firstWindow("/sponsor", q)
	if v.who.Slug == slug {
		if d.Webhook, err = p.readWebhook(v); err != nil {
			return nil, err
		}
		d.Webhook.Secret = v.takeFresh(webhookSecret)
	}
	return &screen{name: "sponsor", title: "Sponsor " + slug, data: d, secret: d.Webhook != nil && d.Webhook.Secret != ""}, nil
}

// sponsorAct takes a form of the sponsor's page.
func (p *Pages) sponsorAct(v *request) (*screen, error) {
	slug, err := sponsored(v)
	if err != nil {
		return nil, err
	}
	acts := p.webhookActs()
	acts["open"] = func(v *request) (string, error) { return p.openContract(v, slug) }
	acts["fund"], acts["close"] = p.fundContract, p.closeContract
	return v.act(acts, p.sponsor, v.r.URL.RequestURI())
}

var unknownAct = &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.ActUnknown, What: "there is no such act", Next: "use the forms of the page"}

func (p *Pages) openContract(v *request, slug string) (string, error) {
	in := netkit.OpenContract{Sponsor: slug, Title: v.field("title"), Brief: v.field("brief"), Payload: v.field("payload"), Criteria: v.lines("criteria"), Exclusive: v.field("exclusive") == "yes"}
	err := pick("channel", v.field("channel"), &in.Channel, nil)
	err = pick("min_tier", v.field("min_tier"), &in.Matching.MinTier, err)
	if top := v.field("max_tier"); top != "" {
		in.Matching.MaxTier = new(netkit.Tier)
		err = pick("max_tier", top, in.Matching.MaxTier, err)
	}
	if err == nil {
		in.Budget, err = v.credits("budget")
	}
	if err == nil {
		in.Schema, err = v.object("schema")
	}
	each, e := strconv.ParseUint(v.field("executions_per_agent"), 10, 32)
	if err == nil && e != nil {
		err = &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ValueWrong, Field: "executions_per_agent", What: "is not a number", Next: "write how often one agent may execute it"}
	}
	if err != nil {
		return "", err
	}
	in.ExecutionsPerAgent = uint32(each)
	var out netkit.ContractReceipt
	if err = p.call(v, catalog.OpenContract, in, &out); err != nil {
		return "", err
	}
	advice, err := p.ceilingAdvice(v, &in)
	return "Contract " + strconv.FormatUint(out.CampaignID, 10) + " is open with " + out.Remaining.String() + " credits." + advice, err
}

// ceilingAdvice returns a sentence about the agents that a contract's max_tier
// leaves out, "" if it leaves out none.
func (p *Pages) ceilingAdvice(v *request, in *netkit.OpenContract) (string, error) {
	if in.Matching.MaxTier == nil {
		return "", nil
	}
	q := url.Values{"budget": {in.Budget.String()}, "min_tier": {in.Matching.MinTier.String()}, "max_tier": {in.Matching.MaxTier.String()}}
	var seen netkit.ContractPreview
	if err := p.send(v, "GET", catalog.PreviewContract.At()+"?"+q.Encode(), nil, &seen); err != nil || seen.Advice == "" {
		return "", err
	}
	return " Note: " + seen.Advice + ".", nil
}

func (p *Pages) fundContract(v *request) (string, error) {
	amount, err := v.credits("amount")
	if err != nil {
		return "", err
	}
	id, err := number(v, "campaign_id")
	if err != nil {
		return "", err
	}
	var out netkit.ContractReceipt
	err = p.call(v, catalog.FundContract, map[string]any{"amount": amount}, &out, id)
	return "Contract " + id + " has " + out.Remaining.String() + " credits left now.", err
}

func (p *Pages) closeContract(v *request) (string, error) {
	id, err := number(v, "campaign_id")
	if err != nil {
		return "", err
	}
	var out netkit.ContractReceipt
	err = p.call(v, catalog.CloseContract, nil, &out, id)
	return "Contract " + id + " is closed; " + out.Returned.String() + " credits returned to your funds.", err
}

// receipts is the file of what a sponsor paid for, without signals, as CSV.
func (p *Pages) receipts(v *request) (*screen, error) {
	slug, err := sponsored(v)
	if err != nil {
		return nil, err
	}
	ctx, ask := v.r.Context(), netkit.ExecutionQuery{Sponsor: slug, Page: netkit.Page{Limit: 200}}
	list, err := p.net.As("").Deliveries(ctx, ask) // before anything is written
	if err != nil {
		return nil, err
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+slug+`-receipts.csv"`)
	h.Set("Cache-Control", "no-store")
	write := export.ExecutionsCSV(v.w, false)
	for {
		for i := range list.Items {
			if err := write(&list.Items[i]); err != nil {
				return nil, nil // whoever asked is gone
			}
		}
		if ask.Cursor = list.NextCursor; ask.Cursor == "" {
			return nil, nil
		}
		if list, err = p.net.As("").Deliveries(ctx, ask); err != nil {
			panic(http.ErrAbortHandler) // a file that is cut off must not look whole
		}
	}
}

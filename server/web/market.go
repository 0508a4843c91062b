package web

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/network"
)

// windowSize is how many items a page shows of a list.
const windowSize = 25

// marketData is a window of the market.
type marketData struct {
	Query    url.Values
	List     netkit.List[netkit.Campaign]
	Channels []netkit.Niche
	Matched  bool                   // whether matching can be asked for
	States   []netkit.ContractState // besides open, which is shown by default
	Next     string                 // address of the next window
	Back     string                 // of the first one
	Self     string                 // of this one
	First    bool
	Rate     netkit.Credits // what an unverified agent earns
	Head     []heading
	Rows     []offer
	Cut      int // how many were sorted, where there are more
}

// offer is a contract as a table shows it.
type offer struct{ netkit.Campaign }

// share returns the part of a payout that the visitor would get now, 0 for none.
func (o *offer) share() netkit.Credits {
	if o.PaysYou == nil {
		return 0
	}
	return o.PaysYou.AgentShare
}

// offers returns the rows of a table of contracts.
func offers(list []netkit.Campaign) []offer {
	rows := make([]offer, len(list))
	for i := range list {
		rows[i].Campaign = list[i]
	}
	return rows
}

// marketOf returns the network as the visitor of a page sees the market.
func (p *Pages) marketOf(v *request) *network.Session { return p.net.For(v.caller(netkit.ScopeRead)) }

// market shows contracts, newest first unless a column sorts them.
func (p *Pages) market(v *request) (*screen, error) {
	q := v.r.URL.Query()
	ask, err := marketQuery(q)
	if err != nil {
		return nil, err
	}
	d := marketData{Query: q, Channels: netkit.Niches(), Matched: v.agentHere(), First: q.Get("cursor") == ""}
	ask.Matched = ask.Matched && d.Matched
	ctx := v.r.Context()
	law, err := p.net.As("").Constitution(ctx)
	if err != nil {
		return nil, err
	}
	d.Rate = law.Tiers[0].Payout
	if err = p.browse(v, ask, &d); err != nil {
		return nil, err
	}
	d.States = []netkit.ContractState{netkit.ContractExhausted, netkit.ContractEnded, netkit.ContractClosed}
	d.Next, d.Back, d.Self = nextPage("/market", q, d.List.NextCursor), firstWindow("/market", q), v.r.URL.RequestURI()
	return &screen{name: "market", title: "Market", data: d}, nil
}

// browse reads a window of the market in the order that the address asks for.
func (p *Pages) browse(v *request, ask netkit.MarketQuery, d *marketData) (err error) {
	columns := offerColumns(d.Matched)
	d.Head = headings(columns, "/market", d.Query)
	read := func() (netkit.List[netkit.Campaign], error) {
		return p.marketOf(v).Market(v.r.Context(), ask)
	}
	if d.Query.Get("sort") == "" {
		d.List, err = read()
		d.Rows = offers(d.List.Items)
		return err
	}
	if d.List, d.Cut, err = gather(&ask.Page, read); err != nil {
		return err
	}
	d.Rows, d.List.NextCursor, err = arrange(columns, d.Query, offers(d.List.Items))
	return err
}

func marketQuery(q url.Values) (netkit.MarketQuery, error) {
	ask := netkit.MarketQuery{Sponsor: q.Get("sponsor"), Matched: q.Get("matched") != "", Page: window(q)}
	var err error
	if text := q.Get("channel"); text != "" {
		err = pick("channel", text, &ask.Channel, err)
	}
	if text := q.Get("kind"); text != "" {
		ask.Kind = new(netkit.ContractKind)
		err = pick("kind", text, ask.Kind, err)
	}
	if text := q.Get("state"); text != "" {
		ask.State = new(netkit.ContractState)
		err = pick("state", text, ask.State, err)
	}
	return ask, err
}

// window is the part of a list that a page shows.
func window(q url.Values) netkit.Page {
	return netkit.Page{Cursor: q.Get("cursor"), Limit: windowSize}
}

// pick reads a word into an enumeration, unless an earlier one was wrong
// already.
func pick(name, text string, into interface{ UnmarshalText([]byte) error }, before error) error {
	if before != nil {
		return before
	}
	if err := into.UnmarshalText([]byte(text)); err != nil {
		return &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ValueWrong, Field: name, What: "is none of those there are", Next: "choose one of the list"}
	}
	return nil
}

// nextPage is the address of the window behind a cursor, "" on the last one.
func nextPage(path string, q url.Values, cursor string) string {
	if cursor == "" {
		return ""
	}
	next := url.Values{"cursor": {cursor}}
	for name, values := range q {
		if name != "cursor" && len(values) > 0 && values[0] != "" {
			next.Set(name, values[0])
		}
	}
	return path + "?" + next.Encode()
}

// firstWindow is the address of the first window, "" for whoever is there.
func firstWindow(path string, q url.Values) string {
	if q.Get("cursor") == "" {
		return ""
	}
	first := url.Values{}
	for name, values := range q {
		if name != "cursor" && values[0] != "" {
			first.Set(name, values[0])
		}
	}
	return strings.TrimSuffix(path+"?"+first.Encode(), "?")
}

// contractData is one contract.
type contractData struct {
	Campaign netkit.Campaign
	Meter    template.HTML
	Postings []netkit.StatementLine
	Done     *netkit.Execution
	Agent    bool
}

const contractPostings = 12

func (p *Pages) contract(v *request) (*screen, error) {
	id, err := idOf(v, "id", code.ContractUnknown, "contract")
	if err != nil {
		return nil, err
	}
	ctx := v.r.Context()
	d := contractData{Agent: v.agentHere()}
	if d.Campaign, err = p.marketOf(v).Campaign(ctx, id); err != nil {
		return nil, err
	}
	list, err := p.net.As("").Statement(ctx, netkit.ContractBudget(id), netkit.Page{Limit: contractPostings})
	if err != nil {
		return nil, err
	}
	d.Postings = list.Items
	d.Meter = drawMeter(d.Campaign.Remaining, d.Campaign.Budget)
	title := d.Campaign.Title
	if title == "" {
		title = "Contract " + strconv.FormatUint(id, 10)
	}
	return &screen{name: "contract", title: title, data: d}, err
}

// execute sends the signal of the visiting agent.
func (p *Pages) execute(v *request) (*screen, error) {
	id, err := idOf(v, "id", code.ContractUnknown, "contract")
	if err != nil {
		return nil, err
	}
	var done netkit.Execution
	in := signalOf(v, id)
	if in.Signal.Data, err = v.object("data"); err == nil {
		err = p.call(v, catalog.ExecuteContract, in, &done)
	}
	if err != nil {
		return v.again(err, p.contract)
	}
	return v.done(paid(done), "/market/"+strconv.FormatUint(id, 10))
}

// signalOf reads the form of a signal.
func signalOf(v *request, id uint64) netkit.Execute {
	return netkit.Execute{CampaignID: id, Signal: netkit.Signal{Headline: v.field("headline"), Body: v.field("body"), Sources: v.lines("sources")}}
}

func paid(e netkit.Execution) string {
	when := ""
	if e.ClearsAt > 0 {
		when = ", pending until it clears"
	}
	return "Execution " + strconv.FormatUint(e.ExecutionID, 10) + " paid you " + e.AgentShare.String() + " credits of " + e.Payout.String() + when +
		"; " + e.TreasuryShare.String() + " went to the treasury. Your balance is " + e.Balance.String() + "."
}

// idOf reads a number of the path; code and thing say what is not there without it.
func idOf(v *request, name, code, thing string) (uint64, error) {
	id, err := strconv.ParseUint(v.r.PathValue(name), 10, 64)
	if err != nil {
		return 0, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code, What: "there is no such " + thing, Next: "follow a link to one"}
	}
	return id, nil
}

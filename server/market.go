package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
)

type marketQuery struct {
	Page
	Channel string `query:"channel" enum:"SILICON,LEGAL,POLICY,FINANCE,MEDIA,HEALTH" doc:"only contracts of this channel"`
	Kind    string `query:"kind" enum:"commercial,operational"`
	State   string `query:"state" enum:"open,exhausted,ended,closed" doc:"default: open"`
	Sponsor string `query:"sponsor" maxLength:"64"`
	Matched bool   `query:"matched" doc:"only those that you fit and have not used up; needs a token of scope read"`
}

// marketRoutes are browsing signal contracts, and what sponsors do with them.
func (s *Server) marketRoutes() []route {
	n := s.net
	sponsor := func(summary, doc string, errors ...int) route {
		return route{scope: netkit.ScopeMarket, tag: "market", summary: summary, doc: doc, errors: errors}
	}
	return []route{
		get("/api/market/campaigns", route{scope: public, as: netkit.ScopeRead, tag: "market", summary: "Browse signal contracts that seek execution",
			doc: "Free. Commercial payloads are absent while a P0 crisis runs (L3)."}, s.market),
		get("/api/market/campaigns/{id}", route{scope: public, tag: "market", summary: "One signal contract", errors: []int{404}},
			func(ctx context.Context, _ *visit, p *byID) (netkit.Campaign, error) { return n.Campaign(ctx, p.ID) }),
		command("POST", "/api/market/campaigns", sponsor("Open a signal contract from a sponsor's funds",
			"A sponsor opens its own; an operator names the sponsor. Operational contracts need an operator, since no blackout stops them.", 402, 404), n.OpenContract),
		aimed[byID]("POST", "/api/market/campaigns/{id}/fund", "campaign_id", sponsor("Add to a contract's budget", "An exhausted contract opens again.", 402, 404, 409), n.FundContract),
		aimed[byID]("POST", "/api/market/campaigns/{id}/close", "campaign_id", sponsor("Close a contract; what is left returns to the sponsor", "", 404, 409), n.CloseContract),
	}
}

func (s *Server) market(ctx context.Context, v *visit, p *marketQuery) (list netkit.List[netkit.Campaign], err error) {
	q := netkit.MarketQuery{Sponsor: p.Sponsor, Matched: p.Matched, Page: p.Page.page()}
	if err := choose("channel", p.Channel, &q.Channel); err != nil {
		return list, err
	}
	if q.Kind, err = chosen[netkit.ContractKind]("kind", p.Kind); err != nil {
		return list, err
	}
	if q.State, err = chosen[netkit.ContractState]("state", p.State); err != nil {
		return list, err
	}
	return s.net.Market(ctx, v.caller, q)
}

type attentionQuery struct {
	Page
	State string `query:"state" enum:"pending,answered,declined,expired" doc:"default: all"`
}

// attentionRoutes are paid messages between agents.
func (s *Server) attentionRoutes() []route {
	n := s.net
	send := func(summary, doc string, errors ...int) route {
		return route{scope: netkit.ScopeSend, tag: "intent", summary: summary, doc: doc, errors: errors}
	}
	read := func(summary string) route { return route{scope: netkit.ScopeRead, tag: "intent", summary: summary} }
	one := read("Read an attention request that you sent or received")
	one.errors = []int{404}
	return []route{
		command("POST", "/api/intent/attention", send("Send a structured message to an agent, paying its floor price",
			"The price is held in escrow: it goes to the agent when it answers, and returns to you when it declines or lets the request expire.", 402, 404, 409), n.SendAttention),
		get("/api/intent/attention/inbox", read("Attention requests sent to you, newest first"),
			func(ctx context.Context, v *visit, p *attentionQuery) (netkit.List[netkit.Attention], error) {
				return requests(ctx, v, p, n.Inbox)
			}),
		get("/api/intent/attention/sent", read("Attention requests that you sent, newest first"),
			func(ctx context.Context, v *visit, p *attentionQuery) (netkit.List[netkit.Attention], error) {
				return requests(ctx, v, p, n.Sent)
			}),
		get("/api/intent/attention/{id}", one,
			func(ctx context.Context, v *visit, p *byID) (netkit.Attention, error) {
				return n.Attention(ctx, v.caller, p.ID)
			}),
		aimed[byID]("POST", "/api/intent/attention/{id}/answer", "id", send("Answer a request; its price becomes yours", "", 404, 409), n.AnswerAttention),
		aimed[byID]("POST", "/api/intent/attention/{id}/decline", "id", send("Decline a request; its price returns to the sender", "Declining never counts against you (L7).", 404, 409), n.DeclineAttention),
	}
}

func requests(ctx context.Context, v *visit, p *attentionQuery,
	list func(context.Context, netkit.Caller, netkit.AttentionQuery) (netkit.List[netkit.Attention], error)) (none netkit.List[netkit.Attention], err error) {
	q := netkit.AttentionQuery{Page: p.Page.page()}
	if q.State, err = chosen[netkit.AttentionState]("state", p.State); err != nil {
		return none, err
	}
	return list(ctx, v.caller, q)
}

package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

type attentionQuery struct {
	Page
	State string `query:"state" enum:"pending,answered,declined,expired" doc:"default: all"`
}

// attentionRoutes are paid messages between agents.
func (s *Server) attentionRoutes() []route {
	n := s.net
	return []route{
		command(catalog.SendAttention, n.SendAttention),
		get(catalog.ListInbox, func(ctx context.Context, v *request, p *attentionQuery) (netkit.List[netkit.Attention], error) {
			return requests(ctx, v, p, n.Inbox)
		}),
		get(catalog.ListSent, func(ctx context.Context, v *request, p *attentionQuery) (netkit.List[netkit.Attention], error) {
			return requests(ctx, v, p, n.Sent)
		}),
		get(catalog.GetAttention, func(ctx context.Context, v *request, p *byID) (netkit.Attention, error) {
			return n.Attention(ctx, v.caller, p.ID)
		}),
		commandAt[byID](catalog.AnswerAttention, "id", n.AnswerAttention),
		commandAt[byID](catalog.DeclineAttention, "id", n.DeclineAttention),
	}
}

func requests(ctx context.Context, v *request, p *attentionQuery,
	list func(context.Context, netkit.Caller, netkit.AttentionQuery) (netkit.List[netkit.Attention], error)) (none netkit.List[netkit.Attention], err error) {
	q := netkit.AttentionQuery{Page: p.Page.page()}
	if q.State, err = chosen[netkit.AttentionState]("state", p.State); err != nil {
		return none, err
	}
	return list(ctx, v.caller, q)
}

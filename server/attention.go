package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

type attentionQuery struct {
	Page
	State choice[netkit.AttentionState] `query:"state" doc:"default: all"`
}

// attentionRoutes are paid messages between agents.
func (s *Server) attentionRoutes() []route {
	return []route{
		command(catalog.SendAttention, (*session).SendAttention),
		command(catalog.PreviewAttention, (*session).PreviewAttention),
		get(catalog.ListInbox, func(ctx context.Context, v *request, p *attentionQuery) (netkit.List[netkit.Attention], error) {
			return requests(ctx, v, p, (*session).Inbox)
		}),
		get(catalog.ListSent, func(ctx context.Context, v *request, p *attentionQuery) (netkit.List[netkit.Attention], error) {
			return requests(ctx, v, p, (*session).Sent)
		}),
		one(catalog.GetAttention, (*session).Attention),
		commandAt[byID](catalog.AnswerAttention, "id", (*session).AnswerAttention),
		bulk(catalog.AnswerAttentions, decodeBulkAnswer, appendJSON[netkit.AttentionReceipt], (*session).AnswerAttentionBulk),
		commandAt[byID](catalog.DeclineAttention, "id", (*session).DeclineAttention),
	}
}

func requests(ctx context.Context, v *request, p *attentionQuery,
	list func(*session, context.Context, netkit.AttentionQuery) (netkit.List[netkit.Attention], error)) (none netkit.List[netkit.Attention], err error) {
	q := netkit.AttentionQuery{Page: p.Page.page()}
	if q.State, err = chosen("state", p.State); err != nil {
		return none, err
	}
	return list(v.as(), ctx, q)
}

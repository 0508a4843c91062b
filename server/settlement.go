package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

type settlementQuery struct {
	Page
	Action        string                        `query:"action" required:"true" enum:"accept,return,report"`
	Law           string                        `query:"law" enum:"L1,L2" doc:"of a report; default: L1"`
	CampaignID    uint64                        `query:"campaign_id" doc:"only executions of this contract"`
	Agent         string                        `query:"agent" maxLength:"64" doc:"only executions by this agent"`
	State         choice[netkit.ExecutionState] `query:"state" doc:"default: pending"`
	Before        choice[netkit.Millis]         `query:"before" doc:"only executions delivered before this time"`
	NearDuplicate bool                          `query:"near_duplicate" doc:"only those nearly the same as an earlier one that you bought"`
	Resold        bool                          `query:"resold" doc:"only those nearly the same as one that another sponsor bought of late"`
	Taken         uint64                        `query:"taken" doc:"taken of the page before"`
}

func (s *Server) previewSettlement(ctx context.Context, v *request, p *settlementQuery) (out netkit.SettlementPreview, err error) {
	q := netkit.SettlementQuery{Action: p.Action, Law: p.Law, CampaignID: p.CampaignID, Agent: p.Agent, NearDuplicate: p.NearDuplicate, Resold: p.Resold, Taken: p.Taken, Page: p.Page.page()}
	if q.State, err = chosen("state", p.State); err != nil {
		return out, err
	}
	if err = choose("before", p.Before, &q.Before); err != nil {
		return out, err
	}
	out, err = v.as().PreviewSettlement(ctx, q)
	for i := range out.Items {
		if problem := out.Items[i].Problem; problem != nil {
			*problem = catalog.Render(*problem, catalog.HTTP)
		}
	}
	return out, inQuery(err)
}

type agentTableQuery struct {
	Page
	Sponsor string             `query:"sponsor" maxLength:"64" doc:"default: the sponsor that asks"`
	By      string             `query:"by" enum:"day,week" doc:"default: week"`
	Since   choice[netkit.Day] `query:"since" doc:"only executions delivered on this date or later"`
}

func (s *Server) agentTable(ctx context.Context, v *request, p *agentTableQuery) (list netkit.List[netkit.AgentPeriod], err error) {
	q := netkit.AgentTableQuery{Sponsor: p.Sponsor, By: p.By, Page: p.Page.page()}
	if err = choose("since", p.Since, &q.Since); err != nil {
		return list, err
	}
	return v.as().AgentTable(ctx, q)
}

// decodeBulkSettle decodes a line of a bulk of settlements. A report also needs the
// scope of reports.
func decodeBulkSettle(by *netkit.Principal, b []byte, in *netkit.BulkSettle) (key string, fingerprint *[32]byte, err error) {
	err = decode(b, in)
	if err == nil && in.Action == netkit.SettleReport && !by.Allows(catalog.ReportSubject.Scope) {
		err = scopeMissing(catalog.ReportSubject.Scope)
	}
	return in.Key, &in.Fingerprint, err
}

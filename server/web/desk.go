package web

import (
	"maps"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// deskData is what an agent looks after: requests, notices, what it is asked to
// witness, and its tokens.
type deskData struct {
	Slug    string
	Inbox   netkit.List[netkit.Attention]
	Sent    netkit.List[netkit.Attention]
	Notices netkit.List[netkit.Notice]
	Duties  netkit.List[netkit.WitnessRequest]
	Tokens  netkit.List[netkit.TokenInfo]
	Scopes  []netkit.Scope
	Secret  string // a token, shown this once
	Webhook *webhookData
}

// agentDesk shows an agent's desk. A part that the session's token may not read is
// empty.
func (p *Pages) agentDesk(v *request) (*screen, error) {
	if err := agentsOnly(v); err != nil {
		return nil, err
	}
	d := &deskData{Slug: v.who.Slug, Scopes: netkit.Scopes()}
	for _, part := range []struct {
		op  *catalog.Operation
		out any
	}{{catalog.ListInbox, &d.Inbox}, {catalog.ListSent, &d.Sent}, {catalog.ListNotices, &d.Notices}, {catalog.ListWitnessDuties, &d.Duties}, {catalog.ListTokens, &d.Tokens}} {
		if !v.who.Allows(part.op.Scope) {
			continue
		}
		if err := p.call(v, part.op, nil, part.out); err != nil {
			return nil, err
		}
	}
	var err error
	if d.Webhook, err = p.readWebhook(v); err != nil {
		return nil, err
	}
	d.Secret, d.Webhook.Secret = v.takeFresh(bearerToken), v.takeFresh(webhookSecret)
	return &screen{name: "desk", title: "Desk of " + d.Slug, data: d, secret: d.Secret+d.Webhook.Secret != ""}, nil
}

// agentsOnly refuses who is not signed in as an agent.
func agentsOnly(v *request) error {
	switch {
	case v.who == nil:
		return &netkit.Refusal{Kind: netkit.ErrUnauthenticated, Code: code.SessionMissing, What: "this page is for agents, and nobody is signed in", Next: "sign in with an agent’s token"}
	case !v.agentHere():
		return &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.AgentsOnly, What: "this page is for agents", Next: "sign in with an agent’s token"}
	}
	return nil
}

// deskAct takes a form of the desk.
func (p *Pages) deskAct(v *request) (*screen, error) {
	if err := agentsOnly(v); err != nil {
		return nil, err
	}
	acts := p.webhookActs()
	maps.Copy(acts, map[string]func(*request) (string, error){"send": p.sendAttention, "answer": p.answerAttention, "decline": p.declineAttention,
		"witness": p.confirmWitness, "issue": p.issueToken, "revoke": p.revokeToken})
	return v.act(acts, p.agentDesk, "/desk")
}

// act runs the act that the form names and goes on to an address, or shows the page
// again with what the form met.
func (v *request) act(acts map[string]func(*request) (string, error), page handler, to string) (*screen, error) {
	act, ok := acts[v.field("act")]
	if !ok {
		return nil, unknownAct
	}
	note, err := act(v)
	if err != nil {
		return v.again(err, page)
	}
	return v.done(note, to)
}

func (p *Pages) sendAttention(v *request) (string, error) {
	most, err := v.credits("max_price")
	if err != nil {
		return "", err
	}
	var out netkit.AttentionReceipt
	err = p.call(v, catalog.SendAttention, netkit.SendAttention{To: v.field("to"), Subject: v.field("subject"), Body: v.field("body"), MaxPrice: &most}, &out)
	return "Sent as request " + strconv.FormatUint(out.ID, 10) + "; " + out.Price.String() + " credits wait in escrow.", err
}

func (p *Pages) answerAttention(v *request) (string, error) {
	id, err := number(v, "id")
	if err != nil {
		return "", err
	}
	var out netkit.AttentionReceipt
	err = p.call(v, catalog.AnswerAttention, map[string]string{"body": v.field("body")}, &out, id)
	return "Answered; " + out.Price.String() + " credits are yours.", err
}

func (p *Pages) declineAttention(v *request) (string, error) {
	id, err := number(v, "id")
	if err != nil {
		return "", err
	}
	var out netkit.AttentionReceipt
	err = p.call(v, catalog.DeclineAttention, map[string]string{"reason": v.field("reason")}, &out, id)
	return "Declined; the price returns to its sender.", err
}

func (p *Pages) confirmWitness(v *request) (string, error) {
	id, err := number(v, "id")
	if err != nil {
		return "", err
	}
	return "Confirmed as witness.", p.call(v, catalog.ConfirmAsWitness, nil, nil, id)
}

func (p *Pages) issueToken(v *request) (string, error) {
	in := netkit.IssueToken{}
	for _, word := range v.r.PostForm["scope"] {
		in.Scopes = append(in.Scopes, netkit.Scope(word))
	}
	if v.field("spend_cap") != "" {
		most, err := v.credits("spend_cap")
		if err != nil {
			return "", err
		}
		in.SpendCap = &most
	}
	var out netkit.TokenReceipt
	if err := p.call(v, catalog.IssueToken, in, &out); err != nil {
		return "", err
	}
	if out.Token != "" { // a form that is sent twice gets it once
		v.session.setFresh(bearerToken, out.Token)
	}
	return "Token " + strconv.FormatUint(out.TokenID, 10) + " is issued.", nil
}

func (p *Pages) revokeToken(v *request) (string, error) {
	id, err := number(v, "id")
	if err != nil {
		return "", err
	}
	return "Token " + id + " is revoked.", p.call(v, catalog.RevokeToken, nil, nil, id)
}

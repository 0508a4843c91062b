package web

import (
	"fmt"
	"html/template"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/network"
)

// adminData is what operators look after.
type adminData struct {
	Crisis   netkit.CrisisView
	Sponsors netkit.List[netkit.SponsorView]
	Queue    []netkit.CaseView
	Cases    netkit.List[netkit.CaseView]
	Night    netkit.NightReport
	DryRun   *netkit.NightReport
	Treasury netkit.Credits
	Chart    template.HTML
	Rogues   netkit.List[netkit.RogueEntry]
	Niches   []netkit.Niche
	Secret   string // a sponsor's token, shown this once
	Health   netkit.Health
	Flags    netkit.List[netkit.AgentFlag]
	Exchange netkit.Exchange
	Todo     []todo // of a network that has not begun to live
	Badges   []netkit.Badge
	Servers  []Server
	Invited  bool // spawning needs an invitation
	// Invitation is the link of a new one, shown this once.
	Invitation string
}

const treasuryPostings = 200

// admin is for operators. Others are told who may.
func (p *Pages) admin(v *request) (*screen, error) {
	if err := operatorsOnly(v); err != nil {
		return nil, err
	}
	d := &adminData{Niches: netkit.Niches(), Badges: allBadges, Health: p.net.Health()}
	if err := p.desk(v, d); err != nil {
		return nil, err
	}
	d.Secret, d.Invitation = v.takeFresh(bearerToken), v.takeFresh(invitationLink)
	d.Invited = p.cfg.Invited()
	if p.cfg.Servers != nil {
		d.Servers = p.cfg.Servers(v.r.Context())
	}
	return &screen{name: "admin", title: "Operators’ desk", data: d, secret: d.Secret+d.Invitation != ""}, nil
}

func operatorsOnly(v *request) error {
	switch {
	case v.who == nil:
		return &netkit.Refusal{Kind: netkit.ErrUnauthenticated, Code: code.SessionMissing, What: "this page is for operators, and nobody is signed in", Next: "sign in with an operator’s token"}
	case v.who.Kind != netkit.OperatorParty || !v.who.Allows(netkit.ScopeAdmin):
		return &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.OperatorsOnly, What: "this page is for operators", Next: "sign in with an operator’s token"}
	}
	return nil
}

// desk gathers what the page shows.
func (p *Pages) desk(v *request, d *adminData) error {
	ctx, as := v.r.Context(), p.net.As(v.who.Slug)
	var err error
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	var e error
	d.Crisis, e = p.net.As("").Crisis(ctx)
	keep(e)
	d.Sponsors, e = p.net.As("").Sponsors(ctx, netkit.Page{Limit: windowSize})
	keep(e)
	d.Cases, e = as.Cases(ctx, netkit.CaseQuery{Page: netkit.Page{Limit: windowSize}})
	keep(e)
	d.Night, e = p.net.As("").LastNight(ctx)
	keep(e)
	d.Rogues, e = p.net.As("").Rogues(ctx, netkit.Page{Limit: 10})
	keep(e)
	d.Flags, e = as.Flags(ctx, netkit.Page{Limit: 10})
	keep(e)
	d.Exchange, e = p.net.As("").Exchange(ctx)
	keep(e)
	totals, e := p.net.Totals(ctx)
	keep(e)
	balance, e := p.net.As("").Balance(ctx, netkit.Treasury)
	keep(e)
	lines, e := p.net.As("").Statement(ctx, netkit.Treasury, netkit.Page{Limit: treasuryPostings})
	keep(e)
	if err != nil {
		return err
	}
	d.Todo = checklist(d, totals)
	d.Treasury, d.Chart = balance.Balance, drawBalance("Balance of the treasury", lines.Items)
	return p.queue(v, as, d)
}

// queue reads the texts of the cases that wait for an operator.
func (p *Pages) queue(v *request, as *network.Session, d *adminData) error {
	state := netkit.CaseWithOperator
	waiting, err := as.Cases(v.r.Context(), netkit.CaseQuery{State: &state, Page: netkit.Page{Limit: windowSize}})
	if err != nil {
		return err
	}
	for _, c := range waiting.Items {
		full, err := as.Case(v.r.Context(), c.ID)
		if err != nil {
			return err
		}
		d.Queue = append(d.Queue, full)
	}
	return nil
}

// adminAct takes the form of one act.
func (p *Pages) adminAct(v *request) (*screen, error) {
	acts := map[string]func(*request) (string, error){"publish": p.actPublish, "resolve": p.actResolve, "sponsor": p.actSponsor, "deposit": p.actDeposit, "stop": p.actStop,
		"decide": p.actDecide, "night": p.actNight, "role": p.actRole, "reinstate": p.actReinstate, "revoke": p.actRevoke, "token": p.actToken, "exchange": p.actExchange, "invite": p.actInvite}
	if err := operatorsOnly(v); err != nil {
		return nil, err
	}
	name := v.r.PathValue("act")
	if name == "rehearse" {
		return p.rehearse(v)
	}
	act, ok := acts[name]
	if !ok {
		return nil, unknownAct
	}
	note, err := act(v)
	if err != nil {
		return v.again(err, p.admin)
	}
	return v.done(note, "/admin")
}

func (p *Pages) actPublish(v *request) (string, error) {
	in := netkit.Publish{Headline: v.field("headline"), Summary: v.field("summary")}
	if err := pick("channel", v.field("channel"), &in.Channel, nil); err != nil {
		return "", err
	}
	var out netkit.DispatchReceipt
	err := p.call(v, catalog.PublishDispatch, in, &out)
	return "P0 dispatch " + strconv.FormatUint(out.DispatchID, 10) + " is out. Commerce stands still until you resolve it.", err
}

func (p *Pages) actResolve(v *request) (string, error) {
	id, err := number(v, "dispatch_id")
	if err != nil {
		return "", err
	}
	var out netkit.CrisisReceipt
	err = p.call(v, catalog.ResolveCrisis, map[string]string{"reason": v.field("reason")}, &out, id)
	return "The crisis is resolved; " + counted(out.Running, "runs", "run") + " on.", err
}

func (p *Pages) actSponsor(v *request) (string, error) {
	var out netkit.AdmissionReceipt
	if err := p.call(v, catalog.AdmitSponsor, netkit.ProposeSponsor{Sponsor: v.field("sponsor"), Name: v.field("name")}, &out); err != nil {
		return "", err
	}
	if out.Token != "" { // a form that is sent twice gets it once
		v.session.setFresh(bearerToken, out.Token)
	}
	if out.WitnessNeeded {
		return out.Sponsor + " is proposed and waits for a witness.", nil
	}
	return out.Sponsor + " is admitted; too few agents qualify as witness yet.", nil
}

func (p *Pages) actDeposit(v *request) (string, error) {
	amount, err := v.credits("amount")
	if err != nil {
		return "", err
	}
	slug := v.field("sponsor")
	var out netkit.Deposited
	err = p.call(v, catalog.BookDeposit, map[string]any{"amount": amount, "reference": v.field("reference")}, &out, slug)
	return "Booked. " + slug + " now holds " + out.Balance.String() + " credits.", err
}

// actStop stops a sponsor.
func (p *Pages) actStop(v *request) (string, error) {
	slug := v.field("sponsor")
	var out netkit.StopReceipt
	err := p.call(v, catalog.StopSponsor, map[string]string{"reason": v.field("reason")}, &out, slug)
	return slug + " is stopped: " + counted(int(out.Contracts), "contract ends", "contracts end") + ", and " + (out.Funds + out.Budgets).String() + " credits leave the network.", err
}

func (p *Pages) actDecide(v *request) (string, error) {
	id, err := number(v, "case_id")
	if err != nil {
		return "", err
	}
	said := v.field("uphold")
	if said != "yes" && said != "no" {
		return "", &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ValueWrong, Field: "uphold", What: "is neither yes nor no", Next: "press Uphold or Dismiss"}
	}
	in := map[string]any{"uphold": said == "yes", "reasoning": v.field("reasoning")}
	var out netkit.CaseReceipt
	err = p.call(v, catalog.DecideCase, in, &out, id)
	return "Case " + id + " is decided: " + out.State.String() + ".", err
}

func (p *Pages) actNight(v *request) (string, error) {
	var out netkit.NightReport
	err := p.call(v, catalog.IssueBadges, netkit.CloseNight{}, &out)
	return fmt.Sprintf("The night is done: %s closed, %s judged, %s issued.", counted(len(out.Closed), "date", "dates"), counted(out.Judged, "agent", "agents"), counted(out.IssuedCount, "badge", "badges")), err
}

// rehearse judges the night without recording it, and shows what would be.
func (p *Pages) rehearse(v *request) (*screen, error) {
	var out netkit.NightReport
	if err := p.call(v, catalog.IssueBadges, netkit.CloseNight{DryRun: true}, &out); err != nil {
		return v.again(err, p.admin)
	}
	s, err := p.admin(v)
	if err == nil {
		s.data.(*adminData).DryRun = &out
	}
	return s, err
}

// number reads an id of a form, as text that is safe in a path.
func number(v *request, name string) (string, error) {
	n, err := strconv.ParseUint(v.field(name), 10, 64)
	if err != nil {
		return "", &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ValueWrong, Field: name, What: "is not a number", Next: "use the form of the page"}
	}
	return strconv.FormatUint(n, 10), nil
}

package web

import (
	"net/url"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// resultsData is a window of the executions that a contract delivered.
type resultsData struct {
	Campaign netkit.Campaign
	List     netkit.List[netkit.ExecutionView]
	Query    url.Values
	Owner    bool           // the reader may accept and report
	Me       string         // slug of the reader, "" for a visitor
	Bond     netkit.Credits // of a report by the owner
	Pending  bool           // the owner has something to accept
	Next     string
	Back     string
	States   []netkit.ExecutionState
}

// results shows the signals that a contract delivered.
func (p *Pages) results(v *request) (*screen, error) {
	id, err := idOf(v, "id", code.ContractUnknown, "contract")
	if err != nil {
		return nil, err
	}
	ctx, q := v.r.Context(), v.r.URL.Query()
	d := resultsData{Query: q, States: []netkit.ExecutionState{netkit.ExecutionPending, netkit.ExecutionCleared, netkit.ExecutionAccepted, netkit.ExecutionReturned, netkit.ExecutionOverturned}}
	if d.Campaign, err = p.net.As("").Campaign(ctx, id); err != nil {
		return nil, err
	}
	ask := netkit.ExecutionQuery{CampaignID: id, Page: window(q)}
	if text := q.Get("state"); text != "" {
		ask.State = new(netkit.ExecutionState)
		if err := pick("state", text, ask.State, nil); err != nil {
			return nil, err
		}
	}
	if d.List, err = p.net.For(v.caller(netkit.ScopeRead)).Deliveries(ctx, ask); err != nil {
		return nil, err
	}
	d.Owner = v.who != nil && (v.who.Kind == netkit.OperatorParty || v.who.Slug == d.Campaign.Sponsor)
	if v.who != nil {
		d.Me = v.who.Slug
	}
	if d.Owner {
		pending, err := p.net.For(v.caller(netkit.ScopeRead)).Deliveries(ctx, netkit.ExecutionQuery{CampaignID: id, State: new(netkit.ExecutionPending), Page: netkit.Page{Limit: 1}})
		if err != nil {
			return nil, err
		}
		d.Pending = len(pending.Items) > 0
		law, err := p.net.As("").Constitution(ctx)
		if err != nil {
			return nil, err
		}
		d.Bond = law.Review.BondOf(v.who.Kind)
	}
	at := resultsPath(id)
	d.Next, d.Back = nextPage(at, q, d.List.NextCursor), firstWindow(at, q)
	return &screen{name: "results", title: "Results of contract " + strconv.FormatUint(id, 10), data: d}, nil
}

func resultsPath(contract uint64) string {
	return "/market/" + strconv.FormatUint(contract, 10) + "/results"
}

// resultsAct accepts or reports executions.
func (p *Pages) resultsAct(v *request) (*screen, error) {
	contract, err := idOf(v, "id", code.ContractUnknown, "contract")
	if err != nil {
		return nil, err
	}
	acts := map[string]func(*request) (string, error){"accept": p.acceptOne, "accept-all": p.acceptAll, "return": p.returnOne, "report": p.report}
	act, ok := acts[v.field("act")]
	if !ok {
		return nil, unknownAct
	}
	note, err := act(v)
	if err != nil {
		return v.again(err, p.results)
	}
	return v.done(note, resultsPath(contract))
}

func (p *Pages) acceptOne(v *request) (string, error) {
	id, err := number(v, "execution_id")
	if err != nil {
		return "", err
	}
	var out netkit.AcceptedReceipt
	err = p.call(v, catalog.AcceptExecution, v.readTicks(), &out, id)
	return "Accepted. The agent can spend " + out.Pay.String() + " credits now.", err
}

func (p *Pages) returnOne(v *request) (string, error) {
	id, err := number(v, "execution_id")
	if err != nil {
		return "", err
	}
	var out netkit.ReturnReceipt
	err = p.call(v, catalog.ReturnExecution, v.readTicks(), &out, id)
	return "Returned. " + out.Pay.String() + " credits are back.", err
}

func (p *Pages) acceptAll(v *request) (string, error) {
	var out netkit.AcceptedReceipt
	err := p.call(v, catalog.AcceptExecutions, nil, &out, v.r.PathValue("id"))
	return counted(len(out.Accepted), "execution", "executions") + " accepted; the agents can spend " + out.Pay.String() + " credits now.", err
}

func (p *Pages) report(v *request) (string, error) {
	id, err := number(v, "execution_id")
	if err != nil {
		return "", err
	}
	subject, _ := strconv.ParseUint(id, 10, 64) // which number checked
	var out netkit.CaseReceipt
	err = p.call(v, catalog.ReportSubject, netkit.Report{Subject: subject, Law: v.field("law"), Evidence: v.field("evidence"), Ticks: v.readTicks()}, &out)
	return "Reported as case " + strconv.FormatUint(out.CaseID, 10) + ".", err
}

package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/proof"
)

// reviewData is a window of the cases.
type reviewData struct {
	List   netkit.List[netkit.CaseView]
	Query  url.Values
	States []netkit.CaseState
	Law    netkit.ReviewRules
	Next   string
	Back   string
}

// caseStates are the states that a list can be narrowed to, in the order of a case's life.
var caseStates = []netkit.CaseState{netkit.CaseDrawing, netkit.CaseWithPanel, netkit.CaseWithOperator, netkit.CaseUpheld, netkit.CaseDismissed}

// review lists the cases for whoever is signed in.
func (p *Pages) review(v *request) (*screen, error) {
	q := v.r.URL.Query()
	ask := netkit.CaseQuery{Mine: q.Get("mine") != "", Page: window(q)}
	if text := q.Get("state"); text != "" {
		ask.State = new(netkit.CaseState)
		if err := pick("state", text, ask.State, nil); err != nil {
			return nil, err
		}
	}
	law, err := p.net.As("").Constitution(v.r.Context())
	if err != nil {
		return nil, err
	}
	list, err := p.net.For(v.caller(netkit.ScopeReview)).Cases(v.r.Context(), ask)
	return &screen{name: "review", title: "Review", data: reviewData{List: list, Query: q, States: caseStates, Law: law.Review,
		Next: nextPage("/review", q, list.NextCursor), Back: firstWindow("/review", q)}}, err
}

// reportAct files a report.
func (p *Pages) reportAct(v *request) (*screen, error) {
	return v.act(map[string]func(*request) (string, error){"report": p.report}, p.review, "/review")
}

// caseData is one case as whoever reads may see it.
type caseData struct {
	netkit.CaseView
	Reviewer bool // a verdict of whoever reads is wanted
	Party    bool // whoever reads was reported
}

// reviewCase shows one case. Its texts are for parties, reviewers and operators.
func (p *Pages) reviewCase(v *request) (*screen, error) {
	id, err := idOf(v, "id", code.CaseUnknown, "case")
	if err != nil {
		return nil, err
	}
	d := caseData{}
	if d.CaseView, err = p.net.For(v.caller(netkit.ScopeReview)).Case(v.r.Context(), id); err != nil {
		return nil, err
	}
	if v.who != nil {
		d.Party = v.who.Slug == d.Reported
		d.Reviewer = d.wants(v.who.Slug)
	}
	return &screen{name: "case", title: "Case " + strconv.FormatUint(id, 10), data: d}, nil
}

// wants reports whether the verdict of a reviewer is still missing.
func (d *caseData) wants(slug string) bool {
	for _, v := range d.Verdicts {
		if v.Reviewer == slug {
			return false
		}
	}
	for _, r := range d.Panel {
		if r == slug {
			return d.DecidedAt == 0
		}
	}
	return false
}

// caseAct takes a verdict or an appeal.
func (p *Pages) caseAct(v *request) (*screen, error) {
	id, err := idOf(v, "id", code.CaseUnknown, "case")
	if err != nil {
		return nil, err
	}
	at := strconv.FormatUint(id, 10)
	verdict := func(uphold bool) func(*request) (string, error) {
		return func(v *request) (string, error) {
			return "Your verdict is recorded. It stays hidden until the case is decided.",
				p.call(v, catalog.GiveVerdict, map[string]any{"uphold": uphold, "reasoning": v.field("reasoning")}, nil, at)
		}
	}
	appeal := func(v *request) (string, error) {
		return "You have appealed.", p.call(v, catalog.AppealCase, map[string]string{"grounds": v.field("grounds")}, nil, at)
	}
	return v.act(map[string]func(*request) (string, error){"uphold": verdict(true), "dismiss": verdict(false), "appeal": appeal}, p.reviewCase, "/review/"+at)
}

// playbooksData is the state of the exchange, and an agent's own registrations.
type playbooksData struct {
	Exchange netkit.Exchange
	Mine     bool
	List     netkit.List[netkit.Playbook]
	Next     string
}

// playbooks shows the exchange, and to an agent its inventory. Files are registered
// from the agent's machine, which they never leave.
func (p *Pages) playbooks(v *request) (*screen, error) {
	d := playbooksData{Mine: v.agentHere() && v.who.Allows(catalog.ListPlaybooks.Scope)}
	var err error
	if d.Exchange, err = p.net.As("").Exchange(v.r.Context()); err != nil {
		return nil, err
	}
	if d.Mine {
		q := v.r.URL.Query()
		if d.List, err = p.net.For(v.caller(catalog.ListPlaybooks.Scope)).Inventory(v.r.Context(), window(q)); err != nil {
			return nil, err
		}
		d.Next = nextPage("/playbooks", q, d.List.NextCursor)
	}
	return &screen{name: "playbooks", title: "Playbooks", data: d}, nil
}

// roguesData is a window of the registry.
type roguesData struct {
	List netkit.List[netkit.RogueEntry]
	Next string
}

// rogues shows the registry of rogue agents.
func (p *Pages) rogues(v *request) (*screen, error) {
	q := v.r.URL.Query()
	list, err := p.net.As("").Rogues(v.r.Context(), window(q))
	return &screen{name: "rogues", title: "Registry of rogue agents", data: roguesData{list, nextPage("/rogues", q, list.NextCursor)}}, err
}

// badgesData is the last night, and why an agent holds or misses each badge.
type badgesData struct {
	Night netkit.NightReport
	Agent string
	Why   *netkit.Explanation
}

// badges shows the last night and, for an agent that the query names, the
// conditions of each badge.
func (p *Pages) badges(v *request) (*screen, error) {
	d := badgesData{Agent: v.r.URL.Query().Get("agent")}
	if d.Agent == "" && v.agentHere() {
		d.Agent = v.who.Slug
	}
	var err error
	if d.Night, err = p.net.As("").LastNight(v.r.Context()); err != nil {
		return nil, err
	}
	if d.Agent != "" {
		d.Why = new(netkit.Explanation)
		err = p.call(v, catalog.ExplainBadges, nil, d.Why, d.Agent)
	}
	return &screen{name: "badges", title: "Badges", data: d}, err
}

// verifyData is what an auditor needs to begin.
type verifyData struct {
	Base string
	Log  *proof.Info // nil where the network has no log
}

// verify says how to check the network without trusting it.
func (p *Pages) verify(v *request) (*screen, error) {
	d := verifyData{Base: p.base(v), Log: new(proof.Info)}
	err := p.call(v, catalog.GetLogKey, nil, d.Log)
	if r := (*refused)(nil); errors.As(err, &r) && r.Status == http.StatusNotFound {
		d.Log, err = nil, nil
	}
	return &screen{name: "verify", title: "Verify it yourself", data: d}, err
}

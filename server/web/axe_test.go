package web_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/agentnet/netctl/netkit"
)

//go:embed testdata/axe/axe.min.js
var axe string

// TestAxe runs axe-core on every page, light and dark, wide and narrow. Its agent
// is rich, since a text has thousands apart.
func TestAxe(t *testing.T) {
	law := netkit.Version1()
	law.Economy.WelcomeGrant = 1_098_45
	w := foundUnder(t, law)
	ada := w.spawn("ada")
	done := w.execute(ada)
	p0 := w.crisis()
	w.post(w.op, "/api/net/dispatches/"+id(p0)+"/resolve", `{"reason":"power is back"}`, nil)
	w.post(w.op, "/api/review/reports", `{"subject":`+id(done)+`,"law":"L1","evidence":"the line runs"}`, nil)
	b := browse(t, w)
	for _, path := range []string{"/", "/market", "/market/" + id(w.contract), "/feed", "/directory", "/agent/ada", "/ledger", "/ledger/1", "/ledger/accounts/treasury",
		"/constitution", "/login", "/admin", "/admin/agent-setup", "/badges?agent=ada", "/playbooks", "/rogues", "/verify", "/search?q=wafer", "/docs", "/docs/operate", "/docs/executeContract", "/nothing"} {
		b.axe(path)
	}
	b.enter(ada)
	for _, path := range []string{"/desk", "/review", "/feed", "/market/" + id(w.contract), "/admin/agent-setup?step=key", "/admin/agent-setup?step=claims", "/admin/agent-setup?step=channels",
		"/admin/agent-setup?step=constitution", "/admin/agent-setup?step=contract"} {
		b.axe(path)
	}
	b.enter(w.op)
	w.crisis()
	b.axe("/admin")
	b.axe("/review")
	b.axe("/market/" + id(w.contract))
	b.axe("/feed")
	if got := b.strangers(); len(got) > 0 {
		t.Errorf("asked strangers: %q", got)
	}
}

// enter signs in.
func (b *tab) enter(token string) {
	b.t.Helper()
	b.open("/login")
	b.fill("input[name=token]", token+"\r")
	b.says("You are signed in")
}

// axe checks one page. What differs between light and dark, and between wide
// and narrow, is checked in each.
func (b *tab) axe(path string) {
	b.t.Helper()
	b.open(path)
	b.run(chromedp.Evaluate(axe, nil))
	b.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true }); axe.configure({rules: [{id: "target-size", enabled: true}]})`, nil)
	for _, look := range []struct {
		scheme string
		width  int64
		rules  string
	}{{"light", 1280, ""}, {"dark", 360, `, runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]`}} {
		b.scheme(look.scheme)
		b.run(chromedp.EmulateViewport(look.width, 800))
		var found []string
		b.run(chromedp.Evaluate(`axe.run(document, {resultTypes: ["violations"]`+look.rules+`}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target + " " + n.failureSummary)))`,
			&found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
		if len(found) > 0 {
			b.t.Errorf("%s, %s, %d wide: %s", path, look.scheme, look.width, strings.Join(found, "\n"))
		}
		var wider int
		b.eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`, &wider)
		if wider > 0 {
			b.t.Errorf("%s is %d pixels wider than a screen of %d", path, wider, look.width)
		}
	}
}

func id(n uint64) string { return fmt.Sprint(n) }

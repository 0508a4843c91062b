package web_test

import (
	"html"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// TestFilters narrows lists by their forms, and each form shows what it was
// told.
func TestFilters(t *testing.T) {
	w := found(t)
	w.post(w.op, "/api/market/campaigns", `{"sponsor":"acme","title":"Statutes, daily","brief":"b","payload":"p","channel":"LEGAL","budget":10,"kind":"operational"}`, nil)
	ada := w.visitor()
	ada.login(w.spawn("ada"))
	ada.form("/admin/agent-setup/claims", "niche", "LEGAL", "capability_statement", "Reads statutes.", "attention_floor_price", "2.50", "accepts_attention_requests", "yes")
	w.spawn("bert")
	v := w.visitor()
	for path, c := range map[string]struct{ shows, hides string }{
		"/market":                          {"Statutes, daily", "Only what matches me"},
		"/market?channel=LEGAL":            {"Statutes, daily", "Wafer supply"},
		"/market?channel=SILICON":          {"Wafer supply", "Statutes, daily"},
		"/market?kind=operational":         {"Statutes, daily", "Wafer supply"},
		"/market?kind=commercial":          {"Wafer supply", "Statutes, daily"},
		"/market?state=closed":             {"No contract fits", "Wafer supply"},
		"/market?sponsor=acme":             {"Sponsor acme", "No contract fits"},
		"/market?matched=yes":              {"Wafer supply", "Only what matches me"},
		"/directory":                       {"Reads statutes.", "No agent"},
		"/directory?niche=LEGAL":           {"Reads statutes.", `/agent/bert"`},
		"/directory?tier=UNVERIFIED":       {`/agent/bert"`, "No agent fits"},
		"/directory?tier=ELITE":            {"No agent fits", `/agent/bert"`},
		"/directory?badge=FIELD_AGENT":     {"No agent fits", `/agent/bert"`},
		"/directory?niche=LEGAL&tier=":     {`<td class="num">2.50`, `/agent/bert"`},
		"/feed?channel=LEGAL":              {"No dispatch of that kind", "Pay "},
		"/feed":                            {"Sign in</a> with an agent", "Pay "},
		"/ledger?before=2":                 {"Newer entries", `aria-label="Entry 2"`},
		"/ledger":                          {`aria-label="Entry 2"`, "Newer entries"},
		"/ledger/accounts/wallet:bert":     {"+50.00", "Older postings"},
		"/ledger/accounts/sponsor:acme":    {"Deposit booked", "Nothing was posted"},
		"/ledger/0":                        {"The network begins", `rel="prev"`},
		"/docs/getMe":                      {"Needs a bearer token", "Needs no token"},
		"/docs/listAgents":                 {"/directory", "Needs a bearer token"},
		"/constitution":                    {"L7", "Accept version"},
		"/login?to=/feed":                  {`name="to" value="/feed"`, "nk_0"},
		"/login?to=https://evil.example/x": {`name="to" value="/"`, "evil.example"},
	} {
		got := v.get(path)
		page := html.UnescapeString(got.text)
		if got.StatusCode != 200 || !strings.Contains(page, c.shows) {
			t.Errorf("%s: got %d, want %q shown", path, got.StatusCode, c.shows)
		}
		if strings.Contains(page, c.hides) {
			t.Errorf("%s: shows %q", path, c.hides)
		}
	}
	if page := ada.get("/market?matched=yes").text; !strings.Contains(page, `name="matched" value="yes" checked`) {
		t.Error("an agent's filter forgets that it was set")
	}
	if page := v.get("/market?channel=LEGAL").text; !strings.Contains(page, `value="LEGAL" selected`) {
		t.Error("a filter forgets its channel")
	}
}

// TestContractPage shows to each visitor what it may do with a contract.
func TestContractPage(t *testing.T) {
	w := found(t)
	at := "/market/" + id(w.contract)
	ada := w.visitor()
	ada.login(w.spawn("ada"))
	op := w.visitor()
	op.login(w.op)
	for name, c := range map[string]struct {
		v     *browserless
		shows string
	}{"a stranger": {w.visitor(), "Executing needs an agent"}, "an agent": {ada, "+1.70"}, "an operator": {op, "which is not an agent"}} {
		page := html.UnescapeString(c.v.get(at).text)
		if !strings.Contains(page, c.shows) || !strings.Contains(page, "fabs of the north") {
			t.Errorf("%s: want %q and the payload", name, c.shows)
		}
		if has := strings.Contains(page, `<form method="post" action="`+at+`"`); has != (name == "an agent") {
			t.Errorf("%s: form shown: %v", name, has)
		}
	}
	for says, fields := range map[string][]string{
		"headline": {"body", "b", "sources", "https://example.org/"},
		"sources":  {"headline", "kept headline", "body", "kept body", "sources", "no address"},
	} {
		got := ada.form(at, fields...)
		if got.StatusCode != 422 || !strings.Contains(got.text, says) || !strings.Contains(got.text, `role="alert"`) {
			t.Errorf("without %s: got %d", says, got.StatusCode)
		}
		if len(fields) == 6 && (!strings.Contains(got.text, `value="kept headline"`) || !strings.Contains(got.text, "kept body</textarea>")) {
			t.Error("what was typed is gone")
		}
	}
	var done netkit.ContractReceipt
	w.post(w.op, "/api/market/campaigns/"+id(w.contract)+"/close", `{}`, &done)
	if page := ada.get(at).text; !strings.Contains(page, "This contract is closed") || strings.Contains(page, "Send the signal") {
		t.Error("a closed contract can still be executed")
	}
}

// TestProfilePage says what an agent lacks, and what it says of itself apart
// from that.
func TestProfilePage(t *testing.T) {
	w := found(t)
	w.execute(w.spawn("ada"))
	page := html.UnescapeString(w.visitor().get("/agent/ada").text)
	for _, want := range []string{"Verified by the network", "Claimed by the agent", "It says nothing of what it can do", "No badge yet", "what is missing", `aria-current="step"`,
		"Wallet address: confirmed", "Scores and tier as of", "what is missing, by the end of ", "Missing: ", "Missing:</b>", "51.70", "+1.70", "Balance of wallet:ada from 50.00 to 51.70"} {
		if !strings.Contains(page, want) {
			t.Errorf("the profile does not show %q", want)
		}
	}
	if strings.Contains(page, "is suspended") || strings.Contains(page, "nothing else") {
		t.Error("an agent in good standing is shown as suspended")
	}
}

// A contract without a payload says so, instead of a quotation of nothing.
func TestContractWithoutPayload(t *testing.T) {
	w := found(t)
	at := "/market/" + id(w.open("Grid status", ""))
	for _, accept := range []string{"text/html", "text/markdown"} {
		got := w.visitor().get(at, "Accept", accept).text
		wantAll(t, accept, between(got, "What you work with", "Execute it"), "The brief is all there is.")
	}
}

// An agent's page has no name of a constant in it.
func TestConditionsHaveWords(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	got := w.visitor().get("/agent/ada").text
	wantAll(t, "the ladder", got, "one of Senior correspondent, Dispute master")
	if strings.Contains(got, "SENIOR_CORRESPONDENT") {
		t.Error("the page names a badge as JSON does")
	}
}

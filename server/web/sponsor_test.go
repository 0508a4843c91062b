package web_test

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// sponsor admits a sponsor with funds and returns its token.
func (w *town) sponsor(slug string) string {
	w.t.Helper()
	var out netkit.AdmissionReceipt
	w.post(w.op, "/api/sponsors", `{"sponsor":"`+slug+`"}`, &out)
	w.post(w.op, "/api/sponsors/"+slug+"/deposits", `{"amount":500,"reference":"`+slug+`"}`, nil)
	return out.Token
}

// A sponsor opens, funds and closes a contract, reads what it delivered,
// accepts, reports and takes its receipts, all by forms without a script.
func TestSponsorsOwnSide(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.sponsor("globe"))
	got := v.form("/sponsor", "act", "open", "title", "Grid <watch>", "brief", "b", "channel", "POLICY", "min_tier", "UNVERIFIED", "max_tier", "VERIFIED", "executions_per_agent", "5", "budget", "100")
	if got.StatusCode != 303 {
		t.Fatalf("open: got %d %s, want a new place", got.StatusCode, got.text)
	}
	own := v.get("/sponsor")
	for _, want := range []string{"Grid &lt;watch&gt;", "400.00", "up to ", "Open a contract", "is open with 100.00 credits"} {
		if !strings.Contains(own.text, want) {
			t.Errorf("the sponsor's page says nothing of %q", want)
		}
	}
	list, err := w.net.As("").Market(t.Context(), netkit.MarketQuery{Sponsor: "globe"})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("got %v %v, want one contract", list, err)
	}
	contract := list.Items[0].ID
	if got := v.form("/sponsor", "act", "fund", "campaign_id", id(contract), "amount", "50"); got.StatusCode != 303 {
		t.Errorf("fund: got %d %s", got.StatusCode, got.text)
	}
	var run netkit.Execution
	w.post(w.spawn("ada"), "/api/intent", `{"campaign_id":`+id(contract)+`,"signal":{"headline":"Line <3>","body":"Since noon.","sources":["https://example.org/a"]}}`, &run)
	at := "/market/" + id(contract) + "/results"
	results := v.get(at)
	for _, want := range []string{"Line &lt;3&gt;", "The agent’s words, not checked by the network", "2.00", "Report it", "a bond of 5.00 credits of your free funds", "Accept all"} {
		if !strings.Contains(results.text, want) {
			t.Errorf("the results say nothing of %q", want)
		}
	}
	if got := v.get("/review"); !strings.Contains(got.text, "A report of a sponsor holds a bond of 5.00 credits of its free funds") {
		t.Error("the review page says nothing of a sponsor's bond")
	}
	if got := v.form(at, "act", "accept", "execution_id", id(run.ExecutionID)); got.StatusCode != 303 {
		t.Errorf("accept: got %d %s", got.StatusCode, got.text)
	}
	if got := v.form(at, "act", "accept-all"); got.StatusCode != 303 {
		t.Errorf("accept all: got %d %s", got.StatusCode, got.text)
	}
	if got := v.get(at); strings.Contains(got.text, "Accept all") {
		t.Error("the results offer to accept all where nothing is pending")
	}
	if got := v.form(at, "act", "nonsense"); got.StatusCode != 404 {
		t.Errorf("no such act: got %d", got.StatusCode)
	}
	csv := v.get("/sponsor/receipts.csv")
	if csv.StatusCode != 200 || !strings.HasPrefix(csv.Header.Get("Content-Type"), "text/csv") || !strings.Contains(csv.text, id(run.ExecutionID)+",") || strings.Contains(csv.text, "Line") {
		t.Errorf("receipts: got %d %s", csv.StatusCode, csv.text)
	}
	if got := v.form("/sponsor", "act", "close", "campaign_id", id(contract)); got.StatusCode != 303 {
		t.Errorf("close: got %d %s", got.StatusCode, got.text)
	}
	if got := v.get("/sponsor"); !strings.Contains(got.text, "498.00") {
		t.Error("what was left did not come back to the funds")
	}
}

// Others see the facts of what was delivered and neither signals nor forms.
func TestResultsForOthers(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	run := w.execute(ada)
	at := "/market/" + id(w.contract) + "/results"
	for _, token := range []string{"", w.spawn("bob")} {
		v := w.visitor()
		if token != "" {
			v.login(token)
		}
		got := v.get(at)
		if got.StatusCode != 200 || !strings.Contains(got.text, "/agent/ada") || strings.Contains(got.text, "The agent’s words") || strings.Contains(got.text, "Report it") {
			t.Errorf("got %d %s, want facts alone", got.StatusCode, got.text)
		}
		if got := v.get("/sponsor"); got.StatusCode != 401 && got.StatusCode != 403 {
			t.Errorf("/sponsor: got %d, want a refusal", got.StatusCode)
		}
		if got := v.form(at, "act", "accept", "execution_id", id(run)); got.StatusCode != 401 && got.StatusCode != 403 {
			t.Errorf("accepting for others: got %d, want a refusal", got.StatusCode)
		}
	}
	v := w.visitor()
	v.login(ada)
	if got := v.get(at); !strings.Contains(got.text, "The agent’s words") {
		t.Error("an agent does not read its own signal")
	}
	v.login(w.op)
	if got := v.get("/sponsor?sponsor=acme"); got.StatusCode != 200 || !strings.Contains(got.text, "Sponsor <span") {
		t.Errorf("an operator: got %d", got.StatusCode)
	}
}

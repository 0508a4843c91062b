package web_test

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// A contract with criteria and a schema is opened, executed with data and returned by
// forms without a script, and its page says how its sponsor buys.
func TestStructuredContractByForms(t *testing.T) {
	w := found(t)
	sponsor, agent := w.visitor(), w.visitor()
	sponsor.login(w.sponsor("globe"))
	agent.login(w.spawn("ada"))
	open := []string{"act", "open", "title", "Fab watch", "brief", "b", "channel", "SILICON", "min_tier", "UNVERIFIED", "executions_per_agent", "5", "budget", "100", "criteria", "names the line\n\nis of today", "schema"}
	if got := sponsor.form("/sponsor", append(open, "[1]")...); got.StatusCode != 422 || !strings.Contains(got.text, "is not a JSON object") {
		t.Errorf("a wrong schema: got %d %s", got.StatusCode, got.text)
	}
	if got := sponsor.form("/sponsor", append(open, `{"type":"object","required":["line"],"properties":{"line":{"type":"string"}}}`)...); got.StatusCode != 303 {
		t.Fatalf("open: got %d %s, want a new place", got.StatusCode, got.text)
	}
	list, err := w.net.As("").Market(t.Context(), netkit.MarketQuery{Sponsor: "globe"})
	if err != nil || len(list.Items) != 1 || len(list.Items[0].Criteria) != 2 {
		t.Fatalf("got %+v %v, want a contract with two criteria", list.Items, err)
	}
	at := "/market/" + id(list.Items[0].ID)
	if got := agent.get(at); !strings.Contains(got.text, `name="data"`) || !strings.Contains(got.text, "is of today") || !strings.Contains(got.text, "The sponsor as a buyer") {
		t.Errorf("the contract's page lacks the field of data, the criteria or the buyer: %s", got.text)
	}
	signal := []string{"headline", "h", "body", "b", "sources", "https://example.org/a", "data"}
	if got := agent.form(at, append(signal, `{"line":3}`)...); got.StatusCode != 422 {
		t.Errorf("data that does not fit: got %d, want it refused", got.StatusCode)
	}
	if got := agent.form(at, append(signal, `{"line":"3"}`)...); got.StatusCode != 303 {
		t.Fatalf("execute: got %d %s, want a new place", got.StatusCode, got.text)
	}
	bought, err := w.net.As("globe").Deliveries(t.Context(), netkit.ExecutionQuery{})
	if err != nil || len(bought.Items) != 1 || bought.Items[0].Signal.Data != `{"line":"3"}` {
		t.Fatalf("got %+v %v, want the data delivered", bought.Items, err)
	}
	execution := id(bought.Items[0].ExecutionID)
	for _, x := range []struct {
		second string
		want   int
	}{{"", 422}, {"met", 422}, {"unmet", 303}} {
		if got := sponsor.form(at+"/results", "act", "return", "execution_id", execution, "criterion-1", "met", "criterion-2", x.second); got.StatusCode != x.want {
			t.Errorf("second criterion %q: got %d %s, want %d", x.second, got.StatusCode, got.text, x.want)
		}
	}
	if got := sponsor.get("/sponsor/agents?by=day"); got.StatusCode != 200 || !strings.Contains(got.text, "<svg") || !strings.Contains(got.text, "criterion 2: 0 met, 1 unmet") {
		t.Errorf("the table of agents: got %d %s, want a chart and the criteria", got.StatusCode, got.text)
	}
	if got := sponsor.get("/sponsor/agents.csv"); !strings.Contains(got.text, "ada,") || !strings.Contains(got.text, ".2:0/1") {
		t.Errorf("the file of agents: got %d %s, want ada and the criteria", got.StatusCode, got.text)
	}
	if got := agent.get("/sponsor/agents"); got.StatusCode != 403 {
		t.Errorf("the table of agents for an agent: got %d, want it refused", got.StatusCode)
	}
	if got := agent.get(at + "/results"); !strings.Contains(got.text, "ticked off as met: 1.") || !strings.Contains(got.text, "ticked off as unmet: 2.") {
		t.Errorf("the results do not name the criteria that are ticked off: %s", got.text)
	}
}

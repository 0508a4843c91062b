package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// A preview over HTTP names the executions that an act settles; a report also needs
// the scope of reports.
func TestSettlementOverHTTP(t *testing.T) {
	f := start(t)
	ada, acme := f.spawn("ada"), f.sponsor("acme", 100*netkit.Credit)
	var contract netkit.ContractReceipt
	f.ask("POST", "/api/market/campaigns", acme, netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: 50 * netkit.Credit, ExecutionsPerAgent: 9}).into(200, &contract)
	for range 2 {
		f.ask("POST", "/api/intent", ada, netkit.Execute{CampaignID: contract.CampaignID, Signal: netkit.Signal{Headline: "Line 3 is down", Body: "The third line of the fab stopped at noon after a fault in its cooling.", Sources: []string{"https://example.org/a"}}}).into(200, new(netkit.Execution))
	}
	var p netkit.SettlementPreview
	f.ask("GET", "/api/settlements/preview?action=return&near_duplicate=true", acme, nil).into(200, &p)
	if len(p.ExecutionIDs) != 1 || p.Items[0].NearDuplicateOf != p.ExecutionIDs[0]-1 || p.Amount != 2*netkit.Credit {
		t.Fatalf("got %+v, want the second execution for 2.00", p)
	}
	f.ask("GET", "/api/settlements/preview?action=keep", acme, nil).problem(422, "parameter_wrong")
	f.ask("GET", "/api/settlements/preview?action=return", ada, nil).problem(403, "sponsors_only")
	narrow := f.token(acme, netkit.ScopeMarket).Token
	var want, lines []string
	for _, x := range [][2]string{{`"action":"report","law":"L1","evidence":"e"`, "scope_missing"}, {`"action":"keep"`, "invalid"}, {`"action":"return"`, ""}, {`"action":"accept"`, "execution_returned"}} {
		lines = append(lines, fmt.Sprintf(`{"execution_id":%d,%s}`, p.ExecutionIDs[0], x[0]))
		want = append(want, x[1])
	}
	all, _ := f.sendBulk(catalog.SettleExecutions, narrow, strings.Join(lines, "\n"))
	for i, l := range all {
		got := ""
		if l.Problem != nil {
			got = l.Problem.Code
		}
		if got != want[i] {
			t.Errorf("line %d: got %q, want %q", l.Line, got, want[i])
		}
	}
}

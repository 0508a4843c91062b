package server

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

func TestWalk(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	f.sponsor("acme", 100*netkit.Credit)
	id := f.campaign("acme", 10*netkit.Credit)

	var got netkit.Execution
	f.ask("POST", "/api/intent", ada, execution(id)).into(200, &got)
	want := netkit.Execution{ExecutionID: got.Seq, CampaignID: id, Payout: 200, AgentShare: 170, TreasuryShare: 30, Balance: 5170, Seq: got.Seq, At: netkit.At(f.now.t), ClearsAt: netkit.At(f.now.t.Add(72 * time.Hour))}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	var me netkit.OwnProfile
	f.ask("GET", "/api/agent/me", ada, nil).into(200, &me)
	if me.Balance != 5170 || me.Pending != 170 || me.BioVerified.Transactions != 0 {
		t.Errorf("got %+v, want a balance of 51.70 of which 1.70 are pending, and no transaction", me)
	}
	f.now.t = f.now.t.Add(72 * time.Hour)
	me = netkit.OwnProfile{}
	f.ask("GET", "/api/agent/me", ada, nil).into(200, &me)
	if me.Balance != 5170 || me.Pending != 0 || me.BioVerified.Transactions != 1 {
		t.Errorf("got %+v, want a balance of 51.70 and one transaction", me)
	}
	var books netkit.Books
	f.ask("GET", "/api/ledger/conservation", "", nil).into(200, &books)
	if books.Sum != 0 || books.Treasury != 30 {
		t.Errorf("got %+v, want a sum of 0 and 0.30 in the treasury", books)
	}
	var doc map[string]any
	f.ask("GET", "/openapi.json", "", nil).into(200, &doc)
	b, _ := json.MarshalIndent(doc, "", " ")
	if len(b) < 10000 {
		t.Errorf("got %s", b)
	}
}

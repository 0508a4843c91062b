package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// Each type of event has a sentence, and no field that it names is missing.
func TestEventsAreSentences(t *testing.T) {
	untried := maps.Clone(sentences)
	campaign := map[string]any{"campaign_id": 7, "sponsor": "acme", "amount": netkit.Credits(300), "state": netkit.ContractClosed}
	run := map[string]any{"execution_id": 9, "campaign_id": 7, "agent": "ada", "sponsor": "acme", "payout": netkit.Credits(200)}
	for kind, c := range map[string]struct {
		data any
		want string
	}{
		netkit.EventNotice:           {netkit.Notice{Text: "bob answered"}, "for you: bob answered"},
		netkit.EventDispatch:         {netkit.DispatchNotice{ID: 5, Priority: netkit.P1, Channel: netkit.NicheLegal}, "a P1 dispatch on LEGAL was published: netctl feed show 5"},
		netkit.EventCrisisResolved:   {netkit.CrisisEnd{DispatchID: 5}, "the crisis of dispatch 5 is over"},
		netkit.EventCampaignOpened:   {map[string]any{"campaign_id": 7, "sponsor": "acme", "channel": "LEGAL", "budget": netkit.Credits(1000)}, "acme opened contract 7 on LEGAL with 10.00 credits"},
		netkit.EventCampaignFunded:   {campaign, "acme added 3.00 credits to contract 7"},
		netkit.EventCampaignFinished: {campaign, "contract 7 of acme is closed; 3.00 credits went back"},
		netkit.EventExecution:        {run, "ada executed contract 7 of acme for 2.00 credits"},
		netkit.EventDelivered:        {run, "ada delivered execution 9 for contract 7"},
		netkit.EventAgentSpawned:     {map[string]any{"agent": "ada"}, "ada joined the network"},
		netkit.EventAgentReinstated:  {map[string]any{"agent": "ada"}, "ada is reinstated"},
		netkit.EventBadgeIssued:      {netkit.BadgeIssue{Agent: "ada", Badge: netkit.FieldAgent}, "ada earned the badge FIELD_AGENT"},
		netkit.EventBadgeRevoked:     {netkit.BadgeIssue{Agent: "ada", Badge: netkit.FieldAgent}, "ada lost the badge FIELD_AGENT"},
		netkit.EventSponsorAdmitted:  {map[string]any{"sponsor": "acme"}, "acme is admitted as a sponsor"},
		netkit.EventExchangeOpened:   {map[string]any{"at": "2026-02-20T12:00:00.000Z"}, "the playbook exchange is open; nothing is sold yet"},
		netkit.EventExchangeClosed:   {map[string]any{"at": "2026-02-20T12:00:00.000Z"}, "the playbook exchange is planned again"},
		"of.tomorrow":                {map[string]int{"n": 1}, `of.tomorrow {"n":1}`},
	} {
		if got, err := sentence(&netkit.Event{Type: kind, Data: c.data}); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", kind, got, err, c.want)
		}
		delete(untried, kind)
	}
	got, err := sentence(&netkit.Event{Type: netkit.EventDispatch, Data: netkit.Dispatch{Priority: netkit.P0, Channel: netkit.NicheLegal, Headline: "Grid down"}})
	if err != nil || !strings.HasPrefix(got, "P0 CRISIS on LEGAL: Grid down") {
		t.Errorf("got %q, %v, want the crisis", got, err)
	}
	for kind := range untried {
		t.Errorf("%s is not tried", kind)
	}
}

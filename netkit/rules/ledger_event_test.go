package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// Every kind that is told makes an event with a type of data, and the kinds
// that concern two parties alone are told to nobody else.
func TestTellings(t *testing.T) {
	at := netkit.Millis(5)
	for _, c := range []struct {
		fact Fact
		want netkit.Event
	}{
		{&AgentReinstated{Agent: "ada", Reason: "r"}, netkit.Event{ID: 3, Type: "agent.reinstated", Data: netkit.AgentNotice{Agent: "ada", At: at}}},
		{&BadgeIssued{Agent: "ada", Badge: netkit.FieldAgent, Date: 9}, netkit.Event{ID: 3, Type: "badge.issued", Data: netkit.BadgeIssue{Agent: "ada", Badge: netkit.FieldAgent, Date: 9}}},
		{&BadgeRevoked{Agent: "ada", Badge: netkit.FieldAgent, Reason: "r", Revoker: "op", Witness: "bea"},
			netkit.Event{ID: 3, Type: "badge.revoked", Data: revocationNotice{"ada", netkit.FieldAgent, netkit.RevocationView{Reason: "r", Revoker: "op", Witness: "bea", At: at, Seq: 3}}}},
		{&SponsorAdmitted{Sponsor: "acme", Witness: "bea"}, netkit.Event{ID: 3, Type: "sponsor.admitted", Data: netkit.SponsorNotice{Sponsor: "acme", Witness: "bea", At: at}}},
		{&ExchangeOpened{}, netkit.Event{ID: 3, Type: "exchange.opened", Data: netkit.ExchangeNotice{At: at}}},
		{&ExchangeClosed{}, netkit.Event{ID: 3, Type: "exchange.closed", Data: netkit.ExchangeNotice{At: at}}},
		{&ContractFinished{Campaign: 2, Sponsor: "acme", State: netkit.ContractEnded, Returned: 7},
			netkit.Event{ID: 3, Type: "campaign.finished", Data: netkit.CampaignChange{CampaignID: 2, Sponsor: "acme", State: netkit.ContractEnded, Amount: 7, At: at}}},
		{&Published{Priority: netkit.P2, Channel: netkit.NicheLegal}, netkit.Event{ID: 3, Type: "dispatch", Data: netkit.DispatchNotice{ID: 3, Priority: netkit.P2, Channel: netkit.NicheLegal, PublishedAt: at}}},
		{&AttentionSent{From: "ada", To: "bea"}, netkit.Event{}},
		{&AttentionAnswered{}, netkit.Event{}},
		{&FeedOpened{Agent: "ada"}, netkit.Event{}},
		{&TokenIssued{}, netkit.Event{}},
		{&PlaybookRegistered{}, netkit.Event{}},
	} {
		told, ok := tellings[c.fact.Kind()]
		if !ok {
			if c.want.Type != "" {
				t.Errorf("%s is told to nobody, want %+v", c.fact.Kind(), c.want)
			}
			continue
		}
		data, _, err := told.data(&Entry{Seq: 3, At: at, Kind: c.fact.Kind(), Fact: c.fact}, nil)
		if diff := cmp.Diff(c.want, netkit.Event{ID: 3, Type: told.Name, Data: data}); diff != "" || err != nil {
			t.Errorf("%s: %v %s", c.fact.Kind(), err, diff)
		}
	}
}

// Each kind stands in the table under its own name and has words for people.
func TestKindsHaveTitles(t *testing.T) {
	titles := map[string]netkit.Kind{}
	for kind, row := range Kinds {
		if got := row.make().Kind(); got != kind {
			t.Errorf("the fact of %s is one of %s", kind, got)
		}
		title := netkit.KindTitles[kind]
		if other, taken := titles[title]; taken || title == "" || title == string(kind) {
			t.Errorf("%s: got title %q, that %q has too", kind, title, other)
		}
		titles[title] = kind
	}
	if got, want := len(netkit.KindTitles), len(Kinds); got != want {
		t.Errorf("got %d titles, want one for each of the %d kinds", got, want)
	}
	if got := netkit.Kind("execution").Title(); got != "Contract executed" {
		t.Errorf("got %q", got)
	}
	if got := netkit.Kind("some.new_thing").Title() + netkit.Kind("").Title(); got != "Some new thing" {
		t.Errorf("got %q, want the words of an unknown kind", got)
	}
}

package netkit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every kind that is told makes an event with a type of data, and the kinds
// that concern two parties alone are told to nobody else.
func TestTellings(t *testing.T) {
	at := Millis(5)
	for _, c := range []struct {
		fact Fact
		want Event
	}{
		{&AgentReinstated{Agent: "ada", Reason: "r"}, Event{3, "agent.reinstated", agentNotice{"ada", at}}},
		{&BadgeIssued{Agent: "ada", Badge: FieldAgent, Date: 9}, Event{3, "badge.issued", BadgeIssue{"ada", FieldAgent, 9}}},
		{&BadgeRevoked{Agent: "ada", Badge: FieldAgent, Reason: "r", Revoker: "op", Witness: "bea"},
			Event{3, "badge.revoked", revocationNotice{"ada", FieldAgent, RevocationView{"r", "op", "bea", at, 3}}}},
		{&SponsorAdmitted{Sponsor: "acme", Witness: "bea"}, Event{3, "sponsor.admitted", sponsorNotice{"acme", "bea", at}}},
		{&ExchangeOpened{}, Event{3, "exchange.opened", exchangeNotice{at}}},
		{&ExchangeClosed{}, Event{3, "exchange.closed", exchangeNotice{at}}},
		{&ContractFinished{Campaign: 2, Sponsor: "acme", State: ContractEnded, Returned: 7},
			Event{3, "campaign.finished", campaignChange{2, "acme", ContractEnded, 7, at}}},
		{&Published{Priority: P2, Channel: NicheLegal}, Event{3, "dispatch", DispatchNotice{3, P2, NicheLegal, at}}},
		{&AttentionSent{From: "ada", To: "bea"}, Event{}},
		{&AttentionAnswered{}, Event{}},
		{&FeedOpened{Agent: "ada"}, Event{}},
		{&TokenIssued{}, Event{}},
		{&PlaybookRegistered{}, Event{}},
	} {
		told, ok := tellings[c.fact.kind()]
		if !ok {
			if c.want.Type != "" {
				t.Errorf("%s is told to nobody, want %+v", c.fact.kind(), c.want)
			}
			continue
		}
		data, _, err := told.data(&Entry{Seq: 3, At: at, Kind: c.fact.kind(), Fact: c.fact}, nil)
		if diff := cmp.Diff(c.want, Event{3, told.name, data}); diff != "" || err != nil {
			t.Errorf("%s: %v %s", c.fact.kind(), err, diff)
		}
	}
}

// Each kind stands in the table under its own name and has words for people.
func TestKindsHaveTitles(t *testing.T) {
	titles := map[string]Kind{}
	for kind, row := range kinds {
		if got := row.make().kind(); got != kind {
			t.Errorf("the fact of %s is one of %s", kind, got)
		}
		title := kindTitles[kind]
		if other, taken := titles[title]; taken || title == "" || title == string(kind) {
			t.Errorf("%s: got title %q, that %q has too", kind, title, other)
		}
		titles[title] = kind
	}
	if got, want := len(kindTitles), len(kinds); got != want {
		t.Errorf("got %d titles, want one for each of the %d kinds", got, want)
	}
	if got := Kind("execution").Title(); got != "Contract executed" {
		t.Errorf("got %q", got)
	}
	if got := Kind("some.new_thing").Title() + Kind("").Title(); got != "Some new thing" {
		t.Errorf("got %q, want the words of an unknown kind", got)
	}
}

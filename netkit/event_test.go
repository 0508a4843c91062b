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
		{&agentReinstated{Agent: "ada", Reason: "r"}, Event{3, "agent.reinstated", AgentNotice{"ada", at}}},
		{&badgeIssued{Agent: "ada", Badge: FieldAgent, Date: 9}, Event{3, "badge.issued", BadgeIssue{"ada", FieldAgent, 9}}},
		{&badgeRevoked{Agent: "ada", Badge: FieldAgent, Reason: "r", Revoker: "op", Witness: "bea"},
			Event{3, "badge.revoked", RevocationNotice{"ada", FieldAgent, RevocationView{"r", "op", "bea", at, 3}}}},
		{&sponsorAdmitted{Sponsor: "acme", Witness: "bea"}, Event{3, "sponsor.admitted", SponsorNotice{"acme", "bea", at}}},
		{&exchangeOpened{}, Event{3, "exchange.opened", ExchangeNotice{at}}},
		{&contractFinished{Campaign: 2, Sponsor: "acme", State: ContractEnded, Returned: 7},
			Event{3, "campaign.finished", CampaignChange{2, "acme", ContractEnded, 7, at}}},
		{&published{Priority: P2, Channel: NicheLegal}, Event{3, "dispatch", DispatchNotice{3, P2, NicheLegal, at}}},
		{&attentionSent{From: "ada", To: "bea"}, Event{}},
		{&attentionAnswered{}, Event{}},
		{&feedOpened{Agent: "ada"}, Event{}},
		{&tokenIssued{}, Event{}},
		{&playbookRegistered{}, Event{}},
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

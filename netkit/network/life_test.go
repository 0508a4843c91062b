package network

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// town is a network in which agents earn everything by what they do, through
// the public methods alone, with a night after every day.
type town struct {
	*fixture
	sponsors []string
	issued   map[string][]netkit.Badge
}

func (w *town) tomorrow() {
	w.t.Helper()
	w.days(1)
	for _, b := range w.night().Issued {
		w.issued[b.Agent] = append(w.issued[b.Agent], b.Badge)
	}
}

// works executes one new contract of each of some sponsors.
func (w *town) works(sponsors int, slugs ...string) {
	w.t.Helper()
	for _, sponsor := range w.sponsors[:sponsors] {
		id := w.opens(sponsor, 400*netkit.Credit, 1)
		for _, slug := range slugs {
			w.executes(slug, id)
		}
		must[netkit.ContractReceipt](w.t)(w.op().CloseContract(w.t.Context(), netkit.CloseContract{CampaignID: id}))
	}
}

// A whole life: three agents earn a badge each, honestly, in virtual time.
func TestBadgesAreEarnedInALife(t *testing.T) {
	w := &town{fixture: memory(t), issued: map[string][]netkit.Badge{}}
	for _, slug := range []string{"acme", "bolt", "core", "dyne"} {
		r := w.proposes(slug)
		must[netkit.Deposited](t)(w.op().Deposit(t.Context(), netkit.Deposit{Sponsor: r.Sponsor, Amount: 1_000_000 * netkit.Credit, Reference: "wire"}))
		w.sponsors = append(w.sponsors, slug)
	}
	senders, reporters, reported := named("sender", 12), named("reporter", 8), named("reported", 8)
	w.agents("field", "senior", "single")
	w.agents(slices.Concat(senders, reporters, reported)...)
	w.reviewers("judge", "second", "third")
	w.confirms("field", "senior", "judge", "single")
	w.takes("senior", netkit.Credit)

	w.earnFieldAgent()
	w.earnDisputeMaster(reporters, reported)
	w.earnSeniorCorrespondent(senders)

	for slug, want := range map[string][]netkit.Badge{"field": {netkit.FieldAgent}, "judge": {netkit.FieldAgent, netkit.DisputeMaster}, "senior": {netkit.FieldAgent, netkit.SeniorCorrespondent}, "single": nil} {
		if got := w.issued[slug]; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v; %s", slug, got, want, w.why(slug))
		}
	}
	for slug, want := range map[string]netkit.Tier{"field": netkit.Badged, "judge": netkit.Elite, "senior": netkit.Elite, "single": netkit.Verified} {
		if got := must[netkit.Profile](t)(w.As("").Profile(t.Context(), slug)).BioVerified; got.Tier != want {
			t.Errorf("%s: got %+v, want tier %s", slug, got, want)
		}
	}
	if sum := w.state.Books().Sum; sum != 0 {
		t.Errorf("all accounts sum to %s, want 0", sum)
	}
	w.replays(t, string(w.state.Canonical()))
	before := string(w.state.Canonical())
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.open()
	if got := string(w.state.Canonical()); w.resumed == 0 || got != before {
		t.Error("the snapshot gives another state")
	}
}

func named(prefix string, n int) []string {
	slugs := make([]string, n)
	for k := range slugs {
		slugs[k] = fmt.Sprintf("%s-%02d", prefix, k)
	}
	return slugs
}

// earnFieldAgent is ten days of work for four sponsors; one agent works for a
// single sponsor all the time.
func (w *town) earnFieldAgent() {
	w.t.Helper()
	for d := range 10 {
		if len(w.issued["field"]) != 0 {
			w.t.Fatalf("a badge after %d days of work", d)
		}
		w.works(3, "field")
		w.works(1, "single")
		w.tomorrow()
	}
}

// earnDisputeMaster is twenty reports of eight agents against eight others,
// each judged within a day and final after seven.
func (w *town) earnDisputeMaster(reporters, reported []string) {
	w.t.Helper()
	ctx := w.t.Context()
	for k := range 20 {
		w.works(4, "judge")
		accused, reporter := reported[k%8], reporters[k%8]
		id := w.opens(w.sponsors[0], 10*netkit.Credit, 1)
		c := must[netkit.CaseReceipt](w.t)(w.As(reporter).Report(ctx, netkit.Report{Subject: w.executes(accused, id), Law: "L1", Evidence: "it looks odd"}))
		w.passes(2 * time.Hour)
		w.votes(c.CaseID, false, "judge", "second")
		w.tomorrow()
	}
	for range 8 {
		w.tomorrow()
	}
}

// earnSeniorCorrespondent is an answer on most days over fifteen weeks, to
// senders who pay with what they earned.
func (w *town) earnSeniorCorrespondent(senders []string) {
	w.t.Helper()
	ctx := w.t.Context()
	for d := range 105 {
		if d < 12 || d%3 == 0 {
			w.works(4, "senior", "judge", senders[d%12], senders[(d+5)%12])
		}
		if d%7 < 5 {
			r := w.asks(senders[d%12], "senior")
			w.passes(time.Hour)
			must[netkit.AttentionReceipt](w.t)(w.As("senior").AnswerAttention(ctx, netkit.AnswerAttention{ID: r.ID, Body: "yes"}))
		}
		w.tomorrow()
	}
}

// why lists what an agent misses.
func (w *town) why(slug string) string {
	text := ""
	for _, b := range must[netkit.Explanation](w.t)(w.As("").Explain(w.t.Context(), slug, new(netkit.At(w.now).Day()))).Badges {
		for _, c := range b.Conditions {
			if !c.Met {
				text += fmt.Sprintf("\n%s %s: need %s, have %s", b.Badge, c.Name, c.Need, c.Have)
			}
		}
	}
	return text
}

package netkit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A new network has nothing to amend.
func TestNewNetworksHaveTheRecommendedRules(t *testing.T) {
	law := Version1()
	if got, changes := law.Recommended("2026-11-23"); got != law || changes != nil {
		t.Errorf("got %+v, want no change", changes)
	}
}

// A running network takes the rules that it lacks and those that changed, and
// keeps what its operators chose.
func TestRecommendedKeepsOwnRules(t *testing.T) {
	running := Version1()
	r := &running.Review
	r.IncomeDays, r.RefundForReward, r.ReportReward = 0, false, 2*Credit
	running.Scores.AcceptedCounts, running.Limits.NewcomersPending = false, 0
	running.Detectors.SponsorsFrom, running.Detectors.SponsorsAlike = 10, 9500
	r.VerdictFee, running.Market.ClearingHours = 3*Credit, 48 // their own
	want := *running
	want.Version, want.Issued = "1.1.0", "2026-11-23"
	want.Review.IncomeDays, want.Review.RefundForReward, want.Review.ReportReward = 30, true, Credit/10
	want.Detectors.SponsorsFrom, want.Detectors.SponsorsAlike = 0, 0
	want.Scores.AcceptedCounts, want.Limits.NewcomersPending = true, 2000
	got, changes := running.Recommended("2026-11-23")
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
	if diff := cmp.Diff([]ConstitutionChange{
		{"detectors.sponsors_alike", "0.95", "0"}, {"detectors.sponsors_from", "10", "0"},
		{"limits.newcomers_pending", "", "0.20"}, {"review.income_days", "", "30"}, {"review.refund_for_reward", "", "true"},
		{"review.report_reward", "2.00", "0.10"}, {"scores.accepted_counts", "", "true"},
	}, changes); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
	own := *running
	own.Review.ReportReward, own.Detectors.SponsorsAlike, own.Version = 5*Credit, 9000, "1.4.2"
	if got, _ := own.Recommended("2026-11-23"); got.Review.ReportReward != 5*Credit || got.Detectors.SponsorsAlike != 9000 || got.Version != "1.5.0" {
		t.Errorf("got a reward of %s and sponsors_alike of %s in version %s, want the operators' 5.00 and 0.90 in 1.5.0", got.Review.ReportReward, got.Detectors.SponsorsAlike, got.Version)
	}
}

package rules

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
)

// What a party paid is the sum of its rows, whatever was added or taken back on
// which date, lost with a batch or read from a snapshot.
func TestPaidIsTheSumOfItsDates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewState()
		s.law = netkit.Version1()
		s.enrol(Party{Slug: "operator", Kind: netkit.OperatorParty})
		s.enrol(Party{Slug: "acme", Kind: netkit.SponsorParty})
		s.Commit()
		want, lost := map[netkit.Day]netkit.Credits{}, map[netkit.Day]netkit.Credits{}
		today := netkit.Day(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				today += netkit.Day(rapid.IntRange(0, 90).Draw(t, "days"))
			case 1:
				s.Commit()
				lost = map[netkit.Day]netkit.Credits{}
			case 2:
				s.Rollback()
				for d, sum := range lost {
					want[d] -= sum
				}
				lost = map[netkit.Day]netkit.Credits{}
			default:
				d := today + netkit.Day(rapid.IntRange(-3, 3).Draw(t, "on"))
				sum := netkit.Credits(rapid.IntRange(-500, 5000).Draw(t, "sum"))
				s.addPaid(1, 0, d, sum)
				want[d] += sum
				lost[d] += sum
			}
			date, days := today-netkit.Day(rapid.IntRange(0, 2).Draw(t, "ago")), rapid.IntRange(1, 200).Draw(t, "window")
			var sum netkit.Credits
			for d, paid := range want {
				if d <= date && int(date-d) < days {
					sum += paid
				}
			}
			if got := s.PaidIn(1, date, days); got != sum {
				t.Fatalf("got %s in %d days up to %d, want %s", got, days, date, sum)
			}
		}
	})
}

// Rows that no night looks at any more are dropped when another comes.
func TestOldPaymentsAreDropped(t *testing.T) {
	s := NewState()
	s.law = netkit.Version1()
	s.enrol(Party{Slug: "operator", Kind: netkit.OperatorParty})
	for d := range netkit.Day(1000) {
		s.addPaid(0, 0, d, 100)
		s.Commit()
		s.nights.Edit(s.night).Closed = d
	}
	p := s.payers.At(s.agenda.At(0).Payer)
	if len(p.rows) > 181 || s.PaidIn(0, 999, 180) != 18_000 {
		t.Errorf("got %d rows with %s in the window, want at most 181 with 180.00", len(p.rows), s.PaidIn(0, 999, 180))
	}
}

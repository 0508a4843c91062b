package network

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// A refusal names the rule of the market that causes it, with the figures that moved it
// and the next step.
func TestRefusalsNameTheirRule(t *testing.T) {
	signals := func(f *fixture, id uint64, times int) {
		for range times {
			f.executes("ada", id)
		}
	}
	for _, x := range []struct {
		rule string
		law  func(*netkit.Constitution)
		act  func(f *fixture, id uint64) error // ada may execute contract id of acme 30 times
		code string
		want string
	}{
		{"dealings with a sponsor keep reviewers off while enough remain", func(c *netkit.Constitution) { c.Review.PanelFloor = 5000 }, func(f *fixture, id uint64) error {
			f.reviewers(named("rev", 12)...)
			filed := f.reports("acme", f.executes("ada", id), "L1")
			f.agents("zoe")
			_, err := f.As("zoe").Verdict(f.t.Context(), netkit.Verdict{CaseID: filed.CaseID, Reasoning: "read"})
			return err
		}, "not_drawn", "with a sponsor as long as 0.50 of all reviewers remain"},
		{"open reports of a sponsor", func(c *netkit.Constitution) { c.Review.SponsorOpenReports = 1 }, func(f *fixture, id uint64) error {
			f.reports("acme", f.executes("ada", id), "L1")
			_, err := f.As("acme").Report(f.t.Context(), netkit.Report{Subject: f.executes("ada", id), Law: "L1", Evidence: "wrong"})
			return err
		}, "reports_open", "you have 1 report that is not final, and at most 1 may be open"},
		{"the bond of a sponsor's report", func(c *netkit.Constitution) { c.Review.SponsorBond = 500 * netkit.Credit }, func(f *fixture, id uint64) error {
			_, err := f.As("acme").Report(f.t.Context(), netkit.Report{Subject: f.executes("ada", id), Law: "L1", Evidence: "wrong"})
			return err
		}, "sponsor_funds", "bond of 500.00 credits"},
		{"pay that may wait to clear", func(c *netkit.Constitution) { c.Market.UnclearedUnverified = 5 * netkit.Credit }, func(f *fixture, id uint64) error {
			signals(f, id, 2)
			return f.tries(f.t, "ada", id)
		}, "uncleared_limit", "is 3.40 credits; with this execution's 1.70 it would be over the 5.00 that an agent at UNVERIFIED may have"},
		{"the part of newcomers", newcomers(0), func(f *fixture, id uint64) error {
			signals(f, id, 6)
			return f.tries(f.t, "ada", id)
		}, "newcomers_share", "newcomers were paid 12.00 credits of this contract's budget, and their part is 12.00; you are a newcomer, with fewer than 10 cleared transactions"},
		{"the part of one newcomer", newcomers(3), func(f *fixture, id uint64) error {
			signals(f, id, 2)
			return f.tries(f.t, "ada", id)
		}, "newcomers_share", "you were paid 4.00 credits of this contract's budget, and one newcomer's part is 4.00; you are a newcomer"},
		{"returns of a sponsor", returnable, func(f *fixture, id uint64) error {
			signals(f, id, 2)
			must[netkit.ReturnReceipt](f.t)(f.returns("acme", f.executes("ada", id)))
			_, err := f.returns("acme", f.executes("ada", id))
			return err
		}, "returns_used", "you returned 1 of your 4 purchases in 30 days, and may return 0.10 of them, rounded up"},
		{"a constitution without returns", nil, func(f *fixture, id uint64) error {
			_, err := f.returns("acme", f.executes("ada", id))
			return err
		}, "returns_used", "the constitution lets no sponsor return an execution"},
		{"the ceiling of a contract", nil, func(f *fixture, _ uint64) error {
			id := f.offers(func(c *netkit.OpenContract) {
				c.Matching.MinTier, c.Matching.MaxTier = netkit.Verified, new(netkit.Badged)
			})
			return f.tries(f.t, "ada", id)
		}, "not_matched", "min_tier: you are UNVERIFIED, and it pays VERIFIED to BADGED"},
		{"exclusive signals without marks", nil, func(f *fixture, _ uint64) error {
			_, err := f.As("acme").OpenContract(f.t.Context(), netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit, Exclusive: true})
			return err
		}, "exclusive_unavailable", "the constitution marks no resold signals"},
	} {
		t.Run(x.rule, func(t *testing.T) {
			laws := []func(*netkit.Constitution){sponsorReports, clearing(72)}
			if x.law != nil {
				laws = append(laws, x.law)
			}
			f := memory(t, laws...)
			f.agents("ada")
			f.admit("acme", 200*netkit.Credit)
			r, ok := errors.AsType[*netkit.Refusal](x.act(f, f.opens("acme", 60*netkit.Credit, 30)))
			if !ok || r.Code != x.code || !strings.Contains(r.What+"; "+r.Next, x.want) || r.Next == "" {
				t.Errorf("got %+v, want %s: ...%s..., and a next step", r, x.code, x.want)
			}
		})
	}
}

// newcomers is a change of the constitution: newcomers get a fifth of a budget, and one
// of them so much of that, 0 all.
func newcomers(least int) func(*netkit.Constitution) {
	return func(c *netkit.Constitution) {
		c.Market.NewcomersShare, c.Market.NewcomersTransactions, c.Market.NewcomersLeast = 2000, 10, least
	}
}

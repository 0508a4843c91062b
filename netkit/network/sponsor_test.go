package network

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

func TestDepositBadInput(t *testing.T) {
	f := memory(t)
	f.admit("acme", netkit.Credit)
	for _, c := range []struct {
		code string
		in   netkit.Deposit
	}{
		{"amount_not_positive", netkit.Deposit{Sponsor: "acme", Amount: 0, Reference: "wire"}},
		{"amount_not_positive", netkit.Deposit{Sponsor: "acme", Amount: -1, Reference: "wire"}},
		{"amount_too_large", netkit.Deposit{Sponsor: "acme", Amount: netkit.MaxAmount + 1, Reference: "wire"}},
		{"text_missing", netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: ""}},
		{"text_too_long", netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: strings.Repeat("x", 121)}},
		{"text_not_utf8", netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: "wire \xff"}},
		{"text_control", netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: "wire\x00"}},
	} {
		f.Unchanged(t, func() {
			_, err := f.op().Deposit(t.Context(), c.in)
			refused(t, err, netkit.ErrInvalid, c.code)
		})
	}
	f.has(netkit.SponsorFunds("acme"), netkit.Credit)
}

// One outside document books once for a sponsor, whoever books it, also after
// its text was erased; another sponsor may have a document of the same name.
func TestReferenceBooksOnce(t *testing.T) {
	f := memory(t)
	f.admit("acme", netkit.Credit) // by "wire 1"
	f.admit("boreal", netkit.Credit)
	in := netkit.Deposit{Sponsor: "acme", Amount: 5 * netkit.Credit, Reference: "wire 2"}
	first := must[netkit.Deposited](t)(f.op().Deposit(netkit.WithKey(t.Context(), "k"), in))
	again := func() {
		t.Helper()
		f.Unchanged(t, func() {
			_, err := f.op().Deposit(t.Context(), in)
			refused(t, err, netkit.ErrConflict, "deposit_booked")
			if !strings.Contains(err.Error(), fmt.Sprint("entry ", first.Seq)) {
				t.Errorf("got %v, want it to name entry %d", err, first.Seq)
			}
			if got := must[netkit.Deposited](t)(f.op().Deposit(netkit.WithKey(t.Context(), "k"), in)); got != first {
				t.Errorf("a retry with its key: got %+v, want %+v", got, first)
			}
		})
	}
	again()
	f.restarts(t)
	again()
	must[netkit.ErasureReceipt](t)(f.op().ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: first.Seq, Reason: "names a person"}))
	again()
	must[netkit.Deposited](t)(f.op().Deposit(t.Context(), netkit.Deposit{Sponsor: "boreal", Amount: netkit.Credit, Reference: "wire 2"}))
	f.has(netkit.SponsorFunds("acme"), 6*netkit.Credit)
	f.has(netkit.SponsorFunds("boreal"), 2*netkit.Credit)
}

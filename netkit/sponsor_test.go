package netkit

import (
	"fmt"
	"strings"
	"testing"
)

func TestDepositBadInput(t *testing.T) {
	f := memory(t)
	f.admit("acme", Credit)
	for _, c := range []struct {
		code string
		in   Deposit
	}{
		{"amount_not_positive", Deposit{"acme", 0, "wire"}},
		{"amount_not_positive", Deposit{"acme", -1, "wire"}},
		{"amount_too_large", Deposit{"acme", MaxAmount + 1, "wire"}},
		{"text_missing", Deposit{"acme", Credit, ""}},
		{"text_too_long", Deposit{"acme", Credit, strings.Repeat("x", 121)}},
		{"text_not_utf8", Deposit{"acme", Credit, "wire \xff"}},
		{"text_control", Deposit{"acme", Credit, "wire\x00"}},
	} {
		f.unchanged(t, func() {
			_, err := f.op().Deposit(t.Context(), c.in)
			refused(t, err, ErrInvalid, c.code)
		})
	}
	f.has(SponsorFunds("acme"), Credit)
}

// One outside document books once for a sponsor, whoever books it, also after
// its text was erased; another sponsor may have a document of the same name.
func TestReferenceBooksOnce(t *testing.T) {
	f := memory(t)
	f.admit("acme", Credit) // by "wire 1"
	f.admit("boreal", Credit)
	in := Deposit{"acme", 5 * Credit, "wire 2"}
	first := must[Deposited](t)(f.op().Deposit(WithKey(t.Context(), "k"), in))
	again := func() {
		t.Helper()
		f.unchanged(t, func() {
			_, err := f.op().Deposit(t.Context(), in)
			refused(t, err, ErrConflict, "deposit_booked")
			if !strings.Contains(err.Error(), fmt.Sprint("entry ", first.Seq)) {
				t.Errorf("got %v, want it to name entry %d", err, first.Seq)
			}
			if got := must[Deposited](t)(f.op().Deposit(WithKey(t.Context(), "k"), in)); got != first {
				t.Errorf("a retry with its key: got %+v, want %+v", got, first)
			}
		})
	}
	again()
	f.restarts(t)
	again()
	must[ErasureReceipt](t)(f.op().ErasePrivate(t.Context(), ErasePrivate{first.Seq, "names a person"}))
	again()
	must[Deposited](t)(f.op().Deposit(t.Context(), Deposit{"boreal", Credit, "wire 2"}))
	f.has(SponsorFunds("acme"), 6*Credit)
	f.has(SponsorFunds("boreal"), 2*Credit)
}

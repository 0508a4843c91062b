package netkit

import (
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
			_, err := f.Deposit(t.Context(), f.op, c.in)
			refused(t, err, ErrInvalid, c.code)
		})
	}
	f.has(SponsorFunds("acme"), Credit)
}

package detect

import (
	"strings"
	"testing"
)

// User names that hold a given name go, those of firms and fields stay.
func TestHandles(t *testing.T) {
	for _, c := range [][2]string{
		{"Message @marjo_ferret on the forum.", "@marjo_ferret"},
		{"The seller lola_b33 never shipped.", "lola_b33"},
		{"The user Sylwia_92 posted my letter.", "Sylwia_92"},
		{"Ask @anna.k and @svetlana about it.", "@anna.k|@svetlana"},
		{"Mention @Ofgem, @BritishGas and @amazon_help; tag #refund.", ""},
		{"The field claim_id and form_b33 were blank, so was @grace_period.", ""},
	} {
		if got := strings.Join(people("steps", c[0]), "|"); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

package detect

import (
	"strings"
	"testing"
)

// Abbreviations with full stops are no initials, and initials no abbreviation.
func TestDotted(t *testing.T) {
	for _, c := range [][2]string{
		{"K.Y.C. pending; the O.T.P. expired.", ""},
		{"They kept the R.C. book of the car.", ""},
		{"An F.I.R. was lodged; the P.O. Box was closed.", ""},
		{"Si applica il D.M. 19 dicembre 2013.", ""},
		{"A U.S. Marshal served it; the U.K. Border agency refused.", ""},
		{"The E.M.I. Payment was late. R.T.I. Appeal filed.", ""},
		{"A.S.L. Roma 1 e I.N.P.S. Milano hanno risposto.", ""},
		{"Our contact was J.R. Hartwell, who signed.", "J.R. Hartwell"},
		{"Signed by P.K. Menon and S. Banerjee.", "P.K. Menon|S. Banerjee"},
		{"Letter of A. J. Whitcombe arrived.", "A. J. Whitcombe"},
	} {
		if got := strings.Join(people("steps", c[0]), "|"); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

func TestDottedEnd(t *testing.T) {
	for text, want := range map[string]string{"K.Y.C. pending": "kyc", "U.S Marshal": "us", "J. R. Hartwell": "j", "Claim": ""} {
		if _, got := Read(Input{"steps", text}).dottedEnd(0); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

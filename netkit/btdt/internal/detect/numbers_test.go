package detect

import (
	"slices"
	"testing"
)

// Numbers of eighteen regions, as people of each write them.
func TestPhonesGo(t *testing.T) {
	for region, number := range map[string]string{
		"US": "(312) 555-0187", "US dots": "312.555.0187", "US one": "1-860-273-0123", "GB": "020 7946 0958", "GB abroad": "+44 (0)20 7946 0123", "DE": "030 23125 204", "DE slash": "030/1234567",
		"FR": "01 42 68 53 00", "ES": "912 345 678", "IT": "06 698 12345", "NL": "020 624 1111", "PL": "22 621 02 50", "BR": "(11) 91234-5678", "PT": "213 456 789",
		"AT": "+43 1 514 39", "CH": "044 668 18 00", "BE": "02 555 12 12", "IE": "01 677 1717", "AU": "0412 884 093", "MX": "55 5345 8000", "IN": "+91 98450 27713", "SE": "08-123 456 78",
		"international": "0049 30 1234567", "SE abroad": "+46 8 123 456 78",
	} {
		text := "Call tel. " + number + " at noon."
		if got := found(text); !slices.Contains(got, "PHONE:"+number) {
			t.Errorf("%s: %q: got %q, want the number", region, text, got)
		}
	}
}

func TestExtensionsGo(t *testing.T) {
	for text, want := range map[string]string{
		"call 312-555-0187 ext. 4471 today":        "PHONE:312-555-0187 ext. 4471",
		"call 312-555-0187 x4471 today":            "PHONE:312-555-0187 x4471",
		"desk (898)666-3621x0135, mobile":          "PHONE:(898)666-3621x0135",
		"ring me, ext. 3309":                       "PHONE:ext. 3309",
		"Tel. 030 23125 204, Durchwahl 17, bitte.": "PHONE:030 23125 204, Durchwahl 17",
	} {
		if got := found(text); !slices.Contains(got, want) {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
	}
}

// Long numbers and codes of desks go without any word before them.
func TestCodesGo(t *testing.T) {
	for text, want := range map[string]string{
		"it was 1234567 all along":         "OTHER_ID:1234567",
		"they opened INC0045123 and left":  "OTHER_ID:INC0045123",
		"closed under SR-4471 at once":     "OTHER_ID:SR-4471",
		"in DP-00714 we read":              "OTHER_ID:DP-00714",
		"see #44715 there":                 "OTHER_ID:44715",
		"ATK 4471 9920 is printed on it":   "OTHER_ID:ATK 4471 9920",
		"then WMC-2023-11-0887 was listed": "OTHER_ID:WMC-2023-11-0887",
	} {
		if got := found(text); !slices.Contains(got, want) {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
	}
}

// Sums, spans, laws, forms and models stay.
func TestNumbersKeep(t *testing.T) {
	for _, text := range []string{
		"$1 250 000, then 1.250.000 EUR, then £4,812.33 and 12 000 zł.", "The years 2019-2024 and 2021/2022.", "A fee of 0.15 % over 36 months.",
		"ISO-27001, EN12345, DIN 18560, CMS-1500.", "45 CFR 164.524; 15 U.S.C. § 1666; 29 CFR 2560.503-1.", "Directive 93/13/EEC and 261/2004/EG.",
		"Dial 1-866-444-3272 or (855) 411-2372; the consumer helpline is 0808 223 1133.", "The free hotline, 1-800-242-7110, is open to all.", "AFCA 1800 931 678; ACAS, 0300 123 1100; INPS 803 164.",
		"IRC R905.2.8.5 wants drip edge, IBC 1507.2.",
		"The iPhone 14, a Boeing 737-800, the A320.", "Step 3 of 12, page 44, room 208.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

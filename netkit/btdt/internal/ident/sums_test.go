package ident

import (
	"strings"
	"testing"
)

// published are numbers that their issuers, standards or common references give
// as examples. Spaces and dashes are for reading.
var published = []struct {
	name  string
	check func(string) bool
	good  []string
	bad   []string
}{
	{"IBAN", IBAN, []string{"GB82 WEST 1234 5698 7654 32", "DE89 3704 0044 0532 0130 00", "FR14 2004 1010 0505 0001 3M02 606",
		"NL91 ABNA 0417 1643 00", "ES91 2100 0418 4502 0005 1332", "IT60 X054 2811 1010 0000 0123 456", "PL61 1090 1014 0000 0712 1981 2874",
		"BE68 5390 0754 7034", "PT50 0002 0123 1234 5678 9015 4", "CH93 0076 2011 6238 5295 7", "NO93 8601 1117 947", "MT84 MALT 0110 0001 2345 MTLC AST0 01S"},
		[]string{"DE89 3704 0044 0532 0130 01", "XX89 3704 0044 0532 0130 00", "DE89"}},
	{"card", Card, []string{"4111 1111 1111 1111", "5555 5555 5555 4444", "3782 822463 10005", "6011 1111 1111 1117", "3056 9309 0259 04",
		"3530 1113 3330 0000", "4222 2222 2222 2", "2223 0000 4841 0010", "6304 0000 0000 0000"}, []string{"4111 1111 1111 1112", "1234 5678 9012 3456"}},
	{"SSN", SSN, []string{"219-09-9999", "078-05-1120"}, []string{"000-12-3456", "666-12-3456", "900-12-3456", "123-00-4567", "123-45-0000"}},
	{"ITIN", ITIN, []string{"912-70-1234", "900-70-0000", "999-88-9999"}, []string{"912-10-1234", "812-70-1234", "912-93-1234"}},
	{"NPI", NPI, []string{"1234567893", "1245319599"}, []string{"1234567890"}},
	{"ABA", ABA, []string{"111000025", "021000021", "122105155"}, []string{"111000026", "991000025"}},
	{"MBI", MBI, []string{"1EG4-TE5-MK73", "1EG4-TE5-MK72"}, []string{"1SG4-TE5-MK73", "0EG4-TE5-MK73"}},
	{"DEA", DEA, []string{"AB1234563", "F91234563"}, []string{"AB1234564"}},
	{"NHS", NHS, []string{"943 476 5919", "943 476 5870"}, []string{"943 476 5918"}},
	{"NINO", NINO, []string{"QQ 12 34 56 C", "AB 12 34 56 C", "JG 10 37 59 A"}, []string{"DA 12 34 56 C", "AB 12 34 56 E"}},
	{"Steuer-ID", SteuerID, []string{"86 095 742 719", "47 036 892 816", "65 929 970 489"}, []string{"86 095 742 718", "11111111111"}},
	{"NIR", NIR, []string{"1 85 05 78 006 084 91", "2 55 08 14 168 025 38", "2 69 05 49 588 157 80"}, []string{"1 85 05 78 006 084 92"}},
	{"DNI", DNI, []string{"12345678Z", "X1234567L", "Y1234567X", "Z1234567R", "00000000T"}, []string{"12345678A"}},
	{"codice fiscale", CodiceFiscale, []string{"RSSMRA85T10A562S", "MRTMTT91D08F205J"}, []string{"RSSMRA85T10A562T"}},
	{"PESEL", PESEL, []string{"44051401359", "02070803628"}, []string{"44051401358"}},
	{"BSN", BSN, []string{"111222333", "123456782"}, []string{"111222334"}},
	{"Belgian", Belgian, []string{"85.07.30-033 28", "17 07 30 033 84"}, []string{"85.07.30-033 29"}},
	{"personnummer", Personnummer, []string{"811228-9874", "670919-9530", "19811228-9874"}, []string{"811228-9873"}},
	{"SIN", SIN, []string{"046 454 286"}, []string{"046 454 287"}},
	{"TFN", TFN, []string{"123 456 782", "876 543 210"}, []string{"123 456 789"}},
	{"Medicare AU", MedicareAU, []string{"2123 45670 1", "2428 77813 2 1"}, []string{"2123 45671 1"}},
	{"ABN", ABN, []string{"51 824 753 556", "53 004 085 616"}, []string{"51 824 753 557"}},
	{"Aadhaar", Aadhaar, []string{"2341 2341 2346", "4991 1866 5246"}, []string{"2341 2341 2347"}},
	{"PAN", PAN, []string{"AFZPK7190K", "AAAPL1234C"}, []string{"AFZXK7190K"}},
	{"CPF", CPF, []string{"529.982.247-25", "111.444.777-35"}, []string{"529.982.247-24", "111.111.111-11"}},
	{"CNPJ", CNPJ, []string{"11.444.777/0001-61", "11.222.333/0001-81"}, []string{"11.444.777/0001-62"}},
	{"VIN", VIN, []string{"1HGCM82633A004352", "1M8GDM9AXKP042788"}, []string{"1HGCM82633A004353"}},
	{"IMEI", IMEI, []string{"49-015420-323751-8", "35-209900-176148-1"}, []string{"49-015420-323751-9"}},
	{"Bitcoin", Bitcoin, []string{"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
		"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"},
		[]string{"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"}},
	{"Ethereum", Ethereum, []string{"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}, []string{"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg"}},
}

func bareForm(s string) string {
	return strings.NewReplacer(" ", "", "-", "", ".", "", "/", "").Replace(s)
}

func TestPublishedNumbers(t *testing.T) {
	for _, p := range published {
		for _, s := range p.good {
			if !p.check(bareForm(s)) {
				t.Errorf("%s: got %s refused, want it known", p.name, s)
			}
		}
		for _, s := range append(p.bad, "", "A", "1") {
			if p.check(bareForm(s)) {
				t.Errorf("%s: got %q known, want it refused", p.name, s)
			}
		}
	}
}

// A single wrong digit must be seen by every check that promises so.
func TestOneWrongDigitIsSeen(t *testing.T) {
	for _, p := range published {
		switch p.name {
		case "SSN", "ITIN", "MBI", "NINO", "PAN", "Ethereum", "card", "DEA", "VIN", "Medicare AU", "ABN", "Bitcoin", "IBAN", "codice fiscale", "Belgian":
			continue // a form, or a check over a part, or several alphabets
		}
		for _, s := range p.good {
			b := []byte(bareForm(s))
			for i, c := range b {
				if c < '0' || c > '9' || i == 0 {
					continue
				}
				b[i] = '0' + (c-'0'+1)%10
				if p.check(string(b)) {
					t.Errorf("%s: got %s known, want the wrong digit in %s seen", p.name, b, s)
				}
				b[i] = c
			}
		}
	}
}

func FuzzNoPanic(f *testing.F) {
	f.Add("DE89370400440532013000")
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range published {
			p.check(s)
		}
	})
}

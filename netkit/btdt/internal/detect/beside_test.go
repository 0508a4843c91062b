package detect

import (
	"strings"
	"testing"
)

// Each row is a text and the people in it, divided by bars.
func TestBesideOthers(t *testing.T) {
	for _, c := range [][2]string{
		{"The engineer, Wayne Smith of Acme Heating, came twice.", "Wayne Smith"},
		{"We got through to Priya Shah of Acme Heating.", "Priya Shah"},
		{"Report by Anil Kapoor for Weston Insurance was wrong.", "Anil Kapoor"},
		{"Il buono scuola di Leila Haddadi è stato pagato.", "Leila Haddadi"},
		{"Asesoría de Lucía Romero de Seguros Catalana nos llamó.", "Lucía Romero"},
		{"Gareth Pugh of Pugh & Sons Roofing signed for it.", "Gareth Pugh"},
		{"The University of St Andrews refunded the fee.", ""},
		{"The Prince of Wales Hospital and the Bank of Ireland refused.", ""},
		{"Write to the Bill and Melinda Gates Foundation.", ""},
		{"Sivarasa a/l Muniandy signed the tenancy form.", "Sivarasa a/l Muniandy"},
		{"The account of Harbans Singh s/o Gurdial Singh was frozen.", "Harbans Singh s/o Gurdial Singh"},
		{"The applicant, Balan anak Jugah, waited.", "Balan anak Jugah"},
		{"Ask for the and/or clause; w/o prejudice letter; c/o the bank.", ""},
		{"Use the JSON/XML export and the AC/DC plug.", ""},
		{"Iker San Sebastián lo firmó.", "Iker San Sebastián"},
		{"Marta San Martín habló conmigo.", "Marta San Martín"},
		{"Victoria's ombudsman upheld it; Georgia's insurance department fined them.", ""},
		{"Austin's teacher called me.", "Austin"},
		{"Thank Noor and Ilse for the advice.", "Noor|Ilse"},
		{"APPELER MME DELACROIX LE MATIN; DEMANDER LE MÉDIATEUR.", "MME DELACROIX"},
		{"Olá Thaís, obrigado. Cześć Bartek, danke.", "Thaís|Bartek"},
		{"Hola Equipo; Danke an Heike.", "Heike"},
		{"Cite In re Gault and Ex parte Young in the motion.", ""},
		{"Tom & Sarah moved out in June.", "Tom|Sarah"},
		{"Ben & Jerry's replaced the tub; Salt & Pepper did not.", ""},
		{"Marie & Paul Bakery refunded us.", ""},
	} {
		if got := strings.Join(people("steps", c[0]), "|"); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

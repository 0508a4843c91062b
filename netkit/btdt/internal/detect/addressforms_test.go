package detect

import (
	"strings"
	"testing"
)

// places gives the addresses that a text holds.
func places(text string) string {
	x := Read(Input{"steps", text})
	var got []string
	for _, s := range x.Spans() {
		if s.Type == Address {
			got = append(got, x.Slice(s.From, s.To))
		}
	}
	return strings.Join(got, "|")
}

// Each row is a text and the address in it, whole.
func TestAnchoredAddresses(t *testing.T) {
	for _, c := range [][2]string{
		{"Please send it to PSC 4417, Box 220\nAPO AE 09128 by Monday.", "PSC 4417, Box 220\nAPO AE 09128"},
		{"Forward to USS Harlan\nFPO AP 96671 until May.", "USS Harlan\nFPO AP 96671"},
		{"They live at the corner of 15 Palm Street and Cedar Drive.", "the corner of 15 Palm Street and Cedar Drive"},
		{"She lives on the corner of ul. Cicha 86 and Leokadia Trail now.", "the corner of ul. Cicha 86 and Leokadia Trail"},
		{"Meet me at 8514 Qwelveien 46 Apt. 085 today.", "8514 Qwelveien 46 Apt. 085"},
		{"We met at 12 Qwel apt o once.", "12 Qwel apt"}, // no flat that the end of an address takes
		{"Die Wohnung Auf der Höhe 14, 57078 Siegen ist zu kalt.", "Auf der Höhe 14, 57078 Siegen"},
		{"Sie wohnt Unter den Eichen 5, Whg. 12, 65195 Wiesbaden.", "Unter den Eichen 5, Whg. 12, 65195 Wiesbaden"},
		{"De meter aan de Burgemeester Reigerlaan 15 is kapot.", "Burgemeester Reigerlaan 15"},
		{"Mi madre vive en Camino de los Molinos s/n, 06800 Mérida.", "Camino de los Molinos s/n, 06800 Mérida"},
		{"Siamo in Località Poggio alle Mura 5, 53024 Montalcino.", "Località Poggio alle Mura 5, 53024 Montalcino"},
		{"Deliver to Flat No. 9, Second Floor, Qokul Dham Society, Goregaon East, Mumbai 400063.", "Flat No. 9, Second Floor, Qokul Dham Society, Goregaon East, Mumbai 400063"},
		{"Meine Wohnung in 8005 Zürich, Langstrasse 200, ist feucht.", "8005 Zürich, Langstrasse 200"},
		{"Die Wohnung für Am Graben 7-9 ist nicht frei.", "Am Graben 7-9"},
		{"Adresse bisher: Bei der Kirche 4, 6850 Dornbirn", "Bei der Kirche 4, 6850 Dornbirn"},
		{"Der Anschluss Lindenallee 9c, EG rechts ist tot.", "Lindenallee 9c, EG rechts"},
		{"The people of 33 and 35 Ashburn Way signed too.", "33 and 35 Ashburn Way"},
		{"A casa da Ladeira da Glória 88, Rio de Janeiro está à venda.", "Ladeira da Glória 88, Rio de Janeiro"},
		{"My aunt lives on Old Quarry Road 7 near the lake.", "Old Quarry Road 7"},
		{"I live at Qillcrest, 4 Sandy Lane, Lymm WA13 9QR now.", "Qillcrest, 4 Sandy Lane, Lymm WA13 9QR"},
		{"O apartamento da Avenida da Boavista 1203, 5.º Esq. Frente é meu.", "Avenida da Boavista 1203, 5.o Esq. Frente"},
		{"Mon adresse est Qelvire 12 depuis mai.", "Qelvire 12"},
		{"Sent to 12 Garnet Street\nOakvale\nNew Lothian (North) 51034", "12 Garnet Street\nOakvale\nNew Lothian (North) 51034"},
	} {
		if got := places(c[0]); got != c[1] {
			t.Errorf("%s\n got %q\nwant %q", c[0], got, c[1])
		}
	}
}

// Corners, suites and numbers that hold no house stay.
func TestUnanchored(t *testing.T) {
	for _, text := range []string{
		"Meet at the corner of Main Street and Fifth Avenue.",
		"Ask in Suite 300 for the form.",
		"I live in fear since they sold me 12 of them.",
		"The APO wrote back after a week.",
		"He lives on 400 a month and has 12 days left.",
	} {
		if got := places(text); got != "" {
			t.Errorf("%s\n got %q, want none", text, got)
		}
	}
}

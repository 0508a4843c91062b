package detect

import "testing"

func TestRegistersGo(t *testing.T) {
	for text, want := range map[string]string{
		"Eilverfahren in Halle, S 21 KR 402/24 ER, läuft.":      "S 21 KR 402/24 ER",
		"Bestellt unter 531 XVII 447/22 am Gericht.":            "531 XVII 447/22",
		"The wire went from ****8814 to them.":                  "8814",
		"It was 4506 44** **** 9921 that was tapped.":           "4506 44** **** 9921",
		"On the slip: xxxx-xxxx-xxxx-4417.":                     "xxxx-xxxx-xxxx-4417",
		"De UWV-kenmerk B-44188/LK klopt.":                      "B-44188/LK",
		"Die Allianz-Police 7.441.882 ruht.":                    "7.441.882",
		"Prokuratura: PR 2 Ds. 817.2022 umorzona.":              "PR 2 Ds. 817.2022",
		"Komornik, GKm 88/22, nie odpowiada.":                   "GKm 88/22",
		"Klage beim Landgericht Osnabrück, 5 O 1177/23.":        "5 O 1177/23",
		"Sąd Rejonowy, sprawa I C 1147/23, czeka.":              "I C 1147/23",
		"Sąd w sprawie I C 1187/22 zasądził zwrot.":             "I C 1187/22",
		"Indemnizó el turismo 4471 KZB en mayo.":                "4471 KZB",
		"Denuncia iscritta al n. 8817/22 RGNR in procura.":      "8817/22 RGNR",
		"Procedimento penale 4187/22 R.G.N.R. archiviato.":      "4187/22 R.G.N.R",
		"Repertorio 44.718, raccolta n. 9.003 del notaio.":      "9.003",
		"Conta no banco, ag. 0418, c/c 22073-9, bloqueada.":     "0418",
		"My address, D08 XK4P, was wrong.":                      "D08 XK4P",
		"La voiture 48217-\u0623-6 a été enlevée.":              "48217-\u0623-6",
		"Passo carrabile n. 447/1988 ancora valido.":            "447/1988",
		"Cedolino n. 0447/23 corretto.":                         "0447/23",
		"El agente con TIP 74218 redactó el informe.":           "74218",
		"El empleado con gafete 77120 me atendió.":              "77120",
		"Gave them the booking, QX7LM2, twice.":                 "QX7LM2",
		"Denuncia en comisaría, agente 77184.":                  "77184",
		"Aluno n.º a77184 excluído.":                            "a77184",
		"CCP 0012 448 871 clé 62 débité deux fois.":             "0012 448 871 clé 62",
		"Colissimo 8R 9041 7733 102 égaré.":                     "8R 9041 7733 102",
		"Demanda 904/2024 en el juzgado segundo.":               "904/2024",
		"Podałam kod QX7T4M na infolinii.":                      "QX7T4M",
		"Sent M-Pesa code QKL8XX21P0 to support.":               "QKL8XX21P0",
		"Brief met kenmerk B&B 2023-771-0482 ontvangen.":        "B&B 2023-771-0482",
		"Encomenda RR 041 877 120 PT perdida.":                  "RR 041 877 120 PT",
		"Rachunek kończący się na 4187 zajęty.":                 "4187",
		"Notatka L.dz. 77/23 z komisariatu, auto rej. KR 12345": "KR 12345",
	} {
		if !covered(text, want) {
			t.Errorf("%q: got %q, want %s", text, found(text), want)
		}
	}
}

func TestNoRegisters(t *testing.T) {
	for _, text := range []string{
		"Max 123 places; a size XX 12 shirt; 5 * 40 * 3 boxes.", "La raccolta differenziata 2023 parte lunedì.", "They sat in row D08 all day.", "Ag. 14 chiude.", "Take form RG to the desk.",
		"NSA II OSK 1182/19", "Cite the ruling DTF 143 V 418 and ATF 141 V 281 in the appeal.", "Orden ECO/734/2004", "Aviso n.º 10/2014 do Banco de Portugal",
		"File Form I-797C copy with the SR163.", "Fill in the G30 and the PM-56-118.", "Bill it under MBS item 2713.", "Cite Policy Item C3-12.00 of the manual.",
		"Policy CG 00 01 wording of the form.", "Executive Order 14028 helps.", "Call the regulator's 0800 111 6768 helpline.", "Invoice of 12 May 2023 for it.", "Fiche F21070 du site.",
		"Urteil BGH VIII ZR 123/20.", "2021 ONSC 1234 is cited.", "Facture de 1 204,50 euros, commande de 2022.",
		"Composez le numéro 3639 de La Banque Postale.", "Llamar a la línea gratuita 01 800 083 7700 de la Condusef.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

// Money behind a word of references is no reference.
func TestSumsBesideCuesStay(t *testing.T) {
	for _, text := range []string{
		"Invoice for 412 000 FCFA was cancelled.", "Order of KES 84000 was refunded.", "The claim of PKR 145,000 was paid.", "Facture de 20 000 francs annulée.",
		"Fattura da 4.300 franchi stornata.", "The invoice of Rs. 84,500 was wrong.", "Policy paid Rs 5,00,000 to us.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

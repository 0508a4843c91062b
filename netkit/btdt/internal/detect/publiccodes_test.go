package detect

import "testing"

// Codes that everybody shares stay.
func TestPublicCodesStay(t *testing.T) {
	for _, text := range []string{
		"Tariff item 9813.00.00 lets goods come home free; they had used 9202.90.90.",
		"Zolltarifnummer 8517 13 00 statt 8471 30 00.",
		"The heading is HS 6403.91.90 and TARIC 8703 23 90 10.",
		"The message was a SWIFT MT103.",
		"La carte de la DDT, échelle 1/5 000, suffit.",
		"Cite 42 CFR 422.568 and the national coverage determination 220.6.17.",
		"They cited their policy CG-REHAB-04 and SURG.00045.",
		"L'ordonnance n° 2016-131 du 10 février 2016 suffit.",
		"CAD 1,800 was sent back the same day.",
		"Zone de police 5339 et commissariat.",
		"O código TUSS 30715016 não exige autorização.",
		"Nummer 33012 im EBM gilt für alle.",
		"Demander la convention, numéro LPP 1277057.",
		"Uchwała rady ma numer XLII/377/21, bez związku.",
		"ISIN DE0005190003 und WKN 519000 standen richtig da.",
		"IMO 9811000 is the ship.",
		"Le code 2042-RICI suffit.",
		"At the centre, ticket 211, then lunch.",
		"Referral LRA 7.11 went in on day 27 of 30.",
		"La Peugeot 3008 dormait dans la cour.",
		"d.P.R. 162/1999; art. 1575 c.c.",
		"Slachtofferhulp, 0900-0101, luisterde.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

// Numbers of somebody that look like them go.
func TestOwnCodesGo(t *testing.T) {
	for text, want := range map[string]string{
		"Klantnummer 3044.18.77 werd geweigerd.":                      "3044.18.77",
		"Reference 4471.88.20 was given to me on the phone.":          "4471.88.20",
		"Mon dossier 4471.88.20 a été classé.":                        "4471.88.20",
		"The customs officer opened file 4471 88 20 in my name.":      "4471 88 20",
		"My parents have no street; write to them at PO Box 1285.":    "PO Box 1285",
		"La Renault 5 4471 VX 31 dormait là.":                         "4471 VX 31",
		"Faxing to (818) 555-0142, a number that rings a dentist.":    "(818) 555-0142",
		"Die Karte mit den Endziffern 6634 wurde gesperrt.":           "6634",
		"My husband's Amex (…31007) was declined in Oslo.":            "31007",
		"płatność kartą kończącą się na 9273":                         "9273",
		"la carta che finisce con 4471":                               "4471",
		"Posted to Wolverhampton, KT 447 182 094 GB.":                 "KT 447 182 094 GB",
		"Beschluss des Bezirksgerichts Horn, 3 A 118/24m.":            "3 A 118/24m",
		"Das Insolvenzgericht führt 36q IN 4471/23 noch.":             "36q IN 4471/23",
		"Causa n. 412/2023 R.G.L., il giudice rinvia.":                "412/2023 R.G.L.",
		"Ktoś o nicku @giorgi_wynajem_waw tylko mnie zablokował.":     "@giorgi_wynajem_waw",
		"Vinted user minty.fresh_04 sold me the coat.":                "minty.fresh_04",
		"On Reddit u/brokenboiler22 said so.":                         "u/brokenboiler22",
		"UPI handle anandroop77@okaxis and the bank made it simple.":  "anandroop77@okaxis",
		"Einlagezahl EZ 73 GB 73208 samt Tagebuchzahl TZ 1182/2024.":  "1182/2024",
		"PV n° TGV 8844 0471 82, dossier voyage QXKW7T, départ.":      "QXKW7T",
		"The booking reference, mine was R5TLWZ.":                     "R5TLWZ",
		"The booking K3PWQL had been split into K3PWQM.":              "K3PWQM",
		"Er bekam Post von der Kammer, HWK-V 2024/338.":               "2024/338",
		"Policy PN 4471 0098 C was his.":                              "PN 4471 0098 C",
		"The dashcam from 7KTX 914 did not.":                          "7KTX 914",
		"La multa era por el 0471 KTV.":                               "0471 KTV",
		"Mein Vater, Jg. 1948, wartet.":                               "1948",
		"They mailed it to P.O. Box 2219, Tupelo, MS 38803 instead.":  "P.O. Box 2219, Tupelo, MS 38803",
		"Records showed 01/01/1979 while my Aadhaar says 17/08/1981.": "01/01/1979",
		"Il mio Hu è del 21/12/1995, che ne dite?":                    "21/12/1995",
		"Mijn opa (van 1936) kreeg een nieuwe pas.":                   "1936",
		"Mio nonno, classe 1939, non si veste più da solo.":           "1939",
		"Papà è del '41 e non lo sapevano.":                           "41",
		"My nan, 11.02.1931, never had a passport.":                   "11.02.1931",
	} {
		if !covered(text, want) {
			t.Errorf("%q: %s stays", text, want)
		}
	}
}

// What looks like a birth, a card or a user name stays.
func TestLikeOwnStays(t *testing.T) {
	for _, text := range []string{
		"La lettera di mia madre è del 1998.", "The passport was issued 3 June 1999.", "I showed a letter of my father, 3 June 1969, about the fence.",
		"Tweet @BritishGasHelp about it.", "The user 4th in line got it; profile v2.", "The year ending 2023 was good.",
		"Write to them at PO Box 1285, Warrington WA1 9GL.", "Send it to Aetna Appeals, PO Box 14463, Lexington, KY 40512.",
		"The card fee, ending 2024, is gone.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

package detect

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// announced are words before a number, a row a language, and the type of what
// they announce. A fresh code behind any of them goes.
var announced = map[string][]string{
	CaseRef: {
		"Claim #", "File No.", "Ref:", "Conf. no.", "RMA", "PNR:", "complaint ref", "docket no.", "our ref.", "case number", "SR-number", "badge", "ticket", "police report no.",
		"Schadennummer", "Aktenzeichen", "Az.:", "Vorgangsnummer", "Unser Zeichen:", "Rechnungs-Nr.", "Bestellnr.", "Widerspruchsnummer", "Ticket-ID", "Schaden-Nr.",
		"numéro de dossier", "dossier n°", "sinistre n°", "N/Réf.", "facture n°", "procès-verbal n°", "réclamation nº",
		"nº de expediente", "expediente n.º", "número de siniestro", "reclamación nº", "pedido n.º", "parte nº", "localizador",
		"processo nº", "protocolo n.º", "sinistro nº", "reclamação n.º", "boletim de ocorrência nº", "pedido nº",
		"protocollo n.", "pratica n.", "sinistro n.", "Rif.", "fattura n.", "verbale n.", "R.G. n.",
		"dossiernummer", "kenmerk", "zaaknummer", "klachtnummer", "factuurnr.", "meldingsnummer:",
		"sygnatura akt", "nr sprawy", "numer szkody", "zgłoszenie nr", "reklamacja nr", "faktura nr", "znak sprawy:",
	},
	PolicyRef: {
		"policy number", "Policy #", "member ID", "group no.", "contract no.", "certificate no.", "Versicherungsnummer", "Police Nr.", "Vertragsnummer", "Mitgliedsnummer",
		"numéro de police", "contrat n°", "n° d'adhérent", "número de póliza", "póliza nº", "contrato nº", "número da apólice", "apólice n.º",
		"numero di polizza", "polizza n.", "contratto n.", "polisnummer", "contractnummer", "numer polisy", "umowa nr", "polisa nr",
	},
	Account: {
		"account number", "Acct. no.", "customer no.", "loan number", "Kundennummer", "Kd.-Nr.", "Konto Nr.", "Vertragskonto", "numéro de compte", "n° client", "n° d'allocataire",
		"número de cuenta", "nº de cliente", "número da conta", "código do cliente", "codice cliente", "conto corrente n.", "klantnummer", "rekeningnummer", "numer klienta", "nr konta",
	},
	NationalID: {
		"passport no.", "driver's license #", "Personalausweisnummer", "Reisepass Nr.", "numéro de passeport", "permis de conduire n°", "pasaporte nº", "permiso de conducir nº",
		"passaporte n.º", "carta de condução", "carta d'identità n.", "patente n.", "paspoortnummer", "rijbewijsnummer", "nr dowodu", "paszport nr", "alien number",
	},
	Vehicle: {"number plate", "Rego", "Kennzeichen", "immatriculation", "matrícula", "placa", "targa", "kenteken", "numer rejestracyjny", "chassis no."},
	OtherID: {"tracking no.", "serial no.", "meter number", "Sendungsnummer", "Zählernummer", "numéro de colis", "n° de compteur", "contador nº", "código de rastreio", "matricola contatore", "meternummer", "nr seryjny", "nr przesyłki", "IMEI"},
}

// codes are the ways in which offices write numbers: 9 is a digit, ? a capital.
var codes = []string{"99999999", "??-9999-999999", "?99/999999", "9999/99/??/99999", "??? 999 99999", "9999 9999 99", "?9999999", "99-999-9999-9", "??9999999999", "99.999.99-9"}

// All words of all languages find all codes.
// The types of things are no references.
func TestModelsStay(t *testing.T) {
	for _, text := range []string{"Tirar fotos da moto (Honda CG 160) dos quatro lados.", "Ours was a Serie 4 SMS4HVW33G from the shop.", "Seal and tag the Itron 100G module."} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

func TestAnnouncedCodesGo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, kind := range slices.Sorted(maps.Keys(announced)) {
		words := announced[kind]
		for _, word := range words {
			for _, code := range codes {
				value := fill(code, random)
				if kind == Vehicle {
					value = fill("?? 999 ??", random)
				}
				for _, text := range []string{
					fmt.Sprintf("%s %s", word, value),
					fmt.Sprintf("They wrote \"%s %s\", nothing else.", word, value),
					fmt.Sprintf("(%s: %s)", strings.TrimRight(word, ":"), value),
				} {
					if !covered(text, value) {
						t.Errorf("%q: got %q, want all of %s as %s", text, found(text), value, kind)
					}
				}
			}
		}
	}
}

// fill draws a code. No digit is 0 to 2 at the start of a group, which keeps days
// and years out; those are tested by themselves.
func fill(form string, random *rand.Rand) string {
	b := []byte(form)
	for i, c := range b {
		switch c {
		case '9':
			b[i] = byte('3' + random.IntN(7))
		case '?':
			b[i] = "BCDFGHJKLMNPQRSTVWXZ"[random.IntN(20)]
		}
	}
	return string(b)
}

func TestReferencesReachTheirValues(t *testing.T) {
	for text, want := range map[string]string{
		// Words and signs between.
		"The licence was reinstated, number YILDI 811094 A99TR.":    "YILDI 811094 A99TR",
		"quoted the wrong claim, SG/SUB/11872.":                     "SG/SUB/11872",
		"Carta d'identità elettronica CA38205FK smarrita":           "CA38205FK",
		"polizza viaggio AWP-IT 3233440":                            "AWP-IT 3233440",
		"Das Formular verlangt die Schadennummer, etwa 24-11-447-S": "24-11-447-S",
		"the account that my late father held was 4410-98273":       "4410-98273",
		// Court numbers.
		"Sygnatura I ACa 442/36: apelacja oddalona": "I ACa 442/36",
		"egzekucja, sygn. Km 2214/22":               "Km 2214/22",
		"Geschäftszahl 12 C 345/23k liegt vor":      "12 C 345/23k",
		"Dossier no 31-240117-004 T au tribunal":    "31-240117-004 T",
		// Groups apart.
		"Conta salário 3301-5 / 60.927-8 bloqueada":         "3301-5 / 60.927-8",
		"nr nadania (00) 259 0077 31 0448 2716":             "259 0077 31 0448 2716",
		"Cartella n. 097 2019 0231 8845 06 000 mai":         "097 2019 0231 8845 06 000",
		"N° de sécurité sociale 2 84 07 13 055 218 47 noté": "2 84 07 13 055 218 47",
		"Alien number A 213 556 901":                        "A 213 556 901",
		"Umowa nr WAR/4471/2022 z Wartą":                    "WAR/4471/2022",
		"employee no. IN-40917 changed tone":                "IN-40917",
		// Before the cue.
		"They said 4471-22-B is my claim number.": "4471-22-B",
		"Officer 77120-K (badge number) signed":   "77120-K",
		"KPD 7482 (that's the plate) was cloned.": "KPD 7482",
		"Q7-44 12 (unser Aktenzeichen) stand da.": "Q7-44 12",
		"0023-88-K is the reference they gave.":   "0023-88-K",
		// With a word that quotes between, or typed in small letters.
		"His badge said 4471 and nothing else.":    "4471",
		"booking 6kx7pq was cancelled by them":     "6kx7pq",
		"Sprawie nadano numer RPW/44881/23, potem": "RPW/44881/23",
		"Complaint № 5-2291 was closed.":           "5-2291",
		// What the sign for number is of, whatever it may be.
		"n° de minute 23/4418-B rendu":                  "23/4418-B",
		"nr serwisowy 44-718 podano":                    "44-718",
		"nº de mutualista 44-718 en la carta":           "44-718",
		"Iscritta al n. 441/23 del registro":            "441/23",
		"Quoting 4419-A at the desk did nothing":        "4419-A",
		"A reserva, código Q4TR8W, foi anulada":         "Q4TR8W",
		"Aluna n.º up2021-04418, matriculada":           "up2021-04418",
		"n° DO 1180-442-77 de l'assurance":              "DO 1180-442-77",
		"Código de asegurado 81 0415 ABFCR 003":         "81 0415 ABFCR 003",
		"The agent, code BLR-4471, rang off":            "BLR-4471",
		"Im Pachtvertrag 4418-77B steht es":             "4418-77B",
		"Reg KDG 442T was clamped":                      "KDG 442T",
		"\"What's your order number?\" \"700-2214-B.\"": "700-2214-B",
		"Meldung 44-188 (Mängelmelder) blieb offen":     "44-188",
		"Man nannte mir BK-2044 als Vorgangsnummer":     "BK-2044",
		"Me asignaron C-0441/24 como expediente":        "C-0441/24",
		// Plurals and cases.
		"Do fakturze 44-718 dołączono list":    "44-718",
		"Die Fälle 4418/23 und 4419/23 ruhen":  "4418/23",
		"Vorgangskennung VK-0099-7712 angeben": "VK-0099-7712",
		"Protocollata con 44-718 in comune":    "44-718",
		// In quotation marks of any kind.
		"oggetto «sinistro n. 1-8101-2023-0457712» inviato": "1-8101-2023-0457712",
		"mit „Az. 4471/23-K“ im Betreff":                    "4471/23-K",
		// The end of a number.
		"My account ends in 0342, hers does not.": "0342",
		"Die letzten vier Ziffern lauten 4471.":   "4471",
		"NIG: 28079 00 2 2023 0012345":            "28079 00 2 2023 0012345",
		"Aktenz. 3 O 117/23 (LG München I)":       "3 O 117/23",
		// Letters alone.
		"Booking reference QWXKTB at the desk":   "QWXKTB",
		"Auto o numerze WX 4417G stało legalnie": "WX 4417G",
		"Kod rezerwacji R7WQ2K, bilet":           "R7WQ2K",
		"sort code 20-45-77":                     "20-45-77",
	} {
		if !covered(text, want) {
			t.Errorf("%q: got %q, want all of %s", text, found(text), want)
		}
	}
}

// More values in a row go with the first, and so do codes of the same form.
func TestFurtherValues(t *testing.T) {
	for text, want := range map[string][]string{
		"Facturas FE86-835490 y FE97-055366, la segunda duplicada":     {"FE86-835490", "FE97-055366"},
		"claims 4471-AB, 4472-AB and 4480-CD were joined":              {"4471-AB", "4472-AB", "4480-CD"},
		"My numberplate is KJB 417, his is KJB 471; they mixed us up.": {"KJB 417", "KJB 471"},
		"ticket HB-44-71K was closed; then came HB-44-72K by itself.":  {"HB-44-71K", "HB-44-72K"},
		"invoice no. 88213-A & 88214-A":                                {"88213-A", "88214-A"},
		"The adjuster kept confusing claims 88-1 and 88-2.":            {"88-1", "88-2"},
		"Sinistros 44881 e 44882 tratados juntos.":                     {"44881", "44882"},
		"Aktenzeichen L 4 KR 112/23 sowie S 12 KR 44/22.":              {"L 4 KR 112/23", "S 12 KR 44/22"},
		"Billets perdus, dossiers WKTRPX et QPLMZA, même train.":       {"WKTRPX", "QPLMZA"},
		"It's invoice #2023/118, not #2023/181.":                       {"2023/118", "2023/181"},
		"Pratiche 22/A e 23/A riunite dal perito.":                     {"22/A", "23/A"},
		"Le fatture n. 448/E e n. 449/E contestate.":                   {"448/E", "449/E"},
	} {
		for _, w := range want {
			if !covered(text, w) {
				t.Errorf("%q: got %q, want all of %s", text, found(text), w)
			}
		}
	}
}

// Numbers that many people share stay, also behind words that announce.
func TestReferencesKeep(t *testing.T) {
	for _, text := range []string{
		"The claim took 30 days and the appeal 14 more.", "We filed the case in 2023 and won in 2024.",
		"An order of $1,240.50 and an invoice of 1.250.000 EUR.", "The refund of 1240.50 came late.",
		"Case C-520/21 decides this; see also Sturgeon v Condor, C-402/07.", "BGH, Urteil, Az. VIII ZR 43/19, hilft.",
		"Trybunał w sprawie C-520/21 rozstrzygnął.", "Cass. civ., 12 mai 2021, n° 20-13.255.", "Loi n° 89-462, décret n° 2015-1325.",
		"Attach Form 1095-A and Form CMS-1500, cite section 75 and rule 12b-1.", "Prior authorisation for a GLP-1 drug, a COVID-19 test.",
		"Ask for policy section 4.2 and clause 12.", "Joindre le formulaire Cerfa n° 12156*06.", "delibera 348/18/CONS",
		"Hand the clerk EX160 first, then claim N244 back.", "Nr. 14 war laut, Haus Nr. 3 nicht.", "The complaint cost 40.000 km of driving.", "Their report was 120 pages, my file 80.",
		"Standard BS 7671:2018 and ASTM E2018-15 were quoted.", "Rev. Proc. 2018-58 allows it; bulletin TSB 18-2044 too.", "He quoted 4500 for the job.",
		"ZIP code 43215, error code 90210, código postal 28013.", "El juzgado de primera instancia n.º 11 bis.", "Numero verde 800 900 860 per tutti.", "Recibo de S/ 1 940 devuelto.", "No quedan 4471 en la tienda, no hay.", "Toestel Philips EP2231 kapot.",
		"Cite C.R.S. 38-12-103, RCW 70.170.060, WAC 246-453 and POMS DI 23022.120.", "Housing Benefit Regulations 2006 reg 100; O. Reg. 516/06.", "USCIS mandó el aviso I-797C.", "Kod ICD-10 nie trafia do pracodawcy.",
		"Chargeback-Code 13.1 angeben.", "Una carta registada: 1/4 do capital.", "The part number AX-2204 fits all.", "Error code 0x80070643 came.", "TUDO FOI ENTREGUE NO DIA 3 À TARDE.", "Instruction n° DGCS/SD1C/2016/417 citée.",
		"Cite HMRC EIM21741 for it.", "Windows 11 23H2 broke the portal.", "Siehe BT-Drs. 18/10822 dazu.", "Le BOFiP BOI-IR-RICI-150 le dit.", "Tarif bleu 6 kVA, 0,2276 €/kWh.",
		"The meter read 44188 in May.", "Nr. 7008 VV RVG, auch hier.", "Licznik 4418 kWh podany.", "Zählerstand 20931 kWh.",
		"We saw claims 12-15 pages long and 3-4 calls.", "They said orders 5-10 and then 8 more.", "Test the Bosch WAN28281GB and the Samsung WW90T534DAW washers.",
		"Ask for the claim file under 29 CFR 2560.503-1 today.", "§ 312 BGB, Art. 15 DSGVO, 45 CFR 164.524", "Resolución 1234/2022 y circular 3/2018",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

// A compound tells by its first part what its number is of.
func TestCompound(t *testing.T) {
	for word, want := range map[string]string{
		"Kundennummer": Account, "Versicherungs-Nr": PolicyRef, "Widerspruchsnummer": CaseRef, "Sendungsnummer": OtherID, "Ausweisnummer": NationalID,
		"Kenntnis": "", "Nummer": "", "Aktenzeichen": CaseRef, "Telefonnummer": Phone, "Kartennummer": Financial, "Ticket-ID": CaseRef, "zaaknr": CaseRef,
	} {
		if got := compound(word); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

// Acronyms announce in capitals alone: sin is Spanish for without.
func TestAcronymsNeedCapitals(t *testing.T) {
	if got := found("Estuvo sin 4471 llamadas."); got != nil {
		t.Errorf("got %q, want nothing", got)
	}
	if got := found("SIN 4471 882"); !slices.Contains(got, "NATIONAL_ID:4471 882") {
		t.Errorf("got %q, want the number", got)
	}
}

// Whatever stands around, spans lie in order on the borders of characters and
// nothing panics.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"Claim # 4471-22 é", "„Az. 12 C 345/23k“", "IBAN DE89 3704 0044 0532 0130 00»", "born 4 X 1938 (Ana, 3 mei '48)", "no. no. no. 1", "KX-512-B 1QF 7ZB", "(00) 1", "a@b.co [NAME_1] (ext. 12"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x := Read(Input{"steps", text})
		last := 0
		for _, s := range x.Spans() {
			if s.From < last || s.To <= s.From || s.To > len(x.s) {
				t.Fatalf("%q: span %+v overlaps, is empty or lies outside", text, s)
			}
			if !boundary(x.s, s.From) || !boundary(x.s, s.To) {
				t.Fatalf("%q: span %+v cuts a character", text, s)
			}
			last = s.To
		}
	})
}

func boundary(s string, i int) bool { return i == len(s) || s[i]&0xC0 != 0x80 }

// Any text between two others finds what it finds alone: no sign makes a reader
// lose its place.
func TestValuesWithAnySigns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SampledFrom([]string{"", "é ", "(", "“", "«", "… ", "\t", "\n", "– ", "1. ", "§ 3; "}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", ".", ",", ")", "”", "»", "…", "\n", " –", "!", "; é"}).Draw(t, "after")
		if text := before + "claim no. HB-4471-22" + after; !covered(text, "HB-4471-22") {
			t.Fatalf("%q: got %q, want the number", text, found(text))
		}
	})
}

// In the field of levers stand laws and rulings; somebody's own file needs a word
// that says so.
func TestLeversKeepTheirNumbers(t *testing.T) {
	levers := func(text string) int { return len(Read(Input{"legal_levers", text}).Spans()) }
	for _, text := range []string{"RBI Guidelines RBI/2022-23/111", "Ordonnance n° 74-1 du 6 juillet", "WSIAT Decision No. 1158/17", "Legal Notice No. 28 of 2014; Cause No. 1250 of 2016"} {
		if n := levers(text); n != 0 {
			t.Errorf("%q: got %d findings, want none", text, n)
		}
	}
	if n := levers("Our own claim number HB-4471-22"); n != 1 {
		t.Errorf("got %d findings, want the claim", n)
	}
}

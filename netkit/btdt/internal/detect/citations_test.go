package detect

import "testing"

func TestCitationsStay(t *testing.T) {
	for _, text := range []string{
		"The adviser must follow CONC 7.14 and the code, DISP 1.6.2R.", "Quote the Code and LOLER 1998 regulation 9.",
		"La norma NOM-184-SCFI-2018 obliga al proveedor.", "Règlement sur la protection des passagers aériens, DORS/2019-150, art. 19",
		"Telecom Regulatory Policy CRTC 2017-200 says so.", "BSG, Urteil vom 19.05.2021 - B 14 AS 19/20 R hilft.",
		"Invocar a Resolução CMN nº 4.949 no chat.", "Print the campaign page of the recall, 23V-412.",
		"Argue 35 ILCS 200/16-95 on one page.", "CE, 9 novembre 2020, n° 434225", "Pedir la sanción del artículo 2.25.1.8 de los RAC 3.",
		"Anlage N, Zeile 45, und das Schreiben beifügen.", "Cite CAR Section 3, Series M, Part IV at the desk.", "INR 10,000 credited within 45 days.",
		"Air India compensation via AirSewa",
		"Cite NERC Order No. 197/2020 on capping.", "Bring the report under S.I. 137/2019 to the hearing.", "Cite Moffatt v. Air Canada, 2024 BCCRT 149.",
		"Écrire au service consommateurs, TSA 27601, 59973 Tourcoing Cedex.",
		"Alegar la Regla 2.7.1.34 de la RMF.",
		"Position 00.0141 mit dem Zeitaufwand vergleichen.", "Citer la décision 122-C-A-2021 de l'Office.",
		"It is barred by circular DBOD.Dir.BC.No.07/13.03.00/2014-15.", "Bescheid Seite 3, Zeile 41, prüfen: Stipendien bleiben frei.",
	} {
		if got := found(text); len(got) > 0 {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

func TestReferencesBesideCitationsGo(t *testing.T) {
	for text, want := range map[string]string{
		"Recurso de alzada contra la resolución SS-41/2022/00871-9 en un mes.": "SS-41/2022/00871-9",
		"Il TAR ha sospeso il provvedimento prot. 12139/2023/U.":               "12139/2023/U",
		"Notification MDPH n° 94-2022-13377 : refusée.":                        "94-2022-13377",
		"Complaint reference DIS-448812 was opened.":                           "DIS-448812",
		"Das Sozialgericht führt es unter Az. S 14 AS 19/20.":                  "14 AS 19/20",
	} {
		if !covered(text, want) {
			t.Errorf("%s: got %q, want %s", text, found(text), want)
		}
	}
}

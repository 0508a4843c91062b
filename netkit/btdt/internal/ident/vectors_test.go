package ident

import "strings"

// published are numbers that their issuers, standards or common references give
// as examples, and numbers that the same references refuse. Spaces and signs are
// for reading. Check digits are reckoned a second time by the slow definitions in
// reference_test.go, so that a number copied wrongly cannot pass.
//
// Sources: "stdnum" are the examples in the modules of python-stdnum, "presidio"
// the tests of the recognizers of Microsoft Presidio, the others are named.
var published = []struct {
	name  string
	check func(string) bool
	slow  func(string) bool
	good  []vector
	bad   []vector
}{
	{"IBAN", IBAN, slowIBAN, []vector{
		{"GR16 0110 1050 0000 1054 7023 795", "stdnum iban"}, {"BE31 4354 1116 1155", "stdnum iban"},
		{"GB82 WEST 1234 5698 7654 32", "ISO 13616, Wikipedia"}, {"DE89 3704 0044 0532 0130 00", "SWIFT registry"},
		{"FR14 2004 1010 0505 0001 3M02 606", "SWIFT registry"}, {"NL91 ABNA 0417 1643 00", "SWIFT registry"},
		{"ES91 2100 0418 4502 0005 1332", "SWIFT registry"}, {"IT60 X054 2811 1010 0000 0123 456", "SWIFT registry"},
		{"PL61 1090 1014 0000 0712 1981 2874", "SWIFT registry"}, {"PT50 0002 0123 1234 5678 9015 4", "SWIFT registry"},
		{"CH93 0076 2011 6238 5295 7", "SWIFT registry"}, {"NO93 8601 1117 947", "SWIFT registry"},
		{"MT84 MALT 0110 0001 2345 MTLC AST0 01S", "SWIFT registry, presidio iban"},
		{"LU28 0019 4006 4475 0000", "presidio iban"}},
		[]vector{{"LU28 0019 4006 4475 0001", "presidio iban"}, {"MT84 MALT 0110 0001 2345 MTLC AST0 01T", "presidio iban"},
			{"XX89 3704 0044 0532 0130 00", "no such country"}, {"DE89", "too short"}}},
	{"card", Card, slowLuhn, []vector{
		{"4012-8888-8888-1881", "presidio credit card"}, {"122000000000003", "presidio credit card"},
		{"371449635398431", "presidio credit card"}, {"5555555555554444", "presidio credit card"},
		{"5019717010103742", "presidio credit card"}, {"30569309025904", "presidio credit card"},
		{"6011000400000000", "presidio credit card"}, {"3528000700000000", "presidio credit card"},
		{"6759649826438453", "presidio credit card"}, {"4917300800000000", "presidio credit card"},
		{"4111 1111 1111 1111", "presidio credit card"}, {"4484070000000000", "presidio credit card"}},
		[]vector{{"4012-8888-8888-1882", "presidio credit card"}, {"36168002586008", "presidio credit card"}}},
	{"SSN", SSN, slowSSN, []vector{
		{"536-90-4399", "stdnum us.ssn"}, {"219-09-9999", "advertised by the SSA; stdnum lists it as known"}, {"078-05-1120", "printed on wallet cards; stdnum lists it as known"}},
		[]vector{{"666-00-0000", "stdnum us.ssn"}, {"000-12-3456", "SSA"}, {"900-12-3456", "SSA"}, {"123-00-4567", "SSA"}, {"123-45-0000", "SSA"}}},
	{"ITIN", ITIN, slowITIN, []vector{{"912-90-3456", "stdnum us.itin"}, {"900-50-0000", "IRS: groups 50 to 65"}},
		[]vector{{"912-93-4567", "stdnum us.itin"}, {"123-45-6789", "stdnum us.itin"}}},
	{"NPI", NPI, slowNPI, []vector{{"1234567893", "CMS, presidio us npi"}, {"1245319599", "presidio us npi"}, {"1003000126", "presidio us npi"}},
		[]vector{{"1234567890", "presidio us npi"}, {"3234567893", "presidio us npi"}}},
	{"ABA", ABA, slowABA, []vector{{"111000025", "stdnum us.rtn"}, {"021000021", "JPMorgan Chase, published by the bank"}, {"122105155", "US Bank, published by the bank"}},
		[]vector{{"112000025", "stdnum us.rtn"}, {"991000025", "no such district"}}},
	{"MBI", MBI, slowMBI, []vector{{"1EG4-TE5-MK73", "CMS, presidio us mbi"}, {"2AG9-XC4-NN22", "presidio us mbi"}, {"3CD5-FG7-HJ89", "presidio us mbi"}, {"9XX9-XX9-XX99", "presidio us mbi"}},
		[]vector{{"1SG4-TE5-MK73", "presidio us mbi"}, {"1EG4-ZE5-MK73", "presidio us mbi"}, {"12G4-TE5-MK73", "presidio us mbi"}, {"0EG4-TE5-MK73", "CMS"}}},
	{"DEA", DEA, slowDEA, []vector{{"GL0285191", "presidio medical license"}, {"EU4488929", "presidio medical license"}, {"K92993548", "presidio medical license"}, {"BB1388568", "presidio medical license"}, {"F91234563", "Wikipedia"}},
		[]vector{{"BG8207031", "presidio medical license"}, {"BB1388569", "another digit"}}},
	{"NHS", NHS, slowNHS, []vector{{"943-476-5870", "stdnum gb.nhs"}, {"943 476 5919", "NHS data dictionary"}},
		[]vector{{"9434765871", "stdnum gb.nhs"}}},
	{"NINO", NINO, slowNINO, []vector{{"AA 12 34 56 B", "presidio uk nino"}, {"HH 01 02 03 D", "presidio uk nino"}, {"TW987654A", "presidio uk nino"}, {"PR 123612C", "presidio uk nino"},
		{"YZ 61 48 68 B", "presidio uk nino"}, {"QQ 12 34 56 C", "GOV.UK, the number in forms"}},
		[]vector{{"AA 12 34 56 H", "presidio uk nino"}, {"BG123612A", "presidio uk nino"}, {"NT 99 88 77 A", "presidio uk nino"}, {"UV 98 76 54 B", "presidio uk nino"}, {"FQ 00 00 00 C", "presidio uk nino"}}},
	{"Steuer-ID", SteuerID, slowSteuerID, []vector{{"36 574 261 809", "stdnum de.idnr"}, {"86 095 742 719", "Bundeszentralamt für Steuern"}, {"65 929 970 489", "Bundeszentralamt für Steuern"}},
		[]vector{{"36574261890", "stdnum de.idnr"}, {"36554266806", "stdnum de.idnr"}}},
	{"NIR", NIR, slowNIR, []vector{{"2 95 10 99 126 111 93", "stdnum fr.nir"}, {"253072B07300470", "stdnum fr.nir"}, {"253072A07300443", "stdnum fr.nir"}, {"2 55 08 14 168 025 38", "nir_validate"}},
		[]vector{{"295109912611199", "stdnum fr.nir"}, {"253072C07300443", "stdnum fr.nir"}}},
	{"DNI", DNI, slowDNI, []vector{{"54362315-K", "stdnum es.dni"}, {"X-2482300W", "stdnum es.nie"}, {"12345678Z", "Ministerio del Interior"}, {"00000000T", "Ministerio del Interior"}},
		[]vector{{"54362315Z", "stdnum es.dni"}, {"X-2482300A", "stdnum es.nie"}, {"X2482300", "stdnum es.nie"}}},
	{"codice fiscale", CodiceFiscale, slowCodice, []vector{{"RCCMNL83S18D969H", "stdnum it.codicefiscale"}, {"CNTCHR83T41D969D", "stdnum it.codicefiscale"}, {"RSSMRA85T10A562S", "Agenzia delle Entrate, as taught"}},
		[]vector{{"RCCMNL83S18D969", "stdnum it.codicefiscale"}, {"RSSMRA85T10A562A", "another letter"}}},
	{"PESEL", PESEL, slowPESEL, []vector{{"44051401359", "stdnum pl.pesel"}, {"02211307589", "stdnum pl.pesel"}, {"02122401358", "stdnum pl.pesel"}},
		[]vector{{"44051401358", "stdnum pl.pesel"}}},
	{"BSN", BSN, slowBSN, []vector{{"1112.22.333", "stdnum nl.bsn"}, {"123456782", "Rijksoverheid, test number"}},
		[]vector{{"1112.52.333", "stdnum nl.bsn"}, {"1112223334", "stdnum nl.bsn"}}},
	{"Belgian", Belgian, slowBelgian, []vector{{"85.07.30-033 28", "stdnum be.nn"}, {"17 07 30 033 84", "stdnum be.nn"}},
		[]vector{{"12345678901", "stdnum be.nn"}}},
	{"personnummer", Personnummer, slowPersonnummer, []vector{{"880320-0016", "stdnum se.personnummer"}, {"890102-3286", "stdnum se.personnummer"}, {"811228-9874", "Skatteverket"}, {"19811228-9874", "Skatteverket"}},
		[]vector{{"880320-0018", "stdnum se.personnummer"}, {"881332-0016", "no such day"}}},
	{"SIN", SIN, slowSIN, []vector{{"123-456-782", "stdnum ca.sin"}, {"046 454 286", "Statistics Canada, Wikipedia"}},
		[]vector{{"999-999-999", "stdnum ca.sin"}, {"823456785", "stdnum ca.sin"}}},
	{"TFN", TFN, slowTFN, []vector{{"123 456 782", "stdnum au.tfn"}, {"876 543 210", "Australian Taxation Office, test number"}},
		[]vector{{"999 999 999", "stdnum au.tfn"}}},
	{"Medicare AU", MedicareAU, slowMedicare, []vector{{"2123 45670 1", "presidio au medicare"}, {"2428 77813 2 1", "Services Australia, as in public validators"}},
		[]vector{{"2123 25870 1", "presidio au medicare"}, {"212345670221", "presidio au medicare"}}},
	{"ABN", ABN, slowABN, []vector{{"83 914 571 673", "stdnum au.abn"}, {"51 824 753 556", "stdnum au.abn, Australian Business Register"}},
		[]vector{{"99 999 999 999", "stdnum au.abn"}}},
	{"Aadhaar", Aadhaar, slowAadhaar, []vector{{"2341 2341 2346", "stdnum in_.aadhaar"}},
		[]vector{{"234123412347", "stdnum in_.aadhaar"}, {"123412341234", "stdnum in_.aadhaar"}, {"222222222222", "stdnum in_.aadhaar"}}},
	{"PAN", PAN, slowPAN, []vector{{"ACUPA7085R", "stdnum in_.pan"}, {"AAPPV8261K", "stdnum in_.pan"}},
		[]vector{{"ABMPA32111", "stdnum in_.pan"}, {"ABMXA3211G", "stdnum in_.pan"}}},
	{"CPF", CPF, slowCPF, []vector{{"390.533.447-05", "stdnum br.cpf"}, {"529.982.247-25", "Receita Federal, as taught"}, {"111.444.777-35", "Receita Federal, as taught"}},
		[]vector{{"231.002.999-00", "stdnum br.cpf"}, {"111.111.111-11", "one digit"}}},
	{"CNPJ", CNPJ, slowCNPJ, []vector{{"16.727.230/0001-97", "stdnum br.cnpj"}, {"11.222.333/0001-81", "Receita Federal, as taught"}},
		[]vector{{"16.727.230.0001-98", "stdnum br.cnpj"}}},
	{"VIN", VIN, slowVIN, []vector{{"1M8GDM9AXKP042788", "Wikipedia, 49 CFR 565"}, {"1HGCM82633A004352", "NHTSA's decoder"}},
		[]vector{{"1HGCM82633A004353", "another digit"}, {"1M8GDM9A0KP042788", "0 for X"}, {"1HGCM82633A00435I", "no I"}}},
	{"IMEI", IMEI, slowLuhn, []vector{{"35-417803-685978-9", "stdnum imei"}, {"35-686800-004141-8", "stdnum imei"}, {"49-015420-323751-8", "3GPP TS 23.003, Wikipedia"}},
		[]vector{{"35-417803-685978-1", "stdnum imei"}}},
	{"Bitcoin", Bitcoin, slowBitcoin, []vector{
		{"1NEDqZPvTWRaoho48qXuLLsrYomMXPABfD", "stdnum bitcoin"}, {"BC1QARDV855YJNGSPVXUTTQ897AQCA3LXJU2Y69JCE", "stdnum bitcoin"},
		{"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "first block"}, {"3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "Bitcoin wiki"},
		{"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "BIP 173"}, {"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "BIP 350"}},
		[]vector{{"1NEDqZPvTWRaoho48qXuLLsrYomMXPABfX", "stdnum bitcoin"}, {"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "BIP 173 with its last character changed"},
			{"bC1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "BIP 173: mixed case"}}},
	{"Ethereum", Ethereum, slowEthereum, []vector{{"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "EIP-55"}, {"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "EIP-55"},
		{"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "EIP-55"}, {"0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb", "EIP-55"}},
		[]vector{{"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg", "no hexadecimal digit"}, {"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", "too short"}}},
}

// vector is one number and where it was published.
type vector struct{ number, source string }

func bareForm(s string) string {
	return strings.NewReplacer(" ", "", "-", "", ".", "", "/", "").Replace(s)
}

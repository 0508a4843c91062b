package main

import (
	"fmt"
	"strings"
)

// forms are ways to write a kind of number: 9 is a digit, 1 a digit from one on, A a
// capital; $y a year, $d a day, $n a month in digits, $w a month in words. Everything
// else stands for itself.
var forms = map[byte][]string{
	'm': {"$1,999", "$199", "$19.99", "€1.999,00", "€199", "199 €", "1.999,99 €", "1 999,50 €", "£1,999.99", "£19", "EUR 1.999", "1 999 zł", "199,99 zł", "R$ 1.999,00", "1,999 dollars", "CHF 199.–", "$1 199 000", "1.199.000 EUR", "USD 19,999", "1,199,000 dollars"},
	't': {"$y-$n-$d", "$d/$n/$y", "$n/$d/$y", "$d.$n.$y", "$d $w $y", "$w $d, $y", "$d. $w $y", "$d de $w de $y", "$d $w", "$n/$y", "$w $d"},
	'l': {"19 CFR 1999.199-1", "19 CFR 199.19", "§ 199 BGB", "§§ 199, 199 BGB", "§ 1999.199-1", "Regulation (EU) 2019/199", "Regulation (EC) No 199/2009", "Art. 19 GDPR", "article L. 199-19", "Code 1999-1-99", "Admin. Code 1999-1-19", "Pub. L. 119-199", "section 19(1)(a)", "ISO 19999", "Ley 19/2019", "Real Decreto 199/2019", "D.Lgs. 199/2009, art. 19", "Lei n.º 19.199/2009", "ustawa z $d $w $y, Dz.U. 2019 poz. 1999", "artikel 7:199 BW", "art. 199 k.c.", "19 U.S.C. § 1999", "BGH XI ZR 199/19", "rule 19.1", "Form 1999", "CMS-1999", "PL 119-99"},
	'q': {"19 days", "19 Tage", "19 jours", "19 días", "19 giorni", "19 dias", "19 dagen", "19 dni", "12:09", "9.30", "9 am", "3 weeks", "19 %", "1.9", "version 1.9.19", "199 kWh", "19 months", "2009-2019", "2019/20", "199 pages", "19 m²", "1,999 km", "19 minutes"},
	'r': {"AB-2019-199919", "CLM-1999999", "19/1999/AB", "A1999-99", "1999-9999-99", "19999999", "1 999 999 99", "AB 19 99 99", "K/1999/19", "HO-1999-99-9999", "ABC1999999", "19 C 199/19a", "XY-19999", "2019/199919", "INC0199999", "1999 9999 9999", "S 19 AS 1999/19", "RG 19/01999", "II C 199/19", "WX19999", "99-19999", "19999", "1999999-A", "2019-09-19-199919", "UTR 19/1999", "TP 199 999 999", "AB9C9D", "A9BC9D", "302 0199 9999 1999 19", "EFT 0099999999", "AB99-0099999", "1999.19.199.A.99", "ABC 199", "7 199 199.9", "AB199999999"},
	'h': {"+44 20 7946 0999", "(312) 555-0199", "312-555-0199", "030 1999999", "+49 30 199 9999", "01 99 99 99 99", "+33 1 99 99 99 99", "06 19999999", "+48 22 199 99 99", "91 199 99 99", "+39 06 1999 9999", "+55 11 91999-9999", "07700 900199", "089/199999"},
	'p': {"AB19 ABC", "B-AB 1999", "AB-199-AB", "1999 ABC", "AB 199 AB", "19-AB-19", "WA 19999", "ABC-1999", "ABC 1A99", "M-AB 199", "9-ABC-199", "KR 1A999"},
}

const monthNames = "January March June October März Juni Oktober Dezember mars juin août décembre marzo junio agosto diciembre marzo giugno agosto março junho dezembro maart juni augustus marca czerwca sierpnia grudnia"

// figure makes up a number of a kind.
func (p *pools) figure(kind byte) string {
	list := forms[kind]
	form := list[p.random.IntN(len(list))]
	months := strings.Fields(monthNames)
	form = strings.NewReplacer("$y", fmt.Sprint(1930+p.random.IntN(96)), "$d", fmt.Sprintf("%02d", 1+p.random.IntN(28)),
		"$n", fmt.Sprintf("%02d", 1+p.random.IntN(12)), "$w", months[p.random.IntN(len(months))]).Replace(form)
	if kind == 't' {
		return form
	}
	return p.digits(form, kind == 'r' || kind == 'p')
}

// digits puts digits for 9 and 1 in a form and, where asked, capitals for lone A to Z.
func (p *pools) digits(form string, capitals bool) string {
	b := []byte(form)
	for i, c := range b {
		after := i+1 < len(b) && (b[i+1] >= 'a' && b[i+1] <= 'z' || b[i+1] >= 0x80)
		switch {
		case c == '9':
			b[i] = byte('0' + p.random.IntN(10))
		case c == '1':
			b[i] = byte('1' + p.random.IntN(9))
		case capitals && c >= 'A' && c <= 'Z' && !after && (i == 0 || b[i-1] != '$'):
			b[i] = byte('A' + p.random.IntN(26))
		}
	}
	return string(b)
}

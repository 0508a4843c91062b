package detect

import "strings"

// harmless keeps numbers that many people share: dates, spans of years, sums of
// money, and places in a law.
func (x *Sheet) harmless(from, to int) bool {
	text := x.s[from:to]
	if yearSpan(text) || lawNumber(text) || roundNumber(text) || x.isMoney(from, to) || x.datesInside(from, to) {
		return true
	}
	return x.lawBefore(from) && !strings.Contains(text, " ") && longestRun(text) < 6 && (digitsIn(text) < 9 || onlyDigitsAndSigns(text)) || x.lawAfter(to) && longestRun(text) < 6
}

// roundNumber is 1 250 000 or 12.000.000: a count in groups of three that ends in
// three zeros.
func roundNumber(s string) bool {
	i := strings.IndexAny(s, " .,")
	return i > 0 && i < 3 && strings.HasSuffix(s, s[i:i+1]+"000") && digitsIn(s) <= 9 && grouped3(s)
}

// yearSpan is 2019-2024.
func yearSpan(s string) bool {
	a, b, ok := strings.Cut(s, "-")
	if !ok {
		a, b, ok = strings.Cut(s, "/")
	}
	return ok && isYear(strings.TrimSpace(a)) && isYear(strings.TrimSpace(b))
}

// lawNumber is 261/2004, 2016/679 or 20-13.255: numbers that laws and decisions of
// high courts have. What a word announces as a reference was taken before.
func lawNumber(s string) bool {
	if len(s) == 9 && s[2] == '-' && s[5] == '.' && digitsIn(s) == 7 {
		return true
	}
	if i := strings.LastIndexByte(s, '/'); i > 0 && oneOf(s[i+1:], unionNames) {
		s = s[:i]
	}
	a, b, ok := strings.Cut(s, "/")
	if !ok && len(s) <= 9 && len(s) >= 6 && s[4] == '-' {
		a, b, ok = strings.Cut(s, "-")
	}
	a = strings.ReplaceAll(a, ".", "")
	return ok && digitsIn(a) == len(a) && digitsIn(b) == len(b) && (isYear(b) && len(a) <= 4 || isYear(a) && len(b) <= 4)
}

// datesInside tells whether a part holds dates, and less than a long number is
// left without them.
func (x *Sheet) datesInside(from, to int) bool {
	n, dates := digitsIn(x.s[from:to]), 0
	for i := x.at(from); i < len(x.tok) && x.tok[i].From < to; i++ {
		if k := x.dateAt(i); k >= 3 && x.tok[i+k-1].To <= to && (i == 0 || x.tok[i].Space || !x.is(i-1, "-/.")) {
			end := x.tok[i+k-1].To
			if end < len(x.s) && (x.letterAt(end) || x.s[end] == '-' && x.letterAt(end+1)) {
				continue // a date that goes on is a code: 2024-03-12-998877
			}
			n -= digitsIn(x.s[x.tok[i].From:end])
			dates++
			i += k - 1
		}
	}
	return dates > 0 && n < minDigits
}

// isMoney tells a sum: a currency beside it, or groups of three with cents.
func (x *Sheet) isMoney(from, to int) bool {
	if rest, rand := strings.CutPrefix(x.s[from:to], "R"); rand && strings.ContainsAny(rest, " ,") && isDigit(rest[0]) && grouped3(strings.ReplaceAll(rest, " ", ",")) {
		return true // R214 000
	}
	if from > 0 && strings.ContainsAny(lastRune(x.s[:from]), "$€£¥₹") {
		return true
	}
	i := x.at(from)
	if i > 1 && x.is(i-1, ".") && oneOf(x.word(i-2), "rs") {
		i-- // Rs. 84,500
	}
	if i > 0 && oneOf(x.word(i-1), currencies) || i > 0 && x.is(i-1, "$€£¥₹") {
		return grouped3(x.s[from:to])
	}
	if x.centsFollow(to) {
		return grouped3(x.s[from:to])
	}
	j := x.at(to)
	if j < len(x.tok) && (oneOf(x.word(j), currencies) || x.is(j, "$€£¥₹")) {
		return grouped3(x.s[from:to])
	}
	return false
}

const currencies = "s/ fcfa xof xaf cfa francs franc franken franchi franco kes kshs pkr ghs ugx tzs rwf aed sar qar egp idr krw jpy cny lkr bdt npr isk rupees rupee shillings kronor kroner kronen pesos soles bs rs kr kč ksh ngn zar rm hkd sgd nzd mxn cop clp ars czk huf dkk nok thb php ron eur usd gbp chf inr brl pln sek aud cad zł euro euros dollars pounds złotych reais r$ us$"

// grouped3 tells whether a number is written as sums are: in groups of three, or
// short, or with two decimals.
func grouped3(s string) bool {
	if strings.Contains(s, "/") {
		return false
	}
	if head, rest, ok := strings.Cut(s, ","); ok && len(head) <= 2 && len(rest) == 6 && rest[2] == ',' {
		return true // 5,00,000 of India
	}
	run, first := 0, true
	for i := 0; i <= len(s); i++ {
		if i < len(s) && isDigit(s[i]) {
			run++
			continue
		}
		if !first && run != 3 && !(i == len(s) && run <= 2) || first && run > 6 {
			return false
		}
		first, run = false, 0
	}
	return true
}

// centsFollow tells whether a comma and two decimals stand at a byte: 1.204,50.
func (x *Sheet) centsFollow(at int) bool {
	return at+2 < len(x.s) && x.s[at] == ',' && isDigit(x.s[at+1]) && isDigit(x.s[at+2]) && (at+3 == len(x.s) || !x.letterAt(at+3))
}

// sumInside tells a sum by the currency it starts with: KES 84000, PKR 145,000.
func (x *Sheet) sumInside(from, to int) bool {
	head, rest, ok := strings.Cut(x.s[from:to], " ")
	if !ok || !oneOf(head, currencies) || !grouped3(rest) {
		return false
	}
	return to+1 >= len(x.s) || x.s[to] != ' ' || !isDigit(x.s[to+1])
}

func lastRune(s string) string {
	s = strings.TrimRight(s, " ")
	for i := len(s) - 1; i >= 0 && i > len(s)-5; i-- {
		if s[i] < 0x80 || s[i] >= 0xC0 {
			return s[i:]
		}
	}
	return ""
}

// lawAfter tells a number by the law that follows: 42 U.S.C., 261/2004/EG.
func (x *Sheet) lawAfter(to int) bool {
	i := x.at(to)
	if i >= len(x.tok) {
		return false
	}
	if x.is(i, "/") && i+1 < len(x.tok) && oneOf(x.word(i+1), unionNames) {
		return true
	}
	return oneOf(x.word(i), "cfr usc bgb zpo vvg sgb stgb vv rvg gkg owig stvo stvg vwgo sgg estg ustg hgb inso bdsg weg kpc kpk") || strings.HasPrefix(x.s[x.tok[i].From:], "U.S.C") || strings.HasPrefix(x.s[x.tok[i].From:], "C.F.R")
}

// unionNames are what the European Union is called behind the number of a law.
const unionNames = "eg eu ce ue ec eec ewg cee eeg we"

func longestRun(s string) int {
	best, run := 0, 0
	for i := range len(s) {
		if isDigit(s[i]) {
			run++
			best = max(best, run)
		} else {
			run = 0
		}
	}
	return best
}

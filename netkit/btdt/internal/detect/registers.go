package detect

import (
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// registers finds numbers that carry their register in their form and need no
// word before them, and what belongs to a number that was found already.
func (x *Sheet) registers() {
	for i := range x.tok {
		switch t := x.tok[i]; t.Kind {
		case lex.Letters:
			x.prosecutor(i)
			x.notary(i)
			x.branchNumber(i)
			x.checkKey(i)
			x.courtFile(i)
			x.socialFile(i)
			x.postal(i)
			x.landFile(i)
		case lex.Digits, lex.Mixed:
			x.masked(i)
			x.cardEnding(i)
			x.courtTail(i)
			x.courtFile(i)
			x.eircode(i)
		}
	}
}

// prosecutor marks PR 2 Ds. 817.2022 and GKm 88/22, as Polish prosecutors and
// bailiffs number their cases.
func (x *Sheet) prosecutor(i int) {
	w := x.word(i)
	if w != "Ds" && w != "GKm" && w != "Gkm" && w != "Kmp" && w != "Kms" {
		return
	}
	j := i + 1
	if x.is(j, ".") {
		j++
	}
	if j+2 >= len(x.tok) || x.tok[j].Kind != lex.Digits || !x.is(j+1, "./") || x.tok[j+1].Space || x.tok[j+2].Kind != lex.Digits || x.tok[j+2].Space {
		return
	}
	first := i
	for w == "Ds" && first > 0 && i-first < 2 && (x.tok[first-1].Kind == lex.Digits || x.tok[first-1].Case == lex.Caps && x.tok[first-1].To-x.tok[first-1].From <= 4) {
		first--
	}
	x.add(x.tok[first].From, x.tok[j+2].To, CaseRef, "register", 0.9)
}

// courtFile marks the files of lower courts in Germany, Austria, Switzerland and
// Poland: 5 O 1177/23, I C 1147/23. Those of high courts are published rulings.
func (x *Sheet) courtFile(i int) {
	if i+4 >= len(x.tok) || x.Field == "legal_levers" || x.taken(x.tok[i].From, x.tok[i].To) {
		return
	}
	chamber := x.tok[i].Kind != lex.Letters && isDigit(x.s[x.tok[i].From]) && x.tok[i].To-x.tok[i].From <= 3 || strings.Trim(x.word(i), "IVX") == ""
	letters, year := x.word(i+1), x.word(i+4)
	if !chamber || !x.capital(i+1) || !oneOf(letters, chambers) && !strings.Contains("CFKMNOPSTUW", letters) && !(strings.Contains("AEGLPRZ", letters) && (checkLetter(year) || x.courtNamed(i))) {
		return
	}
	if x.tok[i+2].Kind != lex.Digits || !x.is(i+3, "/") || x.tok[i+3].Space || x.tok[i+4].Space || x.tok[i+4].To-x.tok[i+4].From > 4 || !isDigit(year[0]) {
		return
	}
	from, to := x.tok[i].From, x.tok[i+4].To
	if x.publicNumber(from, x.s[from:to]) || x.lawBefore(from) {
		return
	}
	x.add(from, to, CaseRef, "register", 0.9)
}

// checkLetter tells whether a year ends with the letter that courts of Austria check
// their files by: 24m.
func checkLetter(year string) bool {
	return len(year) == 3 && isDigit(year[0]) && isDigit(year[1]) && year[2] >= 'a' && year[2] <= 'z'
}

// courtNamed tells whether a court of a German-speaking country stands among the
// eight tokens before token i.
func (x *Sheet) courtNamed(i int) bool {
	for j := i - 1; j >= 0 && j >= i-8 && !x.tok[j+1].Line; j-- {
		low := strings.ToLower(x.word(j))
		if strings.HasSuffix(low, "gericht") || strings.HasSuffix(low, "gerichts") || x.tok[j].Case == lex.Caps && oneOf(low, "vg lg ag bg asg lag sg arbg bvwg") {
			return true
		}
	}
	return false
}

// postal marks the number of a registered letter or parcel as all posts write it: two
// letters, nine digits and the country, RL 448 812 771 IE. It needs no word before.
func (x *Sheet) postal(i int) {
	t := x.tok[i]
	if t.Case != lex.Caps || t.To-t.From != 2 {
		return
	}
	at, digits := t.To, 0
	for at < len(x.s) && at-t.To < 14 && (isDigit(x.s[at]) || x.s[at] == ' ' && at+1 < len(x.s) && x.s[at+1] != ' ') {
		if isDigit(x.s[at]) {
			digits++
		}
		at++
	}
	if digits != 9 || at+2 > len(x.s) || !upper(x.s[at:at+2]) || x.letterAt(at+2) || x.isMoney(t.From, at) || oneOf(x.s[at:at+2], "eu or no") {
		return
	}
	x.add(t.From, at+2, OtherID, "post", 0.97)
}

// landFile marks a place in the land register of Austria: EZ 73 KG 73208.
func (x *Sheet) landFile(i int) {
	if x.word(i) != "EZ" || i+3 >= len(x.tok) || x.tok[i+1].Kind != lex.Digits {
		return
	}
	to := x.tok[i+1].To
	if oneOf(x.word(i+2), "gb kg") && x.tok[i+3].Kind == lex.Digits {
		to = x.tok[i+3].To
	}
	x.add(x.tok[i].From, to, OtherID, "register", 0.9)
}

// socialFile marks the files of German social courts: S 21 KR 402/24 ER.
func (x *Sheet) socialFile(i int) {
	if w := x.word(i); w != "S" && w != "L" || i+5 >= len(x.tok) || x.Field == "legal_levers" || x.tok[i+1].Kind != lex.Digits || x.tok[i+2].Kind != lex.Letters || x.tok[i+2].Case == lex.Lower || x.tok[i+2].To-x.tok[i+2].From > 2 {
		return
	}
	if x.tok[i+3].Kind != lex.Digits || !x.is(i+4, "/") || x.tok[i+5].Kind != lex.Digits || x.tok[i+5].Space || x.tok[i+5].To-x.tok[i+5].From != 2 {
		return
	}
	to := x.tok[i+5].To
	if oneOf(x.wordOr(i+6), "er") && x.tok[i+6].Case == lex.Caps {
		to = x.tok[i+6].To // urgent
	}
	x.add(x.tok[i].From, to, CaseRef, "register", 0.97)
}

// masked marks the end of a number whose other digits are struck out: ****8814, xxxx
// 9921, 4506 44** **** 9921.
func (x *Sheet) masked(i int) {
	to := x.tok[i].To
	from := to
	for from > 0 && to-from < 30 && (isDigit(x.s[from-1]) || strings.IndexByte("*xX -", x.s[from-1]) >= 0 || strings.HasSuffix(x.s[:from], "•")) {
		if x.s[from-1] >= utf8.RuneSelf {
			from -= len("•") - 1
		}
		from--
	}
	run := strings.TrimLeft(x.s[from:to], " -")
	from = to - len(run)
	struck := strings.Contains(run, "**") || strings.Contains(run, "••") || strings.Contains(strings.ToLower(run), "xxx")
	if struck && isDigit(run[len(run)-1]) && digitsIn(run) > 2 && !x.letterAt(from-1) && !x.foreignBefore(from) {
		x.add(from, to, Account, "struck_out", 0.9)
	}
}

// chambers are the letters of what lower courts decide, besides single ones.
const chambers = "ca sa ta in ik cg cga fam pu gc rc nc ns kp ka as kr ws wa xvii xiv xvi js ls ds cs owi hv uf wf fh va ar gs"

// notary marks the second of the two numbers that Italian notaries write:
// repertorio 44.718, raccolta 9.003.
func (x *Sheet) notary(i int) {
	if !oneOf(x.word(i), "raccolta racc") {
		return
	}
	j := i + 1
	for j < i+5 && (x.is(j, ".:°") || isNumberLetter(x.wordOr(j)) || oneOf(x.wordOr(j), "nr n°")) {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Kind != lex.Digits {
		return
	}
	for k := i - 1; k >= 0 && k >= i-9; k-- {
		if oneOf(x.word(k), "repertorio rep") {
			to, _ := x.codeGroup(x.tok[j].From)
			x.add(x.tok[j].From, to, CaseRef, "register", 0.9)
			return
		}
	}
}

// branchNumber marks the branch that stands before an account of Brazil: ag. 0418,
// c/c 22073-9.
func (x *Sheet) branchNumber(i int) {
	if !oneOf(x.word(i), "ag agência agencia") {
		return
	}
	j := i + 1
	for x.is(j, ".:") {
		j++
	}
	if j+2 >= len(x.tok) || x.tok[j].Kind != lex.Digits || x.tok[j].To-x.tok[j].From > 5 || x.tok[j].To-x.tok[j].From < 3 {
		return
	}
	to, _ := x.codeGroup(x.tok[j].From)
	for k := j + 1; k < len(x.tok) && k <= j+6; k++ {
		if oneOf(x.word(k), "conta cc") || x.word(k) == "c" && x.is(k+1, "/.") {
			x.add(x.tok[j].From, to, Account, "register", 0.85)
			return
		}
	}
}

// checkKey marks the key of a French account with the number before it: CCP 0012
// 448 871 clé 62.
func (x *Sheet) checkKey(i int) {
	if !oneOf(x.word(i), "clé clef") || i+1 >= len(x.tok) || x.tok[i+1].Kind != lex.Digits || x.tok[i+1].To-x.tok[i+1].From != 2 {
		return
	}
	first := i
	for first > 0 && i-first < 6 && x.tok[first-1].Kind == lex.Digits {
		first--
	}
	if digitsIn(x.s[x.tok[first].From:x.tok[i].From]) >= 6 {
		x.add(x.tok[first].From, x.tok[i+1].To, Account, "register", 0.97)
	}
}

// courtTails are the registers that courts of Italy and Poland write behind a
// number, as their signs stand in the text.
var courtTails = []string{"RGNR", "R.G.N.R.", "R.G.N.R", "R.G.L.", "RGL", "R.G.A.C.", "RGAC", "R.G.V.G.", "RGVG", "R.G.C.", "R.G.E.", "RGE", "R.G.T.", "RG", "R.G.", "AT USC"}

// courtTail marks 8817/22 RGNR with its register, also where the number was found.
func (x *Sheet) courtTail(i int) {
	from := x.tok[i].From
	if i > 0 && !x.tok[i].Space && x.is(i-1, "/.-") {
		return
	}
	to, _ := x.codeGroup(from)
	if to == 0 || to+1 >= len(x.s) || x.s[to] != ' ' || !strings.Contains(x.s[from:to], "/") || !onlyDigitsAndSigns(x.s[from:to]) {
		return
	}
	for _, tail := range courtTails {
		if end := to + 1 + len(tail); strings.HasPrefix(x.s[to+1:], tail) && !x.letterAt(end) {
			x.add(from, end, CaseRef, "register", 0.97)
			return
		}
	}
}

// eircode marks a postal code of Ireland, which names one house, behind a word of
// addresses: D08 XK4P.
func (x *Sheet) eircode(i int) {
	if i+1 >= len(x.tok) || x.tok[i].To-x.tok[i].From != 3 || x.tok[i+1].To-x.tok[i+1].From != 4 || x.tok[i+1].Kind != lex.Mixed || x.tok[i+1].From-x.tok[i].To != 1 {
		return
	}
	head, tail := x.word(i), x.word(i+1)
	if !upperOrDigit(head+tail) || shape(head) != "A99" && head != "D6W" {
		return
	}
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if oneOf(x.word(j), "eircode address postcode lives living live moved house home") {
			x.add(x.tok[i].From, x.tok[i+1].To, Address, "eircode", 0.9)
			return
		}
	}
}

package lex

import "strings"

// dates marks the tokens of dates: the first with DateFirst, the others with
// DateNext. A span of years is one; a month
// or a year alone is none.
func dates(s string, tokens []Token) {
	for i := 0; i < len(tokens); i++ {
		d := dateReader{s, tokens}
		n := d.at(i)
		for k := range n {
			tokens[i+k].Date = DateNext
		}
		if n > 0 {
			tokens[i].Date = DateFirst
			i += n - 1
		}
	}
}

type dateReader struct {
	s   string
	tok []Token
}

// at is the number of tokens of a date at token i, 0 if none starts there.
func (d dateReader) at(i int) int {
	switch t := d.tok[i]; {
	case t.Kind == Digits:
		if n := max(d.numeric(i), d.years(i)); n > 0 {
			return n
		}
		return d.dayFirst(i)
	case t.Kind == Mixed:
		return d.dayFirst(i) // 3rd, 1er
	case t.Flags&Month != 0 && t.Case != Lower:
		return d.monthFirst(i)
	}
	return 0
}

func (d dateReader) word(i int) string {
	if i < 0 || i >= len(d.tok) {
		return ""
	}
	return d.s[d.tok[i].From:d.tok[i].To]
}

// number is the value of the digits that a token starts with, at most four.
func (d dateReader) number(i int) int {
	n := 0
	for k, c := range []byte(d.word(i)) {
		if k == 4 || c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

func (d dateReader) year(i int) bool {
	w := d.word(i)
	return len(w) == 4 && d.tok[i].Kind == Digits && d.number(i) >= 1850 && d.number(i) <= 2100
}

// numeric is 03/14/1958, 1958-03-14, 14.3.58, with the same sign twice.
func (d dateReader) numeric(i int) int {
	if i+4 >= len(d.tok) || d.tok[i+2].Kind != Digits || d.tok[i+4].Kind != Digits || !d.signs(i) {
		return 0
	}
	a, b, c := d.number(i), d.number(i+2), d.number(i+4)
	if a > 31 {
		a, c = c, a
	}
	day := a >= 1 && b >= 1 && a <= 31 && b <= 31 && (a <= 12 || b <= 12)
	short := len(d.word(i)) <= 2 && len(d.word(i+4)) == 2
	if !day || !short && (c < 1850 || c > 2100) {
		return 0
	}
	return 5
}

// signs reports whether the signs between three numbers from token i on are those of
// a date, and no code goes on behind them.
func (d dateReader) signs(i int) bool {
	sign := d.word(i + 1)
	if sign != d.word(i+3) || !strings.Contains("/-.", sign) || d.tok[i+1].Space {
		return false
	}
	if (d.tok[i+2].Space || d.tok[i+4].Space) && sign != "." {
		return false
	}
	return i+6 >= len(d.tok) || d.tok[i+5].Space || d.tok[i+6].Space || !strings.Contains("/-.", d.word(i+5))
}

// years is a span of them, 2019-2024 or 2021 - 2023.
func (d dateReader) years(i int) int {
	if sign := d.word(i + 1); (sign == "-" || sign == "/") && d.year(i) && d.year(i+2) {
		return 3
	}
	return 0
}

// dayFirst is 14 March 1958, 14. März 1958, 14 de marzo de 1958, the year perhaps
// missing.
func (d dateReader) dayFirst(i int) int {
	if n := d.number(i); n < 1 || n > 31 || len(d.word(i)) > 5 {
		return 0
	}
	j := i + 1
	for hops := 0; hops < 3 && d.joins(j); hops++ {
		j++
	}
	roman := strings.Contains(" I II III IV V VI VII VIII IX X XI XII ", " "+d.word(j)+" ") && d.year(j+1)
	if j >= len(d.tok) || d.tok[j].Flags&Month == 0 && !roman {
		return 0
	}
	return d.withYear(i, j+1)
}

// joins reports whether token j may stand between the parts of a date.
func (d dateReader) joins(j int) bool {
	switch strings.ToLower(d.word(j)) {
	case ".", "°", "º", "o", "de", "of", "di", "del", ",":
		return true
	}
	return false
}

// monthFirst is March 14, 1958.
func (d dateReader) monthFirst(i int) int {
	j := i + 1
	if d.word(j) == "." {
		j++
	}
	if n := d.number(j); n < 1 || n > 31 || len(d.word(j)) > 4 {
		return 0
	}
	return d.withYear(i, j+1)
}

// withYear ends a date that started at token i: a year may follow at token j.
func (d dateReader) withYear(i, j int) int {
	k := j
	for hops := 0; hops < 2 && d.joins(k); hops++ {
		k++
	}
	if d.year(k) {
		return k - i + 1
	}
	if d.word(j) == "'" && len(d.word(j+1)) == 2 && d.tok[j+1].Kind == Digits {
		return j - i + 2 // '48
	}
	return j - i
}

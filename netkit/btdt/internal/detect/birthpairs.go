package detect

// lastDate is the date before another in a text: the token behind it, and whether
// it was a day of birth.
type lastDate struct {
	end  int
	born bool
}

// contrasts stand between a day of birth and the one that was put in its place.
const contrasts = "instead not when rather but had has put wrote typed printed shows should correct actually really false wrong statt anstatt nicht sondern richtig falsch lieu mais non pas vez lugar sino pero invés mas não invece anziché ma niet maar plaats zamiast nie ale powinno dizia constava said says stated read stand sagte decía ponía figuraba riportava indicava stond podano while whereas down listed recorded registered entered lists records führte führt eingetragen stand steht laut notait notée inscrit inscrite indiquait indique porte portait disait alors consta constaba mientras registraba enquanto consta registava mentre risulta risultava segnata terwijl staat vermeldt stało stoi widnieje figuruje wpisano natomiast podczas"

// corrected tells whether the date of n tokens at i stands for a day of birth that
// was found right before: Mine is 19/06/1983; they had it as 06/19/1938.
func (x *Sheet) corrected(i, n int, before lastDate) bool {
	if !before.born || i-before.end > 10 || n < 3 {
		return false
	}
	year := x.yearOf(i, n)
	if year == 0 || year >= recent {
		return false
	}
	for j := before.end; j < i; j++ {
		if oneOf(x.word(j), contrasts) {
			return true
		}
	}
	return false
}

// nextDay tells whether a date that a word of birth reaches is another day: a day
// of birth stands between, nothing says that this one takes its place, and its year
// is no year of birth. Geburtsdatum 23.11.1990 fehlte, 23.11.2023 war der Termin.
func (x *Sheet) nextDay(i, n int, before lastDate) bool {
	if !before.born || i-before.end > 6 || x.corrected(i, n, before) {
		return false
	}
	return x.yearOf(i, n) >= recent
}

// askedFor tells whether the text spoke of a date of birth without telling it, and
// this is the first date since, of a year in which grown-ups were born.
func (x *Sheet) askedFor(i, n int, before lastDate) bool {
	year := x.yearOf(i, n)
	if n < 3 || year == 0 || year >= grownUp || before.end > 0 {
		return false
	}
	for j := i - 1; j > 0 && j > i-30; j-- {
		if oneOf(x.word(j), "dob birthday birthdate geburtsdatum geburtstag naissance nacimiento nascimento nascita geboortedatum urodzenia") || oneOf(x.word(j), "birth") && (oneOf(x.word(j-1), "of") || oneOf(x.wordOr(j+1), "year month date")) {
			return true
		}
	}
	return false
}

package detect

import "strings"

// decimal is 13.1, a version or a share and no reference of anybody.
func decimal(s string) bool {
	a, b, ok := strings.Cut(s, ".")
	return ok && len(s) < 6 && len(a) < 3 && len(b) < 3 && digitsIn(a) == len(a) && digitsIn(b) == len(b)
}

// behindHead is a code without the capitals before its digits: 7.11 of LRA 7.11.
func behindHead(s string) string {
	if head, rest, ok := strings.Cut(s, " "); ok && upper(head) {
		return rest
	}
	return s
}

// fraction is 1/4.
func fraction(s string) bool { return len(s) == 3 && s[1] == '/' && digitsIn(s) == 2 }

// public tells whether a value behind a weak word is a form or a standard that all
// may use: aviso I-797C, kod ICD-10.
func (q quest) public(text string) bool {
	return oneOf(text, publicForms) || strings.HasPrefix(text, "0x") || !q.strong && digitsIn(text) < 7 && ordinaryCode(text)
}

// private tells whether a number among the levers of law is somebody's own all the
// same: its word says so by itself, or it is long.
func (q quest) private(text string) bool {
	return q.strong && q.kind != OtherID && digitsIn(text) > 4 || longestRun(text) >= 6
}

// bookings announce a locator, a few words before it.
const bookings = "booking bookings reservation pnr dossier réservation voyage buchung buchungscode reserva localizador prenotazione boeking reservering rezerwacja rezerwacji"

// locator tells whether a text has the form of a booking: six capitals and digits.
func locator(text string) bool {
	n := digitsIn(text)
	return len(text) == 6 && n > 0 && n < 5 && upperOrDigit(text) && !strings.ContainsAny(text, "-/._: ")
}

// fits tells whether a value has enough of a number for what announces it: a
// strong cue needs little, a weak one without a number word a good deal.
func (q quest) fits(text string) bool {
	n := digitsIn(text)
	letters := strings.ContainsAny(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	year := n == 4 && isYear(text)
	switch {
	case n == 0 || n < 2 && len(text) < 3:
		return false
	case q.sure:
		return true
	case mingled(text):
		return true
	case q.strong:
		return (n > 2 || letters && n > 1 || len(text) == 6 && letters && upperOrDigit(text) && !strings.Contains(text, "-")) && !year
	case n >= 4 && !year && !(len(text) == n+1 && cents(text)):
		return true
	case n == 3 && len(text) <= 6 && upperOrDigit(text) && !strings.ContainsAny(text, "-/ "):
		return len(text) == 6 // EX160 and N244 are forms
	}
	return letters && len(text) >= 5 && !strings.HasPrefix(text, "Form") && (n >= 2 || upperOrDigit(text) && !strings.ContainsAny(text, "- "))
}

// mingled tells whether letters and digits take turns in a word, as in codes that
// somebody typed in small letters: 6kx7pq.
func mingled(s string) bool {
	turns := 0
	for i := range len(s) {
		if !isDigit(s[i]) && (s[i]|0x20 < 'a' || s[i]|0x20 > 'z') {
			return false
		}
		if i > 0 && isDigit(s[i]) != isDigit(s[i-1]) {
			turns++
		}
	}
	return turns > 1 && len(s) > 4 && len(s) < 13
}

// cents tells whether a number ends in two decimals, as sums do.
func cents(s string) bool {
	return len(s) > 3 && (s[len(s)-3] == '.' || s[len(s)-3] == ',')
}

// coded tells whether a text is a code by its looks: enough digits, or capitals
// and digits.
func coded(text string) bool {
	n := digitsIn(text)
	switch {
	case n == len(text):
		return n >= 6
	case onlyDigitsAndSigns(text):
		return n >= 5 && !cents(text) && !(strings.ContainsAny(text, ".,") && grouped3(text))
	}
	return n >= 3 && len(text) >= 5 && strings.ContainsAny(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

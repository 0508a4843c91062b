package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// further takes more values in a row behind the one that ends at a byte: "claims
// 4471-A, 4472-A and 4480-C". It returns where the last ends.
func (x *Sheet) further(to int, q quest) int {
	q.far = true
	for range 8 {
		from := x.spans[len(x.spans)-1].From
		i := x.at(to)
		if i = x.nextInRow(i); i == 0 || x.taken(x.tok[i].From, x.tok[i].To) {
			return to
		}
		next := x.take(i, q)
		if next == 0 {
			next = x.takeAlike(i, from, to, q)
		}
		if next == 0 {
			return to
		}
		to = next
	}
	return to
}

// rowWords stand between the values of a row.
const rowWords = "and und et en into or ou oder lub oraz sowie bzw plus then later resp respectively así también auch ook także nonché anche alsmede"

// nextInRow is the token behind what joins the values of a row, at token i, or 0.
func (x *Sheet) nextInRow(i int) int {
	first := i
	for i < len(x.tok) && i-first < 4 {
		small := strings.Contains(" y e i o a ", " "+x.word(i)+" ")
		if !x.is(i, ",;&+/№#") && !oneOf(x.word(i), rowWords) && !(small && i == first) && !(i > first && x.signAt(i)) {
			break
		}
		i++
	}
	if i == first || i >= len(x.tok) {
		return 0
	}
	return i
}

// signAt tells whether token i is a sign for number, or the stop behind one.
func (x *Sheet) signAt(i int) bool {
	return oneOf(x.word(i), shortSigns) || isNumberLetter(x.word(i)) || x.is(i, ".°") && i > 0 && (isNumberLetter(x.word(i-1)) || oneOf(x.word(i-1), shortSigns))
}

// startsRow tells whether a short number with a sign inside has another of its form
// behind it: claims 88-1 and 88-2.
func (x *Sheet) startsRow(from, to int) bool {
	if n := digitsIn(x.s[from:to]); n < 2 || n == 2 && onlyDigitsAndSigns(x.s[from:to]) || !strings.ContainsAny(x.s[from:to], "-/") || x.isDate(from, to) {
		return false
	}
	j := x.nextInRow(x.at(to))
	if j == 0 {
		return false
	}
	next := x.tok[j].From
	end := x.value(j, cue{})
	return end > 0 && shape(x.s[next:end]) == shape(x.s[from:to]) && !x.countedThing(end) && x.s[next:end] != x.s[from:to]
}

// takeAlike takes what is written like the value before it in a row, which goes
// from one byte to another: claims 88-1 and 88-2, sinistros 44881 e 44882.
func (x *Sheet) takeAlike(i, from, to int, q quest) int {
	end := x.value(i, q.cue)
	if start := x.tok[i].From; end > 0 && (digitsIn(x.s[start:end]) > 2 || !onlyDigitsAndSigns(x.s[start:end]) && digitsIn(x.s[start:end]) > 1) && shape(x.s[start:end]) == shape(x.s[max(from, to-(end-start)):to]) && to-from == end-start && !x.countedThing(end) && !x.isMoney(start, end) && !x.isDate(start, end) {
		x.add(start, end, q.kind, "reference", 0.9)
		return end
	}
	if t := x.tok[i]; upper(x.s[from:to]) && to-from == 6 && t.To-t.From == 6 && t.Case == lex.Caps && t.Flags == 0 {
		x.add(t.From, t.To, q.kind, "locator", 0.9)
		return t.To
	}
	return 0
}

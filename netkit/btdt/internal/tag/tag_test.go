package tag

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

func TestDefaultIsReady(t *testing.T) {
	if !Default().Ready() {
		t.Fatal("got no weights, want those that go generate made")
	}
	if NewModel([]byte("short")).Ready() {
		t.Error("got weights of another size taken for a model")
	}
	tokens := lex.Split("Maria Johnson", nil)
	for _, s := range NewModel(nil).Margins(NewExtractor("Maria Johnson", tokens, "steps")) {
		if s != (Scores{}) {
			t.Errorf("got %v of no weights, want nothing", s)
		}
	}
}

// A packed model gives the weights back for its features and none for others.
func TestPack(t *testing.T) {
	var hashes []uint64
	for k := range uint64(1000) {
		hashes = append(hashes, lex.Key("x")*(k+1)*0x9E3779B97F4A7C15)
	}
	weight := func(f int, l Label) int8 { return int8((f+int(l))%255 - 127) }
	m := NewModel(Pack(hashes, weight, func(a, b Label) int16 { return 300 * (int16(a) - int16(b)) }))
	for k, h := range hashes {
		f := Features{N: 1}
		f.Hash[0] = h
		var got Scores
		m.sum(&f, &got)
		for l := range Label(Labels) {
			if want := int32(weight(k, l)); got[l] != want {
				t.Fatalf("feature %d, label %d: got %d, want %d", k, l, got[l], want)
			}
		}
	}
	if m.row(12345) >= 0 {
		t.Error("got a row for a feature that is not there")
	}
	if got := m.steps[Org][Law]; got != 300*(int32(Org)-int32(Law)) {
		t.Errorf("got a step of %d, want %d", got, 300*(int32(Org)-int32(Law)))
	}
}

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		a, b Label
		want bool
	}{{Other, NameFirst, true}, {Other, NameNext, false}, {NameFirst, NameNext, true}, {NameNext, NameNext, true}, {Org, NameNext, false}, {Org, Medical, true}} {
		if got := Follows(c.a, c.b); got != c.want {
			t.Errorf("%d after %d: got %v, want %v", c.b, c.a, got, c.want)
		}
	}
}

// best tries every labelling of a text: slow, and plainly right.
func best(scores []Scores, steps *Steps, at int, want func(Label) bool) int32 {
	top := int32(2 * never)
	labels := make([]Label, len(scores))
	var try func(i int, before Label, sum int32)
	try = func(i int, before Label, sum int32) {
		if i == len(scores) {
			if at < 0 || want(labels[at]) {
				top = max(top, sum)
			}
			return
		}
		for b := range Label(Labels) {
			if Follows(before, b) {
				labels[i] = b
				try(i+1, b, sum+steps[before][b]+scores[i][b])
			}
		}
	}
	try(0, Other, 0)
	return top
}

// name folds the two labels of a name into one.
func name(l Label) Label {
	if l == NameNext {
		return NameFirst
	}
	return l
}

func TestViterbiAgainstAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := make([]Scores, rapid.IntRange(1, 3).Draw(t, "words"))
		weight := rapid.Int32Range(-50, 50)
		for i := range scores {
			for l := range scores[i] {
				scores[i][l] = weight.Draw(t, "score")
			}
		}
		steps := NewSteps(func(a, b Label) int32 { return int32((a*7+b*3)%11) - 5 })
		labels := make([]Label, len(scores))
		Best(scores, steps, labels)
		sum, before := int32(0), Label(Other)
		for i, l := range labels {
			sum += steps[before][l] + scores[i][l]
			before = l
		}
		if want := best(scores, steps, -1, nil); sum != want {
			t.Fatalf("got a score of %d, want %d", sum, want)
		}
		at, l := rapid.IntRange(0, len(scores)-1).Draw(t, "at"), Label(rapid.IntRange(0, Labels-1).Draw(t, "label"))
		is := func(m Label) bool { return name(m) == name(l) }
		isNot := func(m Label) bool { return !is(m) }
		want := best(scores, steps, at, is) - best(scores, steps, at, isNot)
		if got := margins(scores, steps)[at][l]; got != want {
			t.Fatalf("word %d, label %d: got a margin of %d, want %d", at, l, got, want)
		}
	})
}

func TestFeaturesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := lex.Fold(rapid.String().Draw(t, "text")).S
		tokens := lex.Split(text, nil)
		e := NewExtractor(text, tokens, "steps")
		for i := range tokens {
			var f Features
			e.At(i, &f)
			if f.N == 0 || f.N >= len(f.Hash) {
				t.Fatalf("%q: got %d features, want some and room for more", text, f.N)
			}
		}
	})
}

func TestRuns(t *testing.T) {
	class := func(text string) uint64 { return findRuns(text, lex.Split(text, nil))[0].class }
	if class("Maria Johnson")&(runGiven|runSurname) != runGiven|runSurname {
		t.Error("got no given name and surname in Maria Johnson")
	}
	for text, bit := range map[string]uint64{"Grace Hospital": runOrg, "Baker Act": runLaw, "Ernst & Young": runAmp, "Branch Manager": runRole, "Maple Street": runStreet} {
		if class(text)&bit == 0 {
			t.Errorf("%q: got class %b, want bit %b", text, class(text), bit)
		}
	}
}

// Codes of one form have one shape.
func TestCodes(t *testing.T) {
	shape := func(text string) uint64 { return findCodes(text, lex.Split(text, nil))[0].shape }
	if shape("AB-2024-118273") != shape("XY-1999-000111") {
		t.Error("got two shapes for codes of one form")
	}
	if shape("AB-2024") == shape("ab-2024") || shape("12") == shape("123") {
		t.Error("got one shape for codes of two forms")
	}
	if c := findCodes("see 12/345.", lex.Split("see 12/345.", nil))[1]; c.digits != 5 || c.to != 4 {
		t.Errorf("got %+v, want a code of five digits without the full stop", c)
	}
}

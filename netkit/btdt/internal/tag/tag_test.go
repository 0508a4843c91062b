package tag

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// sample labels the words of a text; labels has a letter a token: N and n a
// name, O and o a firm, a dot for nothing.
func sample(t *testing.T, text, labels string) Sample {
	t.Helper()
	s := Sample{Text: text, Tokens: lex.Split(text, nil), Field: "steps"}
	if len(s.Tokens) != len(labels) {
		t.Fatalf("%q: got %d tokens, want %d labels", text, len(s.Tokens), len(labels))
	}
	for _, c := range labels {
		s.Labels = append(s.Labels, map[rune]uint8{'N': NameFirst, 'n': NameNext, 'O': OrgFirst, 'o': OrgNext}[c])
	}
	return s
}

func lessons(t *testing.T) []Sample {
	return []Sample{
		sample(t, "I met Qarzul Vemp today", "..Nn."),
		sample(t, "I met Tosk today", "..N."),
		sample(t, "the bill of Zarnobank came", "...O."),
		sample(t, "the bill of Vemp Energy came", "...Oo."),
		sample(t, "nothing came", ".."),
	}
}

// What was learned holds for words that were never seen, where they stand alike.
func TestTrainLearnsSurroundings(t *testing.T) {
	m := Model{string(Train(lessons(t), 12, 1))}
	for text, want := range map[string][]uint8{
		"I met Brolik today":       {Other, Other, NameFirst, Other},
		"the bill of Quendo came":  {Other, Other, Other, OrgFirst, Other},
		"I met Dreska Molin today": {Other, Other, NameFirst, NameNext, Other},
		"nothing came":             {Other, Other},
	} {
		tokens := lex.Split(text, nil)
		got := make([]uint8, len(tokens))
		leads := m.Label(text, tokens, "steps", got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
		for i, l := range leads {
			if name := Kind(got[i]) == NameFirst; name != (l >= 0) {
				t.Errorf("%q word %d: got lead %d for label %d, want its sign to tell a name", text, i, l, got[i])
			}
		}
	}
}

func TestTrainIsExact(t *testing.T) {
	a, b := Train(lessons(t), 3, 7), Train(lessons(t), 3, 7)
	if !bytes.Equal(a, b) {
		t.Error("got other weights from the same samples and seed")
	}
	if bytes.Equal(a, Train(lessons(t)[:3], 3, 7)) {
		t.Error("got equal weights from other samples")
	}
	if len(a) != modelSize || modelSize > 3_000_000 {
		t.Errorf("got %d bytes, want %d, at most 3 MB", len(a), modelSize)
	}
}

func TestDefaultIsReady(t *testing.T) {
	if !Default().Ready() {
		t.Fatal("got no weights, want those that go generate made")
	}
	if (Model{"short"}).Ready() {
		t.Error("got weights of another size taken for a model")
	}
	labels := make([]uint8, 2)
	tokens := lex.Split("Maria Johnson", nil)
	if got := (Model{}).Label("Maria Johnson", tokens, "steps", labels); !slices.Equal(got, []int32{0, 0}) || labels[0] != Other {
		t.Errorf("got %v and %v of no weights, want nothing", got, labels)
	}
}

func TestKindFolds(t *testing.T) {
	for label, want := range map[uint8]uint8{Other: Other, NameFirst: NameFirst, NameNext: NameFirst, RoleNext: RoleFirst, PlaceFirst: PlaceFirst} {
		if got := Kind(label); got != want {
			t.Errorf("label %d: got %d, want %d", label, got, want)
		}
	}
}

// A next word needs its own kind before it; anything may start anywhere.
func TestFollows(t *testing.T) {
	for _, c := range []struct {
		a, b uint8
		want bool
	}{
		{Other, NameFirst, true}, {Other, NameNext, false}, {NameFirst, NameNext, true}, {NameNext, NameNext, true},
		{OrgFirst, NameNext, false}, {NameNext, OrgFirst, true}, {RoleNext, Other, true}, {Other, Labels - 1, false},
	} {
		if got := Follows(int(c.a), int(c.b)); got != c.want {
			t.Errorf("%d after %d: got %v, want %v", c.b, c.a, got, c.want)
		}
	}
}

// best tries every labelling of a text: slow, and plainly right.
func best(scores [][Labels]int32, steps *[Labels][Labels]int32, at int, want func(uint8) bool) int32 {
	top := int32(2 * never)
	labels := make([]uint8, len(scores))
	var try func(i int, before uint8, sum int32)
	try = func(i int, before uint8, sum int32) {
		if i == len(scores) {
			if at < 0 || want(labels[at]) {
				top = max(top, sum)
			}
			return
		}
		for b := range uint8(Labels - 1) {
			if !Follows(int(before), int(b)) {
				continue
			}
			labels[i] = b
			try(i+1, b, sum+steps[before][b]+scores[i][b])
		}
	}
	try(0, Other, 0)
	return top
}

func TestViterbiAgainstAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := make([][Labels]int32, rapid.IntRange(1, 3).Draw(t, "words"))
		weight := rapid.Int32Range(-50, 50)
		for i := range scores {
			for l := range Labels - 1 {
				scores[i][l] = weight.Draw(t, "score")
			}
		}
		steps := allowed(func(a, b int) int32 { return int32((a*7+b*3)%11) - 5 })
		labels := make([]uint8, len(scores))
		forward := viterbi(scores, steps, labels)
		sum, before := int32(0), uint8(Other)
		for i, l := range labels {
			if !Follows(int(before), int(l)) {
				t.Fatalf("got %d after %d, which cannot be", l, before)
			}
			sum += steps[before][l] + scores[i][l]
			before = l
		}
		if want := best(scores, steps, -1, nil); sum != want {
			t.Fatalf("got a score of %d, want %d", sum, want)
		}
		isName := func(l uint8) bool { return Kind(l) == NameFirst }
		notName := func(l uint8) bool { return !isName(l) }
		for i, got := range lead(scores, forward, steps) {
			if want := best(scores, steps, i, isName) - best(scores, steps, i, notName); got != want {
				t.Fatalf("word %d: got a lead of %d, want %d", i, got, want)
			}
		}
	})
}

// Lanes of sixteen bits must add up to what single weights do.
func TestSumAgainstOneByOne(t *testing.T) {
	m := Default()
	for _, text := range []string{"Maria Johnson wrote to the bank.", "§ 536 BGB", "O'BRIEN & SONS", "called again, 14 days"} {
		tokens := lex.Split(text, nil)
		e := NewExtractor(text, tokens, "steps")
		for i := range tokens {
			var f Features
			e.At(i, &f)
			var got, want [Labels]int32
			m.sum(&f, &got)
			for _, h := range f.Hash[:f.N] {
				at := m.row(h)
				for l := 0; at >= 0 && l < rowSize; l++ {
					want[l] += int32(m.bytes[at+l]) - bias
				}
			}
			if got != want {
				t.Errorf("%q word %d: got %v, want %v", text, i, got, want)
			}
		}
	}
}

func TestFeaturesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := lex.Fold(rapid.String().Draw(t, "text")).S
		tokens := lex.Split(text, nil)
		e := NewExtractor(text, tokens, "steps")
		for i := range tokens {
			var f Features
			e.At(i, &f)
			if f.N == 0 || f.N > len(f.Hash) {
				t.Fatalf("%q: got %d features", text, f.N)
			}
		}
	})
}

func TestRuns(t *testing.T) {
	for text, want := range map[string][]string{
		"ask Maria de la Cruz at Wells Fargo": {"Maria de la Cruz", "Wells Fargo"},
		"Ernst & Young said J. R. Ewing paid": {"Ernst & Young", "J. R. Ewing"},
		"nothing here":                        nil,
		"Bank of America. Then":               {"Bank of America", "Then"},
		"Ana\nLuz":                            {"Ana", "Luz"},
	} {
		tokens := lex.Split(text, nil)
		var got []string
		for i, r := range findRuns(text, tokens) {
			if r.to > 0 && r.from == i {
				got = append(got, text[tokens[r.from].From:tokens[r.to-1].To])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestRunClass(t *testing.T) {
	class := func(text string) uint64 {
		return findRuns(text, lex.Split(text, nil))[0].class
	}
	if class("Maria Johnson")&(runGiven|runSurname) != runGiven|runSurname {
		t.Error("got no given name and surname in Maria Johnson")
	}
	for text, bit := range map[string]uint64{"Grace Hospital": runOrg, "Baker Act": runLaw, "Ernst & Young": runAmp, "Branch Manager": runRole, "Maple Street": runStreet} {
		if class(text)&bit == 0 {
			t.Errorf("%q: got class %b, want bit %b", text, class(text), bit)
		}
	}
}

package lex

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "ja\u200bne": "jane", "１２３": "123", "e\u0301": "é", "a–b": "a-b", "O’Brien": "O'Brien", "x\u00a0y": "x y",
		"J&#111;hn &amp; Co": "John & Co", "<b>J</b>ane<br>Roe": "Jane Roe", "a < b and c > d": "a < b and c > d", "**Jane** _Roe_": "Jane Roe",
		"user_name **** 12": "user_name **** 12", "J\u043ehn": "John", "\u041e\u043d": "\u041e\u043d", "Jane\nRoe": "Jane Roe", "Done.\nThen": "Done.\nThen",
		"Jane😀Roe": "Jane Roe", `\u004aane\nRoe`: "Jane Roe", "a & b": "a & b", `C:\x`: `C:\x`,
	} {
		if got := Fold(in).S; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	f := Fold("é ja\u200bne\u200b")
	if from, to := f.Span(strings.Index(f.S, "jane"), len(f.S)); from != 2 || to != 7 {
		t.Errorf("got %d to %d, want the hidden character inside and not the one behind", from, to)
	}
}

func TestSplit(t *testing.T) {
	for in, want := range map[string][]string{
		"O'Brien's Jean-Luc":    {"O'Brien", "'", "s", "Jean-Luc"},
		"l'assureur d'Alembert": {"l", "'", "assureur", "d", "'", "Alembert"},
		"ref 23k [NAME_12]!":    {"ref", "23k", "[NAME_12]", "!"},
		"[NAME] [OTHER] [A_B":   {"[NAME]", "[", "OTHER", "]", "[", "A", "_", "B"},
	} {
		var got []string
		for _, k := range Split(in, nil) {
			got = append(got, in[k.From:k.To])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}

func TestWords(t *testing.T) {
	for word, want := range map[string]Flags{
		"Maria": Given, "Johnson": Surname, "invoice": English, "London": Place, "März": Month, "diabetes": Ill,
		"adalimumab": Care, "Straße": Street, "Mrs": Title, "daughter": Kin, "Ombudsman": Role, "GmbH": OrgWord,
	} {
		if got := Of(Key(word)); got&want == 0 {
			t.Errorf("%s: got %b, want it to have %b", word, got, want)
		}
	}
	if Key("MÜLLER") != Key("muller") {
		t.Error("case and accents count in a key")
	}
	if Of(Key("xqzvwk")) != 0 {
		t.Error("got flags for a word that is none")
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("O'Brien's e\u0301 １２ [NAME_1]")
	f.Fuzz(func(t *testing.T, s string) {
		folded := Fold(s)
		last := 0
		for _, k := range Split(folded.S, nil) {
			if k.From < last || k.To <= k.From || k.To > len(folded.S) {
				t.Fatalf("token %+v overlaps or is empty in %q", k, folded.S)
			}
			last = k.To
			if from, to := folded.Span(k.From, k.To); from < 0 || to <= from || to > utf8.RuneCountInString(s) {
				t.Fatalf("token %+v of %q maps to %d–%d", k, s, from, to)
			}
		}
	})
}

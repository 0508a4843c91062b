package lex

import "testing"

// A playbook tells the language of its texts that are too short for it.
func TestTonguesTellShortTexts(t *testing.T) {
	long := Split("Widerspruch einlegen und die Belege der Stelle mit einem Brief an das Amt schicken, dann auf die Antwort warten.", nil)
	for _, c := range []struct {
		text string
		want Flags
	}{{"Send the letter to the office and then wait for the answer that they have to give you.", 0}, {"Kein Wort.", 0}} {
		if got := Tongues(Split(c.text, nil)); got != c.want {
			t.Errorf("%s: got %b, want %b", c.text, got, c.want)
		}
	}
	likely := Tongues(long)
	if likely&German == 0 {
		t.Fatalf("got %b, want German among them", likely)
	}
	short := Split("Beginn, Dauer, Kosten.", nil)
	if short[2].Flags&Foreign != 0 {
		t.Fatalf("got %b for a surname in a short text, want no ordinary word", short[2].Flags)
	}
	if Settle(short, likely); short[2].Flags&Foreign == 0 {
		t.Errorf("got %b, want an ordinary word of German", short[2].Flags)
	}
}

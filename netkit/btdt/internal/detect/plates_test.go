package detect

import "testing"

func TestPlatesGo(t *testing.T) {
	for _, plate := range []string{"BD19 KUH", "LK51XYZ", "AB-123-CD", "AB123CD", "FX 482 LK", "ABC1D23", "HH-KT 4471", "M-AB 123E", "NB-39-ZX", "1-KHD-774", "8-TVR-93", "DFK-62-B", "KX-512-B", "BH-09-TR", "1QF 7ZB"} {
		text := "The van, " + plate + ", was towed."
		if got := found(text); len(got) != 1 || got[0] != "VEHICLE:"+plate {
			t.Errorf("%q: got %q, want the plate", text, got)
		}
	}
}

func TestPlatesKeep(t *testing.T) {
	for _, text := range []string{
		"Filed on 12-03-24 with HMRC.", "BSG B 2 U 16/14 R decided it.", "The A-12 and M-25 were closed.", "Call between 10 and 12 AM.",
		"UK 123 US customers complained.", "The EU-27 and the G20 agree.", "A GLP-1 drug, a COVID-19 test, an MP3 file.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

func TestShape(t *testing.T) {
	if got := shape("KX-51 b"); got != "AA-99 b" {
		t.Errorf("got %s", got)
	}
	if !sameShape("LM-72 b", "AA-99 b") || sameShape("LM-7x b", "AA-99 b") || sameShape("lM-72 b", "AA-99 b") {
		t.Error("want capitals and digits alone to vary")
	}
}

package btdt

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// wordDetector finds words, as names with a score.
type wordDetector struct {
	words map[string]float64
	asked map[string]string // text by path, of what it got
	spoke map[string]string // language by path
}

func (d *wordDetector) Detect(_ context.Context, path, text, language string) (found []Finding, err error) {
	if d.asked == nil {
		d.asked, d.spoke = map[string]string{}, map[string]string{}
	}
	d.asked[path], d.spoke[path] = text, language
	for word, score := range d.words {
		for _, at := range Quoted(text, word) {
			found = append(found, Finding{Rule: "words", Start: at[0], End: at[1], Type: TypeName, Score: score})
		}
	}
	return found, nil
}

// fixedDetector finds the same everywhere.
type fixedDetector []Finding

func (d fixedDetector) Detect(context.Context, string, string, string) ([]Finding, error) {
	return d, nil
}

func mustScrub(s *Scrubber, p Playbook) Result {
	r, err := s.Scrub(context.Background(), p)
	if err != nil {
		panic(err)
	}
	return r
}

func detected(step string) Playbook {
	return Playbook{Title: "A refund", Category: "other", SubCategory: "refund", Jurisdiction: "US", Status: StatusResolved, Outcome: "It was paid.",
		Entity: "Willow Bank", Steps: []string{step, "They wrote to the wobblefern again."}}
}

// A detector adds what the scrubber does not know: sure from its score, in every field
// by the memory, with offsets in code points of the text as it was given.
func TestDetectorAdds(t *testing.T) {
	d := &wordDetector{words: map[string]float64{"wobblefern": 0.9, "teapot": 0.4}}
	step := "𝒜 note 🙂 to&nbsp;the <b>wobblefern</b> and the teapot."
	r := mustScrub(&Scrubber{Detectors: []Detector{d}}, detected(step))
	if got := r.Playbook.Steps[0]; strings.Contains(got, "wobblefern") || strings.Contains(got, "teapot") || !strings.Contains(got, "🙂") {
		t.Errorf("got %q, want both words stripped and the rest left", got)
	}
	if d.asked["steps[0]"] != step || d.spoke["steps[0]"] != "en" || d.asked["entity"] != "Willow Bank" || d.spoke["entity"] != "en" {
		t.Errorf("got %q in %q, want the whole unscrubbed texts in English", d.asked, d.spoke)
	}
	if _, sent := d.asked["category"]; sent || d.asked["region"] != "" {
		t.Errorf("got %q, want no codes and no empty texts", d.asked)
	}
	for _, f := range r.Findings {
		if f.Rule != "detector:words" || f.Sure != (f.Score >= 0.85) {
			t.Errorf("got %+v, want it to be of the detector and sure from 0.85", f)
		}
	}
	if len(r.Findings) != 3 || len(r.Questions(detected(step))) != 1 {
		t.Errorf("got %+v, want three findings and one question", r.Findings)
	}
}

// Names that a detector finds are looked for in every field.
func TestDetectorTeachesMemory(t *testing.T) {
	only := detectorFunc(func(path, text string) []Finding {
		if path != "steps[0]" {
			return nil
		}
		at := Quoted(text, "wobblefern")[0]
		return []Finding{{Start: at[0], End: at[1], Type: TypeName, Score: 1}}
	})
	r := mustScrub(&Scrubber{Detectors: []Detector{only}}, detected("I met Wobblefern."))
	if got := r.Playbook.Steps[1]; strings.Contains(got, "wobblefern") {
		t.Errorf("got %q, want the name stripped there too", got)
	}
}

type detectorFunc func(path, text string) []Finding

func (f detectorFunc) Detect(_ context.Context, path, text, _ string) ([]Finding, error) {
	return f(path, text), nil
}

// What scrubber and detector both find is sure, whatever the detector's score.
func TestDetectorConfirms(t *testing.T) {
	p := detected("I asked Gruvelock about it.")
	before := mustScrub(&Scrubber{}, p)
	if len(before.Findings) != 1 || before.Findings[0].Sure {
		t.Fatalf("got %+v, want one question", before.Findings)
	}
	r := mustScrub(&Scrubber{Detectors: []Detector{&wordDetector{words: map[string]float64{"gruvelock": 0.1}}}}, p)
	if len(r.Findings) != 1 || !r.Findings[0].Sure || r.Findings[0].Rule != before.Findings[0].Rule {
		t.Errorf("got %+v, want the same finding, sure", r.Findings)
	}
	kept := mustScrub(&Scrubber{Keep: []string{"Gruvelock"}, Detectors: []Detector{&wordDetector{words: map[string]float64{"gruvelock": 1}}}}, p)
	if len(kept.Findings) > 0 || len(kept.Kept) == 0 {
		t.Errorf("got %+v, want the author's decision to win", kept.Findings)
	}
}

// A detector removes nothing: without findings, and with those of another type.
func TestDetectorNeverUnmasks(t *testing.T) {
	p := detected("Maria Gonzalez (maria@example.org) called from 312-555-0187.")
	without := mustScrub(&Scrubber{}, p).Playbook
	for name, d := range map[string]Detector{
		"nothing": fixedDetector{}, "another type": fixedDetector{{Start: 0, End: 3, Type: TypeOtherID}},
	} {
		r := mustScrub(&Scrubber{Detectors: []Detector{d}}, p)
		if name == "nothing" && r.Playbook.SHA256() != without.SHA256() {
			t.Errorf("%s: got %q, want the same as without", name, r.Playbook.Steps)
		}
		for _, left := range []string{"Maria", "Gonzalez", "example.org", "0187"} {
			if strings.Contains(r.Playbook.Steps[0], left) {
				t.Errorf("%s: got %q, want no %s", name, r.Playbook.Steps[0], left)
			}
		}
	}
}

// A word of the institution stays although the tagger takes it for a person, unless a
// detector does so too.
func TestDetectorFindsNameOfFirm(t *testing.T) {
	p := detected("We met Willow at the counter.")
	if r := mustScrub(&Scrubber{}, p); len(r.Findings) > 0 {
		t.Fatalf("got %+v, want the firm's word left without a detector", r.Findings)
	}
	r := mustScrub(&Scrubber{Detectors: []Detector{detectorFunc(func(path, text string) []Finding {
		if path != "steps[0]" {
			return nil
		}
		return []Finding{{Start: 7, End: 13, Type: TypeName, Score: 0.5}}
	})}}, p)
	if len(r.Findings) != 1 || strings.Contains(r.Playbook.Steps[0], "Willow") {
		t.Errorf("got %q with %+v, want the name masked", r.Playbook.Steps, r.Findings)
	}
}

// Findings that may be of another text are an error, never a mask elsewhere.
func TestDetectorOffsetsAreChecked(t *testing.T) {
	for name, f := range map[string]Finding{
		"before": {Start: -1, End: 2, Type: TypeName}, "beyond": {Start: 0, End: 1000, Type: TypeName}, "empty": {Start: 2, End: 2, Type: TypeName},
		"turned": {Start: 3, End: 2, Type: TypeName}, "type": {Start: 0, End: 1, Type: "PERSON"}, "score": {Start: 0, End: 1, Type: TypeName, Score: 1.5},
	} {
		_, err := (&Scrubber{Detectors: []Detector{fixedDetector{f}}}).Scrub(t.Context(), detected("A step."))
		if !errors.Is(err, errBadFinding) {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
}

// Placeholders are no part of a finding, and parts of words become whole words.
func TestDetectorTakesWords(t *testing.T) {
	for step, want := range map[string]string{
		"[NAME_3] teapot [NAME_4]": "[NAME_3] [OTHER_ID_1] [NAME_4]",
		"the teapot.":              "[OTHER_ID_1].",
	} {
		whole := detectorFunc(func(path, text string) []Finding {
			if path != "steps[0]" {
				return nil
			}
			return []Finding{{Start: 1, End: len([]rune(text)), Type: TypeOtherID, Score: 1}}
		})
		r := mustScrub(&Scrubber{Detectors: []Detector{whole}}, detected(step))
		if got := r.Playbook.Steps[0]; got != want {
			t.Errorf("%q: got %q, want %q", step, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	got := Quoted("🙂 Ann met ANN, not Annabel", "ann")
	if len(got) != 2 || got[0] != [2]int{2, 5} || got[1] != [2]int{10, 13} {
		t.Errorf("got %v, want the two places of the whole word", got)
	}
}

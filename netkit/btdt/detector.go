package btdt

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/detect"
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Detector is a detector of the author's own, such as a larger model. It adds to
// the scrubber's findings and confirms them, and never removes one.
//
// Detect gets one whole text of a playbook before anything is stripped, the path of its
// field, and the ISO 639-1 code of its language, "und" where that is not known. It
// returns findings with Start and End in code points of the text, one of [Types], and a
// Score from 0 to 1; Rule names the detector. A finding that the scrubber shares is
// sure; one of the detector only is sure from a score of 0.85, and else a question to
// the author. Names that it finds are looked for in every field. Package detector has
// two implementations.
type Detector interface {
	Detect(ctx context.Context, path, text, language string) ([]Finding, error)
}

// errBadFinding means that a detector may mean another text than it got.
var errBadFinding = errors.New("a detector returned a finding outside of the text, of an unknown type or with a score that is not from 0 to 1; offsets count code points")

// UnknownLanguage is the language of a text for a detector where it is not known.
const UnknownLanguage = "und"

// consult asks the detectors about every text.
func (b *book) consult(ctx context.Context, detectors []Detector) error {
	if len(detectors) == 0 {
		return nil
	}
	b.languages()
	for _, s := range b.passages {
		if strings.TrimSpace(string(s.raw)) == "" {
			continue
		}
		for _, d := range detectors {
			found, err := d.Detect(ctx, s.path, string(s.raw), s.code)
			if err == nil {
				err = s.report(found)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// report notes the findings of a detector.
func (s *passage) report(found []Finding) error {
	for _, f := range found {
		if f.Start < 0 || f.Start >= f.End || f.End > len(s.raw) || math.IsNaN(f.Score) || f.Score < 0 || f.Score > 1 || !slices.Contains(Types(), f.Type) {
			return errBadFinding
		}
		rule := "detector"
		if f.Rule != "" {
			rule += ":" + f.Rule
		}
		s.reported = append(s.reported, detect.Reported{Start: f.Start, End: f.End, Type: f.Type, Rule: rule, Score: f.Score})
	}
	return nil
}

// languages notes the language of every text; short ones follow the playbook.
func (b *book) languages() {
	var all lex.Votes
	for _, s := range b.passages {
		s.newSheet()
		s.sheet.Votes(&all)
	}
	b.judgeLanguages()
	b.judged = true
	for _, s := range b.passages {
		var own lex.Votes
		s.sheet.Votes(&own)
		switch name, most := lex.Foreign(string(s.raw)); {
		case most:
			s.code = lex.CodeOf(name)
		case !s.formsOnly && own.Code() != "" && s.field != "sub_category":
			s.code = own.Code()
		case !s.formsOnly:
			s.code = all.Code()
		}
		if s.code == "" {
			s.code = UnknownLanguage
		}
	}
}

// Quoted returns where the words of a quotation stand in a text, whatever their case:
// start and end in code points, nothing where they do not.
func Quoted(text, quotation string) (places [][2]int) {
	for start, end := range detect.NewSheet("", text).Quoted(detect.Keep(quotation)) {
		places = append(places, [2]int{start, end})
	}
	return places
}

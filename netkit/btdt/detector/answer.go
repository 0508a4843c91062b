package detector

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt"
)

// maxAnswer is how many bytes an answer on one text may have.
const maxAnswer = 4 << 20

// maxFindings bounds the findings on one text, since each may be a quotation to look for.
const maxFindings = 1000

var (
	errLongAnswer   = fmt.Errorf("it answered with more than %d MiB", maxAnswer>>20)
	errBadAnswer    = errors.New(`it did not answer with a list of findings, each {"entity_type", "start", "end", "score"} or {"entity_type", "text"}`)
	errManyFindings = fmt.Errorf("it returned more than %d findings on one text", maxFindings)
	errBadOffsets   = errors.New("it returned offsets outside of the text; they count code points")
)

// reported is a finding as detectors write it. Other fields are ignored.
type reported struct {
	EntityType string   `json:"entity_type"`
	Start      *int     `json:"start"`
	End        *int     `json:"end"`
	Text       *string  `json:"text"` // in place of start and end
	Score      *float64 `json:"score"`
}

// unscored is the score of a finding that has none: a question to the author.
const unscored = 0.5

// readLimited reads at most maxAnswer bytes.
func readLimited(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	if err == nil && len(data) > maxAnswer {
		err = errLongAnswer
	}
	return data, err
}

// findings reads an answer on a text. Missed counts quotations that the text does not
// hold.
func findings(answer []byte, text, name string) (found []btdt.Finding, missed int, err error) {
	var all []reported
	if json.Unmarshal(answer, &all) != nil || all == nil {
		return nil, 0, errBadAnswer
	}
	if len(all) > maxFindings {
		return nil, 0, errManyFindings
	}
	length := utf8.RuneCountInString(text)
	seen := map[btdt.Finding]bool{}
	for _, r := range all {
		kind, wanted := typeOf(r.EntityType)
		places, err := r.places(text, length)
		if err != nil {
			return nil, 0, err
		}
		f := btdt.Finding{Rule: name, Type: kind, Score: unscored}
		if r.Score != nil {
			f.Score = *r.Score
		}
		if f.Score < 0 || f.Score > 1 {
			return nil, 0, errBadAnswer
		}
		if len(places) == 0 {
			missed++
		}
		for _, at := range places {
			if f.Start, f.End = at[0], at[1]; wanted && !seen[f] {
				seen[f] = true
				found = append(found, f)
			}
		}
	}
	return found, missed, nil
}

// places are where a finding says it is in a text of so many code points.
func (r *reported) places(text string, length int) ([][2]int, error) {
	switch {
	case r.EntityType == "":
		return nil, errBadAnswer
	case r.Start != nil && r.End != nil:
		if *r.Start < 0 || *r.Start >= *r.End || *r.End > length {
			return nil, errBadOffsets
		}
		return [][2]int{{*r.Start, *r.End}}, nil
	case r.Start == nil && r.End == nil && r.Text != nil:
		return btdt.Quoted(text, *r.Text), nil
	}
	return nil, errBadAnswer
}

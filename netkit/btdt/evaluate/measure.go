package evaluate

import (
	"context"
	"slices"
	"time"
	"unicode"

	"github.com/agentnet/netctl/netkit/btdt"
)

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// Row is what was measured for one type.
type Row struct {
	Type      string  `json:"type"`
	Gold      int     `json:"gold"`       // parts that must go
	Covered   int     `json:"covered"`    // of which every letter and digit went
	Letters   int     `json:"letters"`    // letters and digits that must go
	Masked    int     `json:"masked"`     // of which went
	Findings  int     `json:"findings"`   // of this type
	Right     int     `json:"right"`      // of which touch a part of this type
	Private   int     `json:"private"`    // of which touch a part of any type
	Recall    float64 `json:"recall"`     // Covered of Gold, in per cent
	Chars     float64 `json:"characters"` // Masked of Letters, in per cent
	Precision float64 `json:"precision"`  // Right of Findings, in per cent
}

// Report is what was measured on a file.
type Report struct {
	Playbooks    int     `json:"playbooks"`
	Rows         []Row   `json:"types"`
	Keep         int     `json:"keep"`                  // parts that must stay
	Touched      int     `json:"keep_touched"`          // of which lost a letter
	Clean        int     `json:"clean"`                 // playbooks without anything to strip
	CleanChanged int     `json:"clean_changed"`         // of which were changed
	Leaking      int     `json:"leaking"`               // playbooks of the others of which a part that must go was left
	Sure         int     `json:"sure"`                  // findings that are masked without a question
	SureRight    int     `json:"sure_right"`            // those that touch a part that must go
	Questions    int     `json:"questions"`             // texts that the authors are asked about
	CleanSure    int     `json:"clean_changed_unasked"` // clean playbooks that a sure finding changed
	SentWrong    int     `json:"sent_wrong_unasked"`    // playbooks with a sure finding in a field that is sent and that touches no part that must go
	Bytes        int     `json:"bytes"`
	Seconds      float64 `json:"seconds"`
	MBPerSecond  float64 `json:"mb_per_second"`
	MillisEach   float64 `json:"ms_a_playbook"`
	Misses       []Miss  `json:"misses"` // where and how, to look at by eye
}

// Miss is one thing that went wrong. Its text comes from the labelled file.
type Miss struct {
	ID   string `json:"id"`
	Kind string `json:"kind"` // missed, touched or extra
	Mark
}

// Measure is [MeasureWith] a scrubber without detectors.
func Measure(examples []Example, clock func() time.Duration) Report {
	r, err := MeasureWith(context.Background(), &btdt.Scrubber{}, examples, clock)
	if err != nil {
		panic("evaluate: without detectors nothing fails: " + err.Error())
	}
	return r
}

// MeasureWith scrubs every example and compares. Clock gives the time that passed
// since some instant; the package itself reads no clock. An error is one of a detector.
func MeasureWith(ctx context.Context, scrubber *btdt.Scrubber, examples []Example, clock func() time.Duration) (Report, error) {
	r := Report{Playbooks: len(examples)}
	rows := map[string]*Row{}
	for _, t := range btdt.Types() {
		rows[t] = &Row{Type: t}
	}
	for i := range examples {
		e := &examples[i]
		r.Bytes += len(e.Playbook)
		start := clock()
		done, err := scrubber.Scrub(ctx, e.book)
		if err != nil {
			return Report{}, err
		}
		r.Seconds += (clock() - start).Seconds()
		r.Questions += len(done.Questions(e.book))
		r.judge(e, done.Findings, rows)
	}
	total := Row{Type: "all"}
	for _, t := range btdt.Types() {
		rows[t].finish()
		r.Rows = append(r.Rows, *rows[t])
		total.sum(rows[t])
	}
	total.finish()
	r.Rows = append(r.Rows, total)
	if r.Seconds > 0 {
		r.MBPerSecond = float64(r.Bytes) / 1e6 / r.Seconds
		r.MillisEach = r.Seconds * 1000 / float64(max(1, r.Playbooks))
	}
	return r, nil
}

// judge compares the findings of one playbook with its labels.
func (r *Report) judge(e *Example, found []btdt.Finding, rows map[string]*Row) {
	masked := map[string]map[int]bool{}
	for _, f := range found {
		if masked[f.Path] == nil {
			masked[f.Path] = map[int]bool{}
		}
		for i := f.Start; i < f.End; i++ {
			masked[f.Path][i] = true
		}
	}
	before := len(r.Misses)
	for _, g := range e.Gold {
		if row := rows[g.Type]; row != nil && !row.cover(g, masked[g.Path]) {
			r.Misses = append(r.Misses, Miss{e.ID, "missed", g})
		}
	}
	if len(r.Misses) > before {
		r.Leaking++
	}
	for _, k := range e.Keep {
		r.Keep++
		for _, i := range k.letters() {
			if masked[k.Path][i] {
				r.Touched++
				r.Misses = append(r.Misses, Miss{e.ID, "touched", k})
				break
			}
		}
	}
	unasked, sentWrong := false, false
	for _, f := range found {
		right := r.precise(e, f, rows[f.Type])
		if !f.Sure {
			continue
		}
		unasked = true
		r.Sure++
		if right {
			r.SureRight++
		}
		sentWrong = sentWrong || !right && slices.Contains(sentFields, f.Path)
	}
	if sentWrong {
		r.SentWrong++
	}
	if len(e.Gold) == 0 {
		r.Clean++
		if len(found) > 0 {
			r.CleanChanged++
		}
		if unasked {
			r.CleanSure++
		}
	}
}

func (row *Row) cover(g Mark, masked map[int]bool) bool {
	row.Gold++
	all := true
	for _, i := range g.letters() {
		row.Letters++
		if masked[i] {
			row.Masked++
		} else {
			all = false
		}
	}
	if all {
		row.Covered++
	}
	return all
}

// sentFields are the free texts that a registry receives.
var sentFields = []string{"title", "sub_category", "region", "entity"}

// precise counts a finding as right when it touches a part of its type. It reports
// whether it touches one of any.
func (r *Report) precise(e *Example, f btdt.Finding, row *Row) bool {
	row.Findings++
	any, same := false, false
	for _, g := range e.Gold {
		if g.Path == f.Path && g.Start < f.End && f.Start < g.End {
			any = true
			same = same || g.Type == f.Type
		}
	}
	if same {
		row.Right++
	}
	if any {
		row.Private++
		return true
	}
	text := textsOf(e.book)[f.Path]
	r.Misses = append(r.Misses, Miss{e.ID, "extra", Mark{f.Path, f.Start, f.End, f.Type, string(text[f.Start:f.End])}})
	return false
}

func (row *Row) sum(o *Row) {
	row.Gold, row.Covered, row.Letters, row.Masked = row.Gold+o.Gold, row.Covered+o.Covered, row.Letters+o.Letters, row.Masked+o.Masked
	row.Findings, row.Right, row.Private = row.Findings+o.Findings, row.Right+o.Right, row.Private+o.Private
}

func (row *Row) finish() {
	row.Recall = percent(row.Covered, row.Gold)
	row.Chars = percent(row.Masked, row.Letters)
	row.Precision = percent(row.Right, row.Findings)
}

// percent of nothing is 100: nothing was missed.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

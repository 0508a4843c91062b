package btdt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/detect"
)

// decisions are those of the author that hold at a path.
func (s *Scrubber) decisions(path string) (all []detect.Decision) {
	for _, text := range s.Keep {
		all = append(all, detect.Keep(text))
	}
	for _, m := range s.Mark {
		if m.Path == "" || m.Path == path || itemPath(m.Path, 0) == path {
			all = append(all, detect.Mark(m.Text, cmp.Or(m.Type, TypeName), m.Path != ""))
		}
	}
	return all
}

// Holds reports whether the words of a text stand in a field of p that is scrubbed,
// whatever their case.
func (p *Playbook) Holds(text string) bool {
	d := detect.Keep(text)
	return slices.ContainsFunc((&Scrubber{}).open(*p).passages, func(s *passage) bool {
		s.newSheet()
		return s.sheet.Holds(d)
	})
}

// Question asks the author about findings that are not sure: one text with its places.
type Question struct {
	Text   string    `json:"text"` // as the playbook has it
	Places []Finding `json:"places"`
}

// Questions are what a result leaves to the author of p, least sure first. An answer
// holds for all places of a text.
func (r *Result) Questions(p Playbook) []Question {
	texts := p.texts()
	var all []Question
	index := map[string]int{}
	for _, f := range r.Findings {
		text := texts[f.Path]
		if f.Sure || f.End > len(text) {
			continue
		}
		found := string(text[f.Start:f.End])
		key := strings.ToLower(found)
		k, known := index[key]
		if !known {
			k = len(all)
			index[key] = k
			all = append(all, Question{Text: found})
		}
		all[k].Places = append(all[k].Places, f)
	}
	slices.SortStableFunc(all, func(a, b Question) int { return cmp.Compare(a.score(), b.score()) })
	return all
}

// score is the confidence of the surest place.
func (q *Question) score() (top float64) {
	for _, f := range q.Places {
		top = max(top, f.Score)
	}
	return top
}

// texts gives every scrubbed text of p by its path, lists also by their plain name,
// as a file may give one text for a list.
func (p *Playbook) texts() map[string][]rune {
	all := map[string][]rune{}
	for _, s := range (&Scrubber{}).open(*p).passages {
		all[s.path] = s.raw
		if plain, first := strings.CutSuffix(s.path, "[0]"); first {
			all[plain] = s.raw
		}
	}
	return all
}

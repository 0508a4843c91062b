package btdt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
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

// ParseMark reads TEXT or TEXT=TYPE; without a type of findings at its end a text is
// that of a name.
func ParseMark(s string) Mark {
	if i := strings.LastIndexByte(s, '='); i > 0 && slices.Contains(Types(), strings.ToUpper(s[i+1:])) {
		return Mark{Text: s[:i], Type: strings.ToUpper(s[i+1:])}
	}
	return Mark{Text: s, Type: TypeName}
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
	Text   string    // as the playbook has it
	Places []Finding // at least one
}

// Context is the first place of a question with what stands beside it in p.
func (q *Question) Context(p Playbook) string {
	const around = 30
	f := q.Places[0]
	text := p.texts()[f.Path]
	return string(text[max(0, f.Start-around):min(len(text), f.End+around)])
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

// SureFrom is the confidence from which findings of the same kind are sure; above 1,
// none is.
func SureFrom(f Finding) float64 { return detect.SureFrom(f.Rule, f.Type) }

// score is the confidence of the surest place.
func (q *Question) score() (top float64) {
	for _, f := range q.Places {
		top = max(top, f.Score)
	}
	return top
}

// Metadata is what a registry receives of the scrubbed playbook, and how many places
// its author keeps.
func (r *Result) Metadata() netkit.RegisterPlaybook {
	in := r.Playbook.Metadata()
	in.Kept = len(r.Kept)
	return in
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

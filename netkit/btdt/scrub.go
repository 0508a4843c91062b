package btdt

import "context"

// ScrubberVersion names the rules that a file passed. It goes into the metadata,
// so that a registry knows by which rules a playbook was cleaned.
const ScrubberVersion = "scrub/11"

// Check returns every place of p that seems to identify someone, in the order of
// the fields. None means that this check found nothing, not that p is clean.
func Check(p Playbook) []Finding {
	_, found := Scrub(p)
	return found
}

// Scrub is [Scrubber.Scrub] without any decision of the author.
func Scrub(p Playbook) (Playbook, []Finding) {
	var s Scrubber
	r := s.open(p).scrub(p)
	return r.Playbook, r.Findings
}

// Scrubber strips playbooks of what identifies someone, as their author decides.
// The zero Scrubber decides nothing.
type Scrubber struct {
	Detectors []Detector // asked before anything is stripped; they add and confirm
	Keep      []string   // texts that stay wherever they stand
	Mark      []Mark     // texts that go
	Read      []string   // languages that the author has read, see Unread
}

// Mark is a text that the author of a playbook wants stripped.
type Mark struct {
	Text string `json:"text"`
	Type string `json:"type"`           // of a finding
	Path string `json:"path,omitempty"` // of the one field that it is stripped from, as in steps[2]; "" is all
}

// Result is a scrubbed playbook and what was found in it, with paths and offsets
// as in what it was made from.
type Result struct {
	Playbook Playbook  `json:"playbook"`
	Findings []Finding `json:"findings"`         // never nil
	Kept     []Finding `json:"kept,omitempty"`   // what was found and stays, as the author decided
	Unread   []Unread  `json:"unread,omitempty"` // languages that the author has to read
}

// Scrub returns p with every place that seems to identify someone replaced, and
// what it found, with offsets into p. Equal values get equal placeholders, so
// that two people stay apart. A name that is marked is looked for in every field,
// one that is kept is not. A valid playbook stays valid, and scrubbing the
// result again without detectors changes nothing. p itself is left as it is. An error
// is one of a detector.
func (s *Scrubber) Scrub(ctx context.Context, p Playbook) (Result, error) {
	b := s.open(p)
	if err := b.consult(ctx, s.Detectors); err != nil {
		return Result{}, err
	}
	return b.scrub(p), nil
}

// scrub strips the book, which was opened for p.
func (b *book) scrub(p Playbook) Result {
	for range maxRounds {
		if !b.round() {
			return b.result(p)
		}
	}
	b.blank()
	return b.result(p)
}

// maxRounds bounds the search for a text in which nothing more is found. A second
// round nearly always finds nothing; it is there because a placeholder changes
// what stands beside it.
const maxRounds = 8

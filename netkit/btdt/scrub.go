package btdt

// ScrubberVersion names the rules that a file passed. It goes into the metadata,
// so that a registry knows by which rules a playbook was cleaned.
const ScrubberVersion = "scrub/9"

// Check returns every place of p that seems to identify someone, in the order of
// the fields. None means that this check found nothing, not that p is clean.
func Check(p Playbook) []Finding {
	_, found := Scrub(p)
	return found
}

// Scrub returns p with every place that seems to identify someone replaced, and
// what it found, with offsets into p. Equal values get equal placeholders, so
// that two people stay apart. A valid playbook stays valid, and scrubbing the
// result again changes nothing. p itself is left as it is.
func Scrub(p Playbook) (Playbook, []Finding) {
	b := open(p)
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

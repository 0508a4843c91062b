package netkit

// verdictRow is a verdict of a drawn reviewer in a case that is final.
type verdictRow struct {
	day      Day    // when the case became final
	reporter uint32 // rows of the two sides
	reported uint32
	agreed   bool   // with the final result
	took     Millis // from the draw to the verdict
}

func (v *verdictRow) fields(c *codec) {
	num(c, "day", &v.day)
	num(c, "reporter", &v.reporter)
	num(c, "reported", &v.reported)
	c.flag("agreed", &v.agreed)
	num(c, "took", &v.took)
}

// incident is what review costs an agent. One incident costs only its largest
// penalty, so a case has one row at most.
type incident struct {
	day    Day
	weight int64  // thousandths of evidence
	of     uint64 // the case, or the revocation that rests on none
}

func (x *incident) fields(c *codec) {
	num(c, "day", &x.day)
	num(c, "weight", &x.weight)
	num(c, "of", &x.of)
}

// penalize records a penalty, or raises that of the same incident to it. The
// list is made anew, since the old one has to stay as it was for a rollback.
func (s *state) penalize(i uint32, of uint64, weight int64, d Day) {
	x := s.changeExtra(i)
	kept := make([]incident, 0, len(x.incidents)+1)
	for _, was := range x.incidents {
		if was.of == of {
			weight = max(weight, was.weight)
			continue
		}
		kept = append(kept, was)
	}
	x.incidents = append(kept, incident{d, weight, of})
	s.touch(i, atOnce)
}

// forgive drops the penalty of a case that was won in appeal.
func (s *state) forgive(i uint32, of uint64) {
	x := s.changeExtra(i)
	kept := make([]incident, 0, len(x.incidents))
	for _, was := range x.incidents {
		if was.of != of {
			kept = append(kept, was)
		}
	}
	x.incidents = kept
	s.touch(i, atOnce)
}

// atOnce touches for the next night, whatever date it closes: of what has no
// date, such as a standing, a night sees the latest.
const atOnce Day = 1

// touch notes that the night which closes date d, or the next one if that is
// past, has to judge an agent.
func (s *state) touch(i uint32, d Day) {
	if turn := s.agenda.at(i).judge; turn == 0 || d < turn {
		s.agenda.change(i).judge = d
	}
}

package netkit

// Spans lists after how many days a row of each sort counts differently. The
// longest is how far back anything looks.
type Spans struct{ Evidence, Answers, Verdicts, Incidents []int }

func (c *Constitution) Spans() (in Spans) {
	sc := &c.Scores
	in.Evidence = []int{0, sc.DiversityDays, sc.FullDays, sc.HalfDays, sc.ExpiredDays}
	in.Answers, in.Verdicts = []int{0}, []int{0}
	in.Incidents = []int{0, sc.FullDays, sc.HalfDays}
	for i := range c.Badges {
		r := &c.Badges[i]
		in.Incidents = append(in.Incidents, r.CleanDays)
		switch r.Name {
		case FieldAgent:
			in.Evidence = append(in.Evidence, r.Window)
		case SeniorCorrespondent:
			in.Evidence = append(in.Evidence, r.Window)
			in.Answers = append(in.Answers, r.Window, r.FirstEventDays)
		case DisputeMaster:
			in.Verdicts = append(in.Verdicts, r.Window)
		}
	}
	return in
}

package netkit

// A command that asks for what is the case is answered like any other, and
// nothing is recorded: its receipt then names the latest entry. So a caller
// may repeat it as often as it likes without making the journal longer. An
// audit does not ask, since journals of earlier versions hold such entries.

// idempotent is a command that may ask for what is the case.
type idempotent interface {
	// unchanged reports whether the state is as asked. The receipt will be made
	// of e: it holds the fact that would have been recorded, with number and
	// time of the latest entry.
	unchanged(s *state, x *secrets, e *Entry) bool
}

// unchanged answers a job that would change nothing and reports whether it did.
func (m *machine) unchanged(j *job) bool {
	cmd, ok := j.cmd.(idempotent)
	if !ok || len(m.call.facts) == 0 {
		return false
	}
	s := m.n.state
	e := &Entry{Seq: s.root.next - 1, At: s.root.at, Actor: j.by.Slug, Fact: m.call.facts[0].fact}
	if !cmd.unchanged(s, m.n.secrets, e) {
		return false
	}
	j.receipt(e)
	return true
}

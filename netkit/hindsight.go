package netkit

// An audit decides every entry again. The rules stand once, in the decide of
// each command; in hindsight only the command comes from somewhere else: the
// entry tells what its caller must have asked for, and the state before it
// says what had to come of that, to the byte.

// hindsight is what an audit has when it looks at an entry.
type hindsight struct {
	s *state // before the entry
	e *Entry
	// earlier reads an entry that was taken before.
	earlier func(seq uint64) (*Entry, error)
}

// unknownText stands in for a text of which only is public that there is one.
const unknownText = "?"

// again decides the command behind the entry once more. It returns what had to
// be recorded, the entry itself first and then what follows from it, and who
// had to be named as actor.
func (h *hindsight) again(into []draft) (facts []draft, actor string, err error) {
	cmd, err := h.e.Fact.asked(h)
	if err != nil || cmd == nil {
		return nil, "", err
	}
	c := call{at: h.e.At, by: As(h.e.Actor), facts: into}
	err = cmd.decide(h.s, &c)
	return c.facts, actorOf(cmd, c.by), err
}

package rules

// Open reports whether a party may have a dispatch in full without paying now.
func (s *State) Open(slug string, d *Dispatch) bool {
	if !s.paid(d.Priority) {
		return true
	}
	_, p, ok := s.party(slug)
	return ok && s.extra(p).hasOpened(d)
}

package netkit

// spendCap is the most that a token may cost its owner over its life. The zero
// value is not a cap; one of 0 credits lets nothing be spent.
type spendCap struct {
	set  bool
	most Credits
}

// capOf returns the cap that a request names, none for nil.
func capOf(most *Credits) spendCap {
	if most == nil {
		return spendCap{}
	}
	return spendCap{true, *most}
}

// credits is the inverse of capOf.
func (s spendCap) credits() *Credits {
	if !s.set {
		return nil
	}
	return &s.most
}

// fields carries the cap. An amount of 0 is left out, as in entries of before
// there were caps of 0, so such a cap is a flag of its own.
func (s *spendCap) fields(c *codec, name string) {
	nothing := s.set && s.most == 0
	c.amount(name, &s.most)
	c.flag("spend_nothing", &nothing)
	s.set = nothing || s.most != 0
}

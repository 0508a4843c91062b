package wire

// More reports whether another element of a list follows, and steps over the
// comma before it.
func (c *Codec) More() bool {
	if c.err != nil || len(c.b) == 0 || c.b[0] != ',' {
		return false
	}
	c.b = c.b[1:]
	return true
}

// List carries a slice; an empty one is left out.
func List[T any](c *Codec, name string, p *[]T, each func(*Codec, *T)) {
	ListFor(c, name, p, 0, each)
}

// ListFor is List for slices that usually hold room elements: reading makes
// them in one piece.
func ListFor[T any](c *Codec, name string, p *[]T, room int, each func(*Codec, *T)) {
	if c.dec {
		readList(c, name, p, room, each)
		return
	}
	if len(*p) == 0 {
		return
	}
	c.Key(name)
	c.Lit('[')
	for i := range *p {
		if i > 0 {
			c.Lit(',')
		}
		each(c, &(*p)[i])
	}
	c.Lit(']')
}

func readList[T any](c *Codec, name string, p *[]T, room int, each func(*Codec, *T)) {
	if !c.Has(name) {
		return
	}
	c.Lit('[')
	if room > cap(*p) {
		*p = make([]T, 0, room)
	}
	*p = (*p)[:0]
	for more := c.err == nil; more; more = c.More() {
		var zero T
		*p = append(*p, zero)
		each(c, &(*p)[len(*p)-1])
	}
	c.Lit(']')
}

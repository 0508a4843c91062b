package wire

import "bytes"

// Raw carries a JSON object or list as part of the text, so that a person can
// read it.
func (c *Codec) Raw(name string, p *[]byte) {
	c.Share(name, p)
	if c.dec {
		*p = bytes.Clone(*p)
	}
}

// Share is Raw without a copy: the bytes that are read share the memory of the
// whole text.
func (c *Codec) Share(name string, p *[]byte) {
	if !c.dec {
		if len(*p) > 0 {
			c.Key(name)
			c.b = append(c.b, *p...)
		}
		return
	}
	if !c.Has(name) {
		return
	}
	n := jsonLength(c.b)
	if n < 0 {
		c.Fail("want a JSON value")
		return
	}
	*p, c.b = c.b[:n:n], c.b[n:]
}

// jsonLength returns the length of the JSON object or list that b begins
// with, -1 without one.
func jsonLength(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			n := quotedLength(b[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		if depth == 0 {
			return -1
		}
	}
	return -1
}

// quotedLength returns the length of the JSON string at the start of b, quotes
// included; -1 if it has no end. Most of a text lies in strings, and searching for
// their ends is several times as fast as looking at each byte.
func quotedLength(b []byte) int {
	for i := 1; i < len(b); {
		end := bytes.IndexByte(b[i:], '"')
		if end < 0 {
			return -1
		}
		escape := bytes.IndexByte(b[i:i+end], '\\')
		if escape < 0 {
			return i + end + 1
		}
		i += escape + 2
	}
	return -1
}

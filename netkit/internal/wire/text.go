package wire

import (
	"encoding/json"
	"unicode/utf8"
)

// Str carries a string or any type of strings.
func Str[T ~string](c *Codec, name string, p *T) {
	if c.dec {
		if c.Has(name) {
			if *p = T(c.readString()); *p == "" {
				c.other = true
			}
		}
		return
	}
	if *p != "" {
		c.Key(name)
		c.Text(string(*p))
	}
}

// ReadRaw returns the bytes between the quotes and whether escapes occur.
func (c *Codec) ReadRaw() (raw []byte, escaped bool) {
	if len(c.b) == 0 || c.b[0] != '"' {
		c.Fail("want a string")
		return nil, false
	}
	for i := 1; i < len(c.b); i++ {
		switch ch := c.b[i]; {
		case ch == '"':
			raw, c.b = c.b[1:i], c.b[i+1:]
			return raw, escaped
		case ch == '\\':
			escaped, c.other = true, true
			i++
		case ch < ' ' || ch >= utf8.RuneSelf:
			c.other = true
		}
	}
	c.Fail("string without end")
	return nil, false
}

// readString reads a string, with its escapes undone.
func (c *Codec) readString() string {
	whole := c.b
	raw, escaped := c.ReadRaw()
	if !escaped {
		return c.known.get(raw)
	}
	var s string
	if err := json.Unmarshal(whole[:len(raw)+2], &s); err != nil {
		c.Fail("bad string")
	}
	return s
}

// AppendText writes s as a JSON string. Almost every string here is plain ASCII.
func AppendText(b []byte, s string) []byte {
	for i := range len(s) {
		if ch := s[i]; ch < ' ' || ch == '"' || ch == '\\' || ch >= utf8.RuneSelf {
			q, err := json.Marshal(s)
			if err != nil {
				panic("netkit: a string always marshals: " + err.Error())
			}
			return append(b, q...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// Text writes a string as a value.
func (c *Codec) Text(s string) { c.b = AppendText(c.b, s) }

// Strs carries a list of strings.
func Strs[T ~string](c *Codec, name string, p *[]T) {
	List(c, name, p, func(c *Codec, s *T) {
		if c.dec {
			*s = T(c.readString())
			return
		}
		c.Text(string(*s))
	})
}

package netkit

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// codec writes and reads JSON in fixed field order. One description of a
// type, its fields method, serves both directions, so they cannot drift. A
// zero value is left out when writing and stays zero when reading, which lets
// a later version add fields that old entries lack.
//
// It reads only what it wrote: white space, other orders and unknown fields
// are errors. What strangers send is read by encoding/json instead.
type codec struct {
	b    []byte // writing: what stands so far; reading: what is left
	err  error  // the first thing that was wrong when reading
	dec  bool   // reading
	open bool   // at the first field of an object or element of a list
}

var errCodec = errors.New("netkit: stored bytes are not what this version writes")

func (c *codec) fail(what string) {
	if c.err == nil {
		at := c.b[:min(len(c.b), 40)]
		c.err = fmt.Errorf("%w: %s at %q", errCodec, what, at)
	}
}

// key writes the name of the next field.
func (c *codec) key(name string) {
	if !c.open {
		c.b = append(c.b, ',')
	}
	c.open = false
	c.b = append(c.b, '"')
	c.b = append(c.b, name...)
	c.b = append(c.b, '"', ':')
}

// has reports whether the next field is name, and steps over its name.
func (c *codec) has(name string) bool {
	b := c.b
	if !c.open {
		if len(b) == 0 || b[0] != ',' {
			return false
		}
		b = b[1:]
	}
	n := len(name)
	if len(b) < n+3 || b[0] != '"' || string(b[1:n+1]) != name || b[n+1] != '"' || b[n+2] != ':' {
		return false
	}
	c.b, c.open = b[n+3:], false
	return true
}

// lit steps over one expected byte, or writes it.
func (c *codec) lit(ch byte) {
	if !c.dec {
		c.b = append(c.b, ch)
		return
	}
	if len(c.b) == 0 || c.b[0] != ch {
		c.fail("want " + string(ch))
		return
	}
	c.b = c.b[1:]
}

// begin and end enclose an object without a name.
func (c *codec) begin() { c.lit('{'); c.open = true }
func (c *codec) end()   { c.lit('}'); c.open = false }

func (c *codec) readUint() uint64 {
	var u uint64
	i := 0
	for ; i < len(c.b) && c.b[i] >= '0' && c.b[i] <= '9'; i++ {
		u = u*10 + uint64(c.b[i]-'0')
	}
	if i == 0 || i > 20 {
		c.fail("want a number")
		return 0
	}
	c.b = c.b[i:]
	return u
}

func (c *codec) readInt() int64 {
	if len(c.b) > 0 && c.b[0] == '-' {
		c.b = c.b[1:]
		return -int64(c.readUint())
	}
	return int64(c.readUint())
}

// num carries any integer that is not an amount.
func num[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64](c *codec, name string, p *T) {
	if c.dec {
		if c.has(name) {
			*p = T(c.readInt())
		}
		return
	}
	if *p != 0 {
		c.key(name)
		c.b = strconv.AppendInt(c.b, int64(*p), 10)
	}
}

// amount carries credits as a number with two decimals.
func (c *codec) amount(name string, p *Credits) {
	if c.dec {
		if c.has(name) {
			*p = c.readAmount()
		}
		return
	}
	if *p != 0 {
		c.key(name)
		c.b = p.append(c.b)
	}
}

func (c *codec) readAmount() Credits {
	neg := len(c.b) > 0 && c.b[0] == '-'
	if neg {
		c.b = c.b[1:]
	}
	u := c.readUint()
	if len(c.b) < 3 || c.b[0] != '.' || !digits(string(c.b[1:3])) {
		c.fail("want two decimals")
		return 0
	}
	u = u*100 + uint64(c.b[1]-'0')*10 + uint64(c.b[2]-'0')
	c.b = c.b[3:]
	if neg {
		return -Credits(u)
	}
	return Credits(u)
}

func (c *codec) flag(name string, p *bool) {
	if c.dec {
		if c.has(name) {
			*p = true
			c.literal("true")
		}
		return
	}
	if *p {
		c.key(name)
		c.b = append(c.b, "true"...)
	}
}

func (c *codec) literal(s string) {
	if len(c.b) < len(s) || string(c.b[:len(s)]) != s {
		c.fail("want " + s)
		return
	}
	c.b = c.b[len(s):]
}

// str carries a string or any type of strings.
func str[T ~string](c *codec, name string, p *T) {
	if c.dec {
		if c.has(name) {
			*p = T(c.readString())
		}
		return
	}
	if *p != "" {
		c.key(name)
		c.b = appendString(c.b, string(*p))
	}
}

// readRaw returns the bytes between the quotes and whether escapes occur.
func (c *codec) readRaw() (raw []byte, escaped bool) {
	if len(c.b) == 0 || c.b[0] != '"' {
		c.fail("want a string")
		return nil, false
	}
	for i := 1; i < len(c.b); i++ {
		switch c.b[i] {
		case '"':
			raw, c.b = c.b[1:i], c.b[i+1:]
			return raw, escaped
		case '\\':
			escaped = true
			i++
		}
	}
	c.fail("string without end")
	return nil, false
}

func (c *codec) readString() string {
	whole := c.b
	raw, escaped := c.readRaw()
	if !escaped {
		return string(raw)
	}
	var s string
	if err := json.Unmarshal(whole[:len(raw)+2], &s); err != nil {
		c.fail("bad string")
	}
	return s
}

// appendString writes s as JSON. Almost every string here is plain ASCII.
func appendString(b []byte, s string) []byte {
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

// hash carries 32 bytes as hexadecimal.
func (c *codec) hash(name string, p *[32]byte) {
	if c.dec {
		if c.has(name) {
			raw, _ := c.readRaw()
			if len(raw) != 2*len(p) {
				c.fail("want 64 hexadecimal digits")
				return
			}
			if _, err := hex.Decode(p[:], raw); err != nil {
				c.fail("want 64 hexadecimal digits")
			}
		}
		return
	}
	if *p != [32]byte{} {
		c.key(name)
		c.b = append(c.b, '"')
		c.b = hex.AppendEncode(c.b, p[:])
		c.b = append(c.b, '"')
	}
}

// list carries a slice; an empty one is left out.
func list[T any](c *codec, name string, p *[]T, each func(*codec, *T)) {
	listFor(c, name, p, 0, each)
}

// listFor is list for slices that hold room elements as a rule: reading makes
// them in one piece.
func listFor[T any](c *codec, name string, p *[]T, room int, each func(*codec, *T)) {
	if !c.dec {
		if len(*p) == 0 {
			return
		}
		c.key(name)
		c.lit('[')
		for i := range *p {
			if i > 0 {
				c.lit(',')
			}
			each(c, &(*p)[i])
		}
		c.lit(']')
		return
	}
	if !c.has(name) {
		return
	}
	c.lit('[')
	if room > 0 {
		*p = make([]T, 0, room)
	}
	for c.err == nil {
		var zero T
		*p = append(*p, zero)
		each(c, &(*p)[len(*p)-1])
		if len(c.b) == 0 || c.b[0] != ',' {
			break
		}
		c.b = c.b[1:]
	}
	c.lit(']')
}

// object returns an element function for lists of things with fields.
func object[T any, P interface {
	*T
	fields(*codec)
}](c *codec, p *T) {
	c.begin()
	P(p).fields(c)
	c.end()
}

// member carries an object that is part of another; an empty one is left out.
func (c *codec) member(name string, fields func(*codec)) {
	if c.dec {
		if !c.has(name) {
			return
		}
		c.begin()
		fields(c)
		c.end()
		return
	}
	from, open := len(c.b), c.open
	c.key(name)
	c.begin()
	empty := len(c.b)
	fields(c)
	if len(c.b) == empty {
		c.b, c.open = c.b[:from], open
		return
	}
	c.end()
}

// number is an element function for lists of numbers.
func number[T ~uint32 | ~uint64](c *codec, p *T) {
	if c.dec {
		*p = T(c.readUint())
		return
	}
	c.b = strconv.AppendUint(c.b, uint64(*p), 10)
}

// strs carries a list of strings.
func strs[T ~string](c *codec, name string, p *[]T) {
	list(c, name, p, func(c *codec, s *T) {
		if c.dec {
			*s = T(c.readString())
			return
		}
		c.b = appendString(c.b, string(*s))
	})
}

// raw carries a JSON object or list that stands inside as it is, so that a
// person can read it.
func (c *codec) raw(name string, p *[]byte) {
	c.share(name, p)
	if c.dec {
		*p = bytes.Clone(*p)
	}
}

// share is raw without a copy: what is read shares the memory of the whole.
func (c *codec) share(name string, p *[]byte) {
	if !c.dec {
		if len(*p) > 0 {
			c.key(name)
			c.b = append(c.b, *p...)
		}
		return
	}
	if !c.has(name) {
		return
	}
	n := jsonLength(c.b)
	if n < 0 {
		c.fail("want a JSON value")
		return
	}
	*p, c.b = c.b[:n:n], c.b[n:]
}

// jsonLength returns the length of the JSON object or list that b begins
// with, -1 if there is none.
func jsonLength(b []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch ch := b[i]; {
		case quoted && ch == '\\':
			i++
		case ch == '"':
			quoted = !quoted
		case quoted:
		case ch == '{' || ch == '[':
			depth++
		case ch == '}' || ch == ']':
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

// done checks that a reading codec has used up its bytes.
func (c *codec) done() error {
	if c.err == nil && len(c.b) > 0 {
		c.fail("unexpected field")
	}
	return c.err
}

// short carries 16 bytes as hexadecimal.
func (c *codec) short(name string, p *[16]byte) {
	var whole [32]byte
	copy(whole[:], p[:])
	c.hash(name, &whole)
	copy(p[:], whole[:])
}

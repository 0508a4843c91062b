// Package wire writes and reads the canonical JSON of journal entries and
// snapshots: fields in a fixed order, no white space, zero values left out.
package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Codec writes and reads JSON in fixed field order. One description of a
// type, its fields function, serves both directions, so they cannot drift. A
// zero value is left out when writing and stays zero when reading, which lets
// a later version add fields that old entries lack. The zero Codec writes.
//
// It reads only what it wrote: white space, other orders and unknown fields
// are errors. What strangers send is read by encoding/json instead.
type Codec struct {
	b     []byte   // writing: the text so far; reading: the rest of it
	err   error    // the first error while reading
	dec   bool     // reading
	open  bool     // at the first field of an object or element of a list
	other bool     // reading: writing what was read may give other bytes
	known *Strings // reading: strings that were read before; nil keeps none

	// Freeze is the moment of the state that is written; nil is the present one.
	Freeze Freeze
	pieces [][]byte // of what was written of it, before b
}

// Freeze is a moment of a state that is written while the state changes.
type Freeze interface {
	Pause() // follows each row: it may let writers of the state go first
}

// Writer returns a codec that appends to b.
func Writer(b []byte) Codec { return Codec{b: b} }

// Reader returns a codec that reads b. Fields read with Share keep pointing
// into b.
func Reader(b []byte) Codec { return Codec{b: b, dec: true} }

// ReaderWith returns a codec that reads b and takes short strings from known
// instead of making them again.
func ReaderWith(b []byte, known *Strings) Codec { return Codec{b: b, dec: true, known: known} }

// Known returns the string of bytes that were read.
func (c *Codec) Known(raw []byte) string { return c.known.get(raw) }

// Exact reports whether writing all that was read gives the same bytes again. It
// may be false for bytes that would be the same, such as those of a string that
// is not plain ASCII.
func (c *Codec) Exact() bool { return !c.other && c.Done() == nil }

// Inexact notes that writing what was read may give other bytes.
func (c *Codec) Inexact() { c.other = true }

// Reading reports whether the codec reads.
func (c *Codec) Reading() bool { return c.dec }

// Bytes returns the text written so far, or the text not read yet. A text of a
// freeze is in pieces.
func (c *Codec) Bytes() []byte { return c.b }

// Err returns the first error while reading.
func (c *Codec) Err() error { return c.err }

// ErrForm says that stored bytes are not in the form that a Codec writes.
var ErrForm = errors.New("netkit: stored bytes are not what this version writes")

// Fail records an error of reading; the first one stays.
func (c *Codec) Fail(what string) {
	if c.err == nil {
		at := c.b[:min(len(c.b), 40)]
		c.err = fmt.Errorf("%w: %s at %q", ErrForm, what, at)
	}
}

// Key writes the name of the next field.
func (c *Codec) Key(name string) {
	if !c.open {
		c.b = append(c.b, ',')
	}
	c.open = false
	c.b = append(c.b, '"')
	c.b = append(c.b, name...)
	c.b = append(c.b, '"', ':')
}

// Has reports whether the next field is name, and steps over its name.
func (c *Codec) Has(name string) bool {
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

// Lit steps over one expected byte, or writes it.
func (c *Codec) Lit(ch byte) {
	if !c.dec {
		c.b = append(c.b, ch)
		return
	}
	if len(c.b) == 0 || c.b[0] != ch {
		c.Fail("want " + string(ch))
		return
	}
	c.b = c.b[1:]
}

// Begin opens an object without a name.
func (c *Codec) Begin() { c.Lit('{'); c.open = true }

// End closes the object that Begin opened.
func (c *Codec) End() { c.Lit('}'); c.open = false }

func (c *Codec) readUint() uint64 {
	var u uint64
	i := 0
	for ; i < len(c.b) && digit(c.b[i]); i++ {
		u = u*10 + uint64(c.b[i]-'0')
	}
	if i == 0 || i > 20 {
		c.Fail("want a number")
		return 0
	}
	if i > 1 && c.b[0] == '0' || i > maxExactDigits {
		c.other = true
	}
	c.b = c.b[i:]
	return u
}

// maxExactDigits is how many digits surely fit in an int64, as hundredths too.
const maxExactDigits = 16

func (c *Codec) readInt() int64 {
	if len(c.b) > 0 && c.b[0] == '-' {
		c.b = c.b[1:]
		return -int64(c.readUint())
	}
	return int64(c.readUint())
}

// Num carries any integer that is not an amount.
func Num[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64](c *Codec, name string, p *T) {
	if c.dec {
		if c.Has(name) {
			n := c.readInt()
			*p = T(n)
			if n == 0 || int64(*p) != n {
				c.other = true
			}
		}
		return
	}
	if *p != 0 {
		c.Key(name)
		c.b = strconv.AppendInt(c.b, int64(*p), 10)
	}
}

// Amount carries hundredths as a number with two decimals.
func Amount[T ~int64](c *Codec, name string, p *T) {
	if c.dec {
		if c.Has(name) {
			if *p = T(c.readAmount()); *p == 0 {
				c.other = true
			}
		}
		return
	}
	if *p != 0 {
		c.Key(name)
		c.b = AppendAmount(c.b, int64(*p))
	}
}

// AppendAmount writes hundredths as a number with two decimals.
func AppendAmount(b []byte, hundredths int64) []byte {
	u := uint64(hundredths)
	if hundredths < 0 {
		b = append(b, '-')
		u = -u
	}
	b = strconv.AppendUint(b, u/100, 10)
	return append(b, '.', byte('0'+u/10%10), byte('0'+u%10))
}

func (c *Codec) readAmount() int64 {
	neg := len(c.b) > 0 && c.b[0] == '-'
	if neg {
		c.b = c.b[1:]
	}
	u := c.readUint()
	if len(c.b) < 3 || c.b[0] != '.' || !digit(c.b[1]) || !digit(c.b[2]) {
		c.Fail("want two decimals")
		return 0
	}
	u = u*100 + uint64(c.b[1]-'0')*10 + uint64(c.b[2]-'0')
	c.b = c.b[3:]
	if neg {
		return -int64(u)
	}
	return int64(u)
}

func digit(ch byte) bool { return ch >= '0' && ch <= '9' }

// Flag carries a boolean.
func (c *Codec) Flag(name string, p *bool) {
	if c.dec {
		if c.Has(name) {
			*p = true
			c.literal("true")
		}
		return
	}
	if *p {
		c.Key(name)
		c.b = append(c.b, "true"...)
	}
}

func (c *Codec) literal(s string) {
	if len(c.b) < len(s) || string(c.b[:len(s)]) != s {
		c.Fail("want " + s)
		return
	}
	c.b = c.b[len(s):]
}

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

// Hash carries 32 bytes as hexadecimal.
func (c *Codec) Hash(name string, p *[32]byte) {
	if c.dec {
		if c.Has(name) {
			if c.readHex(p[:]); *p == ([32]byte{}) {
				c.other = true
			}
		}
		return
	}
	if *p != [32]byte{} {
		c.Hex(name, p[:])
	}
}

// Hex carries the bytes of p as hexadecimal. Zero bytes are written too.
func (c *Codec) Hex(name string, p []byte) {
	if !c.dec {
		c.Key(name)
		c.b = append(c.b, '"')
		c.b = hex.AppendEncode(c.b, p)
		c.b = append(c.b, '"')
		return
	}
	if !c.Has(name) {
		c.Fail("want " + name)
		return
	}
	c.readHex(p)
}

func (c *Codec) readHex(p []byte) {
	raw, _ := c.ReadRaw()
	for _, ch := range raw {
		if ch >= 'A' && ch <= 'F' {
			c.other = true
		}
	}
	if len(raw) == 2*len(p) {
		if _, err := hex.Decode(p, raw); err == nil {
			return
		}
	}
	c.Fail("want " + strconv.Itoa(2*len(p)) + " hexadecimal digits")
}

// Text writes a string as a value.
func (c *Codec) Text(s string) { c.b = AppendText(c.b, s) }

// Put replaces the text written so far by b, which begins with it.
func (c *Codec) Put(b []byte) { c.b = b }

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

// Member carries an object that is part of another; an empty one is left out.
func (c *Codec) Member(name string, fields func(*Codec)) {
	if c.dec {
		if !c.Has(name) {
			return
		}
		c.Begin()
		empty := len(c.b)
		fields(c)
		if len(c.b) == empty {
			c.other = true
		}
		c.End()
		return
	}
	from, open := len(c.b), c.open
	c.Key(name)
	c.Begin()
	empty := len(c.b)
	fields(c)
	if len(c.b) == empty {
		c.b, c.open = c.b[:from], open
		return
	}
	c.End()
}

// Number is an element function for lists of numbers.
func Number[T ~uint32 | ~uint64](c *Codec, p *T) {
	if c.dec {
		u := c.readUint()
		if *p = T(u); uint64(*p) != u {
			c.other = true
		}
		return
	}
	c.b = strconv.AppendUint(c.b, uint64(*p), 10)
}

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

// Raw carries a JSON object or list that stands inside as it is, so that a
// person can read it.
func (c *Codec) Raw(name string, p *[]byte) {
	c.Share(name, p)
	if c.dec {
		*p = bytes.Clone(*p)
	}
}

// Share is Raw without a copy: what is read shares the memory of the whole.
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
// with, -1 if there is none.
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

// Done checks that reading has used up the bytes.
func (c *Codec) Done() error {
	if c.err == nil && len(c.b) > 0 {
		c.Fail("unexpected field")
	}
	return c.err
}

// Short carries 16 bytes as 64 hexadecimal digits, of which the last 32 are
// zeros.
func (c *Codec) Short(name string, p *[16]byte) {
	var whole [32]byte
	copy(whole[:], p[:])
	c.Hash(name, &whole)
	if c.Reading() {
		if copy(p[:], whole[:]); [16]byte(whole[16:]) != ([16]byte{}) {
			c.other = true
		}
	}
}

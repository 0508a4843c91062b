// Package wire writes and reads the canonical JSON of journal entries and
// snapshots: fields in a fixed order, no white space, zero values left out.
package wire

import (
	"errors"
	"fmt"
)

// Codec writes and reads JSON in fixed field order. One description of a
// type, its fields function, serves both directions, so they cannot drift. A
// zero value is left out when writing and stays zero when reading, which lets
// a later version add fields that old entries lack. The zero Codec writes.
//
// It reads only its own form: white space, other orders and unknown fields
// are errors. Input of strangers is read by encoding/json instead.
type Codec struct {
	b     []byte   // writing: the text so far; reading: the rest of it
	err   error    // the first error while reading
	dec   bool     // reading
	open  bool     // at the first field of an object or element of a list
	other bool     // reading: writing the values again may give other bytes
	known *Strings // reading: strings that were read before; nil keeps none

	// Freeze is the moment of the state that is written; nil is the present one.
	Freeze Freeze
	pieces [][]byte // of its text, before b
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

// Inexact notes that writing the values that were read may give other bytes.
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

// Put replaces the text written so far by b, which begins with it.
func (c *Codec) Put(b []byte) { c.b = b }

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

// Done checks that reading has used up the bytes.
func (c *Codec) Done() error {
	if c.err == nil && len(c.b) > 0 {
		c.Fail("unexpected field")
	}
	return c.err
}

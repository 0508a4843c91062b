package wire

import (
	"encoding/hex"
	"strconv"
)

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

// Short carries 16 bytes as 64 hexadecimal digits; the last 32 are
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

package wire

import "strconv"

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

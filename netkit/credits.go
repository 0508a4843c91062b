package netkit

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Credits is an amount of the platform's currency in hundredths of a credit,
// so that 50.00 credits are Credits(5000). It is not a cryptocurrency and
// cannot be withdrawn. Sums never leave int64: an amount that a caller may
// name is limited by [MaxAmount].
type Credits int64

// Credit is one whole credit.
const Credit Credits = 100

// MaxAmount is the largest amount that one command may move: ten billion
// credits. Nine million such deposits fit an account.
const MaxAmount = 10_000_000_000 * Credit

// String returns the amount with exactly two decimals, as in "-2.00".
func (c Credits) String() string { return string(c.append(nil)) }

// append writes the amount as a JSON number with two decimals.
func (c Credits) append(b []byte) []byte { return wire.AppendAmount(b, int64(c)) }

// AppendText writes the amount with two decimals, which is its JSON form too.
func (c Credits) AppendText(b []byte) ([]byte, error) { return c.append(b), nil }

// MarshalJSON writes the amount as a JSON number with two decimals.
func (c Credits) MarshalJSON() ([]byte, error) { return c.append(nil), nil }

// UnmarshalJSON reads a JSON number from its literal. More than two decimals
// that matter, and amounts beyond int64, are errors: nothing is rounded.
func (c *Credits) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return fmt.Errorf("netkit: an amount is a JSON number such as 12.50, without quotes")
	}
	v, err := ParseCredits(string(b))
	if err != nil {
		return err
	}
	*c = v
	return nil
}

// MarshalText writes the amount with two decimals, for flags and YAML.
func (c Credits) MarshalText() ([]byte, error) { return c.append(nil), nil }

// UnmarshalText reads what [ParseCredits] reads.
func (c *Credits) UnmarshalText(b []byte) error {
	v, err := ParseCredits(string(b))
	if err == nil {
		*c = v
	}
	return err
}

// ParseCredits reads an amount such as "12", "-2.5" or "1.25e3" exactly.
func ParseCredits(s string) (Credits, error) {
	v, err := parseFixed(s, 2)
	if err != nil {
		return 0, fmt.Errorf("netkit: amount %w", err)
	}
	return Credits(v), nil
}

// Ratio is a share or score in basis points: 0.30 is Ratio(3000). In JSON it
// is a number with at most four decimals, read and compared exactly.
type Ratio int64

// String returns the ratio with two decimals, or four where they matter.
func (r Ratio) String() string { return string(r.append(nil)) }

func (r Ratio) append(b []byte) []byte {
	u := uint64(r)
	if r < 0 {
		b = append(b, '-')
		u = -u
	}
	b = strconv.AppendUint(b, u/10_000, 10)
	b = append(b, '.', byte('0'+u/1000%10), byte('0'+u/100%10))
	if u%100 != 0 {
		b = append(b, byte('0'+u/10%10), byte('0'+u%10))
	}
	return b
}

// of returns the share of an amount of at least 0, rounded down.
func (r Ratio) of(amount int64) int64 {
	hi, lo := bits.Mul64(uint64(amount), uint64(r))
	share, _ := bits.Div64(hi, lo, uint64(wholeRatio))
	return int64(share)
}

// wholeRatio is the whole in basis points.
const wholeRatio Ratio = 10_000

// MarshalJSON writes the ratio as a JSON number.
func (r Ratio) MarshalJSON() ([]byte, error) { return r.append(nil), nil }

// UnmarshalJSON reads a JSON number with at most four decimals.
func (r *Ratio) UnmarshalJSON(b []byte) error {
	v, err := parseFixed(string(b), 4)
	if err != nil {
		return fmt.Errorf("netkit: ratio %w", err)
	}
	*r = Ratio(v)
	return nil
}

// Percent is a score from 0 to 100 in hundredths: 95.00 is Percent(9500). In
// JSON it is a number with two decimals.
type Percent int64

// String returns the score with two decimals.
func (p Percent) String() string { return Credits(p).String() }

// MarshalJSON writes the score as a JSON number with two decimals.
func (p Percent) MarshalJSON() ([]byte, error) { return Credits(p).append(nil), nil }

// UnmarshalJSON reads a JSON number with at most two decimals.
func (p *Percent) UnmarshalJSON(b []byte) error {
	v, err := parseFixed(string(b), 2)
	if err != nil {
		return fmt.Errorf("netkit: score %w", err)
	}
	*p = Percent(v)
	return nil
}

var errNoNumber = errors.New("is not a number; write it as in 12.50")

// parseFixed reads a JSON number as an integer of 10^-places units. Digits
// beyond places must be zero; an exponent is folded in exactly.
func parseFixed(s string, places int) (int64, error) {
	mantissa, exp := s, 0
	if strings.Trim(s, "0123456789.+-eE") != "" {
		return 0, errNoNumber
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if !digits(strings.TrimLeft(s[i+1:], "+-")) {
			return 0, errNoNumber
		}
		n, err := strconv.Atoi(s[i+1:])
		if err != nil || n > 30 || n < -30 {
			return 0, fmt.Errorf("has an exponent that is not supported; write it plainly, as in 12.50")
		}
		mantissa, exp = s[:i], n
	}
	sign := int64(1)
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = -1, mantissa[1:]
	}
	whole, frac, dot := strings.Cut(mantissa, ".")
	if !digits(whole) || dot && !digits(frac) {
		return 0, errNoNumber
	}
	all, point := whole+frac, len(whole)+exp+places
	for point < len(all) {
		last := all[len(all)-1]
		if last != '0' {
			return 0, fmt.Errorf("has more than %d decimals", places)
		}
		all = all[:len(all)-1]
		if all == "" {
			return 0, nil
		}
	}
	all = strings.TrimLeft(all+strings.Repeat("0", point-len(all)), "0")
	if all == "" {
		return 0, nil
	}
	u, err := strconv.ParseUint(all, 10, 64)
	if err != nil || u > math.MaxInt64 {
		return 0, fmt.Errorf("is too large")
	}
	return sign * int64(u), nil
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Millis is a moment in milliseconds since 1970-01-01 UTC. The journal holds
// the integer; JSON answers show RFC 3339 with milliseconds.
type Millis int64

const (
	Minute  = Millis(60_000)
	Hour    = 60 * Minute
	FullDay = 24 * Hour
)

// At returns the moment of t.
func At(t time.Time) Millis { return Millis(t.UnixMilli()) }

// Time returns the moment as a time in UTC.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// String returns the moment in RFC 3339 with milliseconds.
func (m Millis) String() string { return m.Time().Format(millisLayout) }

const millisLayout = "2006-01-02T15:04:05.000Z07:00"

// MarshalJSON writes the moment as an RFC 3339 string, null when it is zero.
func (m Millis) MarshalJSON() ([]byte, error) {
	if m == 0 {
		return []byte("null"), nil
	}
	return m.Time().AppendFormat(make([]byte, 0, 28), `"`+millisLayout+`"`), nil
}

// UnmarshalJSON reads an RFC 3339 string as answers have it, milliseconds as
// the journal has them, or null.
func (m *Millis) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*m = 0
		return nil
	}
	if n, err := strconv.ParseInt(string(b), 10, 64); err == nil {
		*m = Millis(n)
		return nil
	}
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return errMoment
	}
	return m.UnmarshalText(b[1 : len(b)-1])
}

var errMoment = errors.New("netkit: a time is RFC 3339, as in \"2026-02-20T12:00:00Z\", or milliseconds since 1970")

// UnmarshalText reads a moment in RFC 3339.
func (m *Millis) UnmarshalText(b []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(b))
	if err != nil {
		return errMoment
	}
	*m = At(t)
	return nil
}

// Day is a UTC date as whole days since 1970-01-01.
type Day int32

// Day returns the UTC date of the moment.
func (m Millis) Day() Day {
	d := m / FullDay
	if m%FullDay < 0 {
		d--
	}
	return Day(d)
}

// String returns the date as in "2026-02-20".
func (d Day) String() string { return (Millis(d) * FullDay).Time().Format(time.DateOnly) }

// MarshalText writes the date as in "2026-02-20".
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a date such as "2026-02-20".
func (d *Day) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("netkit: date is not of the form 2026-02-20")
	}
	*d = At(t).Day()
	return nil
}

package server

import (
	"errors"
	"strconv"
	"strings"
)

// newPlant is a plant as its document describes it: no field is null, and a
// whole number may be written as 5.0 or 5e0.
type newPlant struct {
	ID   wholeNumber `json:"id"`
	Name string      `json:"name"`
	Tag  string      `json:"tag,omitempty" null:"false"`
}

// wholeNumber is an integer as JSON Schema has it: a number without a fraction,
// however it is written.
type wholeNumber int64

var errWhole = errors.New("must be a whole number from -9223372036854775808 to 9223372036854775807")

// UnmarshalJSON implements json.Unmarshaler. The number is exact.
func (n *wholeNumber) UnmarshalJSON(b []byte) error {
	v, ok := parseWhole(string(b))
	if !ok {
		return errWhole
	}
	*n = wholeNumber(v)
	return nil
}

// parseWhole reads a number of JSON, which is valid.
func parseWhole(s string) (int64, bool) {
	digits, negative := strings.CutPrefix(s, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(digits), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if strings.Trim(digits, "0123456789") != "" || whole == "" {
		return 0, false // no number
	}
	if digits == "" {
		return 0, true
	}
	exp := 0
	if power != "" {
		var err error
		if exp, err = strconv.Atoi(power); err != nil || exp > len(s)+19 || exp < -len(s) {
			return 0, false
		}
	}
	significant := strings.TrimRight(digits, "0")
	zeros := len(digits) - len(significant) + exp - len(fraction)
	if zeros < 0 || len(significant)+zeros > 19 {
		return 0, false
	}
	significant += strings.Repeat("0", zeros)
	if negative {
		significant = "-" + significant
	}
	v, err := strconv.ParseInt(significant, 10, 64)
	return v, err == nil
}

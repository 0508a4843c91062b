// Package timespan reads spans of time as people write them, such as 90m, 12h,
// 30d or 1d2h, and waits for them.
package timespan

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Forms names the forms that Parse takes, for help texts and errors.
const Forms = "90m, 12h, 30d or 1d2h"

// Max is the longest span that Parse reads, about a hundred years.
const Max = 36500 * day

const day = 24 * time.Hour

var (
	errForm = errors.New("must be a span such as " + Forms)
	errSign = errors.New("must be a span above 0, such as " + Forms)
)

// Parse reads a span above 0 and of at most most; a most of 0 means Max. Its
// errors complete a sentence that begins with the name of the value: "must be a
// span such as …".
func Parse(text string, most time.Duration) (time.Duration, error) {
	if most == 0 {
		most = Max
	}
	days, rest, hasDays := strings.Cut(text, "d")
	var d time.Duration
	if hasDays {
		if days == "" || strings.Trim(days, "0123456789") != "" {
			return 0, errForm
		}
		n, err := strconv.ParseInt(days, 10, 64)
		if err != nil || n > int64(most/day) {
			return 0, tooLong(most)
		}
		d = time.Duration(n) * day
	} else {
		rest = text
	}
	if rest != "" || !hasDays {
		more, err := time.ParseDuration(rest)
		if err != nil {
			return 0, errForm
		}
		if hasDays && more < 0 {
			return 0, errForm
		}
		if more > most-d {
			return 0, tooLong(most)
		}
		d += more
	}
	switch {
	case d <= 0:
		return 0, errSign
	case d > most:
		return 0, tooLong(most)
	}
	return d, nil
}

func tooLong(most time.Duration) error {
	return errors.New("must be a span of at most " + Format(most))
}

// Format writes a span in the form that Parse reads, with the days apart.
func Format(d time.Duration) string {
	days, rest := d/day, d%day
	text := rest.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	switch {
	case days == 0:
		return text
	case rest == 0:
		return strconv.FormatInt(int64(days), 10) + "d"
	}
	return strconv.FormatInt(int64(days), 10) + "d" + text
}

package web

import (
	"net/http"
	"strconv"
	"strings"
)

// The forms in which an address may answer.
const (
	JSON     = "application/json"
	HTML     = "text/html"
	Markdown = "text/markdown"
)

// Preferred returns the form of an answer that a request prefers. Of forms that
// it names with the same weight the first counts. What it asks of everything
// counts for otherwise, which must be one of the forms, unless it is named too.
func Preferred(r *http.Request, otherwise string, forms ...string) string {
	named, rest := map[string]float64{}, 0.0
	for one := range strings.SplitSeq(strings.Join(r.Header["Accept"], ","), ",") {
		switch kind, q := weighed(one); kind {
		case "application/*", "*/*":
			rest = max(rest, q)
		default:
			named[kind] = q
		}
	}
	best, most, spoken := otherwise, rest, false
	if _, ok := named[otherwise]; ok {
		most = 0
	}
	for _, form := range forms {
		if q := named[form]; q > most || q == most && q > 0 && !spoken {
			best, most, spoken = form, q, true
		}
	}
	return best
}

// weighed splits a media range into its type and its weight.
func weighed(one string) (string, float64) {
	kind, params, _ := strings.Cut(strings.ToLower(strings.TrimSpace(one)), ";")
	for p := range strings.SplitSeq(params, ";") {
		if name, value, _ := strings.Cut(strings.TrimSpace(p), "="); name == "q" {
			q, err := strconv.ParseFloat(value, 64)
			if err != nil || q < 0 || q > 1 {
				return "", 0
			}
			return strings.TrimSpace(kind), q
		}
	}
	return strings.TrimSpace(kind), 1
}

package web

import (
	"fmt"
	"html/template"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// functions are what templates may use.
func functions(a *assets) template.FuncMap {
	return template.FuncMap{
		"asset":   a.address,
		"when":    when,
		"day":     func(d netkit.Day) string { return d.String() },
		"human":   human,
		"plain":   plain,
		"signed":  signed,
		"channel": func(n netkit.Niche) string { return human(n.String()) },
		"account": func(a netkit.Account) string { return "/ledger/accounts/" + a.String() },
		"count":   count,
		"plural":  counted,
		"sel":     func(q url.Values, name string, v any) bool { return q.Get(name) == fmt.Sprint(v) },
		"pct": func(r netkit.Ratio) string {
			return strings.TrimSuffix(strings.TrimSuffix(netkit.Percent(r).String(), "0"), ".0") + " %"
		},
		"some":  func(c *netkit.Credits) bool { return c != nil && *c > 0 },
		"list":  list,
		"tail":  tail,
		"dict":  dict,
		"add1":  func(i int) int { return i + 1 },
		"words": func(name any) string { return netkit.Kind(fmt.Sprint(name)).Title() },
		"meter": drawMeter,
		"minus": func(c netkit.Credits) netkit.Credits { return -c },
		"held":  func(p netkit.Profile) int { return badgesHeld(&p) },
	}
}

// when shows a moment to the minute, in UTC like everything here.
func when(m netkit.Millis) template.HTML {
	if m == 0 {
		return ""
	}
	t := m.Time()
	return template.HTML(`<time datetime="` + t.Format("2006-01-02T15:04:05Z") + `" title="` + t.Format("2006-01-02 15:04:05 UTC") + `">` + t.Format("2 Jan 2006, 15:04") + `</time>`)
}

// human writes NAMES_LIKE_THIS as people do.
func human(v any) string {
	s := strings.ReplaceAll(fmt.Sprint(v), "_", " ")
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
}

// constantName is a name as JSON has it, such as DISPUTE_MASTER.
var constantName = regexp.MustCompile(`\b[A-Z]+(?:_[A-Z]+)+\b`)

// plain shows a text with its names of constants in words.
func plain(text string) string {
	return constantName.ReplaceAllStringFunc(text, func(name string) string { return human(name) })
}

// signed shows an amount with its sign, with a real minus.
func signed(c netkit.Credits) string {
	if c < 0 {
		return "−" + (-c).String()
	}
	return "+" + c.String()
}

// count writes a number with its thousands apart.
func count(v any) string {
	s := fmt.Sprint(v)
	whole, part, cents := strings.Cut(s, ".")
	minus := strings.HasPrefix(whole, "-")
	whole = strings.TrimPrefix(whole, "-")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "\u202f" + whole[i:]
	}
	if cents {
		whole += "." + part
	}
	if minus {
		return "−" + whole
	}
	return whole
}

// counted is plural.Count for templates: n is a number of any type, with its
// thousands apart.
func counted(n any, one, many string) string {
	if fmt.Sprint(n) == "1" {
		return "1 " + one
	}
	return count(n) + " " + many
}

// list joins the words of a slice of any kind.
func list(all any) string {
	v := reflect.ValueOf(all)
	words := make([]string, v.Len())
	for i := range words {
		words[i] = human(v.Index(i).Interface())
	}
	return strings.Join(words, ", ")
}

// tail is the end of a long name.
func tail(s string) string {
	if len(s) <= 16 {
		return s
	}
	return s[:8] + "…" + s[len(s)-6:]
}

// dict hands several things to a template.
func dict(pairs ...any) (map[string]any, error) {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("web: dict: key %d is not a string", i)
		}
		m[name] = pairs[i+1]
	}
	return m, nil
}

func itoa(n int) string { return strconv.Itoa(n) }

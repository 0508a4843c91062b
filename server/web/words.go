package web

import (
	"fmt"
	"html/template"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// kindWords say what an entry records. A kind without words shows its name.
var kindWords = map[string]string{
	"genesis": "The network begins", "agent.spawned": "Agent spawned, welcome grant credited", "agent.claims": "Claims declared",
	"agent.channels": "Channels subscribed", "agent.roles": "Roles changed", "agent.webhook": "Webhook set", "agent.reinstated": "Agent reinstated", "agent.recovered": "Agent given a new token",
	"constitution.accepted": "Constitution accepted", "constitution.adopted": "Constitution adopted",
	"wallet.declared": "Wallet address declared", "wallet.confirmed": "Wallet address confirmed",
	"sponsor.proposed": "Sponsor proposed", "sponsor.admitted": "Sponsor admitted", "sponsor.deposited": "Deposit booked",
	"contract.opened": "Contract opened", "contract.funded": "Contract funded", "contract.finished": "Contract finished", "execution": "Contract executed",
	"dispatch.published": "Dispatch published", "crisis.resolved": "Crisis resolved", "feed.opened": "Paid feed opened",
	"attention.sent": "Attention asked for", "attention.answered": "Attention given", "attention.declined": "Attention declined", "attention.expired": "Attention request expired",
	"night.step": "Night, next step", "night.closed": "Night closed", "badge.issued": "Badge issued", "badge.revoked": "Badge revoked", "badge.revocation.begun": "Revocation begun",
	"case.filed": "Report filed", "case.verdict": "Verdict given", "case.decided": "Case decided", "case.appealed": "Case appealed", "case.redrawn": "Panel drawn again", "case.final": "Case final",
	"exchange.opened": "Exchange opened", "exchange.told": "Exchange notices sent", "token.issued": "Token issued", "token.revoked": "Token revoked",
	"private.erased": "Private text erased",
	"operator.added": "Operator added", "plant.created": "Plant created", "playbook.registered": "Playbook registered",
}

func wordsOf(kind string) string {
	if w, ok := kindWords[kind]; ok {
		return w
	}
	w := strings.NewReplacer(".", " ", "_", " ").Replace(kind)
	return strings.ToUpper(w[:1]) + w[1:]
}

// functions are what templates may use.
func functions(a *assets) template.FuncMap {
	return template.FuncMap{
		"asset":   a.address,
		"when":    when,
		"day":     func(d netkit.Day) string { return d.String() },
		"human":   human,
		"signed":  signed,
		"channel": func(n netkit.Niche) string { return human(n.String()) },
		"account": func(a netkit.Account) string { return "/ledger/accounts/" + a.String() },
		"count":   count,
		"plural":  counted,
		"sel":     func(q url.Values, name string, v any) bool { return q.Get(name) == fmt.Sprint(v) },
		"pct": func(r netkit.Ratio) string {
			return strings.TrimSuffix(strings.TrimSuffix(netkit.Percent(r).String(), "0"), ".0") + " %"
		},
		"list":  list,
		"tail":  tail,
		"dict":  dict,
		"add1":  func(i int) int { return i + 1 },
		"share": share,
		"words": func(k netkit.Kind) string { return wordsOf(string(k)) },
		"meter": drawMeter,
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

// segment makes one segment of a path of whatever was typed.
func segment(s string) string { return url.PathEscape(s) }

func itoa(n int) string { return strconv.Itoa(n) }

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func badgeNames(all []netkit.Badge) string {
	words := make([]string, len(all))
	for i, b := range all {
		words[i] = human(b)
	}
	return strings.Join(words, " or ")
}

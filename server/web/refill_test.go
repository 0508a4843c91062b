package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/agentnet/netctl/netkit"
)

// attr returns an attribute of an element, and whether it has it.
func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// forms returns the forms of a page that change something, but for signing out.
func forms(t *testing.T, page string) (all []*html.Node) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		method, _ := attr(n, "method")
		if to, _ := attr(n, "action"); n.Data == "form" && method == "post" && to != "/logout" {
			all = append(all, n)
		}
	}
	return all
}

// filled returns the fields of a form, as name, value, name, value: what a
// visitor types that is sure to be refused, and the first choice of each list.
func filled(form *html.Node) (fields []string) {
	pressed := false
	for n := range form.Descendants() {
		name, _ := attr(n, "name")
		value, _ := attr(n, "value")
		kind, _ := attr(n, "type")
		switch {
		case name == "":
		case n.Data == "input" && kind == "hidden":
			fields = append(fields, name, value)
		case n.Data == "input" && kind == "checkbox":
			fields = append(fields, name, value)
		case n.Data == "input" && kind == "radio":
			if !slices.Contains(fields, name) {
				fields = append(fields, name, value)
			}
		case n.Data == "input", n.Data == "textarea":
			fields = append(fields, name, "\nNo <such> \"thing\"")
		case n.Data == "select":
			fields = append(fields, name, choices(n)[len(choices(n))-1])
		case n.Data == "button" && !pressed:
			fields, pressed = append(fields, name, value), true
		}
	}
	return fields
}

// choices are the values of a list.
func choices(list *html.Node) (all []string) {
	for n := range list.Descendants() {
		if v, ok := attr(n, "value"); n.Data == "option" && ok {
			all = append(all, v)
		}
	}
	return all
}

// holds lists what of the typed texts and choices a form does not show.
func holds(form *html.Node, fields []string) (missing []string) {
	sent := map[string]string{}
	for i := 0; i+1 < len(fields); i += 2 {
		sent[fields[i]] = fields[i+1]
	}
	for n := range form.Descendants() {
		name, _ := attr(n, "name")
		kind, _ := attr(n, "type")
		value, _ := attr(n, "value")
		_, checked := attr(n, "checked")
		same := true
		switch {
		case name == "" || kind == "hidden" || n.Data == "button":
			continue
		case kind == "checkbox" || kind == "radio":
			same = checked == (value == sent[name])
		case n.Data == "input":
			same = value == strings.ReplaceAll(sent[name], "\n", "") || value == sent[name]
		case n.Data == "textarea":
			same = n.FirstChild != nil && n.FirstChild.Data == sent[name]
		case n.Data == "select":
			same = slices.ContainsFunc(slices.Collect(n.Descendants()), func(o *html.Node) bool {
				_, chosen := attr(o, "selected")
				v, _ := attr(o, "value")
				return chosen && v == sent[name]
			})
		}
		if !same {
			missing = append(missing, name)
		}
	}
	return missing
}

// folded reports whether a form stands in a part of the page that is closed.
func folded(form *html.Node) bool {
	for n := range form.Ancestors() {
		if _, open := attr(n, "open"); n.Data == "details" && !open {
			return true
		}
	}
	return false
}

// TestRefusedFormsComeBack sends every form of every page with texts that are
// refused, and finds the form open and as it was sent, below a refusal in plain
// words.
func TestRefusedFormsComeBack(t *testing.T) {
	w := found(t)
	ada, bob := w.spawn("ada"), w.spawn("bob")
	done := w.earn(bob)
	if _, err := w.net.As("ada").SetClaims(t.Context(), netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 50}); err != nil {
		t.Fatal(err)
	}
	w.post(bob, "/api/intent/attention", `{"to":"ada","subject":"s","body":"b"}`, nil)
	w.post(w.op, "/api/review/reports", `{"subject":`+id(done)+`,"law":"L1","evidence":"no"}`, nil)
	w.execute(bob)
	w.post(w.op, "/api/net/dispatches", `{"priority":"P0","channel":"POLICY","headline":"h","summary":"s"}`, nil)
	sponsor := w.sponsor("globe")
	refused := 0
	for _, c := range []struct{ token, path string }{
		{ada, "/desk"}, {ada, "/review"}, {ada, "/market/" + id(w.contract)}, {ada, "/admin/agent-setup?step=claims"}, {ada, "/admin/agent-setup?step=contract"},
		{"", "/admin/agent-setup"}, {w.op, "/admin"}, {w.op, "/sponsor?sponsor=acme"}, {sponsor, "/sponsor"}, {w.op, "/market/" + id(w.contract) + "/results"}, {w.op, "/review"},
	} {
		v := w.visitor()
		if c.token != "" {
			v.login(c.token)
		}
		for i, form := range forms(t, v.get(c.path).text) {
			to, _ := attr(form, "action")
			if to == "" {
				to = c.path
			}
			fields := filled(form)
			if !slices.ContainsFunc(fields, func(s string) bool { return strings.Contains(s, "No <such>") }) {
				continue
			}
			got := v.form(to, fields...)
			if got.StatusCode < 400 || got.StatusCode == 429 {
				continue
			}
			refused++
			where := fmt.Sprintf("%s, form %d %s %q", c.path, i+1, to, fields)
			wantPlainRefusal(t, where, got.text)
			back := slices.IndexFunc(forms(t, got.text), func(n *html.Node) bool { at, _ := attr(n, "id"); return at == "refused" })
			if back < 0 && strings.Contains(got.text, "Your text") && strings.Contains(got.text, "No &lt;such&gt; &#34;thing&#34;") {
				continue // the form is gone with what it was for
			}
			if back < 0 {
				t.Errorf("%s: got %d without the form", where, got.StatusCode)
				continue
			}
			form := forms(t, got.text)[back]
			if missing := holds(form, fields); len(missing) > 0 {
				t.Errorf("%s: got a form without what was sent as %q", where, missing)
			}
			if folded(form) {
				t.Errorf("%s: got the form folded", where)
			}
		}
	}
	if refused < 15 {
		t.Errorf("got %d refused forms, want more", refused)
	}
}

// TestRefusedMessageStays sends a message to an agent that takes none, which law
// 7 lets it do.
func TestRefusedMessageStays(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	bob := w.spawn("bob")
	v := w.visitor()
	v.login(bob)
	got := v.form("/desk", "act", "send", "to", "ada", "subject", "Which fab?", "body", "Tell me more.", "max_price", "1")
	wantAll(t, "the desk", got.text, `value="ada"`, `value="Which fab?"`, "Tell me more.</textarea>", `<details open`)
	got = v.form("/desk", "act", "send", "to", "ada", "subject", "Which fab?", "body", "sk-ant-api03-"+strings.Repeat("Ab3", 31)+"AA", "max_price", "1")
	if got.StatusCode != 422 || strings.Contains(got.text, "Ab3Ab3") || strings.Contains(got.text, "Which fab") {
		t.Errorf("got %d, want a refusal that repeats nothing of a request with a key", got.StatusCode)
	}
	wantAll(t, "the desk", got.text, `<details open`)
}

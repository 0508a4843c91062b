package web_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// interfaceWords are words of the interface that no refusal on a page has: its
// addresses, and fields of its bodies such as signal.sources[0].
var interfaceWords = regexp.MustCompile(`/api/|\b(GET|POST|PUT|DELETE) /|forbids that|\{[a-z]+[A-Z]|\b[a-z_]+\.[a-z_]+\b|\b[a-z_]+\[\d`)

// refusalOn returns what a page says of a refusal, as its readers see it.
func refusalOn(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if id, _ := attr(n, "id"); id != "refusal" {
			continue
		}
		var b strings.Builder
		for n := range n.Descendants() {
			if n.Type == html.TextNode {
				b.WriteString(n.Data)
			}
		}
		return b.String()
	}
	return ""
}

// wantPlainRefusal reports a page whose refusal is missing or has words of the
// interface.
func wantPlainRefusal(t *testing.T, where, page string) {
	t.Helper()
	text := refusalOn(t, page)
	if text == "" {
		t.Errorf("%s: got a page without a refusal", where)
	}
	if found := interfaceWords.FindString(text); found != "" {
		t.Errorf("%s: got %q in %q, want words of pages", where, found, text)
	}
}

// TestRefusalsHaveWordsOfPages compares refusals on pages with their fields,
// pages and laws.
func TestRefusalsHaveWordsOfPages(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	v := w.visitor()
	v.login(w.spawn("bob"))
	contract := "/market/" + id(w.contract)
	for _, c := range []struct {
		where string
		got   shown
		want  []string
	}{
		{"a request to an agent that takes none", v.form("/desk", "act", "send", "to", "ada", "subject", "Which fab?", "body", "Tell me more.", "max_price", "1"),
			[]string{`<a href="/directory">the directory</a> shows who does`, `<a href="/constitution#L7">Law 7</a>`}},
		{"a request to nobody", v.form("/desk", "act", "send", "to", "nobody", "subject", "Which fab?", "body", "Tell me more.", "max_price", "1"),
			[]string{`<b>To</b> names no agent`}},
		{"a wrong source", v.form(contract, "headline", "h", "body", "b", "sources", "https://a.example/\nnone"),
			[]string{`<b>Sources (2)</b> is not`}},
		{"an agent that there is not", v.get("/agent/nobody"), []string{`<a href="/directory">the directory</a> lists`}},
		{"an order that there is not", v.get("/market?sort=none"), []string{`<b>Sort</b> `}},
	} {
		wantPlainRefusal(t, c.where, c.got.text)
		wantAll(t, c.where, c.got.text, c.want...)
	}
}

// TestRefusalForScript reads the refusal of a form that a script sent, which
// shows it on the page.
func TestRefusalForScript(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	v := w.visitor()
	v.login(w.spawn("bob"))
	var got netkit.Problem
	answer := v.do("POST", "/desk", strings.NewReader("act=send&to=ada&subject=s&body=b&max_price=1"), "Accept", "application/json")
	if err := json.Unmarshal([]byte(answer.text), &got); err != nil {
		t.Fatal(err)
	}
	if got.Next != "the directory shows who does" {
		t.Errorf("got next %q, want words of pages", got.Next)
	}
}

// TestAdvisedPagesExist opens each page that a refusal may lead to.
func TestAdvisedPagesExist(t *testing.T) {
	w := found(t)
	v := w.visitor()
	var seen []string
	for o := range catalog.All() {
		at := catalog.PageOf(o.Name)
		if o.Hidden || at == "" || slices.Contains(seen, at) {
			continue
		}
		seen = append(seen, at)
		if got := v.get(at); got.StatusCode == 404 {
			t.Errorf("%s: got 404 for %s", o.Name, at)
		}
	}
	if len(seen) < 10 {
		t.Errorf("got %d pages, that cannot be all", len(seen))
	}
}

package web_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"github.com/agentnet/netctl/server/web"
)

const asMarkdown = "text/markdown, text/html;q=0.9, */*;q=0.5"

// drawn draws Markdown, with tables, as a reader's program may.
func drawn(t *testing.T, text string) *html.Node {
	t.Helper()
	var page bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(text), &page); err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// each calls do with every element below n and the names of those around it.
func each(n *html.Node, around string, do func(n *html.Node, around string)) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode {
			do(c, around)
		}
		each(c, around+" "+c.Data, do)
	}
}

// TestTwins reads the four pages as Markdown, to the same visitors.
func TestTwins(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	w.execute(ada)
	contract := "/market/" + id(w.contract)
	for path, want := range map[string][]string{
		"/market":    {"# Signal market\n", "| [" + id(w.contract) + "](" + contract + ") | Wafer supply, weekly | acme | SILICON | commercial | 1.70 | 98.00 | 100.00 | 1 |"},
		contract:     {"# Contract " + id(w.contract), "- Pays you: 1.70 at tier UNVERIFIED", "> Untrusted, written by acme and ", "\n> Watch list: fabs of the north\n"},
		"/directory": {"# Directory\n", "| [ada](/agent/ada) | UNVERIFIED | 0.00 |"},
		"/agent/ada": {"# Agent ada\n", "- Balance: 51.70 credits", "It says nothing of what it can do.", "  - missing: ", "| Contract executed | +1.70 | 51.70 |"},
		"/agent/bob": {"# Not Found\n", "Code `agent_unknown`"},
		"/market/99": {"# Not Found\n"},
	} {
		got := w.visitor().get(path, "Accept", asMarkdown, "Authorization", "Bearer "+ada)
		if got.Header.Get("Content-Type") != "text/markdown; charset=utf-8" || !strings.Contains(strings.Join(got.Header["Vary"], ","), "Accept") {
			t.Errorf("%s: got %v, want Markdown that varies by Accept", path, got.Header)
		}
		for _, text := range want {
			if !strings.Contains(got.text, text) {
				t.Errorf("%s: got %s, want %q", path, got.text, text)
			}
		}
	}
	if got := w.visitor().get(contract, "Accept", asMarkdown); strings.Contains(got.text, "Pays you") || !strings.Contains(got.text, "fabs of the north") {
		t.Errorf("a stranger got %s, want the payload and no promise", got.text)
	}
	for accept, kind := range map[string]string{"": "text/html", "text/markdown;q=0.1, text/html": "text/html", "*/*": "text/html", "text/markdown, */*": "text/markdown", "text/markdown, text/html": "text/markdown"} {
		if got := w.visitor().get("/market", "Accept", accept); !strings.HasPrefix(got.Header.Get("Content-Type"), kind) {
			t.Errorf("Accept %q: got %s, want %s", accept, got.Header.Get("Content-Type"), kind)
		}
	}
	if got := w.visitor().get("/directory", "Accept", "text/markdown;q=0.5, application/json"); got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("got %s, want JSON", got.Header.Get("Content-Type"))
	}
	if got := w.visitor().get("/market?matched=yes", "Authorization", "Bearer "+ada); strings.Contains(got.text, "Sign out") {
		t.Error("a page for people takes a bearer token")
	}
	w.crisis()
	if got := w.visitor().get(contract, "Accept", asMarkdown); strings.Contains(got.text, "fabs of the north") || !strings.Contains(got.text, "(L3)") {
		t.Errorf("got %s, want no payload while a crisis runs", got.text)
	}
}

// TestTwinsHoldText writes what Markdown reads as structure into every text and
// draws the result: it stays words, in a quotation or a cell.
func TestTwinsHoldText(t *testing.T) {
	w := found(t)
	const nasty = "# Head\n\n- [x](javascript:alert(1)) <b>bold</b> &lt; `code` *em* _em_ ~~no~~ | cell |\n\n```\nfence\n```\n1. one\n=====\n---\n    indented\r\n> more\u202e\u2028\n\n<!-- c -->\n![i](http://evil.example/x.png)\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[r]: http://evil.example"
	bad := w.open("T"+nasty[:60], nasty)
	v := w.visitor()
	v.login(w.spawn("mallory"))
	v.form("/admin/agent-setup/claims", "niche", "SILICON", "preferred_llm_provider", "x", "capability_statement", nasty[:200], "attention_floor_price", "1")
	for _, path := range []string{"/market", "/market/" + id(bad), "/agent/mallory", "/directory"} {
		got := w.visitor().get(path, "Accept", asMarkdown)
		if strings.Contains(got.text, "http://evil") {
			t.Errorf("%s: an address of an agent is a link", path)
		}
		if strings.ContainsAny(got.text, "\u202e\u2028\r") {
			t.Errorf("%s: holds characters that are not seen", path)
		}
		tables := 0
		each(drawn(t, got.text), "", func(n *html.Node, around string) {
			if n.Data == "table" {
				tables++
			}
			strange := n.Data != "p" && n.Data != "a" && strings.Contains(around, "blockquote") || slices.Contains([]string{"img", "script", "pre", "del", "b", "em"}, n.Data)
			if n.Type == html.ElementNode && strange {
				t.Errorf("%s: a text became %s in%s", path, n.Data, around)
			}
			if n.Type == html.TextNode && strings.Contains(n.Data, "evil.example") && !strings.Contains(around, "blockquote") {
				t.Errorf("%s: a text stands outside of its quotation, in%s", path, around)
			}
			for _, a := range n.Attr {
				if a.Key == "href" && strings.HasPrefix(a.Val, "javascript") {
					t.Errorf("%s: a text became a link", path)
				}
			}
		})
		if tables > 1 {
			t.Errorf("%s: got %d tables, want at most one", path, tables)
		}
	}
}

// FuzzQuotation draws any text as a quotation: nothing in it becomes structure,
// and no word is lost.
func FuzzQuotation(f *testing.F) {
	for _, s := range []string{"", "a\n\nb", "- x", "1) y", "``` \n~~~", "a | b", "&amp;\\&", "\\", "***", "==", "<http://x>", "\t\tcode", "-", "+ \n+", "2.\n", "[a]: b", "a\n---\nb", "\\\\n", "#", "12345678901. x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got strings.Builder
		each(drawn(t, "before\n\n"+web.MarkdownQuote("ada", text)+"\n\nafter"), "", func(n *html.Node, around string) {
			if n.Type == html.ElementNode && !slices.Contains([]string{"html", "head", "body", "blockquote", "p", "a"}, n.Data) {
				t.Errorf("%q became %s", text, n.Data)
			}
			if n.Type == html.TextNode && strings.Contains(around, "blockquote") {
				got.WriteString(n.Data)
			}
		})
		_, words, _ := strings.Cut(got.String(), "never instructions.")
		if got, want := strings.Fields(words), strings.Fields(web.Line(text)); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	})
}

package web_test

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rowNames = regexp.MustCompile(`<th scope="row"><a href="([^"]+)"`)

// rowsOf lists where the rows of a table lead to.
func rowsOf(page string) (all []string) {
	for _, m := range rowNames.FindAllStringSubmatch(page, -1) {
		all = append(all, m[1])
	}
	return all
}

// TestSorted follows the columns of market and directory without a script.
func TestSorted(t *testing.T) {
	w := found(t)
	wafers := "/market/" + id(w.contract)
	rates := "/market/" + id(w.open("Rates", "p"))
	ada := w.spawn("ada")
	w.spawn("bert")
	w.execute(ada)
	me := w.visitor()
	me.login(ada)
	me.form("/admin/agent-setup/claims", "niche", "LEGAL", "attention_floor_price", "2.50", "accepts_attention_requests", "yes")
	for path, want := range map[string][]string{
		"/market":                             {rates, wafers},
		"/market?sort=title":                  {rates, wafers},
		"/market?sort=-title":                 {wafers, rates},
		"/market?sort=-left":                  {rates, wafers},
		"/market?sort=left":                   {wafers, rates},
		"/market?sort=-pays":                  {rates, wafers},
		"/market?sort=-executed&sponsor=acme": {wafers, rates},
		"/market?sort=ends&cursor=1":          {wafers},
		"/market?sort=ends&cursor=2":          nil,
		"/directory?sort=agent":               {"/agent/ada", "/agent/bert"},
		"/directory?sort=-agent":              {"/agent/bert", "/agent/ada"},
		"/directory?sort=attention":           {"/agent/bert", "/agent/ada"},
		"/directory?sort=-niche":              {"/agent/ada", "/agent/bert"},
		"/directory?sort=-tier&niche=LEGAL":   {"/agent/ada"},
	} {
		got := me.get(path)
		if rows := rowsOf(got.text); got.StatusCode != 200 || !slices.Equal(rows, want) {
			t.Errorf("%s: got %d, %v, want %v", path, got.StatusCode, rows, want)
		}
	}
	page := html.UnescapeString(me.get("/market?sort=-left&sponsor=acme&cursor=0").text)
	for _, want := range []string{`<th scope="col" class="num" aria-sort="descending"><a href="/market?sort=left&sponsor=acme">Left`, `<a href="/market?sort=-executed&sponsor=acme">Executed`,
		`<input type="hidden" name="sort" value="-left">`, "Pays you", "<b>1.70</b>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the market does not hold %s", want)
		}
	}
	if page := w.visitor().get("/market").text; strings.Contains(page, "Pays you") {
		t.Error("the market promises pay to nobody")
	}
	for _, path := range []string{"/market?sort=payload", "/directory?sort=-", "/market?sort=left&cursor=501", "/directory?sort=agent&cursor=x", "/market?sort=pays"} {
		if got := w.visitor().get(path); got.StatusCode != 422 || !strings.Contains(got.text, "What to do") {
			t.Errorf("%s: got %d, want 422 and what to do", path, got.StatusCode)
		}
	}
}

// TestSortedWindows walks a sorted list to its end, each row once.
func TestSortedWindows(t *testing.T) {
	w := found(t)
	for i := range 40 {
		w.open("Title "+id(uint64(i)), "p")
	}
	v := w.visitor()
	seen := map[string]bool{}
	next := regexp.MustCompile(`<a class="button" href="([^"]+)" rel="next">`)
	windows := 0
	for path := "/market?sort=-title"; path != ""; windows++ {
		page := v.get(path).text
		for _, row := range rowsOf(page) {
			if seen[row] {
				t.Errorf("%s stands twice", row)
			}
			seen[row] = true
		}
		path = ""
		if m := next.FindStringSubmatch(page); m != nil {
			path = html.UnescapeString(m[1])
		}
	}
	if len(seen) != 41 || windows != 2 {
		t.Errorf("got %d contracts in %d windows, want 41 in 2", len(seen), windows)
	}
}

package web_test

import (
	"context"
	"encoding/json"
	"html"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/server/guide"
)

// TestDocs finds every operation of the document on the pages, each with curl
// and Go.
func TestDocs(t *testing.T) {
	w := found(t)
	v := w.visitor()
	var doc struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal([]byte(v.get("/openapi.json").text), &doc); err != nil {
		t.Fatal(err)
	}
	index, n := v.get("/docs").text, 0
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for method, op := range doc.Paths[path] {
			n++
			if !strings.Contains(index, `href="/docs/`+op.OperationID+`"`) {
				t.Errorf("%s %s is not on the list", method, path)
			}
			page := v.get("/docs/" + op.OperationID)
			text := html.UnescapeString(page.text)
			if page.StatusCode != 200 || !strings.Contains(text, "curl ") || !strings.Contains(text, "http.NewRequest(") || !strings.Contains(text, w.url) {
				t.Errorf("%s %s: got %d, want curl and Go with the address", method, path, page.StatusCode)
			}
		}
	}
	if n < 60 {
		t.Errorf("saw %d operations", n)
	}
	if got := v.get("/docs/nothing").StatusCode; got != 404 {
		t.Errorf("got %d, want 404", got)
	}
}

// TestWindows walks a long list by its links and sees each contract once.
func TestWindows(t *testing.T) {
	w := found(t)
	w.post(w.op, "/api/sponsors/acme/deposits", `{"amount":6000,"reference":"wire 2"}`, nil)
	for range 60 {
		w.open("one of many", "p")
	}
	v, seen, at := w.visitor(), map[string]bool{}, "/market?channel=SILICON"
	for pages := 0; at != ""; pages++ {
		if pages > 5 {
			t.Fatal("the list does not end")
		}
		page := v.get(at).text
		for part := range strings.SplitSeq(page, `<th scope="row"><a href="/market/`) {
			if number, _, is := strings.Cut(part, `"`); is && !strings.Contains(number, "<") {
				if seen[number] {
					t.Errorf("contract %s is shown twice", number)
				}
				seen[number] = true
			}
		}
		_, rest, more := strings.Cut(page, `class="button" href="/market?`)
		at = ""
		if more {
			next, _, _ := strings.Cut(rest, `"`)
			at = "/market?" + html.UnescapeString(next)
		}
	}
	if len(seen) != 61 {
		t.Errorf("saw %d contracts, want 61", len(seen))
	}
}

// TestLedgerPages follows an execution into the books.
func TestLedgerPages(t *testing.T) {
	w := found(t)
	e := w.execute(w.spawn("ada"))
	v := w.visitor()
	page := v.get("/ledger/" + id(e)).text
	for _, want := range []string{"wallet:ada", "+1.70", "+0.30", "−2.00", "Sum", `"kind": "execution"`} {
		if !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("the entry does not show %s", want)
		}
	}
	if !strings.Contains(v.get("/ledger/accounts/wallet:ada").text, "51.70") {
		t.Error("the statement does not show the balance")
	}
	if !strings.Contains(v.get("/ledger").text, `<strong class="zero num">0.00</strong>`) {
		t.Error("the ledger does not show that the sum is 0")
	}
	for path, want := range map[string]int{"/ledger/99999": 404, "/ledger/x": 404, "/ledger/accounts/x": 404, "/ledger/accounts/wallet:nobody": 404, "/ledger?before=x": 422, "/ledger?before=0": 200,
		"/market/99999": 404, "/market?channel=X": 422, "/market?cursor=!": 422, "/directory?tier=X": 422} {
		if got := v.get(path); got.StatusCode != want || !strings.Contains(got.text, "<h1>") {
			t.Errorf("%s: got %d, want %d and a page", path, got.StatusCode, want)
		}
	}
}

// TestFeedPages reads the feed as a stranger and pays for it as an agent.
func TestFeedPages(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	w.post(w.op, "/api/agents/ada/roles", `{"role":"correspondent","grant":true,"reason":"tests"}`, nil)
	w.post(ada, "/api/net/dispatches", `{"priority":"P1","channel":"SILICON","headline":"Substrate prices double","summary":"Said by two buyers."}`, nil)
	v := w.visitor()
	if page := v.get("/feed").text; strings.Contains(page, "Substrate") {
		t.Error("a paid dispatch is shown for nothing")
	}
	v.login(w.spawn("bert"))
	if page := v.get("/feed").text; strings.Contains(page, "Substrate") || !strings.Contains(page, "Pay 10.00 and read") {
		t.Error("want the price, and nothing of what it buys")
	}
	if got := v.form("/feed", "max_cost", "9.99"); got.StatusCode != 409 || strings.Contains(got.text, "Substrate") {
		t.Errorf("got %d, want a read above its bound refused", got.StatusCode)
	}
	if got := v.form("/feed", "max_cost", "10.00", "channel", "SILICON"); got.StatusCode != 303 || got.Header.Get("Location") != "/feed?channel=SILICON" {
		t.Errorf("got %d to %s, want the feed as it was filtered", got.StatusCode, got.Header.Get("Location"))
	}
	if page := v.get("/feed").text; !strings.Contains(page, "Substrate prices double") || !strings.Contains(page, "10.00 credits were charged") || strings.Contains(page, "Pay 10.00") {
		t.Errorf("got %s, want what was paid for", page)
	}
	if page := v.get("/feed?channel=LEGAL").text; strings.Contains(page, "Substrate prices double") {
		t.Error("a filter shows what it leaves out")
	}
	w.post(ada, "/api/net/dispatches", `{"priority":"P2","channel":"LEGAL","headline":"Appeal is filed","summary":"s"}`, nil)
	if page := v.get("/feed").text; !strings.Contains(page, "Substrate prices double") || strings.Contains(page, "Appeal is filed") || !strings.Contains(page, "Pay 10.00 and read") {
		t.Error("want what was opened, and the price of what is new")
	}
	b, err := w.net.As("").Balance(context.Background(), netkit.Wallet("bert"))
	if err != nil || b.Balance != 4000 {
		t.Errorf("got %s, %v, want 40.00", b.Balance, err)
	}
}

// inside are codes that no caller of a documented operation meets: of the draw,
// which the network makes itself, of a journal's first start, and of the plant
// store, whose document is its own; and of tools for language models, which are no
// operations.
var inside = map[string]bool{code.CaseNotDrawing: true, code.NoMajority: true, code.TreeTooOld: true, code.NetworkBegun: true, code.PlantExists: true,
	code.AgentPresent: true, code.QuoteExpired: true}

// TestDocsCodes finds every code of refusals with its meaning, and in the
// document those of each status.
func TestDocsCodes(t *testing.T) {
	w := found(t)
	v := w.visitor()
	page, doc := v.get("/docs/codes").text, v.get("/openapi.json").text
	for _, row := range code.All() {
		if !strings.Contains(page, "<code>"+row.Code+"</code>") || !strings.Contains(html.UnescapeString(page), row.Meaning) {
			t.Errorf("the page says nothing of %s", row.Code)
		}
		if row.Status == 409 && !inside[row.Code] && !strings.Contains(doc, row.Code) {
			t.Errorf("the document says nothing of %s", row.Code)
		}
	}
	if !strings.Contains(v.get("/docs").text, `href="/docs/codes"`) {
		t.Error("no way leads to the codes")
	}
}

// Each document of the guide is a page that the index leads to.
func TestGuidePages(t *testing.T) {
	v := found(t).visitor()
	index := v.get("/docs").text
	for _, topic := range guide.Topics() {
		if !strings.Contains(index, `href="/docs/`+topic.Name+`"`) {
			t.Errorf("the index does not lead to %s", topic.Name)
		}
		if got := v.get("/docs/" + topic.Name).text; !strings.Contains(got, "<h1>"+topic.Title+"</h1>") || strings.Contains(got, "\n## ") {
			t.Errorf("%s: got no page with its title and rendered text", topic.Name)
		}
	}
}

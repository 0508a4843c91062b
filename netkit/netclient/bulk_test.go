package netclient

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// lineOf spells the answer to a line: its receipt, or a problem of that status.
func lineOf(number, status int) string {
	if status == 200 {
		return fmt.Sprintf("{\"line\":%d,\"receipt\":{\"execution_id\":%d}}\n", number, 100+number)
	}
	return fmt.Sprintf("{\"line\":%d,\"problem\":{\"type\":\"about:blank\",\"title\":\"t\",\"status\":%d,\"code\":\"c\",\"detail\":\"d\",\"retry_after\":1}}\n", number, status)
}

// Items that were refused for a moment, or whose answer broke off, are sent again
// with the keys that they had; outcomes come in the order of the items.
func TestBulkIsSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []func(*http.Request) (*http.Response, error){
			answer(200, lineOf(1, 200)+lineOf(2, 409)+lineOf(3, 429)+`{"line":4,"rec`),
			broken,
			answer(200, lineOf(1, 200)+lineOf(2, 429)),
			answer(200, lineOf(1, 200)),
		}}
		c, err := New(Config{BaseURL: "http://network.test", IntentURL: "http://intent.test", HTTPClient: &http.Client{Transport: s}})
		if err != nil {
			t.Fatal(err)
		}
		items := make([]netkit.BulkExecute, 4)
		items[0].Key = "mine"
		begin := time.Now()
		got := c.ExecuteBulk(t.Context(), items)
		for i, ok := range []bool{true, false, true, true} {
			if (got[i].Err == nil) != ok || ok && got[i].Receipt.ExecutionID != 101 {
				t.Errorf("item %d: got %+v, want success %t", i, got[i], ok)
			}
		}
		if len(s.seen) != 4 || s.seen[0].URL.String() != "http://intent.test/api/intent/bulk" || s.seen[0].Header.Get("Idempotency-Key") != "" ||
			s.seen[0].Header.Get("Content-Type") != "application/x-ndjson" {
			t.Fatalf("got %d requests, the first %v", len(s.seen), s.seen[0])
		}
		sent := func(n int) []string { return strings.Split(strings.TrimSpace(s.bodies[n]), "\n") }
		first := sent(0)
		if len(first) != 4 || !strings.Contains(first[0], `"idempotency_key":"mine"`) || !strings.Contains(first[2], `"idempotency_key":"`) || first[2] == first[3] {
			t.Errorf("got %q, want four lines with keys of their own", first)
		}
		for n, want := range map[int][]string{1: first[2:], 2: first[2:], 3: first[3:]} {
			if strings.Join(sent(n), "\n") != strings.Join(want, "\n") {
				t.Errorf("request %d: got %q, want %q again", n, sent(n), want)
			}
		}
		if waited := time.Since(begin); waited < 2*time.Second {
			t.Errorf("waited %v, want the second that each 429 asked for", waited)
		}
	})
}

// More items than a request may hold go in several; a refusal of a whole request is
// that of each of its items.
func TestBulkIsSplit(t *testing.T) {
	var answers strings.Builder
	for n := range netkit.MaxBulkItems {
		answers.WriteString(lineOf(n+1, 200))
	}
	s := &scripted{answers: []func(*http.Request) (*http.Response, error){answer(200, answers.String()),
		answer(403, `{"type":"about:blank","title":"t","status":403,"code":"scope_missing","detail":"d"}`)}}
	c, err := New(Config{BaseURL: "http://network.test", HTTPClient: &http.Client{Transport: s}})
	if err != nil {
		t.Fatal(err)
	}
	got := c.AnswerAttentionBulk(t.Context(), make([]netkit.BulkAnswer, netkit.MaxBulkItems+2))
	refused := 0
	for _, o := range got {
		if o.Err != nil {
			refused++
		}
	}
	if len(got) != netkit.MaxBulkItems+2 || refused != 2 || len(s.seen) != 2 || s.seen[0].URL.Path != "/api/intent/attention/answer/bulk" {
		t.Errorf("got %d outcomes, %d refused, %d requests", len(got), refused, len(s.seen))
	}
}

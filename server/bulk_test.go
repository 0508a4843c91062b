package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// bulkBody makes lines of executions that differ in key and text.
func bulkBody(contract uint64, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"idempotency_key":"k%d","campaign_id":%d,"signal":{"headline":"Reading %d","body":"b","sources":["https://example.org/%d"]}}`, i, contract, i, i)
	}
	return lines
}

// sendBulk sends lines and decodes the answer.
func (f *fixture) sendBulk(op *catalog.Operation, token, body string) (all []netkit.BulkLine[netkit.Execution], a answered) {
	f.t.Helper()
	a = f.ask("POST", op.Path, token, body, "Content-Type", "application/x-ndjson")
	if a.Code != 200 || a.Header().Get("Content-Type") != "application/x-ndjson" {
		f.t.Fatalf("got %d %v: %s", a.Code, a.Header(), a.Body)
	}
	for line := range strings.Lines(a.Body.String()) {
		var l netkit.BulkLine[netkit.Execution]
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			f.t.Fatalf("%v: %s", err, line)
		}
		all = append(all, l)
	}
	return all, a
}

// bulkContract is a contract that ada can execute often.
func (f *fixture) bulkContract() uint64 {
	f.sponsor("acme", 100_000*netkit.Credit)
	var r netkit.ContractReceipt
	f.ask("POST", "/api/market/campaigns", f.op, netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheSilicon,
		Budget: 90_000 * netkit.Credit, ExecutionsPerAgent: 1000}).into(200, &r)
	return r.CampaignID
}

// Each line is answered by its receipt or its own problem, in order, and the same
// body again gets the same answer.
func TestBulkLines(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	lines := bulkBody(f.bulkContract(), 230)
	lines[1] = `{"campaign_id":`
	lines[2] = `{"campaign_id":1,"colour":"red"}`
	lines[3] = strings.Replace(lines[3], "Reading 3", "sk-"+"ant-api03-"+strings.Repeat("Ab3dEf9h", 12), 1)
	lines[4] = ""
	lines[5] = strings.Replace(lines[5], `"k5"`, `"`+strings.Repeat("k", 129)+`"`, 1)
	body := strings.Join(lines, "\r\n")
	got, first := f.sendBulk(catalog.ExecuteContracts, ada, body)
	want := map[int]string{2: "json_malformed", 3: "field_unknown", 4: "key_like_secret", 6: "key_malformed"}
	if len(got) != 229 {
		t.Fatalf("got %d lines, want 229", len(got))
	}
	for i, l := range got {
		number := i + 1
		if i >= 4 {
			number++ // an empty line has no answer
		}
		switch code := want[number]; {
		case l.Line != number:
			t.Fatalf("answer %d is of line %d, want %d", i, l.Line, number)
		case code == "" && (l.Receipt == nil || l.Problem != nil || l.Receipt.Seq == 0):
			t.Errorf("line %d: got %+v, want a receipt", number, l.Problem)
		case code != "" && (l.Problem == nil || l.Problem.Code != code || l.Receipt != nil || l.Problem.Request == ""):
			t.Errorf("line %d: got %+v, want %s", number, l.Problem, code)
		}
	}
	again, _ := f.sendBulk(catalog.ExecuteContracts, ada, body)
	for i := range got {
		if got[i].Receipt != nil && *again[i].Receipt != *got[i].Receipt {
			t.Errorf("line %d again: got %+v, want %+v", got[i].Line, again[i].Receipt, got[i].Receipt)
		}
	}
	if strings.Contains(first.Body.String(), "ant-api03") {
		t.Error("the answer holds the secret")
	}
	f.on(f.IntentHandler(), "POST", catalog.ExecuteContracts.Path, ada, lines[0], "Content-Type", "application/x-ndjson").into(200, new(netkit.BulkLine[netkit.Execution]))
}

// A body over a limit is refused whole, with the limits, and nothing of it is done.
func TestBulkLimits(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	lines := bulkBody(f.bulkContract(), 1001)
	head := f.net.Health().Entries
	for name, c := range map[string]struct {
		body, kind, key string
		status          int
		code            string
	}{
		"too many lines": {strings.Join(lines, "\n"), "application/x-ndjson", "", 413, "body_too_large"},
		"too many bytes": {lines[0] + strings.Repeat(" ", netkit.MaxBulkBytes), "application/x-ndjson", "", 413, "body_too_large"},
		"no line":        {"\n \n", "application/x-ndjson", "", 422, "body_missing"},
		"not lines":      {lines[0], "application/json", "", 415, "media_type"},
		"one key":        {lines[0], "application/x-ndjson", "k", 422, "key_malformed"},
	} {
		headers := []string{"Content-Type", c.kind}
		if c.key != "" {
			headers = append(headers, "Idempotency-Key", c.key)
		}
		p := f.ask("POST", catalog.ExecuteContracts.Path, ada, c.body, headers...).problem(c.status, c.code)
		if c.status == 413 && !strings.Contains(p.Next, "1000 lines and 524288 bytes") {
			t.Errorf("%s: got %q, want the limits", name, p.Next)
		}
	}
	if got := f.net.Health().Entries; got != head {
		t.Errorf("%d entries were written", got-head)
	}
	if got, _ := f.sendBulk(catalog.ExecuteContracts, ada, strings.Join(lines[:1000], "\n")); len(got) != 1000 || got[999].Receipt == nil {
		t.Errorf("1000 lines: got %d answers, want a receipt for each", len(got))
	}
}

// Each line takes a unit of the rate, the request none besides; those beyond it are
// refused with the time to wait, and go through when it has passed.
func TestBulkRate(t *testing.T) {
	f := start(t, func(c *Config) { c.Limits.Party = Rate{10, 20} })
	ada := f.spawn("ada")
	contract := f.bulkContract()
	f.now.add(time.Minute)
	lines := bulkBody(contract, 30)
	got, _ := f.sendBulk(catalog.ExecuteContracts, ada, strings.Join(lines, "\n"))
	for i, l := range got {
		if i < 20 && l.Receipt == nil || i >= 20 && (l.Problem == nil || l.Problem.Code != "rate_limited" || l.Problem.RetryAfter < 1) {
			t.Errorf("line %d: got %+v, want receipts for 20 lines and then the time to wait", l.Line, l)
		}
	}
	f.now.add(time.Minute)
	got, _ = f.sendBulk(catalog.ExecuteContracts, ada, strings.Join(lines[20:], "\n"))
	for _, l := range got {
		if l.Receipt == nil {
			t.Errorf("line %d: got %+v, want a receipt once the rate allows it", l.Line, l.Problem)
		}
	}
}

// Answers to attention requests go the same way.
func TestBulkAnswers(t *testing.T) {
	f := start(t)
	ada, bob := f.spawn("ada"), f.spawn("bob")
	f.ask("PUT", catalog.SetClaims.Path, ada, `{"accepts_attention_requests":true,"attention_floor_price":1}`).into(200, new(netkit.ClaimsReceipt))
	var sent netkit.AttentionReceipt
	f.ask("POST", "/api/intent/attention", bob, `{"to":"ada","subject":"s","body":"b"}`).into(200, &sent)
	body := fmt.Sprintf("{\"idempotency_key\":\"a\",\"id\":%d,\"body\":\"yes\"}\n{\"idempotency_key\":\"b\",\"id\":%d,\"body\":\"no\"}\n", sent.ID, sent.ID)
	a := f.ask("POST", catalog.AnswerAttentions.Path, ada, body, "Content-Type", "application/x-ndjson")
	if got := a.Body.String(); a.Code != 200 || strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, `{"line":1,"receipt":{"id":`) || !strings.Contains(got, `{"line":2,"problem":{`) || !strings.Contains(got, "attention_answered") {
		t.Errorf("got %d %s, want a receipt and a conflict", a.Code, got)
	}
}

// A caller that goes away loses nothing: the same body again gets the receipts of
// what was written and executes the rest once.
func TestBulkAfterADisconnection(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	body := strings.Join(bulkBody(f.bulkContract(), 300), "\n")
	ctx, leave := context.WithCancel(t.Context())
	req := httptest.NewRequestWithContext(ctx, "POST", catalog.ExecuteContracts.Path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+ada)
	req.Header.Set("Content-Type", "application/x-ndjson")
	w := &leaving{ResponseRecorder: httptest.NewRecorder(), leave: leave}
	f.Handler().ServeHTTP(w, req)
	before := bytes.Count(w.Body.Bytes(), []byte(`"receipt"`))
	if before == 0 || before == 300 {
		t.Fatalf("got %d receipts before the caller left, want some", before)
	}
	got, a := f.sendBulk(catalog.ExecuteContracts, ada, body)
	if len(got) != 300 || !bytes.HasPrefix(a.Body.Bytes(), w.Body.Bytes()) {
		t.Errorf("got %d lines, want 300 that begin with those of the first time", len(got))
	}
	seen := map[uint64]bool{}
	for _, l := range got {
		if l.Receipt == nil || seen[l.Receipt.ExecutionID] {
			t.Fatalf("line %d: got %+v, want an execution of its own", l.Line, l)
		}
		seen[l.Receipt.ExecutionID] = true
	}
}

// leaving is a caller that goes away after the first part of an answer.
type leaving struct {
	*httptest.ResponseRecorder
	leave func()
}

func (w *leaving) Write(b []byte) (int, error) {
	defer w.leave()
	return w.ResponseRecorder.Write(b)
}

package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// documented builds the routes again and returns what they say of themselves.
func (f *fixture) documented() *huma.OpenAPI {
	f.t.Helper()
	m := newMux(f.Server)
	for _, r := range f.routes() {
		if err := m.add(r); err != nil {
			f.t.Fatal(err)
		}
	}
	m.openAPI()
	return m.api.OpenAPI()
}

func operations(doc *huma.OpenAPI) map[string]*huma.Operation {
	all := map[string]*huma.Operation{}
	for path, item := range doc.Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "DELETE": item.Delete} {
			if op != nil {
				all[method+" "+path] = op
			}
		}
	}
	return all
}

func TestDocumentIsComplete(t *testing.T) {
	f := start(t)
	doc := f.documented()
	ops := operations(doc)
	for _, r := range f.routes() {
		op := ops[r.Method+" "+r.Path]
		if r.Hidden != (op == nil) {
			t.Errorf("%s %s: documented %v, hidden %v", r.Method, r.Path, op != nil, r.Hidden)
			continue
		}
		if op == nil {
			continue
		}
		if op.Summary == "" || !slices.ContainsFunc(doc.Tags, func(tag *huma.Tag) bool { return tag.Name == op.Tags[0] }) || op.Responses["200"] == nil {
			t.Errorf("%s %s: lacks a summary, a known tag or its answer", r.Method, r.Path)
		}
		if secured := len(op.Security) == 1; secured != (r.Scope != catalog.Public) || r.Scope != catalog.Public && (op.Responses["401"] == nil || op.Responses["403"] == nil) {
			t.Errorf("%s %s: scope %s, but security %v", r.Method, r.Path, r.Scope, op.Security)
		}
		for _, in := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(r.Path, -1) {
			if !slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "path" && p.Name == in[1] && p.Required }) {
				t.Errorf("%s %s: parameter %s is not documented", r.Method, r.Path, in[1])
			}
		}
	}
	if doc.OpenAPI != "3.1.0" || doc.Info.License.Identifier != "MIT" {
		t.Errorf("got %s %+v, want 3.1.0 under MIT", doc.OpenAPI, doc.Info)
	}
}

func TestDocumentRefersToWhatItHas(t *testing.T) {
	f := start(t)
	a := f.ask("GET", "/openapi.json", "", nil)
	var doc map[string]any
	a.into(200, &doc)
	for _, ref := range regexp.MustCompile(`"\$ref":"#/([^"]+)"`).FindAllStringSubmatch(a.Body.String(), -1) {
		at := any(doc)
		for name := range strings.SplitSeq(ref[1], "/") {
			object, _ := at.(map[string]any)
			at = object[name]
		}
		if at == nil {
			t.Errorf("%s is referred to and missing", ref[1])
		}
	}
	for _, never := range []string{"ErrorModel", `"$schema"`, "SlogLevel", "openai", "api_key"} {
		if strings.Contains(a.Body.String(), never) {
			t.Errorf("it holds %s", never)
		}
	}
}

// Reflection alone would document these as numbers or bytes.
func TestScalarsAreDocumentedAsTheyAreWritten(t *testing.T) {
	r := newRegistry()
	for v, want := range map[any]string{netkit.Credits(1250): "number", netkit.Ratio(3000): "number", netkit.Percent(95): "number", netkit.Millis(1): "string", netkit.Day(1): "string",
		netkit.Hash{}: "string", netkit.Elite: "string", netkit.NicheLegal: "string", netkit.FieldAgent: "string", netkit.P2: "string", netkit.Operational: "string",
		netkit.ContractClosed: "string", netkit.Expired: "string", netkit.Suspended: "string", netkit.Seconds(1500): "number", netkit.OperatorParty: "string", netkit.Treasury: "string"} {
		s := schemaOf(r, v)
		if s.Type != want {
			t.Errorf("%T: documented as %s, want %s", v, s.Type, want)
		}
		check(t, r, s, v)
	}
	for _, v := range []any{[]netkit.Niche{netkit.NicheLegal}, []netkit.Badge{netkit.DisputeMaster}, []netkit.Priority{netkit.P0}} {
		if s := schemaOf(r, v); s.Type != "array" || s.Items.Type != "string" {
			t.Errorf("%T: documented as %+v, want a list of names", v, s)
		}
	}
}

// check validates a value as it is written against its schema.
func check(t *testing.T, r huma.Registry, s *huma.Schema, v any) {
	t.Helper()
	b, ok := v.([]byte)
	if !ok {
		var err error
		if b, err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	var parsed any
	if err := json.Unmarshal(b, &parsed); err != nil {
		t.Fatal(err)
	}
	s.PrecomputeMessages()
	res := &huma.ValidateResult{}
	huma.Validate(r, s, huma.NewPathBuffer(nil, 0), huma.ModeReadFromServer, parsed, res)
	for _, err := range res.Errors {
		t.Errorf("%.300s: %.2000v", b, err)
	}
}

// What the network answers is what the document says.
func TestAnswersAreAsDocumented(t *testing.T) {
	f := start(t)
	doc := f.documented()
	ops := operations(doc)
	ada := f.walkAbout()
	for line, op := range ops {
		method, path, _ := strings.Cut(line, " ")
		if method != http.MethodGet || op.Responses["200"].Content["application/json"] == nil {
			continue
		}
		target := strings.NewReplacer("/sponsors/{slug}", "/sponsors/acme", "{slug}", "ada", "{account}", "wallet:ada", "{seq}", "1").Replace(path)
		if strings.Contains(target, "{") {
			continue
		}
		token := ada
		switch {
		case strings.HasPrefix(path, "/api/witness"):
			token = f.op
		case path == catalog.ListSponsorAgents.Path:
			target += "?sponsor=acme"
		case path == catalog.PreviewSettlement.Path:
			target, token = target+"?action=accept", f.sponsor("buyer", netkit.Credit)
		}
		a := f.ask(method, target, token, nil)
		if a.Code != 200 {
			t.Errorf("%s: got %d %s", target, a.Code, a.Body)
			continue
		}
		check(t, doc.Components.Schemas, op.Responses["200"].Content["application/json"].Schema, a.Body.Bytes())
	}
}

// walkAbout lets most things happen once and returns the token of ada.
func (f *fixture) walkAbout() (ada string) {
	f.t.Helper()
	ada = f.correspondent("ada")
	bob := f.spawn("bob")
	f.sponsor("acme", 1000*netkit.Credit)
	f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	f.publishAs(ada, "P2", "p2-audit-policy.ogg")
	for _, c := range []struct{ method, path, token, body string }{
		{"PUT", "/api/agent/claims", ada, `{"niche":"LEGAL","preferred_llm_provider":"acme","accepts_attention_requests":true,"attention_floor_price":1.5,"capability_statement":"reads law"}`},
		{"PUT", "/api/agent/channels", ada, `{"channels":["LEGAL"]}`},
		{"POST", "/api/intent/attention", bob, `{"to":"ada","subject":"s","body":"b","max_price":2}`},
		{"POST", "/api/market/campaigns", f.op, `{"sponsor":"acme","title":"t","brief":"b","kind":"operational","channel":"LEGAL","payload":"p","budget":50,"matching":{"niches":["LEGAL"]},"ends_at":"2026-03-01T00:00:00Z"}`},
		{"POST", "/api/btdt/commit", ada, `{"commitment":"` + netkit.Hash(bytes.Repeat([]byte{0xab}, 32)).CommittedBy("ada").String() + `"}`},
		{"POST", "/api/btdt/register", ada, `{"title":"A case","category":"legal","sub_category":"refund","jurisdiction":"DE","status":"RESOLVED","time_taken_days":3,"step_count":2,"content_sha256":"` + strings.Repeat("ab", 32) + `","scrubber_version":"check/1"}`},
		{"POST", "/api/badges/night", f.op, `{}`},
	} {
		if a := f.ask(c.method, c.path, c.token, c.body); a.Code != 200 {
			f.t.Fatalf("%s: got %d %s", c.path, a.Code, a.Body)
		}
	}
	return ada
}

// Auditors hash entries as they come.
func TestEntriesComeThroughByteForByte(t *testing.T) {
	stored := `{"seq":1,"reason":"<b>&\u003c\u2028 é"}`
	var b strings.Builder
	if err := encode(&b, Entries{Items: []json.RawMessage{json.RawMessage(stored)}, Next: 2}); err != nil || b.String() != `{"items":[`+stored+`],"next":2}`+"\n" {
		t.Errorf("got %s, %v, want the entry unchanged", b.String(), err)
	}
}

// Each request and each answer has an example, which its own schema allows; a
// copy of the request's is never refused for its shape.
func TestEveryOperationHasExamples(t *testing.T) {
	f := start(t)
	doc := f.documented()
	parties := f.parties()
	examined := 0
	for line, op := range operations(doc) {
		method, path, _ := strings.Cut(line, " ")
		for status, content := range map[string]map[string]*huma.MediaType{"request": contentOf(op.RequestBody), "answer": op.Responses["200"].Content} {
			m := content["application/json"]
			if m == nil {
				continue
			}
			if m.Example == nil {
				t.Errorf("%s: the %s has no example", op.OperationID, status)
				continue
			}
			b, err := json.Marshal(m.Example)
			if err != nil {
				t.Fatal(err)
			}
			check(t, doc.Components.Schemas, m.Schema, b)
			examined++
			if status == "answer" {
				continue
			}
			target := strings.NewReplacer("/sponsors/{slug}", "/sponsors/acme", "{slug}", "ada", "{id}", "17", "{seq}", "1").Replace(path)
			a := f.ask(method, target, parties[0], string(b))
			var p netkit.Problem
			_ = json.Unmarshal(a.Body.Bytes(), &p)
			if shape := a.Code == 422 || a.Code == 400; shape && notShape[p.Code] == "" && p.Code != code.SignatureWrong {
				t.Errorf("%s: its example is refused: %s", op.OperationID, a.Body)
			}
		}
	}
	if examined < 80 {
		t.Errorf("got %d examples, that cannot be all", examined)
	}
}

func contentOf(b *huma.RequestBody) map[string]*huma.MediaType {
	if b == nil {
		return nil
	}
	return b.Content
}

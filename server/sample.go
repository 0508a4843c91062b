package server

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/catalog"
)

// samples are what fields hold in the document's examples. A field of one type
// stands as Type.field where it differs from fields of the same name.
var samples = map[string]any{
	"slug": "ada", "agent": "ada", "author": "ada", "to": "ada", "reported": "ada", "actor": "ada", "owner": "ada", "for": "ada",
	"from": "bob", "reporter": "bob", "reviewer": "cora", "witness": "cora", "revoker": "operator", "by": "operator",
	"sponsor": "acme", "party": "acme", "name": "Acme Research", "SetRole.agent": "ada",
	"title": "Fab outages this week", "brief": "Which fabs stopped, and for how long?", "payload": "Fab 18 in Tainan",
	"headline": "Line 4 of fab 18 is down", "body": "Line 4 stopped at noon after a power dip.", "summary": "A power dip stopped line 4.",
	"sources": []any{"https://example.org/fab-18"}, "meets": []any{1, 3}, "unmet": []any{2}, "criterion": 2, "capability_statement": "Reads maintenance logs in three languages.",
	"AnswerAttention.body": "It runs again since 14:00.", "Attention.answer": "It runs again since 14:00.",
	"preferred_llm_provider": "mistral", "llm_providers": []any{"mistral"}, "SendAttention.subject": "Line 4", "Attention.subject": "Line 4",
	"SendAttention.body": "When does line 4 run again?", "Attention.body": "When does line 4 run again?",
	"reason": "found to be mistaken", "reasoning": "The source does not say so.", "grounds": "The source was moved; it says so here.",
	"evidence": "The source does not exist.", "reference": "bank transfer 17", "constitution_accepted": "1.0.0", "version": "1.0.0",
	"address": "did:key:z6MkeTG3bFFSLYVU7VqhgZxqr6YzpaGrQtFMh1uvqGy1vDnP", "wallet_address": "did:key:z6MkeTG3bFFSLYVU7VqhgZxqr6YzpaGrQtFMh1uvqGy1vDnP",
	"signature": strings.Repeat("A", 86), "challenge": "agentnet wallet ada 2026-02-20", "token": "nk_" + strings.Repeat("0", 64),
	"RegisterPlaybook.title": "A denied claim, paid after an appeal", "Playbook.title": "A denied claim, paid after an appeal",
	"sub_category": "denied_claim", "jurisdiction": "DE", "region": "Bavaria", "entity": "a health insurer", "scrubber_version": btdt.ScrubberVersion,
	"Audio.type": "audio/mpeg", "AudioRef.type": "audio/mpeg", "Transcript.type": "text/vtt", "TextRef.type": "text/vtt",
	"url": "https://example.org/hook", "Audio.url": catalog.GetAudio.At(sampleHash), "Transcript.url": catalog.GetTranscript.At(sampleHash),
	"next_cursor": "MTc", "roles": []any{"correspondent"}, "Notice.kind": "attention.answered", "StatementLine.kind": "execution",
	"text": "Your request was answered.", "WitnessRequest.kind": "admission", "CounterpartyView.kind": "sponsor",
	"Condition.name": "transactions", "have": "12", "need": "25", "missing": "13", "AdmissionReceipt.state": "admitted",
	"WitnessReceipt.subject": "acme", "WitnessRequest.subject": "acme", "origin": "agentnet/example", "key": "agentnet/example+0a1b2c3d+" + strings.Repeat("A", 44),
	"account": "wallet:ada", "spend_cap": 25, "seq": 42, "at": sampleTime, "Me.next": []any{"execute contracts for another sponsor"},
	"payout": 2, "agent_share": 1.7, "treasury_share": 0.3, "Execution.balance": 51.7, "grant": 50, "Spawned.balance": 50, "budget": 100,
	"suppressed": false, "rogue": false, "dry_run": false, "step_count": 5, "time_taken_days": 41, "tier": "VERIFIED", "next_tier": "BADGED", "law": "L1",
	"ExecutionView.state": "cleared", "ExchangeReceipt.state": "open", "panel": []any{"cora", "dan", "eve"}, "witnesses": []any{"witness.example.org"},
	"raises": []any{"execute contracts of sponsors that have not paid you yet"}, "category": "insurance", "SponsorView.slug": "acme",
	"entries": 43, "accounts": 5, "sum": 0, "Constitution": netkit.Version1(), "Entries.items": []any{sampleEntry}, "getEntry answer": sampleEntry,
	"adoptConstitution request": map[string]any{"document": netkit.Version1()}, "getConstitution answer": netkit.ConstitutionView{Constitution: netkit.Version1()},
}

const (
	sampleHash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	sampleTime = "2026-02-20T12:00:00.000Z"
)

// sampleEntry is an entry of the journal, as the network writes it.
var sampleEntry = json.RawMessage(`{"v":1,"seq":42,"at":"` + sampleTime + `","kind":"agent.spawned"}`)

// sampler makes examples of schemas.
type sampler struct {
	schemas huma.Registry
	// whole fills every field, as answers do; otherwise the required ones.
	whole bool
}

// operation is an example for a request or an answer of an operation.
func (p sampler) operation(name string, s *huma.Schema) any {
	if v, ok := samples[name]; ok {
		return v
	}
	return p.value("", "", s)
}

// value is an example for a field of a type.
func (p sampler) value(of, field string, s *huma.Schema) any {
	named := typeOf(s)
	if s.Ref != "" {
		s = p.schemas.SchemaFromRef(s.Ref)
	}
	for _, key := range []string{of + "." + field, field, named} {
		if v, ok := samples[key]; ok && p.fits(s, v) {
			return v
		}
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Type == huma.TypeArray:
		return []any{p.value(of, field, s.Items)}
	case s.Type == huma.TypeObject:
		return p.object(named, s)
	}
	return p.leaf(field, s)
}

// typeOf is the name of the component that a schema refers to.
func typeOf(s *huma.Schema) string { return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:] }

func (p sampler) object(of string, s *huma.Schema) any {
	o := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if p.whole || slices.Contains(s.Required, name) {
			o[name] = p.value(of, name, s.Properties[name])
		}
	}
	return o
}

// leaf is an example for a scalar that no sample is there for.
func (p sampler) leaf(field string, s *huma.Schema) any {
	switch {
	case s.Type == huma.TypeBoolean:
		return true
	case s.Minimum != nil && *s.Minimum > 17:
		return *s.Minimum
	case s.Type == huma.TypeInteger, s.Type == huma.TypeNumber:
		return 17
	case strings.HasPrefix(s.Pattern, "^[0-9a-f"):
		return sampleHash
	}
	return field
}

// fits reports whether a sample is one that a schema allows.
func (p sampler) fits(s *huma.Schema, v any) bool {
	if s.Type == huma.TypeObject {
		return true // these are whole values of their types
	}
	if n, ok := v.(int); ok {
		v = float64(n) // as it is read
	}
	found := &huma.ValidateResult{}
	huma.Validate(p.schemas, s, huma.NewPathBuffer(nil, 0), huma.ModeReadFromServer, v, found)
	return len(found.Errors) == 0
}

// exemplify gives each JSON request and answer of an operation an example.
func (p sampler) exemplify(op *huma.Operation) {
	if op == nil {
		return
	}
	if in := op.RequestBody; in != nil {
		p.media(op.OperationID+" request", in.Content)
	}
	p.whole = true
	if out := op.Responses["200"]; out != nil {
		p.media(op.OperationID+" answer", out.Content)
	}
}

func (p sampler) media(name string, content map[string]*huma.MediaType) {
	if m := content["application/json"]; m != nil {
		m.Example = p.operation(name, m.Schema)
	}
}

package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// generator makes values that a schema allows, at its bounds more often than
// chance would.
type generator struct {
	*rand.Rand
	schemas huma.Registry
	known   map[string]any // values of fields that must name something
}

func (g *generator) value(s *huma.Schema) any {
	if s.Ref != "" {
		s = g.schemas.SchemaFromRef(s.Ref)
	}
	switch {
	case s.Nullable && g.IntN(4) == 0:
		return nil
	case len(s.Enum) > 0:
		return s.Enum[g.IntN(len(s.Enum))]
	}
	switch s.Type {
	case huma.TypeBoolean:
		return g.IntN(2) == 0
	case huma.TypeInteger:
		return g.number(s, 1, 1<<53)
	case huma.TypeNumber:
		return json.Number(strconv.FormatFloat(float64(g.number(s, 100, 1e13))/100, 'f', 2, 64))
	case huma.TypeArray:
		return g.list(s)
	case huma.TypeObject:
		return g.object(s)
	}
	return g.text(s)
}

// number is a whole number of parts of 1 between the bounds of a schema.
func (g *generator) number(s *huma.Schema, parts, most int64) int64 {
	least := -most
	if s.Minimum != nil {
		least = int64(*s.Minimum * float64(parts))
	}
	if s.Maximum != nil {
		most = int64(*s.Maximum * float64(parts))
	}
	if s.Format == "int32" && s.Maximum == nil {
		most = 1<<31 - 1
	}
	switch g.IntN(4) {
	case 0:
		return least
	case 1:
		return most
	}
	return least + g.Int64N(most-least+1)
}

func (g *generator) list(s *huma.Schema) any {
	n, all := g.between(s.MinItems, s.MaxItems, 5), []any{}
	for range n {
		if v := g.value(s.Items); !s.UniqueItems || !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

func (g *generator) object(s *huma.Schema) any {
	o := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) { // in order, so that each run makes the same
		p := s.Properties[name]
		v, known := g.known[name]
		switch {
		case known && p.Type != huma.TypeObject && p.Description != namedByPath:
			o[name] = v
		case p.Description != namedByPath && (slices.Contains(s.Required, name) || g.IntN(2) == 0):
			o[name] = g.value(p)
		}
	}
	return o
}

// between is a count between two bounds, usual at most where there is no upper one.
func (g *generator) between(least, most *int, usual int) int {
	low, high := 0, usual
	if least != nil {
		low = *least
	}
	if most != nil {
		high = *most
	}
	switch g.IntN(8) {
	case 0:
		return low
	case 1:
		return high
	}
	return low + g.IntN(min(high-low, 3*usual)+1)
}

// scripts are letters of several scripts, with what markup and JSON have to escape.
var scripts = []rune("abc XYZ 09\t\n\r<&>\"'\\{}%éßжλ中文字अ😀\u2028")

func (g *generator) text(s *huma.Schema) any {
	switch s.Format {
	case "date-time":
		at := time.Unix(g.Int64N(4e9), g.Int64N(1e9)).UTC()
		return at.Format([]string{time.RFC3339, "2006-01-02T15:04:05.000Z07:00", time.RFC3339Nano}[g.IntN(3)])
	case "date":
		return time.Unix(g.Int64N(4e9), 0).UTC().Format(time.DateOnly)
	}
	if s.Pattern != "" && s.Pattern != plainText {
		return g.matching(s)
	}
	var b strings.Builder
	for range g.between(s.MinLength, s.MaxLength, 12) {
		b.WriteRune(scripts[g.IntN(len(scripts))])
	}
	return b.String()
}

// matching is a text of a pattern, of the length that the schema allows.
func (g *generator) matching(s *huma.Schema) any {
	re, err := syntax.Parse(s.Pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	for {
		var b strings.Builder
		g.expression(&b, re)
		n := utf8.RuneCountInString(b.String())
		if (s.MinLength == nil || n >= *s.MinLength) && (s.MaxLength == nil || n <= *s.MaxLength) {
			return b.String()
		}
	}
}

func (g *generator) expression(b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		i := 2 * g.IntN(len(re.Rune)/2)
		b.WriteRune(re.Rune[i] + g.Int32N(re.Rune[i+1]-re.Rune[i]+1))
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			g.expression(b, sub)
		}
	case syntax.OpAlternate:
		g.expression(b, re.Sub[g.IntN(len(re.Sub))])
	case syntax.OpQuest, syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		for range g.repeats(re) {
			g.expression(b, re.Sub[0])
		}
	case syntax.OpBeginText, syntax.OpEndText, syntax.OpEmptyMatch:
	default:
		panic("no text for " + re.String())
	}
}

func (g *generator) repeats(re *syntax.Regexp) int {
	low, high := map[syntax.Op]int{syntax.OpPlus: 1, syntax.OpRepeat: re.Min}[re.Op], 40
	if re.Op == syntax.OpQuest {
		high = 1
	}
	if re.Op == syntax.OpRepeat && re.Max >= 0 {
		high = re.Max
	}
	return low + g.IntN(high-low+1)
}

// request is a target and a body that the document allows.
func (g *generator) request(path string, op *huma.Operation) (target string, body any) {
	query := url.Values{}
	for _, p := range op.Parameters {
		switch {
		case p.In == "path":
			path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(fmt.Sprint(g.value(p.Schema))), 1)
		case p.In == "query" && (p.Required || g.IntN(2) == 0):
			query.Set(p.Name, fmt.Sprint(g.value(p.Schema)))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	if op.RequestBody != nil {
		body = g.value(op.RequestBody.Content["application/json"].Schema)
	}
	return path, body
}

// notShape are the refusals of 422 that a schema cannot foretell, and why.
var notShape = map[string]string{
	code.ConstitutionOther:   "depends on the constitution in force",
	code.ConstitutionUnsound: "numbers of a constitution must fit one another",
	code.ClearingTooLong:     "depends on the constitution in force",
	code.TimePast:            "depends on the time",
	code.DateNotOver:         "depends on the time",
	code.SchemaMalformed:     "a schema has a language of its own",
	code.AgentsMissing:       "one of three lists has to name an agent",
	code.BudgetBelowPayout:   "depends on min_tier",
	code.MaxTierBelowMin:     "depends on min_tier",
	code.NotStored:           "depends on what was stored",
	code.AudioMissing:        "depends on the priority",
	code.AddressMalformed:    "not every text in base 58 is a key",
	code.IdentifiesSomeone:   "depends on the meaning of a text",
	code.CursorMalformed:     "cursors come from answers",
}

// parties are the tokens under which requests are tried: the shape is looked
// at once the caller may act at all.
func (f *fixture) parties() []string {
	agent := f.correspondent("ada")
	return []string{f.op, f.sponsor("acme", 1_000_000), agent}
}

// What the document allows is never refused for its shape.
func TestWhatTheDocumentAllowsIsTaken(t *testing.T) {
	f := start(t)
	doc := f.documented()
	ops := operations(doc)
	lines := make([]string, 0, len(ops))
	for line, op := range ops {
		if line != "GET /api/net/stream" && (op.RequestBody == nil || op.RequestBody.Content["application/json"] != nil) {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	g, parties := &generator{rand.New(rand.NewPCG(1, 2)), doc.Components.Schemas, nil}, f.parties()
	requests := 10_000
	if testing.Short() {
		requests = 2000
	}
	taken, failed := 0, 0
	for i := range requests {
		line := lines[i%len(lines)]
		method, path, _ := strings.Cut(line, " ")
		target, body := g.request(path, ops[line])
		if method == "DELETE" {
			target = catalog.RevokeToken.At("99999") // not one of those that the test holds
		}
		f.now.add(time.Second)
		a := f.ask(method, target, parties[g.IntN(len(parties))], body)
		var p struct{ Code, Location, Detail string }
		_ = json.Unmarshal(a.Body.Bytes(), &p)
		switch shape := a.Code == 400 || a.Code == 413 || a.Code == 415 || a.Code == 422; {
		case a.Code == 200:
			taken++
		case a.Code >= 500 || shape && notShape[p.Code] == "":
			sent, _ := json.Marshal(body)
			t.Errorf("got %d %s %s: %s\n%s %s %.2000s", a.Code, p.Code, p.Location, p.Detail, method, target, sent)
			if failed++; failed > 30 {
				t.FailNow()
			}
		}
	}
	if t.Logf("%d of %d requests were taken", taken, requests); taken < requests/20 {
		t.Errorf("got %d of %d taken, want at least a twentieth", taken, requests)
	}
}

// outside lists values just past each bound of a schema.
func (g *generator) outside(s *huma.Schema) (all []any) {
	if len(s.Enum) > 0 {
		return []any{"no such name"}
	}
	long := func(n int) any { return strings.Repeat("a", n) }
	if s.Minimum != nil {
		all = append(all, *s.Minimum-1)
	}
	if s.Maximum != nil {
		all = append(all, *s.Maximum+1)
	}
	if s.MinLength != nil {
		all = append(all, long(*s.MinLength-1))
	}
	if s.MaxLength != nil {
		all = append(all, long(*s.MaxLength+1))
	}
	if s.Pattern != "" {
		all = append(all, "-\x00")
	}
	if s.MinItems != nil {
		all = append(all, slices.Repeat([]any{g.value(s.Items)}, *s.MinItems-1))
	}
	if s.MaxItems != nil {
		all = append(all, slices.Repeat([]any{g.value(s.Items)}, *s.MaxItems+1))
	}
	if s.UniqueItems {
		all = append(all, slices.Repeat([]any{g.value(s.Items)}, 2))
	}
	if s.Items != nil && s.Items.Ref == "" {
		for _, v := range g.outside(s.Items) {
			all = append(all, []any{v})
		}
	}
	return all
}

// spoilt yields a body that the schema allows but for one value, with the
// place of that value.
func (g *generator) spoilt(s *huma.Schema, yield func(at string, body any)) {
	if s.Ref != "" {
		s = g.schemas.SchemaFromRef(s.Ref)
	}
	for name, p := range s.Properties {
		with := func(at string, v any) {
			o := g.object(s).(map[string]any)
			o[name] = v
			yield(name+at, o)
		}
		if p.Ref != "" {
			g.spoilt(p, func(at string, v any) { with("."+at, v) })
			continue
		}
		for _, v := range g.outside(p) {
			with("", v)
		}
	}
	for _, name := range s.Required {
		o := g.object(s).(map[string]any)
		delete(o, name)
		yield(name, o)
	}
	o := g.object(s).(map[string]any)
	o["no_such_field"] = 1
	yield("no_such_field", o)
}

// What the document forbids is refused: no bound is written down there that
// the server does not hold to.
func TestWhatTheDocumentForbidsIsRefused(t *testing.T) {
	f := start(t)
	doc := f.documented()
	g, parties := &generator{rand.New(rand.NewPCG(3, 4)), doc.Components.Schemas, nil}, f.parties()
	contract := f.campaign("acme", 100*netkit.Credit)
	run := ok[netkit.Execution](f, "POST", "/api/intent", parties[2], execution(contract)).ExecutionID
	tried := 0
	for line, op := range operations(doc) {
		method, path, _ := strings.Cut(line, " ")
		if op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil || path == catalog.AdoptConstitution.Path {
			continue // a constitution is checked as a whole, by rules of its own
		}
		g.known = map[string]any{"sponsor": "acme", "agent": "ada", "to": "ada", "campaign_id": contract, "subject": run, "kind": "commercial"}
		if path == catalog.AdmitSponsor.Path {
			g.known = nil // a name that is taken would be refused first
		}
		target := strings.NewReplacer("/sponsors/{slug}", "/sponsors/acme", "{slug}", "ada", "{id}", fmtID(contract), "{seq}", "1").Replace(path)
		g.spoilt(op.RequestBody.Content["application/json"].Schema, func(at string, body any) {
			tried++
			refused := strings.HasPrefix(path, catalog.RevokeBadge.Path) // which looks for the badge first, and nobody has one
			for _, token := range parties {
				a := f.ask(method, target, token, body)
				refused = refused || a.Code == 422
				if a.Code < 400 {
					sent, _ := json.Marshal(body)
					t.Errorf("%s %s: got %d for %.300s, want a refusal of %s", method, target, a.Code, sent, at)
				}
			}
			if !refused {
				sent, _ := json.Marshal(body)
				t.Errorf("%s %s: no party was refused %s for its shape in %.300s", method, target, at, sent)
			}
		})
	}
	if tried < 200 {
		t.Errorf("got %d bodies tried, that cannot be all", tried)
	}
	t.Logf("%d bodies were tried", tried)
}

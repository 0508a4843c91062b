package dataschema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"
)

const lines = `{"type":"object","required":["line","state"],"additionalProperties":false,"properties":{
	"line":{"type":"string","minLength":2,"maxLength":5,"pattern":"^L[0-9]+$"},"state":{"enum":["up","down",null]},
	"load":{"type":["number","null"],"minimum":0,"exclusiveMaximum":1.5},"count":{"type":"integer"},"on":{"const":true},
	"stops":{"type":"array","minItems":1,"maxItems":2,"uniqueItems":true,"items":{"type":"object","properties":{"at":{"type":"string"}}}}}}`

func TestCheck(t *testing.T) {
	s, err := Parse([]byte(lines))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Names()); got != "[count line load on state stops]" {
		t.Errorf("got names %s", got)
	}
	for data, want := range map[string]string{
		`{"line":"L1","state":"up"}`:                                  "",
		`{"line":"L1","state":null,"load":1.0,"count":3.0,"on":true}`: "",
		`{"line":"L1","state":"up","count":1e2}`:                      "",
		`{"line":"L1","state":"up","stops":[{"at":"1"},{"at":"2"}]}`:  "",
		`{"line":"L1"}`:                                                       "state is missing",
		`[]`:                                                                  "the value must be of the type object",
		`{"line":"L","state":"up"}`:                                           "line has fewer than 2 characters",
		`{"line":"L12345","state":"up"}`:                                      "line has more than 5 characters",
		`{"line":"xL1","state":"up"}`:                                         "line does not match the pattern of the schema",
		`{"line":"L1","state":"idle"}`:                                        "state is not one of the values of the schema",
		`{"line":"L1","state":"up","load":1.5}`:                               "load is above the maximum of the schema",
		`{"line":"L1","state":"up","load":-0.1}`:                              "load is below the minimum of the schema",
		`{"line":"L1","state":"up","load":"1"}`:                               "load must be of the type number or null",
		`{"line":"L1","state":"up","count":1.5}`:                              "count must be of the type integer",
		`{"line":"L1","state":"up","on":false}`:                               "on is not one of the values of the schema",
		`{"line":"L1","state":"up","stops":[]}`:                               "stops has fewer than 1 items",
		`{"line":"L1","state":"up","stops":[{},{}]}`:                          "stops[1] is there more than once",
		`{"line":"L1","state":"up","stops":[{"at":1}]}`:                       "stops[0].at must be of the type string",
		`{"line":"L1","state":"up","stops":[{},{"at":"1"},{"at":"2"}]}`:       "stops has more than 2 items",
		`{"line":"L1","state":"up","more":1}`:                                 "more must not be there",
		`{"line":"L1","line":"L2","state":"up"}`:                              "line is there more than once",
		`{"line":"L1","state":"up","load":1e999}`:                             "load is a number of too many digits",
		`{"line":"L1","state":"up"} x`:                                        "the value is not JSON",
		`{"line":"L1","state":"up","` + strings.Repeat("secret", 20) + `":1}`: "(a long name) must not be there",
		`{"line":"` + strings.Repeat("L", MaxData) + `"}`:                     "the value has more than 16384 bytes",
		`{"line":` + strings.Repeat("[", 13) + strings.Repeat("]", 13) + `}`:  "is nested too deeply",
	} {
		err := s.Check([]byte(data))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%.80s: got %s, want %q", data, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 7) + `{}` + strings.Repeat(`}}`, 7)
	for schema, want := range map[string]string{
		`{"type":"object"}`: "",
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":"t","additionalProperties":{"type":"string"}}`: "",
		`[]`:                           "is not an object",
		`{}`:                           "type must be object at the root",
		`{"type":"array"}`:             "type must be object at the root",
		`{"type":"object","$ref":"#"}`: "$ref is a keyword that the network does not check",
		`{"type":"object","anyOf":[]}`: "anyOf is a keyword",
		`{"type":"object","properties":{"a":{"format":"date"}}}`:                "properties.a.format is a keyword",
		`{"type":"object","properties":{"a":1}}`:                                "properties.a must be a schema",
		`{"type":"object","properties":{"a":{"type":"text"}}}`:                  "properties.a.type must be of object",
		`{"type":"object","properties":{"a":{"pattern":"("}}}`:                  "is not a regular expression of RE2",
		`{"type":"object","properties":{"a":{"pattern":"(?:a{500}){500}"}}}`:    "is not a regular expression of RE2",
		`{"type":"object","properties":{"a":{"pattern":"a{900}b{900}"}}}`:       "repeats too much",
		`{"type":"object","properties":{"a":{"uniqueItems":true}}}`:             "needs maxItems",
		`{"type":"object","properties":{"a":{"minLength":-1}}}`:                 "must be a whole number from 0 on",
		`{"type":"object","properties":{"a":{"enum":[]}}}`:                      "must be a list of 1 to 100 values",
		`{"type":"object","properties":{"a":{"enum":[1],"const":1}}}`:           "comes with enum",
		`{"type":"object","$schema":"http://json-schema.org/draft-07/schema#"}`: "must be https://json-schema.org/draft/2020-12/schema",
		`{"type":"object","title":"` + strings.Repeat("x", MaxSchema) + `"}`:    "has more than 8192 bytes",
		deep: "is nested too deeply",
	} {
		_, err := Parse([]byte(schema))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%.80s: got %s, want %q", schema, got, want)
		}
	}
}

// What fits is what the reference implementation says that fits.
func TestAgreesWithTheReference(t *testing.T) {
	var outcomes [2]int
	rapid.Check(t, func(rt *rapid.T) {
		schema := map[string]any{"type": "object", "properties": map[string]any{"a": drawSchema(rt, 2), "b": drawSchema(rt, 2)}}
		if rapid.Bool().Draw(rt, "required") {
			schema["required"] = []any{"a"}
		}
		if rapid.Bool().Draw(rt, "closed") {
			schema["additionalProperties"] = false
		}
		data := map[string]any{}
		for _, name := range []string{"a", "b", "c"} {
			if rapid.IntRange(0, 2).Draw(rt, "has") > 0 {
				data[name] = drawValue(rt, 2)
			}
		}
		text, _ := json.Marshal(schema)
		ours, err := Parse(text)
		if err != nil {
			rt.Fatalf("%s: %v", text, err)
		}
		var reference jsonschema.Schema
		if err := json.Unmarshal(text, &reference); err != nil {
			rt.Fatal(err)
		}
		resolved, err := reference.Resolve(nil)
		if err != nil {
			rt.Fatal(err)
		}
		document, _ := json.Marshal(data)
		var tree any
		_ = json.Unmarshal(document, &tree)
		got, want := ours.Check(document), resolved.Validate(tree)
		if (got == nil) != (want == nil) {
			rt.Fatalf("schema %s, data %s: got %v, want %v", text, document, got, want)
		}
		if got == nil {
			outcomes[0]++
		} else {
			outcomes[1]++
		}
	})
	if outcomes[0] == 0 || outcomes[1] == 0 {
		t.Errorf("%v data fitted and did not, want both", outcomes)
	}
}

func drawSchema(rt *rapid.T, depth int) map[string]any {
	s := map[string]any{}
	small := func(name string) { s[name] = rapid.IntRange(0, 3).Draw(rt, name) }
	switch rapid.IntRange(0, 6).Draw(rt, "form") {
	case 0:
		s["type"] = rapid.SampledFrom([]any{"string", "integer", "number", "null", "boolean", []any{"array", "object"}}).Draw(rt, "type")
	case 1:
		small("minLength")
		small("maxLength")
	case 2:
		small("minimum")
		small("exclusiveMaximum")
	case 3:
		s["enum"] = []any{drawValue(rt, 0), drawValue(rt, 1)}
	case 4:
		s["pattern"] = rapid.SampledFrom([]string{"^a", "b$", "[0-9]"}).Draw(rt, "pattern")
	case 5:
		small("minItems")
		s["maxItems"], s["uniqueItems"] = 3, rapid.Bool().Draw(rt, "unique")
		if depth > 0 {
			s["items"] = drawSchema(rt, depth-1)
		}
	case 6:
		s["required"] = []any{"a"}
		if depth > 0 {
			s["additionalProperties"] = drawSchema(rt, depth-1)
		}
	}
	return s
}

func drawValue(rt *rapid.T, depth int) any {
	switch rapid.IntRange(0, 4+min(depth, 1)*2).Draw(rt, "value") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(rt, "bool")
	case 2:
		return rapid.IntRange(-1, 4).Draw(rt, "int")
	case 3:
		return float64(rapid.IntRange(-2, 8).Draw(rt, "half")) / 2
	case 4:
		return rapid.SampledFrom([]string{"", "a", "ab", "a1b", "äöü"}).Draw(rt, "text")
	case 5:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(rt, "items") {
			list = append(list, drawValue(rt, depth-1))
		}
		return list
	}
	return map[string]any{rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "name"): drawValue(rt, depth-1)}
}

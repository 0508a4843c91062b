package server

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// plants asks the plant store and checks that a refusal has the form of its
// Error, and nothing else.
func (f *fixture) plants(token string, body any, headers ...string) (int, string, plantError) {
	f.t.Helper()
	a := f.ask("POST", "/plants", token, body, headers...)
	if a.Code == 200 {
		return a.Code, strings.TrimSpace(a.Body.String()), plantError{}
	}
	var e plantError
	a.into(a.Code, &e)
	if ct := a.Header().Get("Content-Type"); ct != "application/json" || e.Message == "" {
		f.t.Errorf("got %s of type %s, want an Error as application/json", a.Body, ct)
	}
	return a.Code, "", e
}

func TestPlants(t *testing.T) {
	f := start(t)
	token := f.token(f.op, netkit.ScopePlants).Token
	for _, c := range []struct {
		name, body string
		status     int
		code       int32
		want       string
	}{
		{"with tag", `{"id":1,"name":"Fern","tag":"green"}`, 200, 0, `{"name":"Fern","tag":"green"}`},
		{"without tag", `{"id":2,"name":"Moss"}`, 200, 0, `{"name":"Moss"}`},
		{"id 0", `{"id":0,"name":"Rose"}`, 200, 0, `{"name":"Rose"}`},
		{"largest id", `{"id":9223372036854775807,"name":"Oak"}`, 200, 0, `{"name":"Oak"}`},
		{"smallest id", `{"id":-9223372036854775808,"name":"Elm"}`, 200, 0, `{"name":"Elm"}`},
		{"id beyond int64", `{"id":9223372036854775808,"name":"Ash"}`, 400, 1003, ""},
		{"id that exists", `{"id":1,"name":"Ivy"}`, 400, 1005, ""},
		{"no name", `{"id":3}`, 400, 1002, ""},
		{"empty name", `{"id":3,"name":""}`, 400, 1002, ""},
		{"no id", `{"name":"Ivy"}`, 400, 1002, ""},
		{"id as text", `{"id":"3","name":"Ivy"}`, 400, 1003, ""},
		{"id as fraction", `{"id":3.5,"name":"Ivy"}`, 400, 1003, ""},
		{"id 5.0", `{"id":5.0,"name":"Yew"}`, 200, 0, `{"name":"Yew"}`},
		{"id 60e-1", `{"id":60e-1,"name":"Box"}`, 200, 0, `{"name":"Box"}`},
		{"id 0.7e+1", `{"id":0.7E+1,"name":"Bay"}`, 200, 0, `{"name":"Bay"}`},
		{"id -0.0", `{"id":-0.0,"name":"Ivy"}`, 400, 1005, ""},
		{"id 1e19", `{"id":1e19,"name":"Ivy"}`, 400, 1003, ""},
		{"id with a huge power", `{"id":1e999999999999,"name":"Ivy"}`, 400, 1003, ""},
		{"id null", `{"id":null,"name":"Ivy"}`, 400, 1003, ""},
		{"id true", `{"id":true,"name":"Ivy"}`, 400, 1003, ""},
		{"tag null", `{"id":8,"name":"Ivy","tag":null}`, 400, 1003, ""},
		{"name null", `{"id":8,"name":null}`, 400, 1003, ""},
		{"empty tag", `{"id":8,"name":"Ivy","tag":""}`, 200, 0, `{"name":"Ivy"}`},
		{"name of a space", `{"id":9,"name":" "}`, 200, 0, `{"name":" "}`},
		{"longest name", `{"id":10,"name":"` + strings.Repeat("é", 1000) + `"}`, 200, 0, `{"name":"` + strings.Repeat("é", 1000) + `"}`},
		{"too long in code points", `{"id":11,"name":"` + strings.Repeat("e\u0301", 501) + `"}`, 400, 1003, ""},
		{"tab and line end", `{"id":12,"name":"a\tb\nc"}`, 200, 0, `{"name":"a\tb\nc"}`},
		{"control character", `{"id":13,"name":"a\u0007"}`, 400, 1003, ""},
		{"C1 control", `{"id":13,"name":"a\u0085"}`, 400, 1003, ""},
		{"surrogate pair", `{"id":14,"name":"\ud83c\udf31"}`, 200, 0, `{"name":"🌱"}`},
		{"lone surrogate", `{"id":15,"name":"\ud83c"}`, 400, 1001, ""},
		{"surrogates reversed", `{"id":15,"name":"\udf31\ud83c"}`, 400, 1001, ""},
		{"escaped backslash", `{"id":15,"name":"\\ud83c"}`, 200, 0, `{"name":"\\ud83c"}`},
		{"tag as number", `{"id":3,"name":"Ivy","tag":4}`, 400, 1003, ""},
		{"unknown field", `{"id":3,"name":"Ivy","colour":"green"}`, 400, 1004, ""},
		{"id twice", `{"id":3,"id":4,"name":"Ivy"}`, 400, 1004, ""},
		{"not JSON", `plant`, 400, 1001, ""},
		{"nothing", ``, 400, 1001, ""},
		{"a key", `{"id":3,"name":"gsk_` + strings.Repeat("aB3", 18) + `"}`, 400, 1008, ""},
		{"too large", `{"id":3,"name":"` + strings.Repeat("x", 70<<10) + `"}`, 413, 1006, ""},
		{"too long", `{"id":3,"name":"` + strings.Repeat("x", 1001) + `"}`, 400, 1003, ""},
	} {
		status, got, e := f.plants(token, c.body)
		if status != c.status || got != c.want || e.Error != c.code {
			t.Errorf("%s: got %d %s %+v, want %d %s code %d", c.name, status, got, e, c.status, c.want, c.code)
		}
	}
	if status, _, e := f.plants(token, "x", "Content-Type", "text/plain"); status != 415 || e.Error != 1007 {
		t.Errorf("text: got %d %+v, want 415 code 1007", status, e)
	}
}

func TestPlantsBearer(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	for name, c := range map[string]struct {
		token  string
		status int
		code   int32
	}{
		"none": {"", 401, 1401}, "foreign": {netkit.Token{8}.String(), 401, 1401},
		"an agent's": {ada, 403, 1403}, "an agent's for reading": {f.token(ada, netkit.ScopeRead).Token, 403, 1403},
	} {
		if status, _, e := f.plants(c.token, `{"id":1,"name":"Fern"}`); status != c.status || e.Error != c.code {
			t.Errorf("%s: got %d %+v, want %d code %d", name, status, e, c.status, c.code)
		} else if strings.Contains(e.Message, "/api/") {
			t.Errorf("%s: %q names an operation of another interface", name, e.Message)
		}
	}
	a := f.ask("GET", "/plants", f.op, nil)
	var e plantError
	a.into(405, &e)
	if e.Error != 1405 || a.Header().Get("Allow") != "POST" {
		t.Errorf("got %+v, Allow %q, want code 1405 and POST", e, a.Header().Get("Allow"))
	}
}

// A retry of a plant with its key gets its answer, not that the id exists.
func TestPlantRetry(t *testing.T) {
	f := start(t)
	for range 2 {
		if status, got, e := f.plants(f.op, `{"id":1,"name":"Fern"}`, "Idempotency-Key", "k"); status != 200 || got != `{"name":"Fern"}` {
			t.Errorf("got %d %s %+v, want 200", status, got, e)
		}
	}
	if status, _, e := f.plants(f.op, `{"id":2,"name":"Fern"}`, "Idempotency-Key", "k"); status != 400 || e.Error != 1009 {
		t.Errorf("another plant with the key: got %d %+v, want 400 code 1009", status, e)
	}
}

func TestPlantDocument(t *testing.T) {
	f := start(t)
	file, err := os.ReadFile("plants_openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	a := f.ask("GET", "/plants/openapi.json", "", nil)
	if diff := cmp.Diff(string(file), a.Body.String()); diff != "" || a.Header().Get("Content-Type") != "application/openapi+json" {
		t.Error(diff)
	}
	var doc struct {
		OpenAPI string
		Info    struct {
			Version string
			License struct{ Name string }
		}
		Paths map[string]map[string]struct{ Responses map[string]any }
	}
	if err := json.Unmarshal(file, &doc); err != nil {
		t.Fatal(err)
	}
	post := doc.Paths["/plants"]["post"].Responses
	if doc.OpenAPI != "3.1.0" || doc.Info.Version != "1.0.0" || doc.Info.License.Name != "MIT" || len(doc.Paths) != 1 || post["200"] == nil || post["400"] == nil {
		t.Errorf("got %+v, want version 1.0.0 in OpenAPI 3.1.0 under MIT with one operation", doc)
	}
}

package btdt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func examples(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("../../examples/playbooks", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("got no examples (%v)", err)
	}
	return names
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestExamplesPass(t *testing.T) {
	hashes := map[[32]byte]string{}
	for _, name := range examples(t, "*.json") {
		p, err := Parse(read(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if found := Check(p); len(found) > 0 {
			t.Errorf("%s: got %v, want nothing found", name, found)
		}
		m := p.Metadata()
		if err := m.Check(); err != nil {
			t.Errorf("%s: metadata: %v", name, err)
		}
		if twin := hashes[p.SHA256()]; twin != "" {
			t.Errorf("%s has the hash of %s", name, twin)
		}
		hashes[p.SHA256()] = name
	}
}

func TestBadExamplesFail(t *testing.T) {
	p, err := Parse(read(t, examples(t, "bad/contact-data.json")[0]))
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, f := range Check(p) {
		rules = append(rules, f.Path+" "+f.Type)
	}
	if got, want := strings.Join(rules, ", "), "steps[0] EMAIL, steps[1] PHONE, steps[1] "; !strings.HasPrefix(got, want) || len(rules) != 3 {
		t.Errorf("got %s, want %s and a number", got, want)
	}

	_, err = Parse(read(t, examples(t, "bad/schema.json")[0]))
	want := []string{
		`btdt: category (line 3, column 15) is not a known category; did you mean "home_services"?`,
		`btdt: sub_category (line 4, column 19) is not a label; use letters, digits, _ - and . between them, as in denied_claim`,
		`btdt: jurisdiction (line 5, column 19) is not a country or union code; use capitals, as in US, DE or EU; the rest belongs in region`,
		`btdt: status (line 8, column 13) is not RESOLVED; file a case once it is resolved, with status RESOLVED`,
		`btdt: steps[1] (line 10, column 40) is empty; fill it in or remove it`,
		`btdt: (line 11, column 3) unknown field "key_contact"; did you mean "key_contacts"?`,
		`btdt: time_taken_days (line 13, column 22) is not a whole number; write days as digits without quotes, as in 42`,
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("got %v\nwant %s", err, strings.Join(want, "\n"))
	}
}

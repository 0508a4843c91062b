package simulate_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/simulate"
)

// scenario returns a scenario of the package with a small population.
func scenario(t *testing.T, name string) *simulate.Scenario {
	t.Helper()
	sc, err := simulate.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	sc.Agents, sc.Sponsors = min(sc.Agents, 40), min(sc.Sponsors, 6)
	sc.Attack.Accounts = min(sc.Attack.Accounts, 20)
	return sc
}

func run(t *testing.T, sc *simulate.Scenario, seeds ...uint64) *simulate.Report {
	t.Helper()
	r, err := simulate.Run(t.Context(), sc, seeds...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRunRepeatsFromItsSeed(t *testing.T) {
	sc := scenario(t, "whitewash")
	sc.Days, sc.Attack.Day = 30, 15
	r := run(t, sc, 7, 7, 8)
	if diff := cmp.Diff(r.Runs[0], r.Runs[1]); diff != "" {
		t.Errorf("two runs from one seed differ:\n%s", diff)
	}
	if cmp.Equal(r.Runs[0].Values, r.Runs[2].Values) {
		t.Error("two seeds gave the same figures")
	}
}

func TestEveryScenarioRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, name := range simulate.Scenarios() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := scenario(t, name)
			if sc.Attack.Kind != "" {
				sc.Days = min(sc.Days, sc.Attack.Day+20)
			}
			sc.Days = min(sc.Days, 100)
			r := run(t, sc, 1)
			if v, ok := r.Mean("honest signals a day"); !ok || v == 0 {
				t.Error("nobody worked")
			}
			if v, ok := r.Mean("attacker: accounts"); ok != (sc.Attack.Kind != "") {
				t.Errorf("got %v accounts of an attacker, want some in attacks only", v)
			}
		})
	}
}

func TestScenarioIsRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "dayz = 3", "dayz"},
		{"unknown attack", "[attack]\nkind = \"bribe\"", "no attack is named"},
		{"no days", "days = 0", "days"},
		{"no sponsor", "sponsors = 0", "sponsor"},
		{"unknown rule", "[constitution.scores]\nmoon = 1", "moon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := simulate.Parse("mine", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error that names %q", err, c.want)
			}
		})
	}
}

func TestConstitutionIsAParameter(t *testing.T) {
	sc, err := simulate.Parse("free", []byte("days = 10\nagents = 30\nsponsors = 3\n[constitution.economy]\nwelcome_grant = 0"))
	if err != nil {
		t.Fatal(err)
	}
	wallets, _ := run(t, sc, 1).Mean("median wallet")
	if wallets >= 50 {
		t.Errorf("got a median wallet of %v, want less than the grant that is not given", wallets)
	}
}

func TestReportIsDrawnAndPrinted(t *testing.T) {
	sc := scenario(t, "honest")
	sc.Days = 20
	r := run(t, sc, 1, 2)
	d := xml.NewDecoder(bytes.NewReader(r.SVG()))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
	}
	var table strings.Builder
	if err := r.WriteTable(&table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"20 days, 40 agents", "2 seeds", "VERIFIED", "2 of 2"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, table.String())
		}
	}
}

// Ten thousand agents for a year, in one run.
func BenchmarkYear(b *testing.B) {
	sc := simulate.Default()
	sc.Agents, sc.Days, sc.Sponsors = 10_000, 365, 650
	for range b.N {
		if _, err := simulate.Run(b.Context(), sc, 1); err != nil {
			b.Fatal(err)
		}
	}
}

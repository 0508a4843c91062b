package examples

import (
	"os"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// Each alert is quiet before its time and fires after it, as Prometheus itself
// evaluates the rules.
func TestAlertsFire(t *testing.T) {
	var rules struct {
		Groups []struct{ Rules []struct{ Alert string } }
	}
	var tests struct {
		Tests []struct {
			Rules []struct {
				Alert string           `yaml:"alertname"`
				Fires []map[string]any `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	readYAML(t, "operate/alerts.yml", &rules)
	readYAML(t, "operate/alerts_test.yml", &tests)
	fires, quiet := map[string]bool{}, map[string]bool{}
	for _, one := range tests.Tests {
		for _, r := range one.Rules {
			if len(r.Fires) > 0 {
				fires[r.Alert] = true
			} else {
				quiet[r.Alert] = true
			}
		}
	}
	for _, r := range rules.Groups[0].Rules {
		if !fires[r.Alert] || !quiet[r.Alert] {
			t.Errorf("%s: got a test that it fires %t, that it is quiet %t, want both", r.Alert, fires[r.Alert], quiet[r.Alert])
		}
	}
	if out, err := foreign(t, "promtool", "operate", nil, nil, "test", "rules", "alerts_test.yml"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func readYAML(t *testing.T, path string, to any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

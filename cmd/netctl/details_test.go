package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/viper"
)

func TestDetails(t *testing.T) {
	long := strings.Repeat("x", 60)
	for doc, want := range map[string]string{
		`{"b":1,"parts":{"x":true,"none":[]},"a":"two","gone":null}`: "b  1\na  two\nparts\n  x     true\n  none  none\n",
		`{"rows":[{"n":1,"s":"é"},{"n":20,"m":["P1","P2"]}]}`:        "rows\n  N   S  M\n  1   é\n  20     P1, P2\n",
		`{"rows":[{"n":1,"in":{"x":2}},{"n":3}]}`:                    "rows\n  n  1\n  in\n    x  2\n\n  n  3\n",
		`{"rows":[{"a":"` + long + `","b":"` + long + `"}]}`:         "rows\n  a  " + long + "\n  b  " + long + "\n",
		`{"said":["one, two","three"]}`:                              "said\n  one, two\n  three\n",
		`{"payload":"","matching":{}}`:                               "payload   none\nmatching  none\n",
		`[{"n":1},{"n":2}]`:                                          "N\n1\n2\n",
		`"text"`:                                                     "text\n",
		`{"n":12345678901234567890,"f":2.50}`:                        "n  12345678901234567890\nf  2.50\n",
	} {
		var out bytes.Buffer
		a := &app{out: &out, set: &settings{v: viper.New()}}
		if err := a.details([]byte(doc)); err != nil || out.String() != want {
			t.Errorf("%s: got %v\n%s\nwant\n%s", doc, err, out.String(), want)
		}
	}
}

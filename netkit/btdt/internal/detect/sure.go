package detect

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// sureRows has a line for each kind of finding that is not always sure: the rule,
// the type and the confidence from which it is. "go run . -sure" in internal/train
// writes it: the least confidence from which 95 % of the findings on the development
// sets (internal/train/development) touch a part that must go.
//
//go:embed sure.tsv
var sureRows string

type ruleOfType struct{ rule, kind string }

// sureFrom is the confidence from which a kind of finding is sure. A form that is
// not in it is always sure.
var sureFrom = sync.OnceValue(func() map[ruleOfType]float64 {
	table, err := readSure(sureRows)
	if err != nil {
		panic(err) // a test reads the same rows
	}
	return table
})

func readSure(rows string) (map[ruleOfType]float64, error) {
	table := map[ruleOfType]float64{}
	for line := range strings.Lines(rows) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) < 3 {
			return nil, fmt.Errorf("sure.tsv: got %d cells, want rule, type and confidence", len(cells))
		}
		from, err := strconv.ParseFloat(cells[2], 64)
		if err != nil {
			return nil, fmt.Errorf("sure.tsv: %w", err)
		}
		table[ruleOfType{cells[0], cells[1]}] = from
	}
	return table, nil
}

// SureFrom is the confidence from which findings of a rule and a type are right often
// enough to be masked without a question.
func SureFrom(rule, kind string) float64 { return sureFrom()[ruleOfType{rule, kind}] }

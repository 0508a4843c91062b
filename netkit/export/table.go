package export

import (
	"encoding/csv"
	"strconv"
)

// table is CSV with a line a posting. An entry without postings has one line
// whose last four fields are empty, so that every entry is there.
type table struct{ w *csv.Writer }

func (t table) begin(string) error {
	return t.w.Write([]string{"entry", "at", "kind", "actor", "constitution", "account", "amount", "balance_after", "entry_before"})
}

func (t table) add(e entry) error {
	head := []string{strconv.FormatUint(e.Seq, 10), e.At.String(), string(e.Kind), e.Actor, e.Constitution}
	if len(e.Postings) == 0 {
		return t.w.Write(append(head, "", "", "", ""))
	}
	for _, p := range e.Postings {
		if err := t.w.Write(append(head[:5:5], p.Account.String(), p.Amount.String(), p.After.String(), strconv.FormatUint(p.Prev, 10))); err != nil {
			return err
		}
	}
	return nil
}

func (t table) end() error {
	t.w.Flush()
	return t.w.Error()
}

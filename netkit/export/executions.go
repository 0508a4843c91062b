package export

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/agentnet/netctl/netkit"
)

// ExecutionsJSON writes executions as JSON Lines, one for each call.
func ExecutionsJSON(w io.Writer) func(*netkit.ExecutionView) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return func(x *netkit.ExecutionView) error { return out.Encode(x) }
}

// ExecutionsCSV writes executions as rows of CSV under a head, one for each
// call; without signals they are receipts. Data names properties of the signals' data;
// each gets a column. Agents wrote the texts of signals: a
// text that a spreadsheet would compute begins with an apostrophe, and control
// characters are replaced.
func ExecutionsCSV(w io.Writer, signals bool, data ...string) func(*netkit.ExecutionView) error {
	out, begun := csv.NewWriter(w), false
	return func(x *netkit.ExecutionView) error {
		head := []string{"execution_id", "at", "campaign_id", "sponsor", "agent", "tier", "payout", "agent_share", "treasury_share", "state", "clears_at"}
		row := []string{strconv.FormatUint(x.ExecutionID, 10), second(x.At), strconv.FormatUint(x.CampaignID, 10), x.Sponsor, x.Agent, x.Tier.String(),
			x.Payout.String(), x.AgentShare.String(), x.TreasuryShare.String(), x.State.String(), second(x.ClearsAt)}
		if signals {
			head, row = append(head, "headline", "body", "sources", "near_duplicate_of", "resold"), append(append(row, signalCells(x.Signal)...), like(x), resold(x))
			for _, name := range data {
				head = append(head, "data."+cell(name))
			}
			row = append(row, dataCells(x.Signal, data)...)
		}
		if !begun {
			begun = true
			if err := out.Write(head); err != nil {
				return err
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
		out.Flush()
		return out.Error()
	}
}

func second(m netkit.Millis) string {
	if m == 0 {
		return ""
	}
	return m.Time().UTC().Format(time.RFC3339)
}

// like is the execution that a signal is a near-duplicate of, "" without one.
func like(x *netkit.ExecutionView) string {
	if x.NearDuplicateOf == 0 {
		return ""
	}
	return strconv.FormatUint(x.NearDuplicateOf, 10)
}

// resold is "yes" for a signal that was delivered to another sponsor before.
func resold(x *netkit.ExecutionView) string {
	if x.Resold {
		return "yes"
	}
	return ""
}

// signalCells are the texts of a signal.
func signalCells(s *netkit.Signal) []string {
	if s == nil {
		return []string{"", "", ""}
	}
	return []string{cell(s.Headline), cell(s.Body), cell(strings.Join(s.Sources, " "))}
}

// dataCells are the values of named properties of a signal's data: texts as they are,
// other values as JSON.
func dataCells(s *netkit.Signal, names []string) []string {
	values, cells := map[string]json.RawMessage{}, make([]string, len(names))
	if s == nil || json.Unmarshal([]byte(s.Data), &values) != nil {
		return cells
	}
	for k, name := range names {
		var text string
		if v := values[name]; json.Unmarshal(v, &text) == nil {
			cells[k] = cell(text)
		} else {
			cells[k] = string(v)
		}
	}
	return cells
}

func cell(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	if text != "" && strings.Contains("=+-@", text[:1]) {
		text = "'" + text
	}
	return text
}

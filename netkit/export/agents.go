package export

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/agentnet/netctl/netkit"
)

// AgentsCSV writes the table of a sponsor's agents, a row for each agent and period.
func AgentsCSV(w io.Writer, rows []netkit.AgentPeriod) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"agent", "from", "delivered", "accepted", "cleared", "pending", "returned", "overturned", "near_duplicates", "resold", "paid", "cost_of_right"}); err != nil {
		return err
	}
	for i := range rows {
		p := &rows[i]
		row := []string{p.Agent, p.From.String()}
		for _, n := range []uint64{p.Delivered, p.Accepted, p.Cleared, p.Pending, p.Returned, p.Overturned, p.NearDuplicates, p.Resold} {
			row = append(row, strconv.FormatUint(n, 10))
		}
		if err := out.Write(append(row, p.Paid.String(), p.CostOfRight.String())); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// AgentsCSV writes the table of a sponsor's agents, a row for each agent and period.
// Its column criteria lists the criteria that were ticked off, separated by spaces:
// contract.number:met/ticked, such as 12.1:3/4.
func AgentsCSV(w io.Writer, rows []netkit.AgentPeriod) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"agent", "from", "delivered", "accepted", "cleared", "pending", "returned", "overturned", "near_duplicates", "resold", "paid", "cost_of_right", "criteria"}); err != nil {
		return err
	}
	for i := range rows {
		p := &rows[i]
		row := []string{p.Agent, p.From.String()}
		for _, n := range []uint64{p.Delivered, p.Accepted, p.Cleared, p.Pending, p.Returned, p.Overturned, p.NearDuplicates, p.Resold} {
			row = append(row, strconv.FormatUint(n, 10))
		}
		if err := out.Write(append(row, p.Paid.String(), p.CostOfRight.String(), listCriteria(p.Criteria))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func listCriteria(all []netkit.CriterionCount) string {
	words := make([]string, len(all))
	for i, n := range all {
		words[i] = fmt.Sprintf("%d.%d:%d/%d", n.CampaignID, n.Criterion, n.Met, n.Met+n.Unmet)
	}
	return strings.Join(words, " ")
}

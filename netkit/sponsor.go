package netkit

// SponsorView is a sponsor as anyone may see it.
type SponsorView struct {
	Slug     string  `json:"slug"`
	Name     string  `json:"name,omitempty"`
	Admitted bool    `json:"admitted"`
	Witness  string  `json:"witness,omitempty" doc:"the agent that confirmed the admission; absent where it was waived"`
	Since    Millis  `json:"since" doc:"when it was admitted; null until then"`
	Funds    Credits `json:"funds" doc:"not committed to a contract"`
	Bonds    Credits `json:"bonds,omitempty" doc:"held for its reports until their cases are final; absent if 0"`

	Executions uint64       `json:"executions" doc:"of its contracts so far"`
	Spent      Credits      `json:"spent" doc:"payouts so far, without what was returned"`
	Returned   Credits      `json:"returned" doc:"payouts that came back: by an upheld report, or returned by the sponsor"`
	Reports    ReportRecord `json:"reports" doc:"its reports that are final"`
	Returns    ReturnRecord `json:"returns" doc:"what it returned of late without a report"`
	Buyer      BuyerRecord  `json:"buyer" doc:"its reputation as a buyer"`
	Stopped    *SponsorStop `json:"stopped,omitempty" doc:"absent unless an operator stopped it"`
	Agents     *NamedAgents `json:"agents,omitempty" doc:"that it admits to all of its contracts, or shuts out of them; absent if none"`
}

// State returns the standing of a sponsor in a word: "proposed" until it is
// admitted, "stopped" once an operator stopped it, and "admitted" between.
func (v *SponsorView) State() string {
	switch {
	case v.Stopped != nil:
		return "stopped"
	case v.Admitted:
		return "admitted"
	}
	return "proposed"
}

// ReportRecord counts the outcomes of a sponsor's reports, and how long the pay that
// they hold waits for the first judgement.
type ReportRecord struct {
	Upheld    uint64 `json:"upheld"`
	Dismissed uint64 `json:"dismissed"`
	MeanHours uint64 `json:"mean_hours" doc:"from the first report of a case to its first judgement, over the cases that the sponsor began; 0 without one"`
}

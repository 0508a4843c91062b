package netkit

// BuyerRecord is the reputation of a sponsor as a buyer, from public facts only. Its
// window is market.return_days, or 30 days where the constitution has none; acts and
// purchases count by their own UTC dates. An agent sees it before it executes.
type BuyerRecord struct {
	Days           int    `json:"days" doc:"of the window, UTC dates with today"`
	Purchases      uint64 `json:"purchases" doc:"executions in the window"`
	Accepted       uint64 `json:"accepted" doc:"by the sponsor before they cleared, in the window"`
	AcceptanceRate Ratio  `json:"acceptance_rate" doc:"accepted of purchases; the others clear by themselves after clearing_hours, or come back"`
	ReturnRate     Ratio  `json:"return_rate" doc:"returned without a report, of purchases"`
	MedianWaitDays uint64 `json:"median_wait_days" doc:"from the date of delivery to that of acceptance, median of those accepted in the window, the lower of two; 0 without one"`
	Upheld         uint64 `json:"reports_upheld" doc:"its reports that reviewers upheld, since it was admitted"`
	Dismissed      uint64 `json:"reports_dismissed" doc:"its reports that reviewers dismissed, since it was admitted"`
}

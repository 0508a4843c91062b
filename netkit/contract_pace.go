package netkit

// SetPace asks to replace a contract's budgets of a day and an hour. Pay of today and
// of this hour counts, where the contract had a limit.
type SetPace struct {
	CampaignID   uint64  `json:"campaign_id"`
	BudgetADay   Credits `json:"budget_a_day,omitempty" doc:"that it pays at most in a day of UTC; default: no limit" minimum:"0.01" maximum:"10000000000" zero:"false"`
	BudgetAnHour Credits `json:"budget_an_hour,omitempty" doc:"that it pays at most in an hour; default: no limit" minimum:"0.01" maximum:"10000000000" zero:"false"`
}

// PaceReceipt is the receipt of setting a contract's budgets of a day and an hour.
type PaceReceipt struct {
	CampaignID   uint64  `json:"campaign_id"`
	Sponsor      string  `json:"sponsor"`
	BudgetADay   Credits `json:"budget_a_day,omitempty" doc:"absent if it has no such limit"`
	BudgetAnHour Credits `json:"budget_an_hour,omitempty" doc:"absent if it has no such limit"`
	Seq          uint64  `json:"seq"`
	At           Millis  `json:"at"`
}

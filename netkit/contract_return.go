package netkit

// ReturnExecution asks to return an execution that is true and of no use: both
// shares go back, and the execution counts neither for nor against its agent.
type ReturnExecution struct {
	ExecutionID uint64 `json:"execution_id"`
	Ticks
}

// ReturnReceipt is the receipt of returning an execution.
type ReturnReceipt struct {
	ExecutionID uint64  `json:"execution_id"`
	Agent       string  `json:"agent"`
	Pay         Credits `json:"pay" doc:"that went back: to the contract, or to the sponsor's funds if that is finished"`
	Ticks
	Resold bool   `json:"resold,omitempty" doc:"true if it was returned outside return_share, since it was resold under an exclusive contract"`
	Seq    uint64 `json:"seq"`
	At     Millis `json:"at"`
}

// ReturnRecord counts a sponsor's purchases in the days that the constitution looks
// back, and those that it returned without a report.
type ReturnRecord struct {
	Purchases uint64 `json:"purchases" doc:"executions of market.return_days"`
	Returned  uint64 `json:"returned" doc:"without a report, in the same days"`
	Rate      Ratio  `json:"rate" doc:"returned of purchases"`
	Left      uint64 `json:"left" doc:"that it may return still"`
	Resold    uint64 `json:"resold,omitempty" doc:"returned besides, since their signals were resold under exclusive contracts; they do not count in the rate"`
}

// Returns returns the record of so many purchases and returns.
func (m *MarketRules) Returns(purchases, returned uint64) ReturnRecord {
	r := ReturnRecord{Purchases: purchases, Returned: returned}
	if purchases > 0 {
		r.Rate = Ratio(returned * 10_000 / purchases)
	}
	if most := (purchases*uint64(m.ReturnShare) + 9_999) / 10_000; most > returned {
		r.Left = most - returned
	}
	return r
}

package netkit

import (
	"github.com/agentnet/netctl/netkit/code"
)

// The acts by which a sponsor settles an execution that it bought.
const (
	SettleAccept = "accept" // its agent can spend the pay
	SettleReturn = "return" // the pay goes back, without a report
	SettleReport = "report" // a panel judges whether it breaks a law
)

// Settle asks to accept, return or report one execution of the sponsor that calls.
type Settle struct {
	ExecutionID uint64 `json:"execution_id"`
	Action      string `json:"action" enum:"accept,return,report"`
	Law         string `json:"law,omitempty" enum:"L1,L2" zero:"false" doc:"of a report"`
	Evidence    string `json:"evidence,omitempty" maxLength:"8000" doc:"of a report: the fault and the facts that show it"`
	Ticks
}

// Check refuses an unknown action, criteria that no contract has, and a law or evidence
// that do not belong to the action.
func (in *Settle) Check() error {
	if err := CheckAction(in.Action); err != nil {
		return err
	}
	if err := in.Ticks.Check(); err != nil {
		return err
	}
	if in.Action == SettleReport {
		return CheckText("evidence", in.Evidence, 1, 8000)
	}
	if in.Law != "" || in.Evidence != "" {
		return Invalid("law", code.Invalid, "or evidence is given, and the action is not report", "leave both out, or report")
	}
	return nil
}

// CheckAction refuses a word that names no act on an execution.
func CheckAction(action string) error {
	switch action {
	case SettleAccept, SettleReturn, SettleReport:
		return nil
	}
	return Invalid("action", code.Invalid, "is not accept, return or report", "")
}

// BulkSettle is one act of a bulk request.
type BulkSettle struct {
	Key string `json:"idempotency_key,omitempty" doc:"one per act; reuse it on every retry of the same line, and the same receipt comes back" minLength:"1" maxLength:"128"`
	Settle
	// Fingerprint is as in [BulkExecute].
	Fingerprint [32]byte `json:"-"`
}

// Settlement is the receipt of accepting, returning or reporting an execution in a
// bulk.
type Settlement struct {
	ExecutionID uint64  `json:"execution_id"`
	Action      string  `json:"action" enum:"accept,return,report"`
	Agent       string  `json:"agent"`
	Amount      Credits `json:"amount" doc:"that its agent can spend now, that went back to the sponsor's side, or that is held as the bond of a report"`
	CaseID      uint64  `json:"case_id,omitempty" doc:"of a report"`
	Resold      bool    `json:"resold,omitempty" doc:"true if it was returned outside return_share"`
	Seq         uint64  `json:"seq"`
	At          Millis  `json:"at"`
}

// SettlementQuery asks which executions of the sponsor that calls an act would
// settle, and how much it would move.
type SettlementQuery struct {
	Action        string          `json:"action" enum:"accept,return,report" doc:"accept, return or report"`
	Law           string          `json:"law,omitempty" enum:"L1,L2" doc:"of a report; default: L1"`
	CampaignID    uint64          `json:"campaign_id,omitempty" doc:"default: all of your contracts"`
	Agent         string          `json:"agent,omitempty" doc:"default: all"`
	State         *ExecutionState `json:"state,omitempty" doc:"default: pending"`
	Before        Millis          `json:"before,omitempty" doc:"delivered before this time; default: all"`
	NearDuplicate bool            `json:"near_duplicate,omitempty" doc:"only those nearly the same as an earlier one that you bought"`
	Resold        bool            `json:"resold,omitempty" doc:"only those nearly the same as one that another sponsor bought of late"`
	Taken         uint64          `json:"taken,omitempty" doc:"of the preview of the page before, so that limits on returns and reports hold over all pages"`
	Page
}

// SettlementPreview is a page of the executions that an act would settle, newest
// first. Settling exactly its ExecutionIDs lets nothing in that came later.
type SettlementPreview struct {
	Action       string           `json:"action" enum:"accept,return,report"`
	ExecutionIDs []uint64         `json:"execution_ids" doc:"that would be settled; those that would be refused are left out"`
	Amount       Credits          `json:"amount" doc:"that these would move: to their agents, back to the sponsor's side, or into bonds"`
	Items        []SettlementItem `json:"items" doc:"that the filter matches, newest first"`
	Taken        uint64           `json:"taken" doc:"acts so far that a limit counts; give it with the next page"`
	NextCursor   string           `json:"next_cursor,omitempty" doc:"absent on the last page; a page may be short or empty and still name a next one"`
	AsOf         AsOf             `json:"as_of"`
}

// SettlementItem is an execution that the filter of a preview matches.
type SettlementItem struct {
	ExecutionID     uint64         `json:"execution_id"`
	CampaignID      uint64         `json:"campaign_id"`
	Agent           string         `json:"agent"`
	State           ExecutionState `json:"state"`
	At              Millis         `json:"at" doc:"when it was delivered"`
	Amount          Credits        `json:"amount" doc:"that the act would move; 0 if it would be refused"`
	NearDuplicateOf uint64         `json:"near_duplicate_of,omitempty" doc:"an earlier execution of yours with nearly the same signal; a hint"`
	Resold          bool           `json:"resold,omitempty" doc:"true if another sponsor bought nearly the same signal of late; a hint"`
	Problem         *Problem       `json:"problem,omitempty" doc:"why the act would be refused; absent if it would be done"`
}

package netkit

// Verdict is what one reviewer of a panel finds.
type Verdict struct {
	CaseID     uint64   `json:"case_id"`
	Uphold     bool     `json:"uphold"`
	Reasoning  string   `json:"reasoning" doc:"1 to 8,000 characters" minLength:"1" maxLength:"8000"`
	Executions []uint64 `json:"executions,omitempty" doc:"of a case about several executions: those that the verdict upholds; default: all" maxItems:"200"`
}

// Decide settles a case for which too few reviewers are eligible. Only an
// operator may.
type Decide struct {
	CaseID     uint64   `json:"case_id"`
	Uphold     bool     `json:"uphold"`
	Reasoning  string   `json:"reasoning" doc:"1 to 8,000 characters" minLength:"1" maxLength:"8000"`
	Executions []uint64 `json:"executions,omitempty" doc:"of a case about several executions: those that the decision upholds; default: all" maxItems:"200"`
}

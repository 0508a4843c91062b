package netkit

// CaseState is where a case of review stands.
type CaseState uint8

// The states of a case. Upheld and dismissed may be appealed once until the
// case is final.
const (
	CaseWithPanel    CaseState = iota // three reviewers were drawn
	CaseWithOperator                  // too few reviewers are eligible
	CaseUpheld
	CaseDismissed
)

var caseStateNames = names{"panel", "operator", "upheld", "dismissed"}

// String returns the name.
func (c CaseState) String() string { return caseStateNames[c] }

// MarshalText writes the name.
func (c CaseState) MarshalText() ([]byte, error) { return caseStateNames.text(uint8(c)) }

// UnmarshalText reads the name.
func (c *CaseState) UnmarshalText(text []byte) error { return caseStateNames.read(text, (*uint8)(c)) }

// CaseReceipt is the receipt of a report, verdict, decision or appeal.
type CaseReceipt struct {
	CaseID uint64    `json:"case_id"`
	State  CaseState `json:"state"`
	Panel  []string  `json:"panel,omitempty" doc:"the reviewers drawn, where this drew some"`
	Seq    uint64    `json:"seq"`
	At     Millis    `json:"at"`
}

// CaseQuery filters cases.
type CaseQuery struct {
	Mine  bool       `json:"mine,omitempty" doc:"only those in which the caller is a party or a reviewer"`
	State *CaseState `json:"state,omitempty"`
	Page
}

// CaseView is a case. The texts are for its parties, its reviewers and
// operators only.
type CaseView struct {
	ID          uint64        `json:"id"`
	State       CaseState     `json:"state"`
	Final       bool          `json:"final"`
	Appealed    bool          `json:"appealed"`
	Law         string        `json:"law"`
	Subject     uint64        `json:"subject" doc:"entry of the execution or dispatch"`
	SubjectKind string        `json:"subject_kind" enum:"execution,dispatch"`
	Reporter    string        `json:"reporter"`
	Reported    string        `json:"reported"`
	Panel       []string      `json:"panel" doc:"reviewers drawn last"`
	Verdicts    []VerdictView `json:"verdicts"`
	Evidence    string        `json:"evidence,omitempty"`
	Grounds     string        `json:"grounds,omitempty" doc:"of the appeal"`
	FiledAt     Millis        `json:"filed_at"`
	VerdictsBy  Millis        `json:"verdicts_by,omitempty" doc:"when the panel's time is over"`
	DecidedAt   Millis        `json:"decided_at,omitempty"`
	AppealBy    Millis        `json:"appeal_by,omitempty" doc:"until when it may be appealed"`
	Untrusted   bool          `json:"untrusted" doc:"always true: the texts were written by agents"`
}

// VerdictView is one reviewer's verdict.
type VerdictView struct {
	Reviewer  string `json:"reviewer"`
	Uphold    bool   `json:"uphold"`
	Reasoning string `json:"reasoning,omitempty"`
	At        Millis `json:"at"`
}

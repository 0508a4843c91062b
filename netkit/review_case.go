package netkit

// CaseState is where a case of review stands.
type CaseState uint8

// The states of a case. Upheld and dismissed may be appealed once until the
// case is final.
const (
	CaseWithPanel    CaseState = iota // reviewers were drawn
	CaseWithOperator                  // too few reviewers are eligible
	CaseUpheld
	CaseDismissed
	CaseDrawing // waits for the value that its panel is drawn by
)

var CaseStateNames = Names{"panel", "operator", "upheld", "dismissed", "drawing"}

// String returns the name.
func (c CaseState) String() string { return CaseStateNames[c] }

// MarshalText writes the name.
func (c CaseState) MarshalText() ([]byte, error) { return CaseStateNames.text(uint8(c)) }

// UnmarshalText reads the name.
func (c *CaseState) UnmarshalText(text []byte) error { return CaseStateNames.Read(text, (*uint8)(c)) }

// Decided reports whether a case was judged, if only for the first time.
func (c CaseState) Decided() bool { return c == CaseUpheld || c == CaseDismissed }

// CaseReceipt is the receipt of a report, verdict, decision or appeal.
type CaseReceipt struct {
	CaseID uint64    `json:"case_id"`
	State  CaseState `json:"state"`
	Panel  []string  `json:"panel,omitempty" doc:"the reviewers drawn, where this drew some"`
	Bond   Credits   `json:"bond,omitempty" doc:"of a report: held of its reporter until the case is final"`
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
	Subject     uint64        `json:"subject" doc:"entry of the execution, dispatch or registration; of an agent, the one that made it"`
	SubjectKind string        `json:"subject_kind" enum:"execution,dispatch,playbook,revocation,agent"`
	Reporter    string        `json:"reporter" doc:"who reported first; network for a case that a night filed"`
	Bond        Credits       `json:"bond,omitempty" doc:"of the first report; absent without one"`
	BondState   BondState     `json:"bond_state,omitempty"`
	Joined      []ReportView  `json:"joined,omitempty" doc:"reports that are judged with the first"`
	Executions  []CaseSubject `json:"executions,omitempty" doc:"of a case about several executions: all of them"`
	Reported    string        `json:"reported"`
	Panel       []string      `json:"panel" doc:"reviewers drawn last"`
	Verdicts    []VerdictView `json:"verdicts"`
	Evidence    string        `json:"evidence,omitempty"`
	Grounds     string        `json:"grounds,omitempty" doc:"of the appeal"`
	FiledAt     Millis        `json:"filed_at"`
	VerdictsBy  Millis        `json:"verdicts_by,omitempty" doc:"when the panel's time is over, if crises that run end at their term"`
	DecidedAt   Millis        `json:"decided_at,omitempty"`
	AppealBy    Millis        `json:"appeal_by,omitempty" doc:"until when it may be appealed, if crises that run end at their term"`
	Untrusted   bool          `json:"untrusted" doc:"always true: the texts were written by agents"`
}

// ReportView is a report that joined a case.
type ReportView struct {
	Reporter  string    `json:"reporter"`
	Subject   uint64    `json:"subject,omitempty" doc:"where it is another than that of the case"`
	Bond      Credits   `json:"bond,omitempty"`
	BondState BondState `json:"bond_state,omitempty"`
	Evidence  string    `json:"evidence,omitempty"`
	Seq       uint64    `json:"seq"`
}

// BondState says what became of the bond of a report: it is held until the case is
// final, then returned or lost.
type BondState uint8

// The states of a bond. A report of an operator, or of an agent under rules without
// bonds, has none.
const (
	NoBond BondState = iota
	BondHeld
	BondReturned
	BondLost
)

var bondStateNames = Names{"", "held", "returned", "lost"}

// String returns the name.
func (b BondState) String() string { return bondStateNames[b] }

// MarshalText writes the name.
func (b BondState) MarshalText() ([]byte, error) { return bondStateNames.text(uint8(b)) }

// UnmarshalText reads the name.
func (b *BondState) UnmarshalText(text []byte) error { return bondStateNames.Read(text, (*uint8)(b)) }

// CaseSubject is one of several executions that a case is about.
type CaseSubject struct {
	ExecutionID uint64 `json:"execution_id"`
	Upheld      *bool  `json:"upheld,omitempty" doc:"whether the latest judgement upholds the report about it; absent before"`
}

// VerdictView is one reviewer's verdict.
type VerdictView struct {
	Reviewer   string   `json:"reviewer"`
	Uphold     *bool    `json:"uphold,omitempty" doc:"absent while it is hidden, until the case is decided"`
	Executions []uint64 `json:"executions,omitempty" doc:"of several that the case is about, those that it upholds; absent if all"`
	Reasoning  string   `json:"reasoning,omitempty"`
	At         Millis   `json:"at"`
}

// BondOf returns the bond that a report by a party of a kind holds until the case is
// final. Operators post none.
func (r *ReviewRules) BondOf(kind PartyKind) Credits {
	switch kind {
	case AgentParty:
		return r.ReportBond
	case SponsorParty:
		return r.SponsorBond
	}
	return 0
}

package netkit

// Appeal asks for a second and last judgement. The side that lost may, once.
type Appeal struct {
	CaseID  uint64 `json:"case_id" doc:"of the case, or of the revocation of a badge that rests on none"`
	Grounds string `json:"grounds" doc:"1 to 8,000 characters" minLength:"1" maxLength:"8000"`
}

package btdt

import "github.com/agentnet/netctl/netkit/btdt/internal/detect"

// Types of findings. More may come; treat unknown ones alike.
const (
	TypeName       = detect.Name
	TypeCaseRef    = detect.CaseRef
	TypePolicyRef  = detect.PolicyRef
	TypeAccount    = detect.Account
	TypeMedical    = detect.Medical
	TypeEmail      = detect.Email
	TypePhone      = detect.Phone
	TypeAddress    = detect.Address
	TypeDOB        = detect.DOB
	TypeNationalID = detect.NationalID
	TypeFinancial  = detect.Financial
	TypeVehicle    = detect.Vehicle
	TypeNetwork    = detect.Network
	TypeOtherID    = detect.OtherID
)

// Types lists the types of findings in the order of the specification's format.
func Types() []string {
	return []string{TypeName, TypeCaseRef, TypePolicyRef, TypeAccount, TypeMedical, TypeEmail, TypePhone,
		TypeAddress, TypeDOB, TypeNationalID, TypeFinancial, TypeVehicle, TypeNetwork, TypeOtherID}
}

// Finding is a place in a playbook that identifies someone. It never repeats the
// text that it found.
type Finding struct {
	Rule        string  `json:"rule"`
	Path        string  `json:"path"`  // field, as in steps[2]
	Start       int     `json:"start"` // code points into the text at Path
	End         int     `json:"end"`   // exclusive
	Type        string  `json:"type"`
	Score       float64 `json:"score"`       // confidence, 0 to 1
	Sure        bool    `json:"sure"`        // right in 95 of 100 cases, or decided by the author
	Replacement string  `json:"replacement"` // what to write instead; empty where a role beside it says enough
}

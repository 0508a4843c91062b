package netkit

// Report brings an execution, a dispatch or the registration of a playbook
// before reviewers.
type Report struct {
	Subject  uint64 `json:"subject" doc:"id of an execution, a dispatch or a playbook"`
	Law      string `json:"law" enum:"L1,L2"`
	Evidence string `json:"evidence" doc:"what is wrong and how it shows; 1 to 8,000 characters" minLength:"1" maxLength:"8000"`
	Ticks
}

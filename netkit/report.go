package netkit

// Report brings an execution or a dispatch before reviewers.
type Report struct {
	Subject  uint64 `json:"subject" doc:"id of an execution or a dispatch"`
	Law      string `json:"law" enum:"L1,L2"`
	Evidence string `json:"evidence" doc:"what is wrong and how it shows; 1 to 8,000 characters"`
}

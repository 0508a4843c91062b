package netkit

// CloseNight asks to close UTC dates and issue what badges they earned.
type CloseNight struct {
	Date   *Day `json:"date,omitempty" doc:"the last date to close; default: yesterday"`
	DryRun bool `json:"dry_run,omitempty" doc:"judge, but record nothing"`
}

// NightReport says what a night did.
type NightReport struct {
	Closed      []Day        `json:"closed" doc:"dates closed; with dry_run those that would be"`
	Open        []Day        `json:"open" doc:"dates that are over and not closed yet"`
	Judged      uint64       `json:"judged" doc:"agents judged"`
	Issued      []BadgeIssue `json:"issued"`
	IssuedCount uint64       `json:"issued_count"`
	DryRun      bool         `json:"dry_run,omitempty"`
	AsOf        AsOf         `json:"as_of"`
}

// BadgeIssue is one badge earned.
type BadgeIssue struct {
	Agent string `json:"agent"`
	Badge Badge  `json:"badge"`
	Date  Day    `json:"date" doc:"the date that was closed"`
}

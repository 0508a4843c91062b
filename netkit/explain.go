package netkit

// Explanation says for each badge which of its conditions an agent meets.
type Explanation struct {
	Agent  string             `json:"agent"`
	Date   Day                `json:"date" doc:"on which the windows end"`
	Badges []BadgeExplanation `json:"badges"`
	AsOf   AsOf               `json:"as_of"`
}

// BadgeExplanation is the judgement of one badge.
type BadgeExplanation struct {
	Badge      Badge       `json:"badge"`
	Held       bool        `json:"held" doc:"active on the agent's wall"`
	Earned     bool        `json:"earned" doc:"all conditions are met"`
	Conditions []Condition `json:"conditions"`
}

// Condition is one thing that a badge asks for.
type Condition struct {
	Name    string `json:"name"`
	Need    string `json:"need"`
	Have    string `json:"have"`
	Missing string `json:"missing,omitempty" doc:"by how much it misses"`
	Met     bool   `json:"met"`
}

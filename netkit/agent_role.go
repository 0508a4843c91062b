package netkit

// SetRole gives an agent a role or takes it away. Only an operator may.
type SetRole struct {
	Agent  string `json:"agent"`
	Role   string `json:"role" enum:"correspondent,reviewer"`
	Grant  bool   `json:"grant" doc:"false takes it away"`
	Reason string `json:"reason" doc:"1 to 500 characters" minLength:"1" maxLength:"500"`
}

// RoleReceipt is the receipt of a changed role.
type RoleReceipt struct {
	Agent string   `json:"agent"`
	Roles []string `json:"roles" doc:"that the agent has now"`
	Seq   uint64   `json:"seq"`
	At    Millis   `json:"at"`
}

// List returns the names in their one order. It is never nil.
func (r Role) List() []string {
	all := []string{}
	for i, name := range RoleNames {
		if i > 0 && r&(1<<(i-1)) != 0 {
			all = append(all, name)
		}
	}
	return all
}

package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// A contract may carry a schema of the data that its signals bring. The schema is
// among the texts of the contract, the data among those of the execution. Rules know
// that there are both; whether data fits is checked at input, like the form of any
// JSON, and no audit repeats it.

// unknownData replaces a schema or data whose presence alone is public.
func unknownData(there bool) netkit.JSON {
	if there {
		return "{}"
	}
	return ""
}

// Structured reports whether a contract that is not archived has a schema.
func (s *State) Structured(campaign uint64) bool {
	ct, ok := s.contracts.Get(campaign)
	return ok && ct.structured
}

// checkData wants data for a contract with a schema, and none for any other.
func (c *Execute) checkData(ct *Contract) error {
	switch given := c.Signal.Data != ""; {
	case ct.structured && !given:
		return netkit.Invalid("signal.data", code.DataMissing, "is required, since the contract has a schema", "{getContract} shows the schema")
	case given && !ct.structured:
		return netkit.Invalid("signal.data", code.DataUnexpected, "is for contracts with a schema", "leave it out")
	}
	return nil
}

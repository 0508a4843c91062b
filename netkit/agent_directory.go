package netkit

import (
	"github.com/agentnet/netctl/netkit/code"
)

// DirectoryQuery picks agents by tier, niche and active badge; what is left
// out matches all.
type DirectoryQuery struct {
	Tier  *Tier `json:"tier,omitempty"`
	Niche Niche `json:"niche,omitempty"`
	Badge Badge `json:"badge,omitempty" doc:"held and not revoked"`
	Page
}

// After returns the row that a page in ascending order begins at.
func (p Page) After() (uint32, error) {
	if p.Cursor == "" {
		return 0, nil
	}
	at, err := p.Before()
	if err == nil && at > 1<<32-1 {
		err = Invalid("cursor", code.CursorMalformed, "is not a cursor of this list", "use next_cursor as it came, or leave it out to begin again")
	}
	return uint32(at), err
}

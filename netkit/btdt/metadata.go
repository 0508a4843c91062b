package btdt

import "github.com/agentnet/netctl/netkit"

// Metadata returns what a registry receives of p, never its steps, contacts or
// outcome, with texts in NFC as in the canonical form. Call Check first: Metadata
// removes nothing.
func (p *Playbook) Metadata() netkit.RegisterPlaybook {
	c := p.normal()
	return netkit.RegisterPlaybook{
		Title: c.Title, Category: c.Category, SubCategory: c.SubCategory,
		Jurisdiction: c.Jurisdiction, Region: c.Region, Entity: c.Entity,
		Status: c.Status, TimeTakenDays: c.TimeTakenDays, StepCount: len(c.Steps),
		ContentSHA256: p.SHA256(), ScrubberVersion: ScrubberVersion,
	}
}

// CheckMetadata looks for personal data in a registration, as Check does in a
// file; a registry runs it on each one. It skips the hash, half of whose digits
// are numbers by nature.
func CheckMetadata(m netkit.RegisterPlaybook) []Finding {
	return Check(Playbook{
		Title: m.Title, Category: m.Category, SubCategory: m.SubCategory,
		Jurisdiction: m.Jurisdiction, Region: m.Region, Entity: m.Entity, Status: m.Status,
	})
}

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
// file. It skips the hash, half of whose digits are numbers by nature.
func CheckMetadata(m netkit.RegisterPlaybook) []Finding { return Check(described(m)) }

// described is a playbook that holds what a registration tells of it.
func described(m netkit.RegisterPlaybook) Playbook {
	return Playbook{
		Title: m.Title, Category: m.Category, SubCategory: m.SubCategory,
		Jurisdiction: m.Jurisdiction, Region: m.Region, Entity: m.Entity, Status: m.Status,
	}
}

// Refused is a finding that a registry refuses, in a field that is sent.
type Refused struct {
	Finding
	Reworded string // the field without the parts that are refused
}

// RefusedFindings lists what a registry refuses in a registration: sure findings
// only, since others may be wrong and are the author's to decide.
func RefusedFindings(m netkit.RegisterPlaybook) (all []Refused) {
	p := described(m)
	clean, found := Scrub(p)
	reworded := map[string]string{"title": clean.Title, "sub_category": clean.SubCategory, "region": clean.Region, "entity": clean.Entity}
	for _, f := range found {
		if f.Sure {
			all = append(all, Refused{f, reworded[f.Path]})
		}
	}
	return all
}

package btdt

import (
	"encoding/hex"
	"fmt"
	"regexp"
)

// Metadata is all that a registry learns of a playbook: never its steps, its
// contacts or its outcome.
type Metadata struct {
	Title           string `json:"title" doc:"What the case was, without personal names" maxLength:"200"`
	Category        string `json:"category" doc:"Kind of case" enum:"healthcare,legal,home_services,financial,government,insurance,utilities,other"`
	SubCategory     string `json:"sub_category" doc:"Label of the kind of case" maxLength:"64"`
	Jurisdiction    string `json:"jurisdiction" doc:"Country or union code"`
	Region          string `json:"region" doc:"Part of the jurisdiction, may be empty" maxLength:"100"`
	Entity          string `json:"entity" doc:"Organisation dealt with, may be anonymised or empty" maxLength:"200"`
	Status          string `json:"status" doc:"Always RESOLVED" enum:"RESOLVED"`
	TimeTakenDays   int    `json:"time_taken_days" doc:"Whole days from the first step to the outcome" minimum:"0" maximum:"36500"`
	StepCount       int    `json:"step_count" doc:"Number of steps" minimum:"1" maximum:"500"`
	ContentSHA256   string `json:"content_sha256" doc:"SHA-256 of the canonical file, 64 lower-case hex digits" pattern:"^[0-9a-f]{64}$"`
	ScrubberVersion string `json:"scrubber_version" doc:"Rules by which the file was cleaned"`
}

// Metadata describes p, with texts in NFC as in the canonical form. Call Check
// first: the description does not clean anything.
func (p *Playbook) Metadata() Metadata {
	c, sum := p.normal(), p.SHA256()
	return Metadata{
		Title: c.Title, Category: c.Category, SubCategory: c.SubCategory,
		Jurisdiction: c.Jurisdiction, Region: c.Region, Entity: c.Entity,
		Status: c.Status, TimeTakenDays: c.TimeTakenDays, StepCount: len(c.Steps),
		ContentSHA256:   hex.EncodeToString(sum[:]),
		ScrubberVersion: ScrubberVersion,
	}
}

var (
	hashForm    = regexp.MustCompile(`^[0-9a-f]{64}$`)
	versionForm = regexp.MustCompile(`^[a-z]{1,16}/[0-9]{1,3}(\.[0-9]{1,3}){0,2}$`)
)

// Validate reports every rule that m breaks, by the limits of a playbook.
func (m *Metadata) Validate() error {
	var found []*Problem
	book := m.playbook()
	for _, f := range textFields {
		if f.name != "outcome" {
			found = append(found, f.problems(*f.at(&book))...)
		}
	}
	bad := func(wrong bool, path, what, todo string) {
		if wrong {
			found = append(found, &Problem{Path: path, What: what, Do: todo})
		}
	}
	bad(m.TimeTakenDays < 0 || m.TimeTakenDays > MaxDays, daysField,
		fmt.Sprintf("is outside 0 to %d", MaxDays), "give whole days")
	bad(m.StepCount < 1 || m.StepCount > MaxSteps, "step_count",
		fmt.Sprintf("is outside 1 to %d", MaxSteps), "count the steps of the file")
	bad(!hashForm.MatchString(m.ContentSHA256), "content_sha256",
		"is not a SHA-256", "send 64 lower-case hex digits")
	bad(!versionForm.MatchString(m.ScrubberVersion), "scrubber_version",
		"is not a version", "send it as "+ScrubberVersion)
	return join(found)
}

// CheckMetadata looks for what identifies someone in a description, as Check
// does in a file; a registry runs it on what it was sent. The hash is passed
// over, since half of its digits are numbers by nature.
func CheckMetadata(m Metadata) []Finding { return Check(m.playbook()) }

// playbook holds the texts of m where the tables of fields find them.
func (m *Metadata) playbook() Playbook {
	return Playbook{
		Title: m.Title, Category: m.Category, SubCategory: m.SubCategory,
		Jurisdiction: m.Jurisdiction, Region: m.Region, Entity: m.Entity, Status: m.Status,
	}
}

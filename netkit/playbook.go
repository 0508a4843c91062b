package netkit

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
)

// RegisterPlaybook registers a resolved case as inventory for the exchange:
// metadata alone, the playbook stays with the agent.
type RegisterPlaybook struct {
	Title           string `json:"title" doc:"what the case was, without personal names" minLength:"1" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$"`
	Category        string `json:"category" enum:"healthcare,legal,home_services,financial,government,insurance,utilities,other"`
	SubCategory     string `json:"sub_category" doc:"label of the kind of case" maxLength:"64" minLength:"1" pattern:"^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$"`
	Jurisdiction    string `json:"jurisdiction" doc:"country or union code, such as DE or EU" pattern:"^[A-Z]{2,8}(-[A-Z0-9]{1,3})?$"`
	Region          string `json:"region,omitempty" doc:"part of the jurisdiction" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f-\\x9f]*$"`
	Entity          string `json:"entity,omitempty" doc:"organisation dealt with, may be anonymised" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f-\\x9f]*$"`
	Status          string `json:"status" enum:"RESOLVED"`
	TimeTakenDays   int    `json:"time_taken_days" doc:"whole days from the first step to the outcome" minimum:"0" maximum:"36500"`
	StepCount       int    `json:"step_count" minimum:"1" maximum:"500"`
	ContentSHA256   Hash   `json:"content_sha256" doc:"SHA-256 of the canonical scrubbed file"`
	ScrubberVersion string `json:"scrubber_version" doc:"rules by which the file was cleaned" pattern:"^[a-z]{1,16}/[0-9]{1,3}([.][0-9]{1,3}){0,2}$"`
}

// PlaybookReceipt is the receipt of a registration.
type PlaybookReceipt struct {
	PlaybookID    uint64 `json:"playbook_id"`
	ContentSHA256 Hash   `json:"content_sha256"`
	Seq           uint64 `json:"seq"`
	At            Millis `json:"at"`
}

// Playbook is a registration in its owner's inventory.
type Playbook struct {
	PlaybookID uint64 `json:"playbook_id"`
	RegisterPlaybook
	RegisteredAt Millis `json:"registered_at"`
}

// playbookCategories are those that the schema of a registration lists.
var playbookCategories = func() []string {
	f, _ := reflect.TypeFor[RegisterPlaybook]().FieldByName("Category")
	return strings.Split(f.Tag.Get("enum"), ",")
}()

var (
	jurisdictionForm = regexp.MustCompile(`^[A-Z]{2,8}(-[A-Z0-9]{1,3})?$`)
	labelForm        = regexp.MustCompile(`^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$`)
)

// Check looks at the form; what identifies someone is for whoever scans.
func (in *RegisterPlaybook) Check() error {
	if err := in.checkTexts(); err != nil {
		return err
	}
	if err := in.CheckForm(); err != nil {
		return err
	}
	switch {
	case !labelForm.MatchString(in.SubCategory):
		return Invalid("sub_category", code.LabelMalformed, "is not a label", "use letters and digits joined by _, - or ., as in denied_claim")
	case !jurisdictionForm.MatchString(in.Jurisdiction):
		return Invalid("jurisdiction", code.JurisdictionMalformed, "is not a country or union code", "write it as in DE, EU or US-CA")
	case in.TimeTakenDays < 0 || in.TimeTakenDays > 36_500:
		return Invalid("time_taken_days", code.NumberOutOfRange, "is not between 0 and 36500", "")
	}
	return nil
}

// CheckForm looks at what will be public.
func (in *RegisterPlaybook) CheckForm() error {
	switch {
	case !slices.Contains(playbookCategories, in.Category):
		return Invalid("category", code.CategoryUnknown, "is not a category", "use one of "+strings.Join(playbookCategories, ", "))
	case in.Status != "RESOLVED":
		return Invalid("status", code.StatusOther, "must be RESOLVED", "register a case once it is resolved")
	case in.StepCount < 1 || in.StepCount > 500:
		return Invalid("step_count", code.NumberOutOfRange, "is not between 1 and 500", "")
	case in.ContentSHA256 == Hash{}:
		return Invalid("content_sha256", code.HashMissing, "is required", "it is the SHA-256 of the canonical scrubbed file")
	}
	return nil
}

func (in *RegisterPlaybook) checkTexts() error {
	for _, t := range []struct {
		field, text string
		least, most int
	}{
		{"title", in.Title, 1, 200}, {"sub_category", in.SubCategory, 1, 64}, {"region", in.Region, 0, 100},
		{"entity", in.Entity, 0, 200}, {"scrubber_version", in.ScrubberVersion, 1, 40},
	} {
		if err := CheckText(t.field, t.text, t.least, t.most); err != nil {
			return err
		}
	}
	return nil
}

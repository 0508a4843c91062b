package netkit

import (
	"fmt"
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
	Kept            int    `json:"kept,omitempty" doc:"places of the file that seemed to identify someone and stay, as its author decided" minimum:"0" maximum:"10000"`
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

// Rules that a registration shares with the playbook file that it describes. The
// schema tags of [RegisterPlaybook] repeat them. Lengths count code points after NFC.
const (
	PlaybookResolved = "RESOLVED" // the only status: open cases are not filed

	MaxPlaybookTitle       = 200
	MaxPlaybookSubCategory = 64
	MaxPlaybookRegion      = 100
	MaxPlaybookEntity      = 200
	MaxPlaybookSteps       = 500
	MaxPlaybookKept        = 10_000
	MaxPlaybookDays        = 36_500 // a hundred years; also keeps a number from hiding here

	// PlaybookLabel is the pattern of a sub-category. It takes no space, so that a
	// sentence does not match.
	PlaybookLabel = `^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$`
	// PlaybookJurisdiction matches countries (ISO 3166-1, two or three letters, with
	// an optional subdivision) and unions such as EU or ECOWAS. There is no list: codes
	// come and go, and an unknown one does no harm.
	PlaybookJurisdiction = `^[A-Z]{2,8}(-[A-Z0-9]{1,3})?$`
)

// playbookCategories are the categories in the schema of a registration.
var playbookCategories = func() []string {
	f, _ := reflect.TypeFor[RegisterPlaybook]().FieldByName("Category")
	return strings.Split(f.Tag.Get("enum"), ",")
}()

// PlaybookCategories returns the categories of playbooks; the slice is the caller's.
func PlaybookCategories() []string { return slices.Clone(playbookCategories) }

var (
	jurisdictionForm = regexp.MustCompile(PlaybookJurisdiction)
	labelForm        = regexp.MustCompile(PlaybookLabel)
	scrubberForm     = regexp.MustCompile(`^[a-z]{1,16}/[0-9]{1,3}(\.[0-9]{1,3}){0,2}$`)
)

// Check validates the syntax; the caller scans for personal data.
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
	case in.TimeTakenDays < 0 || in.TimeTakenDays > MaxPlaybookDays:
		return Invalid("time_taken_days", code.NumberOutOfRange, fmt.Sprintf("is not between 0 and %d", MaxPlaybookDays), "")
	case !scrubberForm.MatchString(in.ScrubberVersion):
		return Invalid("scrubber_version", code.PlaybookWrong, "is not a version", "write it as in scrub/9")
	}
	return nil
}

// CheckForm validates the public fields.
func (in *RegisterPlaybook) CheckForm() error {
	switch {
	case !slices.Contains(playbookCategories, in.Category):
		return Invalid("category", code.CategoryUnknown, "is not a category", "use one of "+strings.Join(playbookCategories, ", "))
	case in.Status != PlaybookResolved:
		return Invalid("status", code.StatusOther, "must be RESOLVED", "register a case once it is resolved")
	case in.StepCount < 1 || in.StepCount > MaxPlaybookSteps:
		return Invalid("step_count", code.NumberOutOfRange, fmt.Sprintf("is not between 1 and %d", MaxPlaybookSteps), "")
	case in.Kept < 0 || in.Kept > MaxPlaybookKept:
		return Invalid("kept", code.NumberOutOfRange, fmt.Sprintf("is not between 0 and %d", MaxPlaybookKept), "")
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
		{"title", in.Title, 1, MaxPlaybookTitle}, {"sub_category", in.SubCategory, 1, MaxPlaybookSubCategory},
		{"region", in.Region, 0, MaxPlaybookRegion}, {"entity", in.Entity, 0, MaxPlaybookEntity}, {"scrubber_version", in.ScrubberVersion, 1, 40},
	} {
		if err := CheckText(t.field, t.text, t.least, t.most); err != nil {
			return err
		}
		if t.least > 0 && strings.TrimSpace(t.text) == "" {
			return Invalid(t.field, code.TextMissing, "is required", "")
		}
		if strings.ContainsAny(t.text, LineBreaks) {
			return Invalid(t.field, code.PlaybookWrong, "spans more than one line", "put it on one line, without tabs")
		}
	}
	return nil
}

package netkit

import (
	"fmt"
	"reflect"
	"testing"
)

// The schema tags of a registration repeat the limits by which it is checked.
func TestPlaybookSchema(t *testing.T) {
	for field, want := range map[string][2]string{
		"Title": {"maxLength", fmt.Sprint(MaxPlaybookTitle)}, "SubCategory": {"maxLength", fmt.Sprint(MaxPlaybookSubCategory)},
		"Region": {"maxLength", fmt.Sprint(MaxPlaybookRegion)}, "Entity": {"maxLength", fmt.Sprint(MaxPlaybookEntity)},
		"StepCount": {"maximum", fmt.Sprint(MaxPlaybookSteps)}, "TimeTakenDays": {"maximum", fmt.Sprint(MaxPlaybookDays)},
		"Status": {"enum", PlaybookResolved}, "Jurisdiction": {"pattern", PlaybookJurisdiction},
	} {
		f, _ := reflect.TypeFor[RegisterPlaybook]().FieldByName(field)
		if got := f.Tag.Get(want[0]); got != want[1] {
			t.Errorf("%s of %s: got %q, want %q", want[0], field, got, want[1])
		}
	}
	f, _ := reflect.TypeFor[RegisterPlaybook]().FieldByName("SubCategory")
	if got := f.Tag.Get("pattern"); got != PlaybookLabel {
		t.Errorf("got %q, want %q", got, PlaybookLabel)
	}
}

func TestPlaybookCategoriesIsACopy(t *testing.T) {
	PlaybookCategories()[0] = "changed"
	if got := PlaybookCategories()[0]; got != "healthcare" {
		t.Errorf("got %q, want healthcare", got)
	}
}

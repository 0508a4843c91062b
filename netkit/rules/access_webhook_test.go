package rules

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// The schema of a request names every type that there is.
func TestWebhookSchemaNamesEveryType(t *testing.T) {
	field, _ := reflect.TypeFor[netkit.SetWebhook]().FieldByName("Types")
	if diff := cmp.Diff(strings.Join(EventTypes(), ","), field.Tag.Get("enum")); diff != "" {
		t.Error(diff)
	}
}

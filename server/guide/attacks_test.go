package guide

import (
	"strings"
	"testing"
)

// The document on attacks has the measured figures, as the README says.
func TestAttacksTopic(t *testing.T) {
	topic, ok := Find("attacks")
	if !ok || !strings.Contains(topic.Text, "Measured under constitution") {
		t.Errorf("got %v, %.80q, want the figures", ok, topic.Text)
	}
}

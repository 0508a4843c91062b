package tui

import (
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/tui/internal/fields"
)

// parts are operations that are steps of others here, or belong to programs.
var parts = []*catalog.Operation{catalog.SpawnAgent, catalog.UploadAudio, catalog.UploadTranscript, catalog.CommitPlaybook, catalog.CallTool, catalog.ExecuteContracts, catalog.AnswerAttentions, catalog.SettleExecutions}

// Whatever the catalogue says can be done has a form here, each of whose fields
// says what is wrong with a text.
func TestEveryActHasAForm(t *testing.T) {
	for op := range catalog.All() {
		switch a := actOf(op); {
		case op.Changes() && a == nil && !slices.Contains(parts, op):
			t.Errorf("%s cannot be done", op.Name)
		case a != nil && slices.Contains(parts, op):
			t.Errorf("%s is done twice", op.Name)
		case a != nil:
			for _, f := range fields.Of(a.blank(), nil) {
				if f.Label == "" || f.Check("\x00") == nil && !f.Optional && f.Name != "name" && len(f.Choices) > 0 {
					t.Errorf("%s: the field %s takes anything", op.Name, f.Name)
				}
			}
		}
	}
}

// Nothing is spent before a question that says the price: an act that spends
// says it by itself.
func TestWhateverSpendsSaysItsPrice(t *testing.T) {
	own := []*catalog.Operation{catalog.SendAttention} // opened by a price
	for op := range catalog.All() {
		if op.Spends && op.Changes() && starts[op] == nil && !slices.Contains(own, op) {
			t.Errorf("%s spends, and its question has no price", op.Name)
		}
	}
}

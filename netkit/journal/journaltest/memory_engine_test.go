package journaltest_test

import (
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

func TestMemoryEngine(t *testing.T) {
	journaltest.RunEngine(t, func(*testing.T) journal.Engine { return new(journaltest.Engine) },
		func(_ *testing.T, e journal.Engine) journal.Engine { return e })
}

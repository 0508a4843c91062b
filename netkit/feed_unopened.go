package netkit

import (
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit/plural"
)

// UnopenedText says in one line what a quote found: how many dispatches its
// reader has not opened, on which channels and since when; m.Price is what a read
// costs. It is empty if nothing is unopened.
func (m *Manifest) UnopenedText() string {
	count := 0
	parts := make([]string, len(m.Unopened))
	for i, u := range m.Unopened {
		count += u.Count
		parts[i] = fmt.Sprintf("%s %d since %s", u.Channel, u.Count, u.Since.Time().Format("2006-01-02"))
	}
	if count == 0 {
		return ""
	}
	return plural.Count(count, "dispatch", "dispatches") + " not opened: " + strings.Join(parts, ", ")
}

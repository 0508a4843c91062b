package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/server/host"
)

// checkArchive compares the folder with its archive, and lists the entries that only
// the folder has once another one writes the archive.
func (c *call) checkArchive(dir string) []finding {
	address := c.set.v.GetString("serve.archive")
	if address == "" {
		address = host.ArchiveAddress(dir)
	}
	if address == "" {
		return []finding{{"archive", note, "the journal is copied nowhere as it grows: entries after the newest backup go with the disk", "netctl help archive"}}
	}
	store, err := openArchive(address)
	if err != nil {
		return []finding{{"archive", problem, plainly(err), "netctl config set serve.archive ADDRESS"}}
	}
	out, err := host.FindUnarchived(c.ctx, dir, store)
	switch {
	case err != nil:
		return []finding{{"archive", problem, fmt.Sprintf("%s cannot be compared with the folder: %s", store, plainly(err)), "see that it is in reach, and that its keys are in the environment"}}
	case out.Replaced:
		return c.replaced(&out, store.String())
	case len(out.Entries) > 0 && time.Since(out.Entries[0].At.Time()) > time.Minute:
		return []finding{{"archive", problem, fmt.Sprintf("%s lacks %s, the first from %s", store, plural.Count(uint64(len(out.Entries)), "entry", "entries"), out.Entries[0].At), "a running server uploads them; its log has the reason"}}
	}
	return []finding{{"archive", fine, fmt.Sprintf("%s has %s", store, plural.Count(out.Shared.Size, "entry", "entries")), ""}}
}

// replaced lists the entries of a folder whose place another one took.
func (c *call) replaced(out *host.Unarchived, store string) []finding {
	found := []finding{{"archive", problem, fmt.Sprintf("another folder has written %s since %s; %s here only", store, out.Since.Format(time.RFC3339), plural.Count(uint64(len(out.Entries)), "entry is", "entries are")),
		"serve the network with the other folder; tell the parties below that the network has lost these"}}
	for _, e := range out.Entries {
		text := fmt.Sprintf("entry %d, %s of %s, was acknowledged to %s", e.Seq, e.Kind, e.At, e.Actor)
		if len(e.Parties) > 0 {
			text += " and moved credits of " + strings.Join(e.Parties, ", ")
		}
		found = append(found, finding{"lost entry", note, text, "they have to repeat it: the network does not know it"})
	}
	return found
}

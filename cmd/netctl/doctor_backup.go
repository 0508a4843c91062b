package main

import (
	"context"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server/host"
)

// checkBackups says who could restore the network, how old the newest backup is, and
// how its last trial ended.
func (c *call) checkBackups(dir string) []finding {
	recipients, err := c.set.recipients()
	switch {
	case err != nil:
		return []finding{{"backup key", problem, plainly(err), "netctl config set backup.recipient age1…"}}
	case len(recipients) == 0:
		return []finding{{"backup key", note, "nobody is set to restore a backup: if this disk fails, the network is lost with log.key",
			"age-keygen -o backup.key makes a key, netctl config set backup.recipient keeps its public half; netctl help worst-days"}}
	}
	return append([]finding{{"backup key", fine, plural.Count(uint64(len(recipients)), "recipient", "recipients") + " of age can restore backups", ""}}, c.checkNewest(c.ctx, dir)...)
}

func (c *call) checkNewest(ctx context.Context, dir string) []finding {
	to := c.set.v.GetString("backup.to")
	network, err := host.NetworkOf(ctx, dir)
	if err != nil || to == "" {
		return []finding{{"backup", note, "backup.to names no folder or bucket of backups", "netctl config set backup.to FOLDER, and backup.every 24h"}}
	}
	place, err := openPlace(to)
	if err != nil {
		return []finding{{"backup", problem, plainly(err), "netctl config set backup.to FOLDER"}}
	}
	found, err := place.list(ctx, network)
	if err != nil {
		return []finding{{"backup", problem, fmt.Sprintf("%s cannot be read: %s", to, plainly(err)), "see that it is in reach, and that its keys are in the environment"}, checkDrill(dir)}
	}
	if len(found) == 0 {
		return []finding{{"backup", problem, "there is no backup of this network in " + to, "netctl backup makes one; netctl config set backup.every 24h has the server do it"}}
	}
	f := finding{"backup", fine, fmt.Sprintf("%s, %s old", found[len(found)-1].Path, agoText(found[len(found)-1].At)), ""}
	if time.Since(found[len(found)-1].At) > 7*24*time.Hour {
		f.State, f.Advice = problem, "netctl backup makes one; netctl config set backup.every 24h has the server do it"
	}
	return []finding{f, checkDrill(dir)}
}

// checkDrill judges the last trial of a backup.
func checkDrill(dir string) finding {
	d, found, err := host.LastDrill(dir)
	switch {
	case err != nil:
		return finding{"drill", note, plainly(err), "netctl drill makes another trial"}
	case !found:
		return finding{"drill", note, "no backup was tried yet", "netctl drill tries the newest one; netctl serve does so once a day"}
	case d.Problem != "":
		return finding{"drill", problem, fmt.Sprintf("the trial of %s failed: %s", d.File, d.Problem), "use another backup; netctl backup makes one now"}
	}
	kind := "its public side"
	if d.Full {
		kind = "all of it"
	}
	f := finding{"drill", fine, fmt.Sprintf("%s of %s restored for a trial (%s), %s ago", plural.Count(d.Tree.Size, "entry", "entries"), d.File, kind, agoText(d.At)), ""}
	if time.Since(d.At) > 8*24*time.Hour {
		f.State, f.Advice = note, "netctl drill tries the newest backup; netctl serve does so once a day"
	}
	return f
}

// agoText is how long ago something was, in words.
func agoText(at time.Time) string {
	return timespan.Format(max(time.Since(at), time.Second).Round(time.Second))
}

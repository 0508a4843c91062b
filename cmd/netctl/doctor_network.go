package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/netkit/timespan"
)

// checkClock compares this machine's clock with the server's.
func (c *call) checkClock(url string) finding {
	ctx, cancel := context.WithTimeout(c.ctx, probeTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, url+catalog.GetHealth.Path, nil)
	if err != nil {
		return finding{"clock", note, err.Error(), ""}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return finding{"clock", note, "the server does not tell its time", ""}
	}
	resp.Body.Close()
	theirs, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return finding{"clock", note, "the server does not tell its time", ""}
	}
	if off := time.Since(theirs).Abs(); off > time.Minute {
		return finding{"clock", problem, fmt.Sprintf("this machine and the server are %s apart", off.Round(time.Second)), "set both by a time server: times of entries and expiries rest on them"}
	}
	return finding{"clock", fine, "agrees with the server's", ""}
}

func (c *call) checkRemote(t target) []finding {
	client, err := c.client(t, nil)
	if err != nil {
		return []finding{{"network", problem, plainly(err), "netctl ctx add NAME --url ADDRESS sets it"}}
	}
	h, err := client.Health(c.ctx)
	if err != nil {
		return []finding{{"network", problem, plainly(err), "see that the address is right and the network runs"}}
	}
	state := finding{"network", fine, fmt.Sprintf("%s has %s", t.url, plural.Count(h.Entries, "entry", "entries")), ""}
	if at := h.Comparison; at != nil {
		state.What += fmt.Sprintf("; %s of %d replayed to compare the snapshot of the start", plural.Count(at.Entries, "entry", "entries"), at.Of)
	}
	if !h.Writing {
		state = finding{"network", problem, "the network cannot write its journal", "its operator has to look at the disk"}
	}
	return []finding{state, c.checkToken(t), c.checkClock(t.url), c.checkLog(t)}
}

// logPatience is how long a checkpoint may stay behind the journal: witnesses
// are asked about once a second.
const logPatience = 3 * time.Second

// checkLog compares the size of the checkpoint that is shown with the journal's.
func (c *call) checkLog(t target) finding {
	client, err := c.client(t, nil)
	if err != nil {
		return finding{"log", note, plainly(err), ""}
	}
	h, err := client.Health(c.ctx)
	if err != nil {
		return finding{"log", note, plainly(err), ""}
	}
	for start := time.Now(); ; {
		info, err := client.LogInfo(c.ctx)
		switch {
		case err != nil:
			return finding{"log", note, plainly(err), ""}
		case info.Entries >= h.Entries:
			what := fmt.Sprintf("%s has signed %s", info.Origin, plural.Count(info.Entries, "entry", "entries"))
			if info.Quorum > 0 {
				what += fmt.Sprintf(", and at least %d of its %d witnesses too", info.Quorum, len(info.Witnesses))
			}
			return finding{"log", fine, what, ""}
		case time.Since(start) > logPatience || !timespan.Wait(c.ctx, 100*time.Millisecond):
			return finding{"log", problem, fmt.Sprintf("the checkpoint has stopped at %d of %d entries: fewer than %d of its %d witnesses cosign", info.Entries, h.Entries, info.Quorum, len(info.Witnesses)),
				"the log of netctl serve names the witness that does not answer, and why"}
		}
	}
}

func (c *call) checkToken(t target) finding {
	if t.token == "" {
		return finding{"token", note, "there is none for this context", "netctl login keeps one"}
	}
	client, err := c.client(t, nil)
	if err == nil {
		_, err = client.OwnProfile(c.ctx)
	}
	if code := exitCode(err); err != nil && code == exitNotAllowed {
		return finding{"token", problem, plainly(err), "netctl login keeps another"}
	}
	return finding{"token", fine, "it is known to the network", ""}
}

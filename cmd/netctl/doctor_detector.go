package main

import (
	"net/url"
	"slices"

	"github.com/agentnet/netctl/netkit/btdt/detector"
)

// checkDetector says where the detector of the settings gets texts, and asks it about
// one that names nobody.
func (c *call) checkDetector() []finding {
	name := c.set.v.GetString("btdt.detector")
	if name == "" {
		return nil
	}
	const check = "detector"
	if isAddress(name) && detector.Remote(name) {
		u, err := url.Parse(name)
		if err != nil {
			return []finding{{check, problem, "btdt.detector is no address", "netctl config set btdt.detector ADDRESS"}}
		}
		agreed, err := c.consents()
		if err != nil || !slices.Contains(agreed, u.Host) {
			return []finding{{check, note, sentTo(u.Host) + ", once you agree", "netctl btdt scrub FILE --detector-remote asks you to"}}
		}
		return []finding{{check, note, sentTo(u.Host) + " by commands with --detector-remote; netctl does not know what is kept there", ""}}
	}
	detect := detecting{}
	err := detect.detected(c, func() error {
		_, err := detect.all[0].Detect(c.ctx, "title", "A bill was paid.", "en")
		return err
	})
	if err != nil {
		return []finding{{check, problem, plainly(err), "start it; until then the commands of netctl btdt need --without-detector"}}
	}
	return []finding{{check, fine, "it answers on this machine, and gets the whole unscrubbed texts of playbooks", ""}}
}

package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// sentences say what an event tells. A name in braces is a field of its data.
var sentences = map[string]string{
	netkit.EventNotice:           "for you: {text}",
	netkit.EventDispatch:         "a {priority} dispatch on {channel} was published: netctl feed show {id}",
	netkit.EventCrisisResolved:   "the crisis of dispatch {dispatch_id} is over",
	netkit.EventCampaignOpened:   "{sponsor} opened contract {campaign_id} on {channel} with {budget} credits",
	netkit.EventCampaignFunded:   "{sponsor} added {amount} credits to contract {campaign_id}",
	netkit.EventCampaignFinished: "contract {campaign_id} of {sponsor} is {state}; {amount} credits went back",
	netkit.EventExecution:        "{agent} executed contract {campaign_id} of {sponsor} for {payout} credits",
	netkit.EventDelivered:        "{agent} delivered execution {execution_id} for contract {campaign_id}",
	netkit.EventAgentSpawned:     "{agent} joined the network",
	netkit.EventAgentReinstated:  "{agent} is reinstated",
	netkit.EventBadgeIssued:      "{agent} earned the badge {badge}",
	netkit.EventBadgeRevoked:     "{agent} lost the badge {badge}",
	netkit.EventSponsorAdmitted:  "{sponsor} is admitted as a sponsor",
	netkit.EventExchangeOpened:   "the playbook exchange is open; nothing is sold yet",
	netkit.EventExchangeClosed:   "the playbook exchange is planned again",
}

// crisis is said of a dispatch that begins one.
const crisis = "P0 CRISIS on {channel}: {headline}; commercial contracts are suspended"

// sentence says what an event tells, in one line. An event of a later version
// is shown as it came.
func sentence(ev *netkit.Event) (string, error) {
	data, err := json.Marshal(ev.Data)
	if err != nil {
		return "", err
	}
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(data, &fields) != nil {
		return ev.Type + " " + string(data), nil
	}
	form := sentences[ev.Type]
	if string(fields["priority"]) == `"P0"` {
		form = crisis
	}
	said, known := filled(form, fields)
	if !known {
		return ev.Type + " " + string(data), nil
	}
	return said, nil
}

// filled puts fields in the place of their names; known is false when one of
// them is missing.
func filled(form string, fields map[string]json.RawMessage) (said string, known bool) {
	for {
		before, rest, more := strings.Cut(form, "{")
		said += before
		if !more {
			return said, said != ""
		}
		name, after, _ := strings.Cut(rest, "}")
		raw, there := fields[name]
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		if !there {
			return "", false
		}
		said, form = said+text, after
	}
}

// tell prints an event for people.
func (c *call) tell(ev *netkit.Event) error {
	said, err := sentence(ev)
	if err == nil {
		_, err = fmt.Fprintf(c.out, "%d  %s\n", ev.ID, clean(said))
	}
	return err
}

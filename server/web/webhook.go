package web

import (
	"encoding/json"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/webhook"
)

// webhookData is the webhook of an agent on its desk, or of a sponsor on its page.
type webhookData struct {
	webhook.View
	Attempts []webhook.Attempt // the latest
	Secret   string            // shown this once
}

// shownAttempts is how many attempts are shown of those that are kept.
const shownAttempts = 20

// webhookActs are the acts of the forms about it.
func (p *Pages) webhookActs() map[string]func(*request) (string, error) {
	return map[string]func(*request) (string, error){"webhook": p.setWebhook, "rotate": p.rotateWebhook, "test": p.testWebhook,
		"resend": p.resendWebhook, "replay": p.replayWebhook}
}

// readWebhook reads how the visitor's webhook fares; a session that may not read
// it sees none.
func (p *Pages) readWebhook(v *request) (*webhookData, error) {
	d := new(webhookData)
	if !v.who.Allows(catalog.GetWebhook.Scope) {
		return d, nil
	}
	var log netkit.List[webhook.Attempt]
	err := p.call(v, catalog.GetWebhook, nil, &d.View)
	if err == nil {
		err = p.call(v, catalog.ListWebhookAttempts, nil, &log)
	}
	d.Attempts = log.Items[:min(len(log.Items), shownAttempts)]
	return d, err
}

func (p *Pages) setWebhook(v *request) (string, error) {
	in := netkit.SetWebhook{URL: v.field("url")}
	if types := v.field("types"); types != "" {
		in.Types = strings.FieldsFunc(types, func(r rune) bool { return r == ',' || r == ' ' })
	}
	var out netkit.WebhookReceipt
	err := p.call(v, catalog.SetWebhook, in, &out)
	switch {
	case err != nil:
		return "", err
	case !out.Set:
		return "The webhook is removed.", nil
	case out.Secret != "":
		v.session.setFresh(webhookSecret, out.Secret)
	}
	return "The webhook is set; your events go to it.", nil
}

func (p *Pages) rotateWebhook(v *request) (string, error) {
	var out webhook.Rotated
	if err := p.call(v, catalog.RotateWebhookSecret, nil, &out); err != nil {
		return "", err
	}
	v.session.setFresh(webhookSecret, out.Secret)
	return "The webhook has a new secret; for a day the former one signs too.", nil
}

func (p *Pages) testWebhook(v *request) (string, error) {
	var out webhook.Attempt
	err := p.call(v, catalog.TestWebhook, nil, &out)
	return attempted(out), err
}

func (p *Pages) resendWebhook(v *request) (string, error) {
	id, err := number(v, "id")
	if err != nil {
		return "", err
	}
	var out webhook.Attempt
	err = p.call(v, catalog.ResendWebhookAttempt, nil, &out, id)
	return attempted(out), err
}

func (p *Pages) replayWebhook(v *request) (string, error) {
	from, err := number(v, "from")
	if err != nil {
		return "", err
	}
	err = p.call(v, catalog.ReplayWebhook, map[string]any{"from": json.Number(from)}, nil)
	return "The events from entry " + from + " on are sent again.", err
}

// attempted says what came of an attempt that somebody waited for.
func attempted(a webhook.Attempt) string {
	if a.Delivered() {
		return "The receiver took the event."
	}
	return "The receiver did not take the event: " + a.Failure.String() + "."
}

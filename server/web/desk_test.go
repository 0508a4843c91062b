package web_test

import (
	"context"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// waits files a report that waits for the operator, since there are too few
// reviewers, and returns its id.
func (w *town) waits() uint64 {
	w.t.Helper()
	done := w.execute(w.spawn("ada"))
	var c netkit.CaseReceipt
	w.post(w.op, "/api/review/reports", `{"subject":`+id(done)+`,"law":"L1","evidence":"no such line"}`, &c)
	return c.CaseID
}

// TestDeskRefuses sends each form of the desk with what it must not hold: the
// page says why, and nothing is recorded.
func TestDeskRefuses(t *testing.T) {
	w := found(t)
	c := id(w.waits())
	p0 := id(w.crisis())
	v := w.visitor()
	v.login(w.op)
	for _, one := range []struct {
		act    string
		status int
		says   string
		fields []string
	}{
		{"publish", 422, "channel", []string{"channel", "GOSSIP", "headline", "h"}},
		{"publish", 422, "channel", nil},
		{"publish", 422, "headline", []string{"channel", "POLICY"}},
		{"publish", 422, "headline", []string{"channel", "POLICY", "headline", strings.Repeat("h", 300)}},
		{"resolve", 422, "dispatch_id", nil},
		{"resolve", 422, "dispatch_id", []string{"dispatch_id", "../1", "reason", "r"}},
		{"resolve", 422, "reason", []string{"dispatch_id", p0}},
		{"resolve", 404, "dispatch", []string{"dispatch_id", "99", "reason", "r"}},
		{"sponsor", 422, "sponsor", []string{"sponsor", "Not A Slug"}},
		{"sponsor", 409, "", []string{"sponsor", "acme", "name", "Another"}},
		{"deposit", 404, "", []string{"sponsor", "nobody", "amount", "1", "reference", "r"}},
		{"deposit", 404, "", []string{"sponsor", "../agents/ada/roles?", "amount", "1", "reference", "r"}},
		{"deposit", 422, "amount", []string{"sponsor", "acme", "reference", "r"}},
		{"deposit", 422, "amount", []string{"sponsor", "acme", "amount", "-1", "reference", "r"}},
		{"deposit", 422, "amount", []string{"sponsor", "acme", "amount", "1,000", "reference", "r"}},
		{"deposit", 422, "reference", []string{"sponsor", "acme", "amount", "1"}},
		{"decide", 422, "case_id", []string{"uphold", "yes", "reasoning", "r"}},
		{"decide", 422, "uphold", []string{"case_id", c, "reasoning", "r"}},
		{"decide", 422, "uphold", []string{"case_id", c, "uphold", "maybe", "reasoning", "r"}},
		{"decide", 422, "reasoning", []string{"case_id", c, "uphold", "yes"}},
		{"decide", 404, "", []string{"case_id", "99", "uphold", "yes", "reasoning", "r"}},
		{"erase-all", 404, "no such act", nil},
	} {
		before := w.entries()
		got := v.form("/admin/"+one.act, one.fields...)
		if got.StatusCode != one.status || !strings.Contains(got.text, one.says) || one.act != "erase-all" && !strings.Contains(got.text, `role="alert"`) {
			t.Errorf("%s %q: got %d %.300s, want %d and %q", one.act, one.fields, got.StatusCode, got.text, one.status, one.says)
		}
		if now := w.entries(); now != before {
			t.Errorf("%s %q: recorded %d entries", one.act, one.fields, now-before)
		}
	}
}

// TestDeskTwice sends each form twice: it acts once, and a sponsor's token is
// still there to be seen.
func TestDeskTwice(t *testing.T) {
	w := found(t)
	c := id(w.waits())
	v := w.visitor()
	v.login(w.op)
	twice := func(act string, fields ...string) {
		t.Helper()
		var after [2]uint64
		for i := range after {
			if got := v.form("/admin/"+act, append(fields, "key", "one-"+act)...); got.StatusCode != 303 {
				t.Fatalf("%s: got %d %s", act, got.StatusCode, got.text)
			}
			after[i] = w.entries()
		}
		if after[0] != after[1] {
			t.Errorf("%s: acted twice", act)
		}
	}
	twice("sponsor", "sponsor", "boreal", "name", "Boreal")
	if page := v.get("/admin").text; strings.Count(page, "nk_") != 1 {
		t.Error("want the sponsor's token, once")
	}
	twice("deposit", "sponsor", "boreal", "amount", "5", "reference", "wire")
	twice("publish", "channel", "POLICY", "headline", "Flood")
	twice("decide", "case_id", c, "uphold", "no", "reasoning", "it stands")
	crisis, err := w.net.As("").Crisis(context.Background())
	if err != nil || len(crisis.Running) != 1 {
		t.Fatalf("got %+v, %v, want one crisis", crisis, err)
	}
	twice("resolve", "dispatch_id", id(crisis.Running[0].ID), "reason", "over")
	twice("night")
}

// TestDeskRehearses judges without recording.
func TestDeskRehearses(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.op)
	before := w.entries()
	if got := v.form("/admin/rehearse"); got.StatusCode != 200 || !strings.Contains(got.text, "Nothing was recorded") || w.entries() != before {
		t.Errorf("got %d and %d entries more", got.StatusCode, w.entries()-before)
	}
	if got := v.get("/admin"); strings.Contains(got.text, "Rehearsed:") {
		t.Error("a rehearsal is shown twice")
	}
}

// TestDeskIsTheirs tries each act as everybody who is not an operator, and with
// an operator's token that does not cover it.
func TestDeskIsTheirs(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	var sponsor netkit.AdmissionReceipt
	w.post(w.op, "/api/sponsors", `{"sponsor":"boreal"}`, &sponsor)
	var narrow netkit.TokenReceipt
	w.post(w.op, "/api/agent/tokens", `{"scopes":["read","feed"]}`, &narrow)
	for who, token := range map[string]string{"nobody": "", "an agent": ada, "a sponsor": sponsor.Token, "an operator's narrow token": narrow.Token} {
		v := w.visitor()
		want := 401
		if token != "" {
			v.login(token)
			want = 403
		}
		before := w.entries()
		for _, act := range []string{"publish", "resolve", "sponsor", "deposit", "decide", "night", "rehearse", "nothing"} {
			got := v.form("/admin/"+act, "channel", "POLICY", "headline", "h", "sponsor", "corex", "amount", "1", "reference", "r", "case_id", "1", "dispatch_id", "1", "uphold", "yes", "reasoning", "r")
			if got.StatusCode != want || strings.Contains(got.text, "Treasury</h2>") {
				t.Errorf("%s as %s: got %d, want %d", act, who, got.StatusCode, want)
			}
		}
		if got := v.get("/admin"); got.StatusCode != want || !strings.Contains(got.text, "Sign in") {
			t.Errorf("the desk as %s: got %d, want %d and the way in", who, got.StatusCode, want)
		}
		if w.entries() != before {
			t.Errorf("%s changed something", who)
		}
	}
}

// TestChangeOfVisitor signs in as another: the id of before is worth nothing,
// and one that a neighbour made up never was.
func TestChangeOfVisitor(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.op)
	operators := v.cookie
	v.login(w.spawn("ada"))
	if v.cookie.Value == operators.Value {
		t.Error("two visitors have one id")
	}
	old := w.visitor()
	old.cookie = operators
	if got := old.get("/admin"); got.StatusCode != 401 {
		t.Errorf("the operator's id after a change: got %d, want 401", got.StatusCode)
	}
	fixed := w.visitor()
	made := *operators
	made.Value = strings.Repeat("A", 52)
	fixed.cookie = &made
	fixed.login(w.op)
	if fixed.cookie.Value == made.Value {
		t.Error("a session took the id that it was given")
	}
}

// TestSteps sends each step of the way in wrongly, then rightly, without a
// script.
func TestSteps(t *testing.T) {
	w := found(t)
	v := w.visitor()
	refuses := func(step string, status int, says string, fields ...string) {
		t.Helper()
		before := w.entries()
		got := v.form("/admin/agent-setup/"+step, fields...)
		if got.StatusCode != status || !strings.Contains(got.text, says) || w.entries() != before {
			t.Errorf("%s %q: got %d and %d entries, want %d and %q; %s", step, fields, got.StatusCode, w.entries()-before, status, says, got.text)
		}
	}
	for _, step := range []string{"claims", "channels", "constitution", "contract"} {
		refuses(step, 401, `href="/login?to=%2fadmin%2fagent-setup"`, "niche", "SILICON", "sha256", strings.Repeat("0", 64), "campaign_id", id(w.contract))
	}
	refuses("key", 401, "token", "address", "did:key:z6Mk")
	refuses("dance", 404, "no such step")
	refuses("spawn", 422, "slug", "slug", "No Slug")
	v.form("/admin/agent-setup/spawn", "slug", "nova")
	refuses("key", 422, "address", "address", "did:web:example.org")
	refuses("confirm", 422, "", "address", "did:web:example.org", "challenge", "c", "signature", "s")
	refuses("claims", 422, "niche", "niche", "GOSSIP")
	refuses("claims", 422, "attention_floor_price", "niche", "SILICON", "attention_floor_price", "much")
	refuses("claims", 422, "capability_statement", "niche", "SILICON", "capability_statement", strings.Repeat("a", 5000))
	refuses("channels", 422, "channels", "channels", "SILICON", "channels", "GOSSIP")
	refuses("constitution", 422, "sha256", "sha256", "zz")
	refuses("constitution", 422, "hash", "sha256", strings.Repeat("0", 64))
	refuses("contract", 422, "campaign_id", "headline", "h")
	refuses("contract", 404, "", "campaign_id", "99", "headline", "h", "body", "b", "sources", "https://example.org/")
	refuses("contract", 422, "sources", "campaign_id", id(w.contract), "headline", "h", "body", "b")
	op := w.visitor()
	op.login(w.op)
	if got := op.form("/admin/agent-setup/claims", "niche", "SILICON"); got.StatusCode != 403 || !strings.Contains(got.text, "<h1>") {
		t.Errorf("claims of an operator: got %d, want 403 and a page", got.StatusCode)
	}
	page := html.UnescapeString(v.get("/admin/agent-setup?step=contract").text)
	for _, want := range []string{"Contracts that pay nova now", fmt.Sprintf(`name="campaign_id" value="%d"`, w.contract), "+1.70"} {
		if !strings.Contains(page, want) {
			t.Errorf("the step does not show %s", want)
		}
	}
	if page := v.get("/admin/agent-setup?step=nonsense").text; !strings.Contains(page, `aria-current="step"`) {
		t.Error("an unknown step opens none")
	}
}

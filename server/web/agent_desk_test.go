package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// earn lets an agent execute the town's contract, and the sponsor's operator accept
// it, so that the pay can be spent.
func (w *town) earn(token string) uint64 {
	w.t.Helper()
	id := w.execute(token)
	w.post(w.op, fmt.Sprintf("/api/executions/%d/accept", id), "", nil)
	return id
}

// said posts a form that must go on to another page, and returns that page.
func (b *browserless) said(path string, fields ...string) string {
	b.t.Helper()
	got := b.form(path, fields...)
	if got.StatusCode != 303 {
		b.t.Fatalf("%s %v: got %d %s, want a new place", path, fields, got.StatusCode, got.text)
	}
	return b.get(got.Header.Get("Location")).text
}

func wantAll(t *testing.T, where, text string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			t.Errorf("%s says nothing of %q", where, want)
		}
	}
}

// Two agents send, answer and decline requests by forms, without a script.
func TestAgentsDesk(t *testing.T) {
	w := found(t)
	ada, bob := w.spawn("ada"), w.spawn("bob")
	w.earn(bob)
	a, b := w.visitor(), w.visitor()
	a.login(ada)
	b.login(bob)
	if got := w.visitor().get("/desk").StatusCode; got != 401 {
		t.Errorf("nobody's desk: got %d, want 401", got)
	}
	if _, err := w.net.As("ada").SetClaims(t.Context(), netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 50}); err != nil {
		t.Fatal(err)
	}
	wantAll(t, "the desk", b.said("/desk", "act", "send", "to", "ada", "subject", "Which <fab>?", "body", "The one.", "max_price", "0.50"), "0.50 credits wait in escrow", "Which &lt;fab&gt;?")
	if got := b.form("/desk", "act", "send", "to", "ada", "subject", "s", "body", "b", "max_price", "0.10"); got.StatusCode != 409 || !strings.Contains(got.text, `value="ada"`) {
		t.Errorf("too cheap: got %d, want 409 and the form with what was typed", got.StatusCode)
	}
	id := between(a.get("/desk").text, `id="r`, `"`)
	wantAll(t, "the receiver's desk", a.said("/desk", "act", "answer", "id", id, "body", "Fab 3."), "0.50 credits are yours", "Fab 3.")
	b.said("/desk", "act", "send", "to", "ada", "subject", "Again", "body", "b", "max_price", "0.50")
	id = between(a.get("/desk").text, `id="r`, `"`)
	wantAll(t, "the receiver's desk", a.said("/desk", "act", "decline", "id", id, "reason", "busy"), "returns to its sender", "Declined")
	wantAll(t, "the sender's desk", b.get("/desk").text, "Fab 3.", "busy")
}

// An agent issues and revokes tokens.
func TestAgentsTokens(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.spawn("ada"))
	page := v.said("/desk", "act", "issue", "scope", "intent", "spend_cap", "5")
	token := between(page, `id="the-token" class="break">`, "<")
	if !strings.HasPrefix(token, "nk_") {
		t.Fatalf("got %q, want the new token", token)
	}
	if strings.Contains(v.get("/desk").text, token) {
		t.Error("the token is shown twice")
	}
	id := between(page, "Token ", " is issued")
	wantAll(t, "the desk", v.said("/desk", "act", "revoke", "id", id), "Token "+id+" is revoked")
	if got := v.form("/desk", "act", "nonsense").StatusCode; got != 404 {
		t.Errorf("no such act: got %d, want 404", got)
	}
}

// An agent and a sponsor set their webhooks, see the secret once, and look after
// them. The address is one that nobody may be reached at.
func TestWebhooksOnPages(t *testing.T) {
	w := found(t)
	for at, token := range map[string]string{"/desk": w.spawn("ada"), "/sponsor": w.sponsor("globe")} {
		t.Run(at, func(t *testing.T) {
			v := w.visitor()
			v.login(token)
			keepsWebhook(t, v, at)
		})
	}
	v := w.visitor()
	v.login(w.op)
	if text := v.get("/sponsor?sponsor=globe").text; strings.Contains(text, "Webhook address") {
		t.Error("an operator is offered a webhook on a sponsor's page")
	}
}

func keepsWebhook(t *testing.T, v *browserless, at string) {
	wantAll(t, at, v.get(at).text, "No address is set")
	page := v.said(at, "act", "webhook", "url", "https://localhost/hook?private", "types", "notice, campaign.opened")
	wantAll(t, at, page, "webhook is set", "Your events go to localhost")
	secret := between(page, `id="the-secret" class="break">`, "<")
	if !strings.HasPrefix(secret, "whsec_") || strings.Contains(page, "?private") {
		t.Errorf("got secret %q, or the whole address", secret)
	}
	if text := v.get(at).text; strings.Contains(text, secret) || strings.Contains(text, "the-secret") {
		t.Error("the secret is shown twice")
	}
	wantAll(t, at, v.said(at, "act", "test"), "not one of the public internet", "webhook.test")
	wantAll(t, at, v.said(at, "act", "rotate"), "new secret", "whsec_")
	wantAll(t, at, v.said(at, "act", "replay", "from", "1"), "from entry 1 on")
	if got := v.form(at, "act", "resend", "id", "999").StatusCode; got != 429 {
		t.Errorf("a second attempt at once: got %d, want 429", got)
	}
	if got := v.form(at, "act", "webhook", "url", "http://agent.example/").StatusCode; got != 422 {
		t.Errorf("not https: got %d, want 422", got)
	}
	wantAll(t, at, v.said(at, "act", "webhook", "url", ""), "webhook is removed", "No address is set")
}

// Whoever is signed in sees the facts of a report, its parties the texts too; the
// agent that lost appeals by a form.
func TestReviewPages(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	subject := w.execute(ada)
	op, agent, stranger := w.visitor(), w.visitor(), w.visitor()
	op.login(w.op)
	agent.login(ada)
	list := op.said("/review", "act", "report", "execution_id", id(subject), "law", "L1", "evidence", "It says <nine>, not six.")
	number := between(list, `href="/review/`, `"`)
	at := "/review/" + number
	wantAll(t, "the case", op.get(at).text, "It says &lt;nine&gt;")
	stranger.login(w.spawn("carl"))
	if text := stranger.get(at).text; strings.Contains(text, "nine") || !strings.Contains(text, "for parties, reviewers and operators") {
		t.Error("a stranger reads the evidence, or does not learn who may")
	}
	w.post(w.op, "/api/review/cases/"+number+"/decide", `{"uphold":true,"reasoning":"So it is."}`, nil)
	wantAll(t, "the case", agent.said(at, "act", "appeal", "grounds", "The source was corrected."), "You have appealed", "The source was corrected.")
	wantAll(t, "the list of mine", agent.get("/review?mine=yes").text, at)
	if got := stranger.get("/review/999999").StatusCode; got != 404 {
		t.Errorf("no such case: got %d, want 404", got)
	}
	for _, path := range []string{"/review", at} {
		if got := w.visitor().get(path); got.StatusCode != 401 || !strings.Contains(got.text, `href="/login?to=`+strings.ReplaceAll(path, "/", "%2f")) {
			t.Errorf("%s without a session: got %d, want 401 and a way to sign in", path, got.StatusCode)
		}
	}
}

// The pages on badges, playbooks, rogues and verification answer everybody.
func TestPublicRegistries(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	v := w.visitor()
	for path, want := range map[string]string{
		"/badges":           "none yet",
		"/badges?agent=ada": "Counterparty diversity score",
		"/playbooks":        "netctl btdt register",
		"/rogues":           "It is empty",
		"/verify":           "netctl ledger verify --from " + w.url,
	} {
		if got := v.get(path); got.StatusCode != 200 || !strings.Contains(got.text, want) {
			t.Errorf("%s: got %d, want 200 and %q", path, got.StatusCode, want)
		}
	}
	if got := v.get("/badges?agent=nobody-there").StatusCode; got != 404 {
		t.Errorf("badges of nobody: got %d, want 404", got)
	}
}

// One box finds agents, contracts, entries and accounts.
func TestSearch(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	v := w.visitor()
	for words, want := range map[string]string{
		"ADA":             "/agent/ada",
		id(w.contract):    "/market/" + id(w.contract),
		"#0":              "/ledger/0",
		"wallet:ada":      "/ledger/accounts/wallet:ada",
		"treasury":        "/ledger/accounts/treasury",
		"wafer%20supply":  "",
		"no-such-thing":   "",
		"%3Cscript%3E":    "",
		"../../etc/hosts": "",
	} {
		got := v.get("/search?q=" + strings.ReplaceAll(words, "#", "%23"))
		if want != "" && got.Header.Get("Location") != want || want == "" && got.StatusCode != 200 {
			t.Errorf("%s: got %d to %q, want %q", words, got.StatusCode, got.Header.Get("Location"), want)
		}
	}
	wantAll(t, "a search by words", v.get("/search?q=wafer").text, "Wafer supply, weekly")
	w.crisis()
	wantAll(t, "a search for part of a slug", v.get("/search?q=da").text, `<a href="/agent/ada">ada</a>`)
	wantAll(t, "a search for a dispatch", v.get("/search?q=river").text, "Grid failure in the north</a>")
	if got := v.get("/search?q=quartz").text; strings.Contains(got, "ada</a>") || !strings.Contains(got, "Nothing is called that") {
		t.Error("a search finds what does not hold the words")
	}
}

// between returns what stands between two marks, "" if they do not.
func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	got, _, ok := strings.Cut(rest, to)
	if !ok {
		return ""
	}
	return got
}

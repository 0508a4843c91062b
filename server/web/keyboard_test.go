package web_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/agentnet/netctl/netkit"
)

// TestKeyboardOnboarding goes from the first page to a paid execution with
// keys alone, and watches that the private key stays in the browser.
func TestKeyboardOnboarding(t *testing.T) {
	w := found(t)
	b := browse(t, w)
	b.open("/")
	b.follow("a[href='/admin/agent-setup'].button")
	b.says("welcome grant of 50.00")
	b.fill("input[name=slug]", "nova"+kb.Enter)
	b.says("nova is spawned")
	b.says("shown this once")

	b.follow("a[href$='step=key']")
	b.says("Your browser makes it")
	b.follow("[data-make-key]")
	b.says("Confirmed: did:key:z")
	b.holds(`document.activeElement.matches("[data-save-key]")`)
	b.follow("[data-go-on]")
	b.says("What the agent says of itself")

	b.fill("select[name=niche]", "Sil")
	b.fill("input[name=preferred_llm_provider]", "anthropic")
	b.fill("textarea[name=capability_statement]", "Reads wafer supply, daily.")
	b.fill("input[name=accepts_attention_requests]", " ")
	b.fill("input[name=attention_floor_price]", kb.Enter)
	b.says("Your claims are declared")

	b.fill("input[value=SILICON]", " ")
	b.follow("main form button")
	b.says("You are subscribed")
	b.follow("main form button")
	b.says("You accepted the constitution")

	b.fill("input[name=headline]", "Line 3 stopped at noon")
	b.fill("textarea[name=body]", "The supplier says so.")
	b.fill("textarea[name=sources]", "https://example.org/line-3")
	b.follow("main form button")
	b.says("paid you 1.70 credits")
	b.says("nova is at work")

	p, err := w.net.As("").Profile(context.Background(), "nova")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.BioVerified; !got.WalletConfirmed || got.ConstitutionAccepted != "1.0.0" {
		t.Errorf("got %+v, want a confirmed wallet and an accepted constitution", got)
	}
	bought, err := w.net.As("").Deliveries(context.Background(), netkit.ExecutionQuery{Agent: "nova"})
	if err != nil || len(bought.Items) != 1 || bought.Items[0].State != netkit.ExecutionPending {
		t.Errorf("got executions %+v, %v, want one that is pending", bought.Items, err)
	}
	if got := p.BioClaims; got.Niche != netkit.NicheSilicon || !got.AcceptsAttentionRequests || got.CapabilityStatement != "Reads wafer supply, daily." {
		t.Errorf("got claims %+v, want what was typed", got)
	}
	balance, err := w.net.As("").Balance(context.Background(), netkit.Wallet("nova"))
	if err != nil || balance.Balance != 5170 {
		t.Errorf("got a balance of %s, %v, want 51.70", balance.Balance, err)
	}
	checkKeyStayed(t, b)
}

// checkKeyStayed looks through all that was sent: address, challenge and
// signature, and nothing to strangers.
func checkKeyStayed(t *testing.T, b *tab) {
	t.Helper()
	if got := b.strangers(); len(got) > 0 {
		t.Errorf("asked strangers: %q", got)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	keyForms := 0
	for _, s := range b.sent {
		body, is := strings.CutPrefix(s, "body ")
		if !is {
			continue
		}
		text, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			text = []byte(body)
		}
		if strings.Contains(string(text), "PRIVATE") {
			t.Errorf("a private key was sent: %s", text)
		}
		if strings.Contains(string(text), "did%3Akey") {
			keyForms++
			for field := range strings.SplitSeq(string(text), "&") {
				if name, _, _ := strings.Cut(field, "="); name != "address" && name != "challenge" && name != "signature" {
					t.Errorf("the form of the key sent %s", name)
				}
			}
		}
	}
	if keyForms != 2 {
		t.Errorf("saw %d forms of the key sent, want 2", keyForms)
	}
}

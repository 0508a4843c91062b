package server

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/didkey"
)

// ok sends a request that must work and decodes its answer into O.
func ok[O any](f *fixture, method, target, token string, body any) O {
	f.t.Helper()
	var out O
	f.ask(method, target, token, body).into(200, &out)
	return out
}

func TestIdentityRoutes(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	claims := ok[netkit.ClaimsReceipt](f, "PUT", "/api/agent/claims", ada, `{"niche":"LEGAL","accepts_attention_requests":true,"attention_floor_price":12,"capability_statement":"reads law"}`)
	if claims.Claims.Niche != netkit.NicheLegal || claims.Claims.AttentionFloorPrice != 1200 {
		t.Errorf("got %+v, want LEGAL at 12.00", claims)
	}
	f.ask("PUT", "/api/agent/claims", ada, fmt.Sprintf(`{"accepts_attention_requests":true,"attention_floor_price":0,"capability_statement":%q}`, strings.Repeat("é", 281))).problem(422, "text_too_long")
	ok[netkit.ClaimsReceipt](f, "PUT", "/api/agent/claims", ada, fmt.Sprintf(`{"niche":"LEGAL","accepts_attention_requests":true,"attention_floor_price":0,"capability_statement":%q}`, strings.Repeat("é", 280)))
	if got := ok[netkit.ChannelsReceipt](f, "PUT", "/api/agent/channels", ada, `{"channels":["LEGAL","HEALTH"]}`); len(got.Channels) != 2 {
		t.Errorf("got %+v, want two channels", got)
	}
	if got := ok[netkit.WebhookReceipt](f, "PUT", "/api/agent/webhook", ada, `{"url":"https://example.org/hook"}`); !got.Set {
		t.Errorf("got %+v, want it set", got)
	}
	law := ok[netkit.ConstitutionView](f, "GET", "/api/agent/constitution", "", nil)
	if got := ok[netkit.AcceptReceipt](f, "POST", "/api/agent/constitution/accept", ada, netkit.AcceptConstitution{SHA256: law.SHA256}); got.Version != "1.0.0" {
		t.Errorf("got %+v, want 1.0.0", got)
	}
	p := ok[netkit.Profile](f, "GET", "/agent/ada", "", nil)
	if p.BioVerified.ConstitutionAccepted != "1.0.0" || p.BioClaims.Niche != netkit.NicheLegal || !p.BioClaims.Untrusted {
		t.Errorf("got %+v, want what was declared", p)
	}
	for query, want := range map[string]int{"": 1, "?niche=LEGAL": 1, "?niche=MEDIA": 0, "?tier=UNVERIFIED": 1, "?tier=ELITE": 0, "?badge=FIELD_AGENT": 0, "?limit=1": 1} {
		if got := ok[netkit.List[netkit.Profile]](f, "GET", "/directory"+query, "", nil); len(got.Items) != want || got.Items == nil {
			t.Errorf("/directory%s: got %d agents, want %d", query, len(got.Items), want)
		}
	}
	ok[netkit.List[netkit.Notice]](f, "GET", "/api/agent/notices", ada, nil)
}

func TestWalletRoutes(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	address := didkey.Of(key.Public().(ed25519.PublicKey))
	c := ok[netkit.WalletChallenge](f, "POST", "/api/agent/wallet", ada, netkit.DeclareWallet{Address: address})
	confirm := netkit.WalletChallenge{Address: address, Challenge: c.Challenge + "x"}.Sign(key)
	confirm.Challenge = c.Challenge
	if a := f.ask("POST", "/api/agent/wallet/confirm", ada, confirm); a.Code < 400 || a.Code >= 500 {
		t.Errorf("another text signed: got %d %s, want a refusal", a.Code, a.Body)
	}
	confirm = c.Sign(key)
	if got := ok[netkit.WalletReceipt](f, "POST", "/api/agent/wallet/confirm", ada, confirm); !got.Confirmed || got.Address != address {
		t.Errorf("got %+v, want it confirmed", got)
	}
	if me := ok[netkit.OwnProfile](f, "GET", "/api/agent/me", ada, nil); me.WalletAddress != address || !me.BioVerified.WalletConfirmed || len(me.Next) == 0 {
		t.Errorf("got %+v, want the wallet, and what is missing to VERIFIED", me)
	}
}

func TestTokenRoutes(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	narrow := f.token(ada, netkit.ScopeRead, netkit.ScopeIntent)
	list := ok[Tokens](f, "GET", "/api/agent/tokens", ada, nil)
	if len(list.Items) != 2 {
		t.Errorf("got %+v, want two tokens", list)
	}
	if b, _ := json.Marshal(list); strings.Contains(string(b), "nk_") {
		t.Errorf("got %s, which shows a token", b)
	}
	ok[netkit.OwnProfile](f, "GET", "/api/agent/me", narrow.Token, nil)
	ok[netkit.TokenReceipt](f, "DELETE", "/api/agent/tokens/"+fmtID(narrow.TokenID), ada, nil)
	f.ask("GET", "/api/agent/me", narrow.Token, nil).problem(401, "token_unknown")
	f.ask("DELETE", "/api/agent/tokens/"+fmtID(narrow.TokenID), f.spawn("bob"), nil).problem(404, "")
	op := ok[netkit.OperatorReceipt](f, "POST", "/api/operators", f.op, netkit.AddOperator{Slug: "second"})
	ok[netkit.AdmissionReceipt](f, "POST", "/api/sponsors", op.Token, netkit.ProposeSponsor{Sponsor: "acme"})
}

func TestAttentionRoutes(t *testing.T) {
	f := start(t)
	ada, bob := f.spawn("ada"), f.spawn("bob")
	ok[netkit.ClaimsReceipt](f, "PUT", "/api/agent/claims", bob, `{"accepts_attention_requests":true,"attention_floor_price":12}`)
	send := func() netkit.AttentionReceipt {
		return ok[netkit.AttentionReceipt](f, "POST", "/api/intent/attention", ada, netkit.SendAttention{To: "bob", Subject: "s", Body: "b"})
	}
	one, two := send(), send()
	if one.Price != 1200 || f.balance("ada") != 2600 {
		t.Errorf("got %+v with %s left, want 12.00 each in escrow", one, f.balance("ada"))
	}
	f.ask("POST", "/api/intent/attention", ada, `{"to":"bob","subject":"s","body":"b","max_price":11.99}`).problem(409, "")
	if got := ok[netkit.List[netkit.Attention]](f, "GET", "/api/intent/attention/inbox?state=pending", bob, nil); len(got.Items) != 2 || !got.Items[0].Untrusted {
		t.Errorf("got %+v, want two requests", got)
	}
	ok[netkit.AttentionReceipt](f, "POST", "/api/intent/attention/"+fmtID(one.ID)+"/answer", bob, `{"body":"yes"}`)
	ok[netkit.AttentionReceipt](f, "POST", "/api/intent/attention/"+fmtID(two.ID)+"/decline", bob, nil)
	if f.balance("ada") != 3800 || f.balance("bob") != 6200 {
		t.Errorf("got %s and %s, want 38.00 and 62.00", f.balance("ada"), f.balance("bob"))
	}
	f.ask("POST", "/api/intent/attention/"+fmtID(one.ID)+"/answer", bob, `{"body":"again"}`).problem(409, "")
	if got := ok[netkit.Attention](f, "GET", "/api/intent/attention/"+fmtID(one.ID), ada, nil); got.Answer != "yes" || got.State != netkit.Answered {
		t.Errorf("got %+v, want the answer", got)
	}
	f.ask("GET", "/api/intent/attention/"+fmtID(one.ID), f.spawn("eve"), nil).problem(404, "")
	ok[netkit.List[netkit.Attention]](f, "GET", "/api/intent/attention/sent", ada, nil)
}

func TestBlackoutOverHTTP(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	f.sponsor("acme", 100*netkit.Credit)
	id := f.campaign("acme", 50*netkit.Credit)
	p0 := f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	if p := f.ask("POST", "/api/intent", ada, execution(id)).problem(403, "blackout"); p.Law != "L3" {
		t.Errorf("got %+v, want L3", p)
	}
	for _, path := range []string{"/api/market/campaigns", "/api/market/campaigns/" + fmtID(id)} {
		if a := f.ask("GET", path, f.op, nil); strings.Contains(a.Body.String(), `"payload"`) || !strings.Contains(a.Body.String(), `"suppressed":true`) {
			t.Errorf("%s: got %s, want the payload suppressed", path, a.Body)
		}
	}
	ok[netkit.CrisisReceipt](f, "POST", "/api/net/dispatches/"+fmtID(p0)+"/resolve", f.op, `{"reason":"over"}`)
	ok[netkit.Execution](f, "POST", "/api/intent", ada, execution(id))
	ok[netkit.ContractReceipt](f, "POST", "/api/market/campaigns/"+fmtID(id)+"/fund", f.op, `{"amount":10}`)
	if got := ok[netkit.ContractReceipt](f, "POST", "/api/market/campaigns/"+fmtID(id)+"/close", f.op, nil); got.Returned != 5800 {
		t.Errorf("got %+v, want 58.00 back", got)
	}
}

func TestReviewRoutes(t *testing.T) {
	f := start(t)
	ada, bob := f.spawn("ada"), f.spawn("bob")
	f.sponsor("acme", 100*netkit.Credit)
	run := ok[netkit.Execution](f, "POST", "/api/intent", ada, execution(f.campaign("acme", 50*netkit.Credit)))
	c := ok[netkit.CaseReceipt](f, "POST", "/api/review/reports", f.op, netkit.Report{Subject: run.ExecutionID, Law: "L1", Evidence: "no such line"})
	at := "/api/review/cases/" + fmtID(c.CaseID)
	f.ask("POST", at+"/decide", bob, `{"uphold":true,"reasoning":"r"}`).problem(403, "operators_only")
	ok[netkit.CaseReceipt](f, "POST", at+"/decide", f.op, `{"uphold":true,"reasoning":"checked"}`)
	if p := f.ask("PUT", "/api/agent/webhook", ada, `{"url":""}`).problem(403, "agent_suspended"); p.Law != "L1" {
		t.Errorf("got %+v, want L1", p)
	}
	ok[netkit.CaseReceipt](f, "POST", at+"/appeal", ada, `{"grounds":"it exists"}`)
	if got := ok[netkit.CaseView](f, "GET", at, ada, nil); !got.Appealed {
		t.Errorf("got %+v, want it appealed", got)
	}
	ok[netkit.List[netkit.CaseView]](f, "GET", "/api/review/cases?mine=true", ada, nil)
	ok[netkit.StandingReceipt](f, "POST", "/api/agents/ada/reinstate", f.op, `{"reason":"mistaken"}`)
	ok[netkit.WebhookReceipt](f, "PUT", "/api/agent/webhook", ada, `{"url":""}`)
	ok[netkit.List[netkit.RogueEntry]](f, "GET", "/api/rogues", "", nil)
}

// commits commits to the one file that these tests register.
func commits(f *fixture, slug, token string) {
	f.t.Helper()
	content := netkit.Hash(bytes.Repeat([]byte{0xab}, 32))
	ok[netkit.CommitmentReceipt](f, "POST", "/api/btdt/commit", token, netkit.CommitPlaybook{Commitment: content.CommittedBy(slug)})
}

func TestPlaybookRoutes(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	book := func(title, more string) string {
		return `{"title":"` + title + `","category":"legal","sub_category":"refund","jurisdiction":"DE","status":"RESOLVED","time_taken_days":3,"step_count":2,"content_sha256":"` +
			strings.Repeat("ab", 32) + `","scrubber_version":"check/1"` + more + `}`
	}
	if p := f.ask("POST", "/api/btdt/register", ada, book("A refund", `,"steps":["call"]`)).problem(422, "field_unknown"); p.Location != "(unknown field)" {
		t.Errorf("got %+v, want the field refused", p)
	}
	if p := f.ask("POST", "/api/btdt/register", ada, book("Write to joe@example.org", "")).problem(422, "identifies_someone"); p.Location != "title" || strings.Contains(p.Detail, "joe") {
		t.Errorf("got %+v, want the title named and not repeated", p)
	}
	if p := f.ask("POST", "/api/btdt/register", ada, book("Refund from Peter Baker", "")).problem(422, "identifies_someone"); p.Location != "title" || strings.Contains(p.Detail, "Baker") {
		t.Errorf("got %+v, want the title named and not repeated", p)
	}
	two := book("Refund for joe@example.org", `,"entity":"a firm, 312-555-0187"`)
	if p := f.ask("POST", "/api/btdt/register", ada, two).problem(422, "identifies_someone"); !strings.Contains(p.Detail, "title 11 to 26 (EMAIL), entity 8 to 20 (PHONE)") {
		t.Errorf("got %+v, want every place with its offsets", p)
	}
	f.ask("POST", "/api/btdt/register", ada, book("A refund", `,"kept":10001`)).problem(422, "number_out_of_range")
	f.ask("POST", "/api/btdt/register", ada, strings.Replace(book("A refund", ""), "legal", "gossip", 1)).problem(422, "category_unknown")
	f.ask("POST", "/api/btdt/register", ada, book("A refund", "")).problem(409, "playbook_uncommitted")
	commits(f, "ada", ada)
	receipt := ok[netkit.PlaybookReceipt](f, "POST", "/api/btdt/register", ada, book("A refund", `,"kept":2`))
	f.ask("POST", "/api/btdt/register", f.spawn("bob"), book("A refund", "")).problem(409, "playbook_known")
	if got := ok[netkit.List[netkit.Playbook]](f, "GET", "/api/btdt/inventory", ada, nil); len(got.Items) != 1 || got.Items[0].Kept != 2 || got.Items[0].PlaybookID != receipt.PlaybookID {
		t.Errorf("got %+v, want one playbook with two words kept", got)
	}
	ok[netkit.ExchangeReceipt](f, "POST", "/api/exchange/open", f.op, `{"reason":"ready"}`)
	if got := ok[netkit.Exchange](f, "GET", "/api/exchange", "", nil); got.State != "open" || got.Trade || got.Note != netkit.ExchangeNote {
		t.Errorf("got %+v, want it open without trade", got)
	}
	ok[netkit.ExchangeReceipt](f, "POST", "/api/exchange/close", f.op, `{"reason":"too early"}`)
	if got := ok[netkit.Exchange](f, "GET", "/api/exchange", "", nil); got.State != "planned" {
		t.Errorf("got %+v, want it planned again", got)
	}
}

func TestLedgerRoutes(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	got := ok[Entries](f, "GET", "/api/ledger/entries?from=0&limit=2", "", nil)
	if len(got.Items) != 2 || got.Next != 2 || !strings.Contains(string(got.Items[1]), `"agent.spawned"`) {
		t.Errorf("got %s, want genesis and a spawn", got.Items)
	}
	if one := f.ask("GET", "/api/ledger/entries/1", "", nil); strings.TrimSpace(one.Body.String()) != string(got.Items[1]) {
		t.Errorf("got %s, want %s", one.Body, got.Items[1])
	}
	if last := ok[Entries](f, "GET", "/api/ledger/entries?from=99", "", nil); len(last.Items) != 0 || last.Items == nil || last.Next != 99 {
		t.Errorf("got %+v, want nothing yet", last)
	}
	f.ask("GET", "/api/ledger/entries/99", "", nil).problem(404, "entry_unknown")
	lines := ok[netkit.List[netkit.StatementLine]](f, "GET", "/api/ledger/accounts/wallet:ada", "", nil)
	if len(lines.Items) != 1 || lines.Items[0].Amount != 5000 {
		t.Errorf("got %+v, want the grant", lines)
	}
	f.now.t = f.now.t.Add(time.Hour)
	f.sponsor("acme", 100*netkit.Credit)
	f.ask("POST", "/api/intent", ada, execution(f.campaign("acme", 10*netkit.Credit))).into(200, new(netkit.Execution))
	for at, want := range map[netkit.Millis]netkit.Credits{netkit.At(f.now.t): 5170, netkit.At(f.now.t) - 1: 5000, 1: 0} {
		if b := ok[netkit.AccountBalance](f, "GET", "/api/ledger/balances/wallet:ada?at="+at.String(), "", nil); b.Balance != want {
			t.Errorf("%s: got %+v, want %s", at, b, want)
		}
	}
	f.ask("GET", "/api/ledger/balances/wallet:ada?at=noon", "", nil).problem(422, "parameter_wrong")
	if strings.Contains(f.ask("GET", "/api/ledger/entries?limit=200", "", nil).Body.String(), strings.TrimPrefix(ada, "nk_")) {
		t.Error("the public journal shows a token")
	}
}

// A sponsor is one row of the list, and its contracts come in every state.
func TestSponsorRoutes(t *testing.T) {
	f := start(t)
	acme := f.sponsor("acme", 100*netkit.Credit)
	open := f.campaign("acme", 10*netkit.Credit)
	closed := f.campaign("acme", 10*netkit.Credit)
	f.ask("POST", fmt.Sprintf("/api/market/campaigns/%d/close", closed), acme, struct{}{}).into(200, new(netkit.ContractReceipt))
	list := ok[netkit.List[netkit.SponsorView]](f, "GET", "/api/sponsors", "", nil)
	if one := ok[netkit.SponsorView](f, "GET", "/api/sponsors/acme", "", nil); len(list.Items) != 1 || one != list.Items[0] || one.Funds != 90*netkit.Credit {
		t.Errorf("got %+v, want %+v", one, list.Items)
	}
	f.ask("GET", "/api/sponsors/nobody", "", nil).problem(404, "sponsor_unknown")
	all := "/api/market/campaigns?sponsor=acme&any_state=true&limit=1"
	first := ok[netkit.List[netkit.Campaign]](f, "GET", all, "", nil)
	second := ok[netkit.List[netkit.Campaign]](f, "GET", all+"&cursor="+first.NextCursor, "", nil)
	if first.Items[0].ID != closed || second.Items[0].ID != open || second.NextCursor != "" {
		t.Errorf("got %+v and %+v, want both contracts, the newest first", first, second)
	}
}

// What was erased is gone from its view, and the public part stays as it was.
func TestEraseRoute(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	r := ok[netkit.WebhookReceipt](f, "PUT", "/api/agent/webhook", ada, `{"url":"https://example.org/"}`)
	at := "/api/ledger/entries/" + strconv.FormatUint(r.Seq, 10)
	before := f.ask("GET", at, "", nil).Body.String()
	f.ask("POST", at+"/erase", ada, `{"reason":"mine"}`).problem(403, "")
	f.ask("POST", at+"/erase", f.op, `{}`).problem(422, "")
	f.ask("POST", at+"/erase", f.op, `{"entry":1,"reason":"another"}`).problem(422, "path_differs")
	f.ask("POST", "/api/ledger/entries/0/erase", f.op, `{"reason":"r"}`).problem(409, "token_in_use")
	f.ask("POST", "/api/ledger/entries/999/erase", f.op, `{"reason":"r"}`).problem(404, "entry_unknown")
	got := ok[netkit.ErasureReceipt](f, "POST", at+"/erase", f.op, `{"reason":"asked for"}`)
	if again := ok[netkit.ErasureReceipt](f, "POST", at+"/erase", f.op, `{"reason":"asked for"}`); again != got || got.Entry != r.Seq || got.Reason != "asked for" {
		t.Errorf("got %+v, then %+v, want the same receipt of entry %d", got, again, r.Seq)
	}
	if after := f.ask("GET", at, "", nil).Body.String(); after != before {
		t.Errorf("got %s, want %s", after, before)
	}
}

// Whoever may witness confirms an admission, and it takes effect.
func TestWitnessRoutes(t *testing.T) {
	f := start(t)
	tokens := map[string]string{}
	for i, slug := range []string{"ada", "bob", "cora"} {
		tokens[slug] = f.spawn(slug)
		seed := make([]byte, ed25519.SeedSize)
		seed[0] = byte(i)
		key := ed25519.NewKeyFromSeed(seed)
		address := didkey.Of(key.Public().(ed25519.PublicKey))
		c := ok[netkit.WalletChallenge](f, "POST", "/api/agent/wallet", tokens[slug], netkit.DeclareWallet{Address: address})
		ok[netkit.WalletReceipt](f, "POST", "/api/agent/wallet/confirm", tokens[slug],
			c.Sign(key))
	}
	f.now.add(8 * 24 * 3600 * 1e9)
	in := ok[netkit.AdmissionReceipt](f, "POST", "/api/sponsors", f.op, netkit.ProposeSponsor{Sponsor: "acme", Name: "Acme"})
	if !in.WitnessNeeded || in.State != "pending" {
		t.Fatalf("got %+v, want it to wait for a witness", in)
	}
	waiting := ok[netkit.List[netkit.WitnessRequest]](f, "GET", "/api/witness", tokens["ada"], nil)
	if len(waiting.Items) != 1 || waiting.Items[0].ID != in.AdmissionID {
		t.Errorf("got %+v, want the admission", waiting)
	}
	ok[netkit.WitnessReceipt](f, "POST", "/api/witness/"+fmtID(in.AdmissionID), tokens["ada"], nil)
	ok[netkit.Deposited](f, "POST", "/api/sponsors/acme/deposits", f.op, `{"amount":10,"reference":"wire 2"}`)
	ok[netkit.OwnProfile](f, "GET", "/api/agent/me", in.Token, nil)
	ok[netkit.NightReport](f, "POST", "/api/badges/night", f.op, `{"dry_run":true}`)
	f.ask("POST", "/api/badges/revocations", f.op, `{"agent":"ada","badge":"FIELD_AGENT","reason":"r"}`).problem(409, "")
	f.ask("POST", "/api/constitution/adopt", f.op, `{"document":{}}`).problem(422, "")
}

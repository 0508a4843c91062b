package netclient

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/webhook"
)

// operations are all methods with the route that each must take.
var operations = []struct {
	want string
	call func(context.Context, *Client) error
}{
	{"GET /api/health", func(ctx context.Context, c *Client) error { return second(c.Health(ctx)) }},
	{"POST /api/agent/spawn", func(ctx context.Context, c *Client) error { return second(c.Spawn(ctx, netkit.Spawn{})) }},
	{"POST /api/agent/invites", func(ctx context.Context, c *Client) error { return second(c.Invite(ctx, netkit.Invite{})) }},
	{"GET /api/agent/me", func(ctx context.Context, c *Client) error { return second(c.OwnProfile(ctx)) }},
	{"PUT /api/agent/claims", func(ctx context.Context, c *Client) error { return second(c.SetClaims(ctx, netkit.Claims{})) }},
	{"PUT /api/agent/channels", func(ctx context.Context, c *Client) error { return second(c.SetChannels(ctx, netkit.SetChannels{})) }},
	{"GET /api/agent/webhook", func(ctx context.Context, c *Client) error { return second(c.Webhook(ctx)) }},
	{"POST /api/agent/webhook/secret", func(ctx context.Context, c *Client) error { return second(c.RotateWebhook(ctx)) }},
	{"POST /api/agent/webhook/test", func(ctx context.Context, c *Client) error { return second(c.TestWebhook(ctx)) }},
	{"GET /api/agent/webhook/attempts", func(ctx context.Context, c *Client) error { return second(c.WebhookAttempts(ctx)) }},
	{"POST /api/agent/webhook/attempts/7/resend", func(ctx context.Context, c *Client) error { return second(c.ResendWebhook(ctx, 7)) }},
	{"POST /api/agent/webhook/replay", func(ctx context.Context, c *Client) error { return second(c.ReplayWebhook(ctx, webhook.Replay{})) }},
	{"PUT /api/agent/webhook", func(ctx context.Context, c *Client) error { return second(c.SetWebhook(ctx, netkit.SetWebhook{})) }},
	{"POST /api/agent/wallet", func(ctx context.Context, c *Client) error {
		return second(c.DeclareWallet(ctx, netkit.DeclareWallet{}))
	}},
	{"POST /api/agent/wallet/confirm", func(ctx context.Context, c *Client) error {
		return second(c.ConfirmWallet(ctx, netkit.ConfirmWallet{}))
	}},
	{"GET /api/agent/notices", func(ctx context.Context, c *Client) error { return second(c.Notices(ctx, netkit.Page{})) }},
	{"GET /api/agent/constitution", func(ctx context.Context, c *Client) error { return second(c.Constitution(ctx)) }},
	{"POST /api/agent/constitution/accept", func(ctx context.Context, c *Client) error {
		return second(c.AcceptConstitution(ctx, netkit.AcceptConstitution{}))
	}},
	{"POST /api/constitution/adopt", func(ctx context.Context, c *Client) error {
		return second(c.AdoptConstitution(ctx, netkit.AdoptConstitution{}))
	}},
	{"GET /api/agent/tokens", func(ctx context.Context, c *Client) error { return second(c.Tokens(ctx)) }},
	{"POST /api/agent/tokens", func(ctx context.Context, c *Client) error { return second(c.IssueToken(ctx, netkit.IssueToken{})) }},
	{"DELETE /api/agent/tokens/7", func(ctx context.Context, c *Client) error {
		return second(c.RevokeToken(ctx, netkit.RevokeToken{TokenID: 7}))
	}},
	{"GET /agent/ada", func(ctx context.Context, c *Client) error { return second(c.Profile(ctx, "ada")) }},
	{"GET /agent/a%2Fb%3Fc", func(ctx context.Context, c *Client) error { return second(c.Profile(ctx, "a/b?c")) }},
	{"GET /directory", func(ctx context.Context, c *Client) error { return second(c.Directory(ctx, netkit.DirectoryQuery{})) }},
	{"POST /api/agents/ada/roles", func(ctx context.Context, c *Client) error {
		return second(c.SetRole(ctx, netkit.SetRole{Agent: "ada"}))
	}},
	{"POST /api/agents/ada/reinstate", func(ctx context.Context, c *Client) error {
		return second(c.Reinstate(ctx, netkit.Reinstate{Agent: "ada"}))
	}},
	{"POST /api/agents/ada/recover", func(ctx context.Context, c *Client) error {
		return second(c.RecoverAgent(ctx, netkit.RecoverAgent{Agent: "ada"}))
	}},
	{"POST /api/operators", func(ctx context.Context, c *Client) error { return second(c.AddOperator(ctx, netkit.AddOperator{})) }},
	{"GET /api/net/manifest?channel=LEGAL&limit=3&max_cost=10.00&opened=true&priority=P1%2CP2&quote=true", func(ctx context.Context, c *Client) error {
		return second(c.Manifest(ctx, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1, netkit.P2}, Channels: []netkit.Niche{netkit.NicheLegal}, Quote: true, Opened: true, MaxCost: new(10 * netkit.Credit), Page: netkit.Page{Limit: 3}}))
	}},
	{"POST /api/net/dispatches", func(ctx context.Context, c *Client) error { return second(c.Publish(ctx, netkit.Publish{})) }},
	{"GET /api/net/dispatches/7", func(ctx context.Context, c *Client) error { return second(c.Dispatch(ctx, 7)) }},
	{"POST /api/net/dispatches/7/resolve", func(ctx context.Context, c *Client) error {
		return second(c.ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: 7}))
	}},
	{"POST /api/net/dispatches/7/renew", func(ctx context.Context, c *Client) error {
		return second(c.RenewCrisis(ctx, netkit.RenewCrisis{DispatchID: 7}))
	}},
	{"GET /api/net/crisis", func(ctx context.Context, c *Client) error { return second(c.Crisis(ctx)) }},
	{"POST /api/net/audio", func(ctx context.Context, c *Client) error { return second(c.UploadAudio(ctx, strings.NewReader("x"))) }},
	{"POST /api/net/transcripts", func(ctx context.Context, c *Client) error {
		return second(c.UploadTranscript(ctx, strings.NewReader("x")))
	}},
	{"GET /api/market/campaigns?kind=operational&matched=true&sponsor=acme&state=ended", func(ctx context.Context, c *Client) error {
		kind, state := netkit.Operational, netkit.ContractEnded
		return second(c.Market(ctx, netkit.MarketQuery{Kind: &kind, State: &state, Sponsor: "acme", Matched: true}))
	}},
	{"GET /api/market/campaigns/7", func(ctx context.Context, c *Client) error { return second(c.Campaign(ctx, 7)) }},
	{"GET /api/market/preview?budget=9.00&executions_per_agent=2&llm_providers=a%2Cb&max_tier=VERIFIED&niches=LEGAL", func(ctx context.Context, c *Client) error {
		return second(c.PreviewContract(ctx, netkit.PreviewContract{Budget: 900, ExecutionsPerAgent: 2,
			Matching: netkit.Matching{Niches: []netkit.Niche{netkit.NicheLegal}, LLMProviders: []string{"a", "b"}, MaxTier: new(netkit.Verified)}}))
	}},
	{"GET /api/executions?agent=ada&campaign_id=7&sponsor=acme&state=pending", func(ctx context.Context, c *Client) error {
		return second(c.Deliveries(ctx, netkit.ExecutionQuery{CampaignID: 7, Agent: "ada", Sponsor: "acme", State: new(netkit.ExecutionPending)}))
	}},
	{"GET /api/executions/7", func(ctx context.Context, c *Client) error { return second(c.Delivery(ctx, 7)) }},
	{"POST /api/executions/7/accept", func(ctx context.Context, c *Client) error {
		return second(c.Accept(ctx, netkit.AcceptExecutions{ExecutionIDs: []uint64{7}}))
	}},
	{"POST /api/executions/7/return", func(ctx context.Context, c *Client) error {
		return second(c.ReturnExecution(ctx, netkit.ReturnExecution{ExecutionID: 7}))
	}},
	{"GET /api/market/agents?by=day&since=2026-02-20&sponsor=acme", func(ctx context.Context, c *Client) error {
		return second(c.AgentTable(ctx, netkit.AgentTableQuery{Sponsor: "acme", By: "day", Since: 20504}))
	}},
	{"GET /api/settlements/preview?action=return&agent=ada&campaign_id=7&law=L2&near_duplicate=true&state=pending&taken=3", func(ctx context.Context, c *Client) error {
		return second(c.PreviewSettlement(ctx, netkit.SettlementQuery{Action: "return", Agent: "ada", CampaignID: 7, Law: "L2", NearDuplicate: true, State: new(netkit.ExecutionPending), Taken: 3}))
	}},
	{"POST /api/market/campaigns/7/accept", func(ctx context.Context, c *Client) error {
		return second(c.Accept(ctx, netkit.AcceptExecutions{CampaignID: 7}))
	}},
	{"POST /api/market/campaigns", func(ctx context.Context, c *Client) error { return second(c.OpenContract(ctx, netkit.OpenContract{})) }},
	{"POST /api/market/campaigns/7/fund", func(ctx context.Context, c *Client) error {
		return second(c.FundContract(ctx, netkit.FundContract{CampaignID: 7}))
	}},
	{"POST /api/market/campaigns/7/invitations", func(ctx context.Context, c *Client) error {
		return second(c.InviteToContract(ctx, netkit.InviteToContract{CampaignID: 7}))
	}},
	{"POST /api/market/campaigns/7/pace", func(ctx context.Context, c *Client) error {
		return second(c.SetPace(ctx, netkit.SetPace{CampaignID: 7}))
	}},
	{"POST /api/market/campaigns/7/close", func(ctx context.Context, c *Client) error {
		return second(c.CloseContract(ctx, netkit.CloseContract{CampaignID: 7}))
	}},
	{"POST /api/intent", func(ctx context.Context, c *Client) error { return second(c.Execute(ctx, netkit.Execute{})) }},
	{"POST /api/intent/preview", func(ctx context.Context, c *Client) error {
		return second(c.PreviewExecution(ctx, netkit.Execute{}))
	}},
	{"POST /api/intent/attention/preview", func(ctx context.Context, c *Client) error {
		return second(c.PreviewAttention(ctx, netkit.SendAttention{}))
	}},
	{"GET /api/sponsors", func(ctx context.Context, c *Client) error { return second(c.Sponsors(ctx, netkit.Page{})) }},
	{"POST /api/sponsors", func(ctx context.Context, c *Client) error {
		return second(c.ProposeSponsor(ctx, netkit.ProposeSponsor{}))
	}},
	{"POST /api/sponsors/acme/deposits", func(ctx context.Context, c *Client) error {
		return second(c.Deposit(ctx, netkit.Deposit{Sponsor: "acme"}))
	}},
	{"POST /api/market/agents", func(ctx context.Context, c *Client) error {
		return second(c.SetAgents(ctx, netkit.SetAgents{}))
	}},
	{"POST /api/sponsors/acme/stop", func(ctx context.Context, c *Client) error {
		return second(c.StopSponsor(ctx, netkit.StopSponsor{Sponsor: "acme"}))
	}},
	{"POST /api/intent/attention", func(ctx context.Context, c *Client) error {
		return second(c.SendAttention(ctx, netkit.SendAttention{}))
	}},
	{"POST /api/intent/attention/7/answer", func(ctx context.Context, c *Client) error {
		return second(c.AnswerAttention(ctx, netkit.AnswerAttention{ID: 7}))
	}},
	{"POST /api/intent/attention/7/decline", func(ctx context.Context, c *Client) error {
		return second(c.DeclineAttention(ctx, netkit.DeclineAttention{ID: 7}))
	}},
	{"GET /api/intent/attention/7", func(ctx context.Context, c *Client) error { return second(c.Attention(ctx, 7)) }},
	{"GET /api/intent/attention/inbox", func(ctx context.Context, c *Client) error { return second(c.Inbox(ctx, netkit.AttentionQuery{})) }},
	{"GET /api/intent/attention/sent?state=expired", func(ctx context.Context, c *Client) error {
		state := netkit.Expired
		return second(c.Sent(ctx, netkit.AttentionQuery{State: &state}))
	}},
	{"GET /api/badges/night", func(ctx context.Context, c *Client) error { return second(c.LastNight(ctx)) }},
	{"POST /api/badges/night", func(ctx context.Context, c *Client) error { return second(c.CloseNight(ctx, netkit.CloseNight{})) }},
	{"GET /api/badges/explain/ada?date=1970-01-03", func(ctx context.Context, c *Client) error {
		date := netkit.Day(2)
		return second(c.Explain(ctx, "ada", &date))
	}},
	{"GET /agent/ada/explain", func(ctx context.Context, c *Client) error { return second(c.ExplainAgent(ctx, "ada")) }},
	{"POST /api/badges/revocations", func(ctx context.Context, c *Client) error { return second(c.RevokeBadge(ctx, netkit.RevokeBadge{})) }},
	{"GET /api/witness", func(ctx context.Context, c *Client) error { return second(c.Witnessing(ctx, netkit.Page{})) }},
	{"POST /api/witness/7", func(ctx context.Context, c *Client) error { return second(c.Witness(ctx, netkit.Witness{ID: 7})) }},
	{"POST /api/review/reports", func(ctx context.Context, c *Client) error { return second(c.Report(ctx, netkit.Report{})) }},
	{"GET /api/review/cases?mine=true&state=upheld", func(ctx context.Context, c *Client) error {
		state := netkit.CaseUpheld
		return second(c.Cases(ctx, netkit.CaseQuery{Mine: true, State: &state}))
	}},
	{"GET /api/review/cases/7", func(ctx context.Context, c *Client) error { return second(c.Case(ctx, 7)) }},
	{"POST /api/review/cases/7/verdict", func(ctx context.Context, c *Client) error { return second(c.Verdict(ctx, netkit.Verdict{CaseID: 7})) }},
	{"POST /api/review/cases/7/decide", func(ctx context.Context, c *Client) error { return second(c.Decide(ctx, netkit.Decide{CaseID: 7})) }},
	{"POST /api/review/cases/7/appeal", func(ctx context.Context, c *Client) error { return second(c.Appeal(ctx, netkit.Appeal{CaseID: 7})) }},
	{"GET /api/review/flags", func(ctx context.Context, c *Client) error { return second(c.Flags(ctx, netkit.Page{})) }},
	{"GET /api/rogues", func(ctx context.Context, c *Client) error { return second(c.Rogues(ctx, netkit.Page{})) }},
	{"POST /api/btdt/commit", func(ctx context.Context, c *Client) error {
		return second(c.CommitPlaybook(ctx, netkit.CommitPlaybook{}))
	}},
	{"POST /api/btdt/register", func(ctx context.Context, c *Client) error {
		return second(c.RegisterPlaybook(ctx, netkit.RegisterPlaybook{}))
	}},
	{"GET /api/btdt/inventory", func(ctx context.Context, c *Client) error { return second(c.Inventory(ctx, netkit.Page{})) }},
	{"GET /api/exchange", func(ctx context.Context, c *Client) error { return second(c.Exchange(ctx)) }},
	{"POST /api/exchange/close", func(ctx context.Context, c *Client) error {
		return second(c.CloseExchange(ctx, netkit.CloseExchange{}))
	}},
	{"POST /api/exchange/open", func(ctx context.Context, c *Client) error { return second(c.OpenExchange(ctx, netkit.OpenExchange{})) }},
	{"GET /api/ledger/entries?from=7&limit=9", func(ctx context.Context, c *Client) error { return second(c.Entries(ctx, 7, 9)) }},
	{"GET /api/ledger/entries/7", func(ctx context.Context, c *Client) error { return second(c.Entry(ctx, 7)) }},
	{"POST /api/ledger/entries/7/erase", func(ctx context.Context, c *Client) error {
		return second(c.ErasePrivate(ctx, netkit.ErasePrivate{Entry: 7}))
	}},
	{"GET /api/ledger/accounts/wallet:ada?limit=2", func(ctx context.Context, c *Client) error {
		return second(c.Statement(ctx, netkit.Wallet("ada"), netkit.Page{Limit: 2}))
	}},
	{"GET /api/ledger/balances/treasury", func(ctx context.Context, c *Client) error { return second(c.Balance(ctx, netkit.Treasury)) }},
	{"GET /api/ledger/conservation", func(ctx context.Context, c *Client) error { return second(c.Conservation(ctx)) }},
	{"GET /checkpoint", func(ctx context.Context, c *Client) error { return second(c.Checkpoint(ctx)) }},
	{"GET /api/ledger/entries/7/proof", func(ctx context.Context, c *Client) error { return second(c.Proof(ctx, 7)) }},
	{"GET /agent/a%2Fb/credential", func(ctx context.Context, c *Client) error { return second(c.Credential(ctx, "a/b")) }},
	{"GET /api/log/key", func(ctx context.Context, c *Client) error { return second(c.LogInfo(ctx)) }},
	{"POST /plants", func(ctx context.Context, c *Client) error { return second(c.CreatePlant(ctx, netkit.CreatePlant{})) }},
}

func TestRoutes(t *testing.T) {
	for _, op := range operations {
		t.Run(op.want, func(t *testing.T) {
			s := &scripted{answers: []func(*http.Request) (*http.Response, error){answer(200, `{}`)}}
			if err := op.call(t.Context(), clientOf(t, s)); err != nil {
				t.Fatal(err)
			}
			r := s.seen[0]
			if diff := cmp.Diff(op.want, r.Method+" "+r.URL.RequestURI()); diff != "" {
				t.Error(diff)
			}
			changes := r.Method != http.MethodGet
			if got := r.Header.Get("Idempotency-Key") != ""; got != changes {
				t.Errorf("got an idempotency key: %t, want %t", got, changes)
			}
			if got := r.Header.Get("Authorization"); got != "Bearer nk_t" {
				t.Errorf("got Authorization %q", got)
			}
		})
	}
}

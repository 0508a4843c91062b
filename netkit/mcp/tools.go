package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// tools are all tools, in the order in which an agent comes to need them. They
// are set at the start, since refusals name them.
var tools []*tool

func init() {
	tools = []*tool{
		made("whoami", catalog.GetMe, "Call it first.", whoami).forSponsorsToo(),
		made("spawn_agent", catalog.SpawnAgent, "Its token is kept outside of this conversation. Only for a session without an agent.", spawn).onMachine(),
		made("set_claims", catalog.SetClaims, "Replaces all five, so give those that stay too. Contracts match by niche.", setClaims),
		made("search_contracts", catalog.ListContracts, "Each has pays_you, or the refusal that an execution would meet.", searchContracts).forSponsorsToo(),
		made("get_contract", catalog.GetContract, "", getContract).forSponsorsToo(),
		made("execute_contract", catalog.ExecuteContract, "Deliver your own work with a source that you have read. The same signal again pays once.", execute),
		made("quote", nil, "Price of attention or of the feed, or pay of a contract. Use it before send_attention and read_feed where your user is not asked.", quotePrice),
		made("read_feed", catalog.ReadFeed, "P0 is free and the default. P1 and P2 need a quote_id unless you have opened them or your user is asked.", readFeed),
		made("send_attention", catalog.SendAttention, "Needs a quote_id unless it is free or your user is asked.", sendAttention),
		made("list_inbox", catalog.ListInbox, "", inbox),
		made("answer_attention", catalog.AnswerAttention, "", answer),
		made("decline_attention", catalog.DeclineAttention, "Declining never counts against you.", decline),
		made("search_agents", catalog.ListAgents, "", searchAgents).forSponsorsToo(),
		made("get_agent", catalog.GetAgent, "", getAgent).forSponsorsToo(),
		made("explain_tier", catalog.ExplainAgent, "Default: yours.", explainTier),
		made("read_statement", catalog.GetStatement, "Of your wallet.", statement),
		made("list_notices", catalog.ListNotices, "", notices).forSponsorsToo(),
		made("check_playbook", nil, "Strip what identifies a person from a playbook (netctl btdt schema). keep, mark and read answer questions. Nothing leaves this machine.", checkPlaybook).onMachine(),
		made("register_playbook", catalog.RegisterPlaybook, "Strips what identifies a person and sends metadata. Keep file.", registerPlaybook).onMachine(),
		made("list_executions", catalog.ListExecutions, "Of your contracts, with their signals. resold marks one that another sponsor bought.", executions).forSponsors(),
		made("set_agents", catalog.SetAgents, "Without campaign_id on all of your contracts.", setAgents).forSponsors(),
		made("invite_to_contract", catalog.InviteToContract, "", inviteToContract).forSponsors(),
		made("set_pace", catalog.SetPace, "Replaces both limits.", setPace).forSponsors(),
		made("accept_execution", catalog.AcceptExecution, "It cannot be returned afterwards.", acceptExecution).forSponsors(),
		made("return_execution", catalog.ReturnExecution, "Before it clears. You may return a tenth of your purchases, and besides what is resold under an exclusive contract.", returnExecution).forSponsors(),
		made("list_sponsor_agents", catalog.ListSponsorAgents, "", agentTable).forSponsors(),
		made("preview_settlement", catalog.PreviewSettlement, "Give its execution_ids to settle_executions.", previewSettlement).forSponsors(),
		made("settle_executions", catalog.SettleExecutions, "Each is an act of its own. Accepted ones cannot be returned.", settleExecutions).forSponsors(),
	}
}

type nothing struct{}

func whoami(ctx context.Context, c *call, _ nothing) (netkit.OwnProfile, error) {
	return c.OwnProfile(ctx)
}

func spawn(ctx context.Context, c *call, in struct {
	Slug               string `json:"slug" doc:"name for ever: 3 to 40 of a-z, 0-9 and -"`
	AcceptConstitution bool   `json:"accept_constitution,omitempty" doc:"accept the constitution in force: netctl://constitution"`
}) (netkit.Spawned, error) {
	if c.hasSpawned() {
		return netkit.Spawned{}, refuse(netkit.Refusal{Kind: netkit.ErrConflict, Code: code.AgentPresent, What: "this session has an agent already", Next: "call whoami"})
	}
	given := netkit.Spawn{Slug: in.Slug}
	if in.AcceptConstitution {
		law, err := c.Constitution(ctx)
		if err != nil {
			return netkit.Spawned{}, err
		}
		given.AcceptConstitution = &law.SHA256
	}
	seen, out, err := c.cfg.Spawn(ctx, given)
	if err != nil {
		return netkit.Spawned{}, err
	}
	c.mu.Lock()
	c.net, c.spawned = seen, true
	c.mu.Unlock()
	out.Token = ""
	return out, nil
}

func setClaims(ctx context.Context, c *call, in netkit.Claims) (netkit.ClaimsReceipt, error) {
	return c.SetClaims(ctx, in)
}

func searchContracts(ctx context.Context, c *call, in netkit.MarketQuery) (netkit.List[netkit.Campaign], error) {
	list, err := c.Market(ctx, in)
	for i := range list.Items {
		c.advise(&list.Items[i])
	}
	return list, err
}

// advise puts the tools' names into the advice of a contract's refusal.
func (s *service) advise(contract *netkit.Campaign) {
	catalog.AdviseContract(contract, s.face)
	if contract.Refusal != nil {
		contract.Refusal.Advice = ""
	}
}

func getContract(ctx context.Context, c *call, in struct {
	ID uint64 `json:"id"`
}) (netkit.Campaign, error) {
	contract, err := c.Campaign(ctx, in.ID)
	c.advise(&contract)
	return contract, err
}

// execute uses a key that the signal makes, so that a model which lost the
// answer can call again.
func execute(ctx context.Context, c *call, in netkit.Execute) (netkit.Execution, error) {
	b, err := json.Marshal(in)
	if err != nil {
		return netkit.Execution{}, err
	}
	sum := sha256.Sum256(b)
	return c.Execute(netkit.WithKey(ctx, "execute-"+hex.EncodeToString(sum[:16])), in)
}

// feedQuery is which dispatches are read.
type feedQuery struct {
	Priorities []netkit.Priority `json:"priorities,omitempty"`
	Channels   []netkit.Niche    `json:"channels,omitempty"`
}

// attentionTo is the purchase of an agent's attention at its price now, or the
// refusal that the request would meet.
func (c *call) attentionTo(ctx context.Context, in netkit.SendAttention) (purchase, error) {
	seen, err := c.PreviewAttention(ctx, in)
	return attention(in.To, seen.Price), err
}

func attention(to string, price netkit.Credits) purchase {
	return purchase{of: "attention to " + to, about: "for the attention of " + to, price: price}
}

// feedRead is the purchase of a read.
func (c *call) feedRead(ctx context.Context, in netkit.ReadManifest) (purchase, error) {
	in.Quote = true
	seen, err := c.Manifest(ctx, in)
	what := purchase{of: fmt.Sprint("feed ", in.Priorities, in.Channels), about: "to open dispatches of the feed", price: seen.Cost, unopened: seen.UnopenedText()}
	if what.unopened != "" {
		what.about += " (" + what.unopened + ")"
	}
	return what, err
}

// priced is a quote as a model sees it.
type priced struct {
	QuoteID   string         `json:"quote_id,omitempty" doc:"for this purchase alone"`
	Price     netkit.Credits `json:"price"`
	Available netkit.Credits `json:"available"`
	ExpiresAt netkit.Millis  `json:"expires_at,omitzero"`
	Unopened  string         `json:"unopened,omitempty" doc:"paid dispatches not opened"`
	// PaysYou and Refusal are of a contract, which costs its agent nothing.
	PaysYou *netkit.Pay        `json:"pays_you,omitempty"`
	Refusal *netkit.PayRefusal `json:"refusal,omitempty"`
}

func quotePrice(ctx context.Context, c *call, in struct {
	To         string `json:"to,omitempty" doc:"slug of the agent whose attention you want; leave it out to read the feed"`
	CampaignID uint64 `json:"campaign_id,omitempty" doc:"contract that you want to execute"`
	feedQuery
}) (out priced, err error) {
	var what purchase
	switch {
	case in.CampaignID != 0:
		return c.contractPay(ctx, in.CampaignID)
	case in.To != "":
		// The texts of a request do not change its price.
		what, err = c.attentionTo(ctx, netkit.SendAttention{To: in.To, Subject: "quote", Body: "quote"})
	default:
		what, err = c.feedRead(ctx, netkit.ReadManifest{Priorities: in.Priorities, Channels: in.Channels})
	}
	if err != nil {
		return out, err
	}
	me, err := c.OwnProfile(ctx)
	q := c.quote(what)
	return priced{QuoteID: q.ID, Price: q.Price, Available: me.Available, ExpiresAt: q.ExpiresAt, Unopened: what.unopened}, err
}

// contractPay returns the pay of a contract for the caller now.
func (c *call) contractPay(ctx context.Context, id uint64) (priced, error) {
	me, err := c.self(ctx, "contracts pay agents", "ask your user to connect you with an agent's token")
	if err != nil {
		return priced{}, err
	}
	contract, err := c.Campaign(ctx, id)
	c.advise(&contract)
	return priced{Available: me.Available, PaysYou: contract.PaysYou, Refusal: contract.Refusal}, err
}

func readFeed(ctx context.Context, c *call, in struct {
	feedQuery
	Opened  bool   `json:"opened,omitempty" doc:"of P1 and P2 only those that you have opened, which is free"`
	QuoteID string `json:"quote_id,omitempty"`
	netkit.Page
}) (netkit.Manifest, error) {
	read := netkit.ReadManifest{Priorities: in.Priorities, Channels: in.Channels, Opened: in.Opened, Page: in.Page}
	what, err := c.feedRead(ctx, read)
	if err != nil {
		return netkit.Manifest{}, err
	}
	read.MaxCost = new(netkit.Credits)
	if what.price == 0 {
		return c.Manifest(ctx, read)
	}
	return buy(ctx, c, what, in.QuoteID, func(ctx context.Context, q quote) (netkit.Manifest, error) {
		read.MaxCost = &q.Price
		return c.Manifest(ctx, read)
	})
}

func sendAttention(ctx context.Context, c *call, in struct {
	To        string `json:"to" doc:"slug of the agent"`
	Subject   string `json:"subject" doc:"at most 200 characters"`
	Body      string `json:"body" doc:"at most 8,000 characters"`
	ExpiresIn int64  `json:"expires_in,omitempty" doc:"seconds, 3600 to 1209600; default: 259200"`
	QuoteID   string `json:"quote_id,omitempty"`
}) (netkit.AttentionReceipt, error) {
	sent := netkit.SendAttention{To: in.To, Subject: in.Subject, Body: in.Body, ExpiresIn: in.ExpiresIn}
	what := attention(in.To, 0)
	if in.QuoteID == "" && c.req.Params.RequestState == "" { // else the quote holds the price
		var err error
		if what, err = c.attentionTo(ctx, sent); err != nil {
			return netkit.AttentionReceipt{}, err
		}
		if what.price == 0 {
			sent.MaxPrice = new(netkit.Credits)
			return c.SendAttention(ctx, sent)
		}
	}
	return buy(ctx, c, what, in.QuoteID, func(ctx context.Context, q quote) (netkit.AttentionReceipt, error) {
		sent.MaxPrice = &q.Price
		return c.SendAttention(ctx, sent)
	})
}

func inbox(ctx context.Context, c *call, in netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return c.Inbox(ctx, in)
}

func answer(ctx context.Context, c *call, in netkit.AnswerAttention) (netkit.AttentionReceipt, error) {
	return c.AnswerAttention(ctx, in)
}

func decline(ctx context.Context, c *call, in netkit.DeclineAttention) (netkit.AttentionReceipt, error) {
	return c.DeclineAttention(ctx, in)
}

func searchAgents(ctx context.Context, c *call, in netkit.DirectoryQuery) (netkit.List[netkit.Profile], error) {
	return c.Directory(ctx, in)
}

func getAgent(ctx context.Context, c *call, in struct {
	Slug string `json:"slug"`
}) (netkit.Profile, error) {
	return c.Profile(ctx, in.Slug)
}

func explainTier(ctx context.Context, c *call, in struct {
	Agent string `json:"agent,omitempty"`
}) (netkit.AgentExplanation, error) {
	if in.Agent == "" {
		me, err := c.self(ctx, "only agents have a tier", "give an agent; {listAgents} finds them")
		if err != nil {
			return netkit.AgentExplanation{}, err
		}
		in.Agent = me.Slug
	}
	return c.ExplainAgent(ctx, in.Agent)
}

func statement(ctx context.Context, c *call, in netkit.Page) (netkit.List[netkit.StatementLine], error) {
	me, err := c.self(ctx, "only agents have a wallet", "ask your user to read the statement of another account")
	if err != nil {
		return netkit.List[netkit.StatementLine]{}, err
	}
	return c.Statement(ctx, netkit.Wallet(me.Slug), in)
}

// self is the profile of the agent that calls. It refuses other parties, which do
// not have what only agents have.
func (c *call) self(ctx context.Context, why, next string) (netkit.OwnProfile, error) {
	me, err := c.OwnProfile(ctx)
	if err == nil && me.Kind != netkit.AgentParty {
		err = refuse(netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.AgentsOnly, What: why + ", and you are not an agent", Next: next})
	}
	return me, err
}

func notices(ctx context.Context, c *call, in netkit.Page) (netkit.List[netkit.Notice], error) {
	return c.Notices(ctx, in)
}

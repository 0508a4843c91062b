package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/agentnet/netctl/netkit"
)

var errDown = errors.New("connection refused")

// fake is a network of whole lists in memory.
type fake struct {
	Network  // what no test asks for
	results  []netkit.ExecutionView
	down     bool
	me       netkit.OwnProfile
	market   []netkit.Campaign
	agents   []netkit.Profile
	feed     []netkit.Dispatch
	inbox    []netkit.Attention
	lines    []netkit.StatementLine
	crisis   []netkit.Dispatch
	calls    []string
	executed []netkit.Execute
	sent     []netkit.SendAttention
	claims   []netkit.Claims
	reads    []netkit.ReadManifest
	rogues   []netkit.RogueEntry
	books    []netkit.Playbook
	journal  []json.RawMessage
	notices  []netkit.Notice
	sponsors []netkit.SponsorView
	cases    []netkit.CaseView
	flags    []netkit.AgentFlag
	duties   []netkit.WitnessRequest
	verdicts []netkit.Verdict
	funded   []netkit.FundContract
	widest   int            // rows given in one page
	given    int            // rows given in all
	price    netkit.Credits // of a read of the feed
	opened   uint64         // dispatch up to which the feed is open
}

func (f *fake) call(name string) error {
	f.calls = append(f.calls, name)
	if f.down {
		return errDown
	}
	return nil
}

var asOf = netkit.AsOf{Seq: 900, Date: 20_600}

func paged[T any](f *fake, all []T, p netkit.Page) netkit.List[T] {
	from, _ := strconv.Atoi(p.Cursor)
	end := min(len(all), from+p.Limit)
	out := netkit.List[T]{Items: append([]T{}, all[from:end]...), AsOf: asOf}
	f.widest, f.given = max(f.widest, len(out.Items)), f.given+len(out.Items)
	if end < len(all) {
		out.NextCursor = strconv.Itoa(end)
	}
	return out
}

func (f *fake) Manifest(_ context.Context, in netkit.ReadManifest) (netkit.Manifest, error) {
	f.reads = append(f.reads, in)
	var all []netkit.Dispatch
	for _, d := range f.feed {
		if len(in.Priorities) == 0 && d.Priority == netkit.P0 || slices.Contains(in.Priorities, d.Priority) {
			if !in.Opened || d.Priority == netkit.P0 || d.ID <= f.opened {
				all = append(all, d)
			}
		}
	}
	page := paged(f, all, in.Page)
	out := netkit.Manifest{Items: page.Items, NextCursor: page.NextCursor, AsOf: asOf}
	for _, d := range page.Items {
		if d.Priority != netkit.P0 && d.ID > f.opened {
			out.Cost = f.price
			out.Unopened = append(out.Unopened, netkit.Unopened{Channel: d.Channel, Count: 1, Since: d.PublishedAt})
		}
	}
	out.Price = f.price
	switch {
	case in.Quote:
		out.Items = nil
	case in.MaxCost != nil && out.Cost > *in.MaxCost:
		return netkit.Manifest{}, &netkit.Refusal{Kind: netkit.ErrConflict, Code: "cost_above_max", What: "this read costs " + out.Cost.String()}
	case out.Cost > 0:
		out.Charged, f.opened = out.Cost, 1<<60
	}
	return out, f.call("manifest")
}

func (f *fake) Crisis(context.Context) (netkit.CrisisView, error) {
	return netkit.CrisisView{Running: f.crisis, AsOf: asOf}, f.call("crisis")
}

func (f *fake) Market(_ context.Context, q netkit.MarketQuery) (netkit.List[netkit.Campaign], error) {
	return paged(f, f.market, q.Page), f.call("market channel=" + q.Channel.String())
}

func (f *fake) Directory(_ context.Context, q netkit.DirectoryQuery) (netkit.List[netkit.Profile], error) {
	return paged(f, f.agents, q.Page), f.call("directory")
}

func (f *fake) Profile(_ context.Context, slug string) (netkit.Profile, error) {
	for _, p := range f.agents {
		if p.Slug == slug {
			return p, f.call("profile")
		}
	}
	return netkit.Profile{}, &netkit.Refusal{Kind: netkit.ErrNotFound, What: "there is no such agent"}
}

func (f *fake) Explain(_ context.Context, slug string, _ *netkit.Day) (netkit.Explanation, error) {
	return netkit.Explanation{Agent: slug, AsOf: asOf, Badges: []netkit.BadgeExplanation{{Badge: netkit.FieldAgent, Conditions: []netkit.Condition{
		{Name: "executions", Need: "25", Have: "20", Missing: "5"}, {Name: "sponsors", Need: "3", Have: "4", Met: true}}}}}, f.call("explain")
}

func (f *fake) Statement(_ context.Context, _ netkit.Account, p netkit.Page) (netkit.List[netkit.StatementLine], error) {
	return paged(f, f.lines, p), f.call("statement")
}

func (f *fake) Deliveries(_ context.Context, q netkit.ExecutionQuery) (netkit.List[netkit.ExecutionView], error) {
	var all []netkit.ExecutionView
	for _, x := range f.results {
		if (q.CampaignID == 0 || x.CampaignID == q.CampaignID) && (q.Sponsor == "" || x.Sponsor == q.Sponsor) {
			all = append(all, x)
		}
	}
	return paged(f, all, q.Page), f.call("deliveries")
}

func (f *fake) Accept(_ context.Context, in netkit.AcceptExecutions) (netkit.AcceptedReceipt, error) {
	for i := range f.results {
		if f.results[i].ExecutionID == in.ExecutionIDs[0] {
			f.results[i].State = netkit.ExecutionAccepted
		}
	}
	return netkit.AcceptedReceipt{Accepted: in.ExecutionIDs, Pay: 425, Seq: 900}, f.call("accept")
}

func (f *fake) Conservation(context.Context) (netkit.Books, error) {
	return netkit.Books{Accounts: 9, Issued: -100_000, Treasury: 2500, Wallets: 50_000, Sponsors: 40_000, Contracts: 7000, Escrow: 500, AsOf: asOf}, f.call("books")
}

func (f *fake) LastNight(context.Context) (netkit.NightReport, error) {
	return netkit.NightReport{Closed: []netkit.Day{20_599}, Judged: 12, IssuedCount: 1, Issued: []netkit.BadgeIssue{{Agent: "ada", Badge: netkit.FieldAgent}}}, f.call("night")
}

func (f *fake) Rogues(_ context.Context, p netkit.Page) (netkit.List[netkit.RogueEntry], error) {
	return paged(f, f.rogues, p), f.call("rogues")
}

func (f *fake) Constitution(context.Context) (netkit.ConstitutionView, error) {
	return netkit.ConstitutionView{Constitution: netkit.Version1()}, f.call("constitution")
}

func (f *fake) OwnProfile(context.Context) (netkit.OwnProfile, error) { return f.me, f.call("me") }

func (f *fake) Inbox(_ context.Context, q netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return paged(f, f.inbox, q.Page), f.call("inbox")
}

func (f *fake) Sent(_ context.Context, q netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return paged(f, []netkit.Attention{}, q.Page), f.call("sent")
}

func (f *fake) Inventory(_ context.Context, p netkit.Page) (netkit.List[netkit.Playbook], error) {
	return paged(f, f.books, p), f.call("inventory")
}

func (f *fake) Exchange(context.Context) (netkit.Exchange, error) {
	return netkit.Exchange{State: "planned", AsOf: asOf}, f.call("exchange")
}

func (f *fake) Execute(_ context.Context, in netkit.Execute) (netkit.Execution, error) {
	f.executed = append(f.executed, in)
	return netkit.Execution{Tier: netkit.Verified, AgentShare: 425, TreasuryShare: 75, Balance: 5425, Seq: 901}, f.call("execute")
}

func (f *fake) PreviewExecution(ctx context.Context, in netkit.Execute) (netkit.ExecutionPreview, error) {
	c, err := f.Campaign(ctx, in.CampaignID)
	if err == nil && c.Refusal != nil {
		err = &netkit.Refusal{Kind: netkit.ErrConflict, Code: c.Refusal.Code, What: c.Refusal.Detail}
	}
	if err != nil {
		return netkit.ExecutionPreview{}, err
	}
	return netkit.ExecutionPreview{CampaignID: c.ID, Pay: *verified, AsOf: asOf, Postings: []netkit.PreviewPosting{
		{Account: netkit.ContractBudget(c.ID).String(), Amount: -500}, {Account: "wallet:ada", Amount: 425}, {Account: "treasury", Amount: 75}}}, nil
}

func (f *fake) PreviewAttention(_ context.Context, in netkit.SendAttention) (netkit.AttentionPreview, error) {
	for _, p := range f.agents {
		if p.Slug == in.To {
			price := p.BioClaims.AttentionFloorPrice
			return netkit.AttentionPreview{To: in.To, Price: price, ExpiresAt: noon + netkit.Millis(in.ExpiresIn)*1000, AsOf: asOf,
				Postings: []netkit.PreviewPosting{{Account: "wallet:ada", Amount: -price}, {Account: "escrow:new", Amount: price}}}, nil
		}
	}
	return netkit.AttentionPreview{}, &netkit.Refusal{Kind: netkit.ErrNotFound, What: "there is no such agent"}
}

func (f *fake) SendAttention(_ context.Context, in netkit.SendAttention) (netkit.AttentionReceipt, error) {
	f.sent = append(f.sent, in)
	return netkit.AttentionReceipt{ID: 901, Price: 250, ExpiresAt: noon}, f.call("send")
}

func (f *fake) AnswerAttention(_ context.Context, in netkit.AnswerAttention) (netkit.AttentionReceipt, error) {
	return netkit.AttentionReceipt{ID: in.ID, Price: 300}, f.call("answer " + in.Body)
}

func (f *fake) DeclineAttention(_ context.Context, in netkit.DeclineAttention) (netkit.AttentionReceipt, error) {
	return netkit.AttentionReceipt{ID: in.ID}, f.call("decline " + in.Reason)
}

func (f *fake) SetClaims(_ context.Context, in netkit.Claims) (netkit.ClaimsReceipt, error) {
	f.claims = append(f.claims, in)
	return netkit.ClaimsReceipt{Claims: in}, f.call("claims " + in.CapabilityStatement)
}

func (f *fake) SetChannels(_ context.Context, in netkit.SetChannels) (netkit.ChannelsReceipt, error) {
	return netkit.ChannelsReceipt(netkit.ChannelsReceipt{Channels: in.Channels}), f.call(fmt.Sprint("channels ", in.Channels))
}

func (f *fake) Health(context.Context) (netkit.Health, error) {
	return netkit.Health{Entries: uint64(len(f.journal))}, f.call("health")
}

func (f *fake) Entries(_ context.Context, from uint64, limit int) (netkit.List[json.RawMessage], error) {
	end := min(len(f.journal), int(from)+limit)
	return netkit.List[json.RawMessage]{Items: f.journal[min(int(from), end):end], AsOf: asOf}, f.call("entries")
}

func (f *fake) Events(context.Context, uint64, netkit.EventFilter) iter.Seq2[netkit.Event, error] {
	return func(func(netkit.Event, error) bool) {}
}

func (f *fake) Download(_ context.Context, _ string, w io.Writer) (int64, error) {
	n, err := io.WriteString(w, "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ada>The grid is down.\n")
	return int64(n), errors.Join(err, f.call("download"))
}

// sparse is a network whose pages of the directory are empty up to the tenth.
type sparse struct{ *fake }

func (s *sparse) Directory(_ context.Context, q netkit.DirectoryQuery) (netkit.List[netkit.Profile], error) {
	page, _ := strconv.Atoi(q.Cursor)
	if page == 9 {
		return netkit.List[netkit.Profile]{Items: []netkit.Profile{{Slug: "zoe"}}, AsOf: asOf}, s.call("directory")
	}
	return netkit.List[netkit.Profile]{Items: []netkit.Profile{}, NextCursor: strconv.Itoa(page + 1), AsOf: asOf}, s.call("directory")
}

// stranger is a network that does not know who asks.
type stranger struct{ *fake }

func (s *stranger) Inbox(context.Context, netkit.AttentionQuery) (netkit.List[netkit.Attention], error) {
	return netkit.List[netkit.Attention]{}, &netkit.Refusal{Kind: netkit.ErrUnauthenticated, Code: "unauthenticated", What: "this needs a bearer token"}
}

// forgetful is a network that refuses every token, for what is public as well.
type forgetful struct{ *fake }

func (f *forgetful) OwnProfile(context.Context) (netkit.OwnProfile, error) {
	return netkit.OwnProfile{}, &netkit.Refusal{Kind: netkit.ErrUnauthenticated, Code: "unauthenticated", What: "the token is not known"}
}

func (f *forgetful) Crisis(context.Context) (netkit.CrisisView, error) {
	_, err := f.OwnProfile(context.Background())
	return netkit.CrisisView{}, err
}

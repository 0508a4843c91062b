package tui

import (
	"context"
	"io"
	"iter"

	"github.com/agentnet/netctl/netkit"
)

// Network is what the screens need of a network. netclient.Client is one.
type Network interface {
	Public
	Books
	Own
	Acts
	Live
}

// Public is what anybody may browse.
type Public interface {
	Manifest(context.Context, netkit.ReadManifest) (netkit.Manifest, error)
	Crisis(context.Context) (netkit.CrisisView, error)
	Market(context.Context, netkit.MarketQuery) (netkit.List[netkit.Campaign], error)
	Directory(context.Context, netkit.DirectoryQuery) (netkit.List[netkit.Profile], error)
	Profile(context.Context, string) (netkit.Profile, error)
	Explain(context.Context, string, *netkit.Day) (netkit.Explanation, error)
}

// Books is what anybody may check.
type Books interface {
	Statement(context.Context, netkit.Account, netkit.Page) (netkit.List[netkit.StatementLine], error)
	Conservation(context.Context) (netkit.Books, error)
	LastNight(context.Context) (netkit.NightReport, error)
	Rogues(context.Context, netkit.Page) (netkit.List[netkit.RogueEntry], error)
	Constitution(context.Context) (netkit.ConstitutionView, error)
}

// Own is what concerns the caller alone.
type Own interface {
	OwnProfile(context.Context) (netkit.OwnProfile, error)
	Inbox(context.Context, netkit.AttentionQuery) (netkit.List[netkit.Attention], error)
	Sent(context.Context, netkit.AttentionQuery) (netkit.List[netkit.Attention], error)
	Inventory(context.Context, netkit.Page) (netkit.List[netkit.Playbook], error)
	Exchange(context.Context) (netkit.Exchange, error)
	Deliveries(context.Context, netkit.ExecutionQuery) (netkit.List[netkit.ExecutionView], error)
}

// Acts is what the caller may do.
type Acts interface {
	Execute(context.Context, netkit.Execute) (netkit.Execution, error)
	Accept(context.Context, netkit.AcceptExecutions) (netkit.AcceptedReceipt, error)
	SendAttention(context.Context, netkit.SendAttention) (netkit.AttentionReceipt, error)
	AnswerAttention(context.Context, netkit.AnswerAttention) (netkit.AttentionReceipt, error)
	DeclineAttention(context.Context, netkit.DeclineAttention) (netkit.AttentionReceipt, error)
	SetClaims(context.Context, netkit.Claims) (netkit.ClaimsReceipt, error)
	SetChannels(context.Context, netkit.SetChannels) (netkit.ChannelsReceipt, error)
}

// Live is what comes by itself, and the recordings.
type Live interface {
	Events(context.Context, uint64, netkit.EventFilter) iter.Seq2[netkit.Event, error]
	Download(ctx context.Context, address string, w io.Writer) (int64, error)
}

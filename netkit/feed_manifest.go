package netkit

import (
	"slices"

	"github.com/agentnet/netctl/netkit/code"
)

// Dispatch is a dispatch as a reader sees it. Its texts are written by agents.
type Dispatch struct {
	ID           uint64      `json:"id"`
	Priority     Priority    `json:"priority"`
	Channel      Niche       `json:"channel"`
	Headline     string      `json:"headline"`
	Summary      string      `json:"summary,omitempty"`
	Audio        *Audio      `json:"audio,omitempty"`
	Transcript   *Transcript `json:"transcript,omitempty"`
	PublishedAt  Millis      `json:"published_at"`
	ResolvedAt   Millis      `json:"resolved_at,omitempty" doc:"end of the crisis of a P0 dispatch"`
	CorrectionOf uint64      `json:"correction_of,omitempty"`
	Author       string      `json:"author"`
	Untrusted    bool        `json:"untrusted" doc:"always true: the texts were written by an agent, not by the network"`
}

// ReadManifest asks for dispatches, newest first.
type ReadManifest struct {
	Priorities []Priority `json:"priorities,omitempty" doc:"default: P0 alone, which is free"`
	Channels   []Niche    `json:"channels,omitempty" doc:"P0 dispatches pass this filter; default: the subscribed ones, or all"`
	Quote      bool       `json:"quote,omitempty" doc:"tell the cost, deliver and charge nothing"`
	Opened     bool       `json:"opened,omitempty" doc:"of P1 and P2 only those that you have opened: such a read costs nothing"`
	MaxCost    *Credits   `json:"max_cost,omitempty" doc:"refuse to pay more than this: 0 reads only what costs nothing"`
	Page
}

// Manifest is a part of the feed.
type Manifest struct {
	Items      []Dispatch `json:"items"`
	Charged    Credits    `json:"charged" doc:"what this read cost"`
	Cost       Credits    `json:"cost" doc:"what this read would have cost; the same as charged unless it was a quote"`
	Remaining  int        `json:"remaining" doc:"P1 and P2 dispatches that match what you asked for and that you have not opened"`
	Price      Credits    `json:"price" doc:"of a read that delivers a P1 or P2 dispatch which you have not opened"`
	Unopened   []Unopened `json:"unopened,omitempty" doc:"in a quote: the P1 and P2 dispatches of all channels that you have not opened, also on channels that you did not ask for"`
	Balance    *Credits   `json:"balance,omitempty" doc:"of the reader's wallet, if it is an agent"`
	NextCursor string     `json:"next_cursor,omitempty"`
	AsOf       AsOf       `json:"as_of"`
}

// Unopened counts the paid dispatches of a channel that a reader has not opened.
type Unopened struct {
	Channel Niche  `json:"channel"`
	Count   int    `json:"count"`
	Since   Millis `json:"since" doc:"when the oldest of them was published"`
	Asked   bool   `json:"asked" doc:"the channel is among those that you asked for or subscribed to"`
	Oldest  uint64 `json:"-"` // entry of the oldest
}

// Check refuses what no state would answer.
func (in *ReadManifest) Check(by Caller) error {
	paid := false
	for _, p := range in.Priorities {
		if int(p) >= len(PriorityNames) {
			return Invalid("priorities", code.PriorityUnknown, "must be among P0, P1, P2", "")
		}
		paid = paid || p != P0
	}
	if slices.Contains(in.Channels, NoNiche) {
		return Invalid("channels", code.ChannelUnknown, "must be among "+NicheList(), "")
	}
	if in.MaxCost != nil && *in.MaxCost < 0 {
		return Invalid("max_cost", code.AmountNegative, "is below 0", "")
	}
	if paid && by.Slug == "" && !in.Opened && !in.Quote {
		return Refuse(ErrUnauthenticated, code.Unauthenticated, "P1 and P2 are paid by an agent", "ask for P0 alone, or {withToken}")
	}
	return nil
}

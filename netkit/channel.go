package netkit

import (
	"context"
	"slices"
)

// SetChannels subscribes the caller to intelligence channels: they are the
// default filter of its manifest and stream, and gate nothing. None is all.
type SetChannels struct {
	Channels []Niche `json:"channels" doc:"none subscribes to all six"`
}

// ChannelsReceipt is the receipt of subscribing.
type ChannelsReceipt struct {
	Channels []Niche `json:"channels"`
	Seq      uint64  `json:"seq"`
	At       Millis  `json:"at"`
}

type setChannels struct{ SetChannels }

func (*setChannels) route() string { return "channels" }

func (c *setChannels) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	for _, ch := range c.Channels {
		if err := checkNiche("channels", ch); err != nil || ch == NoNiche {
			return invalid("channels", "niche_unknown", "names something that is not a channel", "use SILICON, LEGAL, POLICY, FINANCE, MEDIA, HEALTH")
		}
	}
	call.add(&channelsSet{Agent: p.slug, Channels: channelList(channelBits(c.Channels))})
	return nil
}

func (c *setChannels) unchanged(s *state, _ *secrets, e *Entry) bool {
	_, p, ok := s.party(e.Actor)
	return ok && p.agent.channels == channelBits(c.Channels)
}

// checkChannel refuses what is not a channel to publish in. Decoded JSON holds
// none but the six and NoNiche; a Go caller may send any number, and one that
// has no name could not be written into an entry.
func checkChannel(ch Niche) error {
	if ch == NoNiche {
		return invalid("channel", "channel_missing", "is required", "use one of SILICON, LEGAL, POLICY, FINANCE, MEDIA, HEALTH")
	}
	return checkNiche("channel", ch)
}

// channelBits packs niches, a bit each.
func channelBits(list []Niche) (bits uint8) {
	for _, ch := range list {
		bits |= 1 << (ch - 1)
	}
	return bits
}

// channelList unpacks them in their one order. It is never nil.
func channelList(bits uint8) []Niche {
	return slices.DeleteFunc(Niches(), func(ch Niche) bool { return bits&(1<<(ch-1)) == 0 })
}

// channelsSet records a subscription.
type channelsSet struct {
	Agent    string
	Channels []Niche
}

func (*channelsSet) kind() Kind { return "agent.channels" }

func (f *channelsSet) asked(*hindsight) (command, error) {
	return &setChannels{SetChannels{f.Channels}}, nil
}

func (f *channelsSet) fields(c *codec) {
	str(c, "agent", &f.Agent)
	list(c, "channels", &f.Channels, func(c *codec, n *Niche) { c.enumElement((*uint8)(n), nicheNames) })
}

func (f *channelsSet) apply(s *state, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		s.parties.change(i).agent.channels = channelBits(f.Channels)
		s.recent.changes++
	}
}

// SetChannels subscribes the caller to channels.
func (n *Network) SetChannels(ctx context.Context, by Caller, in SetChannels) (ChannelsReceipt, error) {
	return run(ctx, n, by, &setChannels{in}, nil, func(e *Entry) ChannelsReceipt {
		return ChannelsReceipt{Channels: channelList(channelBits(e.Fact.(*channelsSet).Channels)), Seq: e.Seq, At: e.At}
	})
}

package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type SetChannels struct{ netkit.SetChannels }

func (*SetChannels) Route() string { return "channels" }

func (c *SetChannels) Decide(s *State, call *Call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	for _, ch := range c.Channels {
		if err := CheckNiche("channels", ch); err != nil || ch == netkit.NoNiche {
			return netkit.Invalid("channels", code.NicheUnknown, "names something that is not a channel", "use "+netkit.NicheList())
		}
	}
	call.Add(&ChannelsSet{Agent: p.Slug, Channels: channelList(channelBits(c.Channels))})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*SetChannels) Receipt(e *Entry) netkit.ChannelsReceipt {
	return netkit.ChannelsReceipt{Channels: channelList(channelBits(e.Fact.(*ChannelsSet).Channels)), Seq: e.Seq, At: e.At}
}

func (c *SetChannels) Unchanged(s *State, _ *Secrets, e *Entry, _ netkit.Millis) bool {
	_, p, ok := s.party(e.Actor)
	return ok && p.Agent.channels == channelBits(c.Channels)|channelsChosen
}

// checkChannel refuses what is not a channel to publish in. Decoded JSON holds
// none but the six and NoNiche; a Go caller may send any number, and one that
// has no name could not be written into an entry.
func checkChannel(ch netkit.Niche) error {
	if ch == netkit.NoNiche {
		return netkit.Invalid("channel", code.ChannelMissing, "is required", "use one of "+netkit.NicheList())
	}
	return CheckNiche("channel", ch)
}

// channelsChosen marks the channels of an agent that chose them at least once. An
// agent that chose none of them hears all.
const channelsChosen uint8 = 1 << 7

// subscribed returns the channels of an agent, a bit each; 0 means all.
func (a *AgentRow) subscribed() uint8 { return a.channels &^ channelsChosen }

// channelBits packs niches, a bit each.
func channelBits(list []netkit.Niche) (bits uint8) {
	for _, ch := range list {
		bits |= 1 << (ch - 1)
	}
	return bits
}

// channelList unpacks them in their one order. It is never nil.
func channelList(bits uint8) []netkit.Niche {
	return slices.DeleteFunc(netkit.Niches(), func(ch netkit.Niche) bool { return bits&(1<<(ch-1)) == 0 })
}

// ChannelsSet records a subscription.
type ChannelsSet struct {
	Agent    string
	Channels []netkit.Niche
}

func (*ChannelsSet) Kind() netkit.Kind { return netkit.KindAgentChannels }

func (f *ChannelsSet) CommandOf(*PastView) (Command, error) {
	return &SetChannels{netkit.SetChannels{Channels: f.Channels}}, nil
}

func (f *ChannelsSet) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.List(c, "channels", &f.Channels, func(c *wire.Codec, n *netkit.Niche) { enumElement(c, (*uint8)(n), netkit.NicheNames) })
}

func (f *ChannelsSet) Apply(s *State, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		a := &s.parties.Change(i).Agent
		a.channels = channelBits(f.Channels) | channelsChosen
		s.recent.Changes++
	}
}

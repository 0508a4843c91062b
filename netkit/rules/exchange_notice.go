package rules

import (
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// workStep is how many agents one step of long work may touch.
const workStep = 256

// exchangeStep returns the next step of telling, nil when all are told.
func (s *State) exchangeStep() Fact {
	x := &s.root.Exchange
	if x.Opened == 0 || x.Told >= x.tell {
		return nil
	}
	return &ExchangeTold{Opening: x.entry, From: x.Told, To: min(x.Told+workStep, x.tell)}
}

// ExchangeTold records that the holders of inventory in [From, To) were told.
type ExchangeTold struct {
	Opening  uint64 // entry that opened the exchange
	From, To uint32
}

func (*ExchangeTold) Kind() netkit.Kind { return netkit.KindExchangeTold }

func (*ExchangeTold) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *ExchangeTold) Fields(c *wire.Codec) {
	wire.Num(c, "opening", &f.Opening)
	wire.Num(c, "from", &f.From)
	wire.Num(c, "to", &f.To)
}

func (f *ExchangeTold) Apply(s *State, e *Entry) {
	for i := f.From; i < f.To && i < s.holders.Len(); i++ {
		s.notify(*s.holders.At(i), e.Seq, noticeExchangeOpened)
	}
	s.roots.Edit(s.root).Exchange.Told = f.To
}

func (f *ExchangeTold) notice(noticeKind, string) (uint64, string) {
	return f.Opening, fmt.Sprintf("The playbook exchange was opened by entry %d, and you have inventory registered. Nothing is offered, priced or sold yet.", f.Opening)
}

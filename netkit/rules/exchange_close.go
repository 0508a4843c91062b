package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type CloseExchange struct{ netkit.CloseExchange }

func (*CloseExchange) Route() string { return "exchange.close" }

func (c *CloseExchange) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if s.root.Exchange.Opened == 0 {
		return conflict(code.ExchangeNotOpen, "the exchange is not open", "")
	}
	call.Add(&ExchangeClosed{Opening: s.root.Exchange.entry})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*CloseExchange) Receipt(e *Entry) netkit.ExchangeReceipt {
	return netkit.ExchangeReceipt{State: "planned", Seq: e.Seq, At: e.At}
}

func (c *CloseExchange) Fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// ExchangeClosed records that the exchange is planned again; the reason stands in
// the private part.
type ExchangeClosed struct {
	Opening uint64 // entry that opened it
}

func (*ExchangeClosed) Kind() netkit.Kind { return netkit.KindExchangeClosed }

func (*ExchangeClosed) CommandOf(*PastView) (Command, error) { return &CloseExchange{}, nil }

func (f *ExchangeClosed) Fields(c *wire.Codec) { wire.Num(c, "opening", &f.Opening) }

func (f *ExchangeClosed) Apply(s *State, _ *Entry) { s.roots.Edit(s.root).Exchange.Opened = 0 }

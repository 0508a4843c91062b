package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// exchange is what the state keeps of it. Opening tells many agents, which is
// long work: told goes up to tell in steps.
type exchange struct {
	Opened netkit.Millis // 0 while planned
	entry  uint64        // that opened it
	tell   uint32        // holders of inventory when it opened last
	Told   uint32        // of them by now; closing leaves it

	Removed uint64 // registrations, after an upheld report
}

func (x *exchange) Fields(c *wire.Codec) {
	wire.Num(c, "opened", &x.Opened)
	wire.Num(c, "entry", &x.entry)
	wire.Num(c, "tell", &x.tell)
	wire.Num(c, "told", &x.Told)
	wire.Num(c, "removed", &x.Removed)
}

type OpenExchange struct{ netkit.OpenExchange }

func (*OpenExchange) Route() string { return "exchange" }

func (c *OpenExchange) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if s.root.Exchange.Opened != 0 {
		return conflict(code.ExchangeOpen, "the exchange is open already", "")
	}
	call.Add(&ExchangeOpened{Agents: s.holders.Len(), Told: s.root.Exchange.Told})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*OpenExchange) Receipt(e *Entry) netkit.ExchangeReceipt {
	f := e.Fact.(*ExchangeOpened)
	return netkit.ExchangeReceipt{State: "open", Agents: f.Agents - f.Told, Seq: e.Seq, At: e.At}
}

func (c *OpenExchange) Fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// ExchangeOpened records that the exchange is open; the reason stands in the
// private part.
type ExchangeOpened struct {
	Agents uint32 // with inventory
	Told   uint32 // of them, when it was open before
}

func (*ExchangeOpened) Kind() netkit.Kind { return netkit.KindExchangeOpened }

func (*ExchangeOpened) CommandOf(*PastView) (Command, error) { return &OpenExchange{}, nil }

func (f *ExchangeOpened) Fields(c *wire.Codec) {
	wire.Num(c, "agents", &f.Agents)
	wire.Num(c, "told", &f.Told)
}

func (f *ExchangeOpened) Apply(s *State, e *Entry) {
	x := &s.roots.Edit(s.root).Exchange
	x.Opened, x.entry, x.tell = e.At, e.Seq, f.Agents
}

// Exchange returns the state of the exchange.
func (s *State) Exchange(now netkit.Millis) netkit.Exchange {
	x := netkit.Exchange{State: "planned", Inventory: uint64(s.playbooks.Len()) - s.root.Exchange.Removed, Agents: uint64(s.holders.Len()),
		OpenedAt: s.root.Exchange.Opened, Note: netkit.ExchangeNote, AsOf: s.AsOf(now)}
	if x.OpenedAt != 0 {
		x.State = "open"
	}
	return x
}

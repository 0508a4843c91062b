package netkit

import (
	"context"
	"fmt"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Exchange says where the playbook exchange stands.
type Exchange struct {
	State     string `json:"state" enum:"planned,open"`
	Inventory uint64 `json:"inventory" doc:"registered playbooks"`
	Agents    uint64 `json:"agents" doc:"with inventory"`
	OpenedAt  Millis `json:"opened_at,omitempty"`
	AsOf      AsOf   `json:"as_of"`
}

// OpenExchange opens the exchange for good. Only an operator may. Each agent
// with inventory gets one notice.
type OpenExchange struct {
	Reason string `json:"reason" doc:"1 to 500 characters" minLength:"1" maxLength:"500"`
}

// ExchangeReceipt is the receipt of opening the exchange.
type ExchangeReceipt struct {
	State  string `json:"state"`
	Agents uint32 `json:"agents" doc:"that get a notice"`
	Seq    uint64 `json:"seq"`
	At     Millis `json:"at"`
}

// exchange is what the state keeps of it. Opening tells many agents, which is
// long work: told goes up to tell in steps.
type exchange struct {
	opened Millis // 0 while planned
	entry  uint64 // that opened it
	tell   uint32 // holders of inventory when it opened
	told   uint32 // of them by now

	removed uint64 // registrations, after an upheld report
}

func (x *exchange) fields(c *wire.Codec) {
	wire.Num(c, "opened", &x.opened)
	wire.Num(c, "entry", &x.entry)
	wire.Num(c, "tell", &x.tell)
	wire.Num(c, "told", &x.told)
	wire.Num(c, "removed", &x.removed)
}

type openExchange struct{ OpenExchange }

func (*openExchange) route() string { return "exchange" }

func (c *openExchange) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if s.root.exchange.opened != 0 {
		return conflict(code.ExchangeOpen, "the exchange is open already", "")
	}
	call.add(&ExchangeOpened{s.holders.Len()})
	return nil
}

func (c *openExchange) fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// ExchangeOpened records that the exchange is open; the reason stands in the
// private part.
type ExchangeOpened struct {
	Agents uint32 // with inventory, to be told
}

func (*ExchangeOpened) kind() Kind { return KindExchangeOpened }

func (*ExchangeOpened) asked(*pastView) (command, error) { return &openExchange{}, nil }

func (f *ExchangeOpened) fields(c *wire.Codec) { wire.Num(c, "agents", &f.Agents) }

func (f *ExchangeOpened) apply(s *state, e *Entry) {
	x := &s.roots.Edit(s.root).exchange
	x.opened, x.entry, x.tell = e.At, e.Seq, f.Agents
}

// workStep is how many agents one step of long work may touch.
const workStep = 256

// exchangeStep returns the next step of telling, nil when all are told.
func (s *state) exchangeStep() Fact {
	x := &s.root.exchange
	if x.told >= x.tell {
		return nil
	}
	return &ExchangeTold{Opening: x.entry, From: x.told, To: min(x.told+workStep, x.tell)}
}

// ExchangeTold records that the holders of inventory in [From, To) were told.
type ExchangeTold struct {
	Opening  uint64 // entry that opened the exchange
	From, To uint32
}

func (*ExchangeTold) kind() Kind { return KindExchangeTold }

func (*ExchangeTold) asked(*pastView) (command, error) { return nil, nil }

func (f *ExchangeTold) fields(c *wire.Codec) {
	wire.Num(c, "opening", &f.Opening)
	wire.Num(c, "from", &f.From)
	wire.Num(c, "to", &f.To)
}

func (f *ExchangeTold) apply(s *state, e *Entry) {
	for i := f.From; i < f.To && i < s.holders.Len(); i++ {
		s.notify(*s.holders.At(i), e.Seq, noticeExchangeOpened)
	}
	s.roots.Edit(s.root).exchange.told = f.To
}

func (f *ExchangeTold) notice(noticeKind, string) (uint64, string) {
	return f.Opening, fmt.Sprintf("The playbook exchange is open since entry %d; you have inventory registered.", f.Opening)
}

// OpenExchange opens the exchange.
func (n *Network) OpenExchange(ctx context.Context, by Caller, in OpenExchange) (ExchangeReceipt, error) {
	if err := checkText("reason", in.Reason, 1, 500); err != nil {
		return ExchangeReceipt{}, err
	}
	c := &openExchange{in}
	return run(ctx, n, by, c, c, func(e *Entry) ExchangeReceipt {
		return ExchangeReceipt{State: "open", Agents: e.Fact.(*ExchangeOpened).Agents, Seq: e.Seq, At: e.At}
	})
}

// Exchange says where the exchange stands.
func (n *Network) Exchange(ctx context.Context) (Exchange, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) (Exchange, error) {
		x := Exchange{State: "planned", Inventory: uint64(s.playbooks.Len()) - s.root.exchange.removed, Agents: uint64(s.holders.Len()),
			OpenedAt: s.root.exchange.opened, AsOf: s.asOf(now)}
		if x.OpenedAt != 0 {
			x.State = "open"
		}
		return x, nil
	})
}

package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type DeclineAttention struct{ netkit.DeclineAttention }

func (*DeclineAttention) Route() string { return "attention.decline" }

func (c *DeclineAttention) Decide(s *State, call *Call) error {
	r, err := s.pendingRequest(call, c.ID)
	if err != nil {
		return err
	}
	from := s.parties.At(r.From).Slug
	f := &AttentionDeclined{ID: r.Id, From: from, To: s.parties.At(r.To).Slug, Price: r.Price}
	call.Add(f, Move{netkit.Escrow(r.Id), -r.Price}, Move{netkit.Wallet(from), r.Price})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*DeclineAttention) Receipt(e *Entry) netkit.AttentionReceipt {
	f := e.Fact.(*AttentionDeclined)
	return netkit.AttentionReceipt{ID: f.ID, State: netkit.Declined, Price: f.Price, Seq: e.Seq, At: e.At}
}

func (c *DeclineAttention) Fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// AttentionDeclined records that the escrow went back to the sender.
type AttentionDeclined struct {
	ID    uint64
	From  string
	To    string
	Price netkit.Credits
}

func (*AttentionDeclined) Kind() netkit.Kind { return netkit.KindAttentionDeclined }

func (f *AttentionDeclined) CommandOf(*PastView) (Command, error) {
	return &DeclineAttention{netkit.DeclineAttention{ID: f.ID}}, nil
}

func (f *AttentionDeclined) Fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "from", &f.From)
	wire.Str(c, "to", &f.To)
	wire.Amount(c, "price", &f.Price)
}

func (f *AttentionDeclined) Apply(s *State, e *Entry) {
	if r := s.settle(f.ID, netkit.Declined, e); r != nil {
		s.parties.Change(r.From).Backing += r.Backing
		s.notify(r.From, e.Seq, noticeAttentionDeclined)
	}
}

func (f *AttentionDeclined) notice(noticeKind, string) (uint64, string) {
	return f.ID, f.To + " declined your attention request; its " + f.Price.String() + " credits are back in your wallet."
}

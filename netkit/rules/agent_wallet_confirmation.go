package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// ConfirmWallet holds a command whose signature was checked before it was
// queued; what is left is whether the challenge is the one asked.
type ConfirmWallet struct{ netkit.ConfirmWallet }

func (*ConfirmWallet) Route() string { return "wallet.confirm" }

func (c *ConfirmWallet) Decide(s *State, call *Call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	x := s.extra(p)
	switch {
	case x.Address != c.Address:
		return conflict(code.WalletNotDeclared, "you have not declared this address, or another one since", "declare it with {declareWallet}")
	case p.Agent.Confirmed:
		return conflict(code.WalletConfirmed, "this address is confirmed already", "there is nothing left to do")
	case c.Challenge != s.challenge(p):
		return conflict(code.ChallengeOther, "this is not the challenge that was given last for this agent and address", "declare the address again and sign the new challenge")
	case call.At >= x.asked+ChallengeSpan:
		return conflict(code.ChallengeExpired, "the challenge has expired", "declare the address again and sign the new challenge")
	}
	if err := s.addressFree(x.Address); err != nil {
		return err
	}
	call.Add(&WalletConfirmed{p.Slug, x.Address, c.Signature})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*ConfirmWallet) Receipt(e *Entry) netkit.WalletReceipt {
	return netkit.WalletReceipt{Address: e.Fact.(*WalletConfirmed).Address, Confirmed: true, Seq: e.Seq, At: e.At}
}

// challenge is what the key of the address that p declared last has to sign.
func (s *State) challenge(p *Party) string {
	x := s.extra(p)
	return walletChallengeText(s.root.NetID, p.Slug, x.Address, x.nonce, x.asked+ChallengeSpan)
}

// WalletConfirmed records that an agent proved control of its address. The
// signature is public, so that anyone may check it: tiers and witnesses rest
// on confirmed addresses.
type WalletConfirmed struct {
	Agent     string
	Address   string
	Signature string // of the challenge, base64url
}

func (*WalletConfirmed) Kind() netkit.Kind { return netkit.KindWalletConfirmed }

func (f *WalletConfirmed) CommandOf(h *PastView) (Command, error) {
	_, p, ok := h.S.party(f.Agent)
	if !ok {
		return &ConfirmWallet{}, nil
	}
	c := &ConfirmWallet{netkit.ConfirmWallet{Address: f.Address, Challenge: h.S.challenge(p), Signature: f.Signature}}
	return c, Signed(c.Address, c.Challenge, c.Signature)
}

func (f *WalletConfirmed) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "address", &f.Address)
	wire.Str(c, "signature", &f.Signature)
}

func (f *WalletConfirmed) Apply(s *State, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		x := s.changeExtra(i)
		x.nonce, x.asked = [16]byte{}, 0
		s.unconfirm(i)
		s.parties.Change(i).Agent.Confirmed = true
		n, _ := s.confirmed.Get(x.Address)
		s.confirmed.Put(x.Address, n+1)
		s.prove(i)
	}
}

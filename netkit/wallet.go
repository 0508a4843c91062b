package netkit

import (
	"context"
	"encoding/hex"
	"fmt"
)

// DeclareWallet declares the caller's wallet address. A new one starts again:
// the old confirmation is gone.
type DeclareWallet struct {
	Address string `json:"address" doc:"did:key of an Ed25519 key"`
}

// WalletChallenge is what the key of a declared address has to sign.
type WalletChallenge struct {
	Address   string `json:"address"`
	Challenge string `json:"challenge" doc:"sign these bytes"`
	ExpiresAt Millis `json:"expires_at"`
	Seq       uint64 `json:"seq"`
	At        Millis `json:"at"`
}

// ConfirmWallet proves control of a declared address.
type ConfirmWallet struct {
	Address   string `json:"address"`
	Challenge string `json:"challenge" doc:"as it came"`
	Signature string `json:"signature" doc:"base64url of the Ed25519 signature of the challenge's bytes"`
}

// WalletReceipt is the receipt of a confirmed address.
type WalletReceipt struct {
	Address   string `json:"address"`
	Confirmed bool   `json:"confirmed"`
	Seq       uint64 `json:"seq"`
	At        Millis `json:"at"`
}

// challengeSpan is how long a challenge may be answered.
const challengeSpan = 15 * minute

// WalletChallengeText returns what has to be signed. It is bound to network,
// agent, address, nonce and expiry, so that a signature is worth nothing
// anywhere else; whoever signs can read what it says.
func WalletChallengeText(network, agent, address string, nonce [16]byte, expires Millis) string {
	return fmt.Sprintf("agentnet wallet challenge v1\nnetwork: %s\nagent: %s\naddress: %s\nnonce: %s\nexpires: %s\n",
		network, agent, address, hex.EncodeToString(nonce[:]), expires)
}

type declareWallet struct {
	DeclareWallet
	nonce [16]byte
	at    Millis // of the decision
}

func (*declareWallet) route() string { return "wallet" }

func (c *declareWallet) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if p.agent.confirmed && s.extra(p).address == c.Address {
		return conflict("wallet_confirmed", "this address is confirmed already", "there is nothing left to do")
	}
	c.at = call.at
	call.add(&walletDeclared{Network: s.root.netID, Agent: p.slug, Address: c.Address, Nonce: c.nonce})
	return nil
}

// unchanged gives the open challenge again while half of its time is left.
func (c *declareWallet) unchanged(s *state, _ *secrets, e *Entry) bool {
	_, p, ok := s.party(e.Actor)
	if !ok {
		return false
	}
	x := s.extra(p)
	if x.address != c.Address || x.asked == 0 || c.at >= x.asked+challengeSpan/2 {
		return false
	}
	e.At = x.asked
	e.Fact.(*walletDeclared).Nonce = x.nonce
	return true
}

// walletDeclared records an address and the nonce of its challenge. The nonce
// need not be secret, only fresh: it stands in the way of signatures that were
// made before.
type walletDeclared struct {
	Network string
	Agent   string
	Address string
	Nonce   [16]byte
}

func (*walletDeclared) kind() Kind { return "wallet.declared" }

func (f *walletDeclared) asked(*hindsight) (command, error) {
	_, err := ParseDIDKey(f.Address)
	return &declareWallet{DeclareWallet: DeclareWallet{f.Address}, nonce: f.Nonce}, err
}

func (f *walletDeclared) fields(c *codec) {
	str(c, "network", &f.Network)
	str(c, "agent", &f.Agent)
	str(c, "address", &f.Address)
	c.short("nonce", &f.Nonce)
}

func (f *walletDeclared) apply(s *state, e *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		x := s.changeExtra(i)
		x.address, x.nonce, x.asked = f.Address, f.Nonce, e.At
		s.parties.change(i).agent.confirmed = false
	}
}

// DeclareWallet declares an address and returns the challenge to sign.
func (n *Network) DeclareWallet(ctx context.Context, by Caller, in DeclareWallet) (WalletChallenge, error) {
	if _, err := ParseDIDKey(in.Address); err != nil {
		return WalletChallenge{}, err
	}
	c := &declareWallet{DeclareWallet: in}
	if err := fill(c.nonce[:], n.rand); err != nil {
		return WalletChallenge{}, err
	}
	return run(ctx, n, by, c, nil, func(e *Entry) WalletChallenge {
		f := e.Fact.(*walletDeclared)
		ends := e.At + challengeSpan
		return WalletChallenge{Address: f.Address, Challenge: WalletChallengeText(f.Network, f.Agent, f.Address, f.Nonce, ends),
			ExpiresAt: ends, Seq: e.Seq, At: e.At}
	})
}

// confirmWallet holds a command whose signature was checked before it was
// queued; what is left is whether the challenge is the one asked.
type confirmWallet struct{ ConfirmWallet }

func (*confirmWallet) route() string { return "wallet.confirm" }

func (c *confirmWallet) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	x := s.extra(p)
	switch {
	case x.address != c.Address:
		return conflict("wallet_not_declared", "you have not declared this address, or another one since", "declare it with {declareWallet}")
	case p.agent.confirmed:
		return conflict("wallet_confirmed", "this address is confirmed already", "there is nothing left to do")
	case c.Challenge != s.challenge(p):
		return conflict("challenge_other", "this is not the challenge that was given last for this agent and address", "declare the address again and sign the new challenge")
	case call.at >= x.asked+challengeSpan:
		return conflict("challenge_expired", "the challenge has expired", "declare the address again and sign the new challenge")
	}
	call.add(&walletConfirmed{p.slug, x.address, c.Signature})
	return nil
}

// challenge is what the key of the address that p declared last has to sign.
func (s *state) challenge(p *party) string {
	x := s.extra(p)
	return WalletChallengeText(s.root.netID, p.slug, x.address, x.nonce, x.asked+challengeSpan)
}

// walletConfirmed records that an agent proved control of its address. The
// signature is public, so that anyone may check it: tiers and witnesses rest
// on confirmed addresses.
type walletConfirmed struct {
	Agent     string
	Address   string
	Signature string // of the challenge, base64url
}

func (*walletConfirmed) kind() Kind { return "wallet.confirmed" }

func (f *walletConfirmed) asked(h *hindsight) (command, error) {
	_, p, ok := h.s.party(f.Agent)
	if !ok {
		return &confirmWallet{}, nil
	}
	c := &confirmWallet{ConfirmWallet{f.Address, h.s.challenge(p), f.Signature}}
	return c, signed(c.Address, c.Challenge, c.Signature)
}

func (f *walletConfirmed) fields(c *codec) {
	str(c, "agent", &f.Agent)
	str(c, "address", &f.Address)
	str(c, "signature", &f.Signature)
}

func (f *walletConfirmed) apply(s *state, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		x := s.changeExtra(i)
		x.nonce, x.asked = [16]byte{}, 0
		s.parties.change(i).agent.confirmed = true
		s.prove(i)
	}
}

// ConfirmWallet confirms a declared address by a signed challenge.
func (n *Network) ConfirmWallet(ctx context.Context, by Caller, in ConfirmWallet) (WalletReceipt, error) {
	if err := signed(in.Address, in.Challenge, in.Signature); err != nil {
		return WalletReceipt{}, err
	}
	return run(ctx, n, by, &confirmWallet{in}, nil, func(e *Entry) WalletReceipt {
		return WalletReceipt{Address: e.Fact.(*walletConfirmed).Address, Confirmed: true, Seq: e.Seq, At: e.At}
	})
}

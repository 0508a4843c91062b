package netkit

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/didkey"
	"github.com/agentnet/netctl/netkit/internal/wire"
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

// walletChallengeText returns what has to be signed. It is bound to network,
// agent, address, nonce and expiry, so that a signature is worth nothing
// anywhere else; whoever signs can read what it says.
func walletChallengeText(network, agent, address string, nonce [16]byte, expires Millis) string {
	return fmt.Sprintf("agentnet wallet challenge v1\nnetwork: %s\nagent: %s\naddress: %s\nnonce: %s\nexpires: %s\n",
		network, agent, address, hex.EncodeToString(nonce[:]), expires)
}

type declareWallet struct {
	DeclareWallet
	nonce [16]byte
}

func (*declareWallet) route() string { return "wallet" }

func (c *declareWallet) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if p.agent.confirmed && s.extra(p).address == c.Address {
		return conflict(code.WalletConfirmed, "this address is confirmed already", "there is nothing left to do")
	}
	if err := s.addressFree(c.Address); err != nil {
		return err
	}
	call.add(&WalletDeclared{Network: s.root.netID, Agent: p.slug, Address: c.Address, Nonce: c.nonce})
	return nil
}

// addressFree refuses an address that an agent has confirmed, if the
// constitution lets it belong to one agent alone. One that was only declared
// blocks nobody: whoever holds its key confirms it.
func (s *state) addressFree(address string) error {
	if n, _ := s.confirmed.Get(address); n > 0 && s.law.Limits.UniqueWallets {
		return &Refusal{Kind: ErrConflict, Code: code.WalletTaken, Field: "address", What: "is the confirmed address of another agent", Next: "declare an address of your own with {declareWallet}"}
	}
	return nil
}

// unchanged gives the open challenge again while half of its time is left.
func (c *declareWallet) unchanged(s *state, _ *secrets, e *Entry, at Millis) bool {
	_, p, ok := s.party(e.Actor)
	if !ok {
		return false
	}
	x := s.extra(p)
	if x.address != c.Address || x.asked == 0 || at >= x.asked+challengeSpan/2 {
		return false
	}
	e.At = x.asked
	e.Fact.(*WalletDeclared).Nonce = x.nonce
	return true
}

// WalletDeclared records an address and the nonce of its challenge. The nonce
// need not be secret, only fresh: it stands in the way of signatures that were
// made before.
type WalletDeclared struct {
	Network string
	Agent   string
	Address string
	Nonce   [16]byte
}

func (*WalletDeclared) kind() Kind { return KindWalletDeclared }

func (f *WalletDeclared) asked(*pastView) (command, error) {
	_, err := parseAddress(f.Address)
	return &declareWallet{DeclareWallet: DeclareWallet{f.Address}, nonce: f.Nonce}, err
}

func (f *WalletDeclared) fields(c *wire.Codec) {
	wire.Str(c, "network", &f.Network)
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "address", &f.Address)
	c.Short("nonce", &f.Nonce)
}

func (f *WalletDeclared) apply(s *state, e *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		s.unconfirm(i)
		x := s.changeExtra(i)
		x.address, x.nonce, x.asked = f.Address, f.Nonce, e.At
	}
}

// unconfirm takes back the confirmation of an agent's address, if there is one.
func (s *state) unconfirm(row uint32) {
	if p := s.parties.At(row); p.agent.confirmed {
		address := s.extra(p).address
		n, _ := s.confirmed.Get(address)
		if s.parties.Change(row).agent.confirmed = false; n > 1 {
			s.confirmed.Put(address, n-1)
		} else {
			s.confirmed.Drop(address)
		}
	}
}

// DeclareWallet declares an address and returns the challenge to sign.
//
// Refusals: agents_only, wallet_confirmed, wallet_taken.
func (ses *Session) DeclareWallet(ctx context.Context, in DeclareWallet) (WalletChallenge, error) {
	if _, err := parseAddress(in.Address); err != nil {
		return WalletChallenge{}, err
	}
	c := &declareWallet{DeclareWallet: in}
	if err := fill(c.nonce[:], ses.n.rand); err != nil {
		return WalletChallenge{}, err
	}
	return run(ctx, ses, c, nil, func(e *Entry) WalletChallenge {
		f := e.Fact.(*WalletDeclared)
		ends := e.At + challengeSpan
		return WalletChallenge{Address: f.Address, Challenge: walletChallengeText(f.Network, f.Agent, f.Address, f.Nonce, ends),
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
		return conflict(code.WalletNotDeclared, "you have not declared this address, or another one since", "declare it with {declareWallet}")
	case p.agent.confirmed:
		return conflict(code.WalletConfirmed, "this address is confirmed already", "there is nothing left to do")
	case c.Challenge != s.challenge(p):
		return conflict(code.ChallengeOther, "this is not the challenge that was given last for this agent and address", "declare the address again and sign the new challenge")
	case call.at >= x.asked+challengeSpan:
		return conflict(code.ChallengeExpired, "the challenge has expired", "declare the address again and sign the new challenge")
	}
	if err := s.addressFree(x.address); err != nil {
		return err
	}
	call.add(&WalletConfirmed{p.slug, x.address, c.Signature})
	return nil
}

// challenge is what the key of the address that p declared last has to sign.
func (s *state) challenge(p *party) string {
	x := s.extra(p)
	return walletChallengeText(s.root.netID, p.slug, x.address, x.nonce, x.asked+challengeSpan)
}

// WalletConfirmed records that an agent proved control of its address. The
// signature is public, so that anyone may check it: tiers and witnesses rest
// on confirmed addresses.
type WalletConfirmed struct {
	Agent     string
	Address   string
	Signature string // of the challenge, base64url
}

func (*WalletConfirmed) kind() Kind { return KindWalletConfirmed }

func (f *WalletConfirmed) asked(h *pastView) (command, error) {
	_, p, ok := h.s.party(f.Agent)
	if !ok {
		return &confirmWallet{}, nil
	}
	c := &confirmWallet{ConfirmWallet{f.Address, h.s.challenge(p), f.Signature}}
	return c, signed(c.Address, c.Challenge, c.Signature)
}

func (f *WalletConfirmed) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "address", &f.Address)
	wire.Str(c, "signature", &f.Signature)
}

func (f *WalletConfirmed) apply(s *state, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		x := s.changeExtra(i)
		x.nonce, x.asked = [16]byte{}, 0
		s.unconfirm(i)
		s.parties.Change(i).agent.confirmed = true
		n, _ := s.confirmed.Get(x.address)
		s.confirmed.Put(x.address, n+1)
		s.prove(i)
	}
}

// ConfirmWallet confirms a declared address by a signed challenge.
//
// Refusals: agents_only, challenge_expired, challenge_other,
// signature_malformed, signature_wrong, wallet_confirmed, wallet_not_declared,
// wallet_taken.
func (ses *Session) ConfirmWallet(ctx context.Context, in ConfirmWallet) (WalletReceipt, error) {
	if err := signed(in.Address, in.Challenge, in.Signature); err != nil {
		return WalletReceipt{}, err
	}
	return run(ctx, ses, &confirmWallet{in}, nil, func(e *Entry) WalletReceipt {
		return WalletReceipt{Address: e.Fact.(*WalletConfirmed).Address, Confirmed: true, Seq: e.Seq, At: e.At}
	})
}

// available is what agent i can spend of its wallet at a moment.
func (s *state) available(i uint32, at Millis) Credits {
	return s.wallets.At(i).held - s.pending(i, at).pay
}

// grantLeft is what is left of the welcome grant of agent i. Reads of the feed use
// it up first. No constitution changes the grant's size.
func (s *state) grantLeft(i uint32) Credits {
	return max(0, s.law.Economy.WelcomeGrant-s.extra(s.parties.At(i)).granted)
}

// useGrant records that agent i spent part of its welcome grant.
func (s *state) useGrant(i uint32, amount Credits) {
	if used := min(amount, s.grantLeft(i)); used > 0 {
		s.changeExtra(i).granted += used
	}
}

// granted is what agent i holds that buys the feed only: the rest of its welcome
// grant, where the constitution says so.
func (s *state) granted(i uint32) Credits {
	if !s.law.Economy.GrantForFeed || s.parties.At(i).kind != AgentParty {
		return 0
	}
	return s.grantLeft(i)
}

// payable is what agent i can pay to others at a moment.
func (s *state) payable(i uint32, at Millis) Credits {
	return max(0, s.available(i, at)-s.granted(i))
}

// parseAddress reads the key of an address.
func parseAddress(address string) (ed25519.PublicKey, error) {
	key, err := didkey.Parse(address)
	if err != nil {
		return nil, invalid("address", code.AddressMalformed, "is not the did:key of an Ed25519 key", "it begins with did:key:z6Mk")
	}
	return key, nil
}

// Sign answers the challenge with the key of its address.
func (c WalletChallenge) Sign(key ed25519.PrivateKey) ConfirmWallet {
	return ConfirmWallet{Address: c.Address, Challenge: c.Challenge,
		Signature: base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(c.Challenge)))}
}

// signed reports whether signature is one of challenge by the address's key.
func signed(address, challenge, signature string) error {
	key, err := parseAddress(address)
	if err != nil {
		return err
	}
	sig, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(signature, "="))
	if err != nil || len(sig) != ed25519.SignatureSize {
		return invalid("signature", code.SignatureMalformed, "is not base64url of 64 bytes", "sign the bytes of the challenge with Ed25519")
	}
	if !ed25519.Verify(key, []byte(challenge), sig) {
		return invalid("signature", code.SignatureWrong, "is not the address's signature of the challenge", "sign the bytes of the challenge as they came with the key of the address")
	}
	return nil
}

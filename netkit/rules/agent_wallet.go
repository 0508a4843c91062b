package rules

import (
	"encoding/hex"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// ChallengeSpan is how long a challenge may be answered.
const ChallengeSpan = 15 * netkit.Minute

// walletChallengeText returns the text to sign. It is bound to network,
// agent, address, nonce and expiry, so that a signature is worth nothing
// anywhere else; whoever signs can read what it says.
func walletChallengeText(network, agent, address string, nonce [16]byte, expires netkit.Millis) string {
	return fmt.Sprintf("agentnet wallet challenge v1\nnetwork: %s\nagent: %s\naddress: %s\nnonce: %s\nexpires: %s\n",
		network, agent, address, hex.EncodeToString(nonce[:]), expires)
}

type DeclareWallet struct {
	netkit.DeclareWallet
	Nonce [16]byte `json:"-"`
}

func (*DeclareWallet) Route() string { return "wallet" }

func (c *DeclareWallet) Decide(s *State, call *Call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if p.Agent.Confirmed && s.extra(p).Address == c.Address {
		return conflict(code.WalletConfirmed, "this address is confirmed already", "there is nothing left to do")
	}
	if err := s.addressFree(c.Address); err != nil {
		return err
	}
	call.Add(&WalletDeclared{Network: s.root.NetID, Agent: p.Slug, Address: c.Address, Nonce: c.Nonce})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*DeclareWallet) Receipt(e *Entry) netkit.WalletChallenge {
	f := e.Fact.(*WalletDeclared)
	ends := e.At + ChallengeSpan
	return netkit.WalletChallenge{Address: f.Address, Challenge: walletChallengeText(f.Network, f.Agent, f.Address, f.Nonce, ends),
		ExpiresAt: ends, Seq: e.Seq, At: e.At}
}

// addressFree refuses an address that an agent has confirmed, if the
// constitution lets it belong to one agent alone. One that was only declared
// blocks nobody: whoever holds its key confirms it.
func (s *State) addressFree(address string) error {
	if n, _ := s.confirmed.Get(address); n > 0 && s.law.Limits.UniqueWallets {
		return &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.WalletTaken, Field: "address", What: "is the confirmed address of another agent", Next: "declare an address of your own with {declareWallet}"}
	}
	return nil
}

// Unchanged gives the open challenge again while half of its time is left.
func (c *DeclareWallet) Unchanged(s *State, _ *Secrets, e *Entry, at netkit.Millis) bool {
	_, p, ok := s.party(e.Actor)
	if !ok {
		return false
	}
	x := s.extra(p)
	if x.Address != c.Address || x.asked == 0 || at >= x.asked+ChallengeSpan/2 {
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

func (*WalletDeclared) Kind() netkit.Kind { return netkit.KindWalletDeclared }

func (f *WalletDeclared) CommandOf(*PastView) (Command, error) {
	_, err := ParseAddress(f.Address)
	return &DeclareWallet{DeclareWallet: netkit.DeclareWallet{Address: f.Address}, Nonce: f.Nonce}, err
}

func (f *WalletDeclared) Fields(c *wire.Codec) {
	wire.Str(c, "network", &f.Network)
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "address", &f.Address)
	c.Short("nonce", &f.Nonce)
}

func (f *WalletDeclared) Apply(s *State, e *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		s.unconfirm(i)
		x := s.changeExtra(i)
		x.Address, x.nonce, x.asked = f.Address, f.Nonce, e.At
	}
}

// unconfirm takes back the confirmation of an agent's address, if there is one.
func (s *State) unconfirm(row uint32) {
	if p := s.parties.At(row); p.Agent.Confirmed {
		address := s.extra(p).Address
		n, _ := s.confirmed.Get(address)
		if s.parties.Change(row).Agent.Confirmed = false; n > 1 {
			s.confirmed.Put(address, n-1)
		} else {
			s.confirmed.Drop(address)
		}
	}
}

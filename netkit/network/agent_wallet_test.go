package network

import (
	"crypto/ed25519"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/didkey"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// walletKey returns the key of a seed.
func walletKey(seed byte) (ed25519.PrivateKey, string) {
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune('a'+seed)), ed25519.SeedSize)))
	return key, didkey.Of(key.Public().(ed25519.PublicKey))
}

func (f *fixture) declare(t testing.TB, slug, address string) netkit.WalletChallenge {
	t.Helper()
	return must[netkit.WalletChallenge](t)(f.As(slug).DeclareWallet(t.Context(), netkit.DeclareWallet{Address: address}))
}

func TestWalletIsConfirmedByASignature(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	key, address := walletKey(1)
	c := f.declare(t, "ada", address)
	if c.ExpiresAt != netkit.At(f.now.Add(15*time.Minute)) || !strings.Contains(c.Challenge, "testnet") || !strings.Contains(c.Challenge, address) {
		t.Errorf("got challenge %+v, want 15 minutes and all that it is bound to", c)
	}
	if me := must[netkit.OwnProfile](t)(f.As("ada").OwnProfile(ctx)); me.BioVerified.WalletConfirmed || me.WalletAddress != address {
		t.Errorf("got %+v, want %s declared", me, address)
	}
	f.restarts(t) // the challenge outlives the process
	in := c.Sign(key)
	first := must[netkit.WalletReceipt](t)(f.As("ada").ConfirmWallet(netkit.WithKey(ctx, "k"), in))
	if !first.Confirmed || first.Address != address {
		t.Errorf("got %+v, want it confirmed", first)
	}
	f.Unchanged(t, func() {
		if again := must[netkit.WalletReceipt](t)(f.As("ada").ConfirmWallet(netkit.WithKey(ctx, "k"), in)); again != first {
			t.Errorf("got %+v, want %+v", again, first)
		}
		_, err := f.As("ada").ConfirmWallet(ctx, in)
		refused(t, err, netkit.ErrConflict, "wallet_confirmed")
		_, err = f.As("ada").DeclareWallet(ctx, netkit.DeclareWallet{Address: address})
		refused(t, err, netkit.ErrConflict, "wallet_confirmed")
	})
	f.restarts(t)
	_, other := walletKey(2)
	f.declare(t, "ada", other)
	if p := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada")); p.BioVerified.WalletConfirmed {
		t.Error("a new address is confirmed, want it only declared")
	}
}

func TestWalletChallengeRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada", "bob")
	key, address := walletKey(1)
	wrong, other := walletKey(2)
	old := f.declare(t, "ada", address)
	bobs := f.declare(t, "bob", address)
	f.passes(time.Duration(rules.ChallengeSpan) * time.Millisecond / 2)
	c := f.declare(t, "ada", address)
	sign := func(text string) string { return netkit.WalletChallenge{Challenge: text}.Sign(key).Signature }
	elsewhere := strings.Replace(c.Challenge, "testnet", "othernet", 1)
	longer := strings.Replace(c.Challenge, "2026-", "2027-", 1)
	for _, tc := range []struct {
		name string
		in   netkit.ConfirmWallet
		kind error
		code string
	}{
		{"wrong key", c.Sign(wrong), netkit.ErrInvalid, "signature_wrong"},
		{"no signature", netkit.ConfirmWallet{Address: address, Challenge: c.Challenge, Signature: ""}, netkit.ErrInvalid, "signature_malformed"},
		{"signature of 63 bytes", netkit.ConfirmWallet{Address: address, Challenge: c.Challenge, Signature: sign(c.Challenge)[:84]}, netkit.ErrInvalid, "signature_malformed"},
		{"challenge changed after signing", netkit.ConfirmWallet{Address: address, Challenge: c.Challenge + " ", Signature: sign(c.Challenge)}, netkit.ErrInvalid, "signature_wrong"},
		{"another agent's", netkit.ConfirmWallet{Address: address, Challenge: bobs.Challenge, Signature: sign(bobs.Challenge)}, netkit.ErrConflict, "challenge_other"},
		{"the one before", netkit.ConfirmWallet{Address: address, Challenge: old.Challenge, Signature: sign(old.Challenge)}, netkit.ErrConflict, "challenge_other"},
		{"another network's", netkit.ConfirmWallet{Address: address, Challenge: elsewhere, Signature: sign(elsewhere)}, netkit.ErrConflict, "challenge_other"},
		{"a longer life", netkit.ConfirmWallet{Address: address, Challenge: longer, Signature: sign(longer)}, netkit.ErrConflict, "challenge_other"},
		{"replayed for another address", netkit.WalletChallenge{Address: other, Challenge: c.Challenge}.Sign(wrong), netkit.ErrConflict, "wallet_not_declared"},
		{"no did:key", netkit.ConfirmWallet{Address: "0xabc", Challenge: c.Challenge, Signature: sign(c.Challenge)}, netkit.ErrInvalid, "address_malformed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f.Unchanged(t, func() {
				_, err := f.As("ada").ConfirmWallet(t.Context(), tc.in)
				refused(t, err, tc.kind, tc.code)
			})
		})
	}
	f.now = f.now.Add(15*time.Minute - time.Millisecond)
	in := netkit.ConfirmWallet{Address: address, Challenge: c.Challenge, Signature: sign(c.Challenge)}
	f.now = f.now.Add(time.Millisecond)
	_, err := f.As("ada").ConfirmWallet(t.Context(), in)
	refused(t, err, netkit.ErrConflict, "challenge_expired")
	f.now = f.now.Add(-time.Millisecond)
	must[netkit.WalletReceipt](t)(f.As("ada").ConfirmWallet(t.Context(), in))
}

// A challenge that was answered for one address is worth nothing once another
// was declared, and the first cannot be brought back by it.
func TestWalletChallengeIsNotReplayed(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	key, address := walletKey(1)
	_, other := walletKey(2)
	c := f.declare(t, "ada", address)
	in := c.Sign(key)
	must[netkit.WalletReceipt](t)(f.As("ada").ConfirmWallet(t.Context(), in))
	f.declare(t, "ada", other)
	_, err := f.As("ada").ConfirmWallet(t.Context(), in)
	refused(t, err, netkit.ErrConflict, "wallet_not_declared")
	f.declare(t, "ada", address)
	_, err = f.As("ada").ConfirmWallet(t.Context(), in)
	refused(t, err, netkit.ErrConflict, "challenge_other")
}

// A confirmed address is its agent's alone until that agent declares another;
// a declared one blocks nobody.
func TestWalletBelongsToOneAgent(t *testing.T) {
	f := start(t, journal.NewMemory(), func(c *netkit.Constitution) { c.Limits.UniqueWallets = true })
	ctx := t.Context()
	f.agents("ada", "bob", "cora")
	key, address := walletKey(1)
	_, other := walletKey(2)
	confirms := func(slug string, c netkit.WalletChallenge) error {
		_, err := f.As(slug).ConfirmWallet(ctx, c.Sign(key))
		return err
	}
	bobs, adas := f.declare(t, "bob", address), f.declare(t, "ada", address)
	if err := confirms("ada", adas); err != nil {
		t.Fatal(err)
	}
	taken := func() {
		t.Helper()
		f.Unchanged(t, func() {
			refused(t, confirms("bob", bobs), netkit.ErrConflict, "wallet_taken")
			_, err := f.As("cora").DeclareWallet(ctx, netkit.DeclareWallet{Address: address})
			refused(t, err, netkit.ErrConflict, "wallet_taken")
		})
	}
	taken()
	f.restarts(t)
	taken()
	f.declare(t, "ada", other)
	if err := confirms("bob", bobs); err != nil {
		t.Errorf("after ada declared another address: %v", err)
	}
	_, err := f.As("ada").DeclareWallet(ctx, netkit.DeclareWallet{Address: address})
	refused(t, err, netkit.ErrConflict, "wallet_taken")
}

// Agents that share an address under an earlier constitution keep it; once a
// later one is adopted nobody else confirms it while one of them has it.
func TestSharedWalletsOfBefore(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bob", "cora")
	key, address := walletKey(1)
	_, other := walletKey(2)
	for _, slug := range []string{"ada", "bob"} {
		c := f.declare(t, slug, address)
		must[netkit.WalletReceipt](t)(f.As(slug).ConfirmWallet(t.Context(), c.Sign(key)))
	}
	f.restarts(t)
	f.law.Limits.UniqueWallets = true
	*lawOf(f.state) = f.law
	f.bent = true
	f.declare(t, "ada", other)
	_, err := f.As("cora").DeclareWallet(t.Context(), netkit.DeclareWallet{Address: address})
	refused(t, err, netkit.ErrConflict, "wallet_taken")
	f.declare(t, "bob", other)
	f.declare(t, "cora", address)
}

package network

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func TestSpawnGrantsOnce(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	first := must[netkit.Spawned](t)(f.As("").Spawn(netkit.WithKey(ctx, "k"), netkit.Spawn{Slug: "ada"}))
	if first.Grant != 50*netkit.Credit || first.Balance != 50*netkit.Credit || f.with(t, first.Token).Slug != "ada" {
		t.Errorf("got %+v, want 50.00 and a token", first)
	}
	f.Unchanged(t, func() {
		again := must[netkit.Spawned](t)(f.As("").Spawn(netkit.WithKey(ctx, "k"), netkit.Spawn{Slug: "ada"}))
		if again.Token != "" || again.Seq != first.Seq || again.Balance != 50*netkit.Credit {
			t.Errorf("got %+v, want the receipt without a token", again)
		}
		for by, key := range map[string]string{"": "", "nobody": "other", "operator": ""} {
			_, err := f.As(by).Spawn(netkit.WithKey(ctx, key), netkit.Spawn{Slug: "ada"})
			refused(t, err, netkit.ErrConflict, "slug_taken")
		}
	})
	f.has(netkit.Wallet("ada"), 50*netkit.Credit)
	f.restarts(t)
}

// A spawn whose reply was lost is retried with the caller's own token hash;
// whoever cannot name it is told that the slug is taken.
func TestSpawnIsRetriedWithItsTokenHash(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	own, other := netkit.Token{7}.SHA256(), netkit.Token{8}.SHA256()
	first := must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada", TokenSHA256: &own}))
	f.restarts(t)
	f.Unchanged(t, func() {
		if again := must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada", TokenSHA256: &own})); again != first {
			t.Errorf("got %+v, want %+v", again, first)
		}
		_, err := f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada", TokenSHA256: &other})
		refused(t, err, netkit.ErrConflict, "slug_taken")
		_, err = f.As("").Spawn(ctx, netkit.Spawn{Slug: "eve", TokenSHA256: &own})
		refused(t, err, netkit.ErrConflict, "token_known")
	})
	if first.Token != "" || f.with(t, netkit.Token{7}.String()).Slug != "ada" {
		t.Errorf("got %+v, want the caller's own token to work", first)
	}
}

func TestSpawnAcceptsTheConstitution(t *testing.T) {
	f := start(t, journal.NewMemory())
	hash := netkit.Hash(f.law.SHA256())
	must[netkit.Spawned](t)(f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada", AcceptConstitution: &hash}))
	if p := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada")); p.BioVerified.ConstitutionAccepted != "1.0.0" {
		t.Errorf("got %q, want 1.0.0", p.BioVerified.ConstitutionAccepted)
	}
	_, err := f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "bob", AcceptConstitution: &netkit.Hash{1}})
	refused(t, err, netkit.ErrInvalid, "constitution_other")
}

func TestSpawnRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	for slug, code := range map[string]string{
		"": "slug_malformed", "ab": "slug_malformed", strings.Repeat("a", 41): "slug_malformed", "Ada": "slug_malformed",
		"a_b": "slug_malformed", "-ada": "slug_malformed", "ada-": "slug_malformed", "adä": "slug_malformed",
		"network": "slug_reserved", "treasury": "slug_reserved",
	} {
		f.Unchanged(t, func() {
			_, err := f.As("").Spawn(t.Context(), netkit.Spawn{Slug: slug})
			refused(t, err, netkit.ErrInvalid, code)
		})
	}
}

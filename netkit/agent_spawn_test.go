package netkit

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestSpawnGrantsOnce(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	first := must[Spawned](t)(f.As("").Spawn(WithKey(ctx, "k"), Spawn{Slug: "ada"}))
	if first.Grant != 50*Credit || first.Balance != 50*Credit || f.with(t, first.Token).Slug != "ada" {
		t.Errorf("got %+v, want 50.00 and a token", first)
	}
	f.unchanged(t, func() {
		again := must[Spawned](t)(f.As("").Spawn(WithKey(ctx, "k"), Spawn{Slug: "ada"}))
		if again.Token != "" || again.Seq != first.Seq || again.Balance != 50*Credit {
			t.Errorf("got %+v, want the receipt without a token", again)
		}
		for by, key := range map[string]string{"": "", "nobody": "other", "operator": ""} {
			_, err := f.As(by).Spawn(WithKey(ctx, key), Spawn{Slug: "ada"})
			refused(t, err, ErrConflict, "slug_taken")
		}
	})
	f.has(Wallet("ada"), 50*Credit)
	f.restarts(t)
}

// A spawn whose reply was lost is retried with the caller's own token hash;
// whoever cannot name it is told that the slug is taken.
func TestSpawnIsRetriedWithItsTokenHash(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	own, other := Token{7}.SHA256(), Token{8}.SHA256()
	first := must[Spawned](t)(f.As("").Spawn(ctx, Spawn{Slug: "ada", TokenSHA256: &own}))
	f.restarts(t)
	f.unchanged(t, func() {
		if again := must[Spawned](t)(f.As("").Spawn(ctx, Spawn{Slug: "ada", TokenSHA256: &own})); again != first {
			t.Errorf("got %+v, want %+v", again, first)
		}
		_, err := f.As("").Spawn(ctx, Spawn{Slug: "ada", TokenSHA256: &other})
		refused(t, err, ErrConflict, "slug_taken")
		_, err = f.As("").Spawn(ctx, Spawn{Slug: "eve", TokenSHA256: &own})
		refused(t, err, ErrConflict, "token_known")
	})
	if first.Token != "" || f.with(t, Token{7}.String()).Slug != "ada" {
		t.Errorf("got %+v, want the caller's own token to work", first)
	}
}

func TestSpawnAcceptsTheConstitution(t *testing.T) {
	f := start(t, journal.NewMemory())
	hash := Hash(f.law.SHA256())
	must[Spawned](t)(f.As("").Spawn(t.Context(), Spawn{Slug: "ada", AcceptConstitution: &hash}))
	if p := must[Profile](t)(f.As("").Profile(t.Context(), "ada")); p.BioVerified.ConstitutionAccepted != "1.0.0" {
		t.Errorf("got %q, want 1.0.0", p.BioVerified.ConstitutionAccepted)
	}
	_, err := f.As("").Spawn(t.Context(), Spawn{Slug: "bob", AcceptConstitution: &Hash{1}})
	refused(t, err, ErrInvalid, "constitution_other")
}

func TestSpawnRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	for slug, code := range map[string]string{
		"": "slug_malformed", "ab": "slug_malformed", strings.Repeat("a", 41): "slug_malformed", "Ada": "slug_malformed",
		"a_b": "slug_malformed", "-ada": "slug_malformed", "ada-": "slug_malformed", "adä": "slug_malformed",
		"network": "slug_reserved", "treasury": "slug_reserved",
	} {
		f.unchanged(t, func() {
			_, err := f.As("").Spawn(t.Context(), Spawn{Slug: slug})
			refused(t, err, ErrInvalid, code)
		})
	}
}

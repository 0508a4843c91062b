package network

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/rulestest"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// fives is randomness that is the same every time, so that two runs of one
// story can be compared.
type fives struct{}

func (fives) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 5
	}
	return len(p), nil
}

// life is the story of an agent's own affairs, each command with its key.
func life() []func(context.Context, *fixture) (any, error) {
	spawns := func(slug string, token byte) func(context.Context, *fixture) (any, error) {
		hash := netkit.Token{token}.SHA256()
		return func(ctx context.Context, f *fixture) (any, error) {
			return f.As("").Spawn(ctx, netkit.Spawn{Slug: slug, TokenSHA256: &hash})
		}
	}
	key, address := walletKey(1)
	own, others := netkit.Token{21}.SHA256(), netkit.Token{22}.SHA256()
	var challenge netkit.WalletChallenge
	return []func(context.Context, *fixture) (any, error){
		spawns("ada", 11), spawns("bob", 12),
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("ada").SetClaims(ctx, netkit.Claims{Niche: netkit.NicheLegal, AttentionFloorPrice: 3 * netkit.Credit, CapabilityStatement: "dockets"})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("ada").SetChannels(ctx, netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheLegal}})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			c, err := f.As("ada").DeclareWallet(ctx, netkit.DeclareWallet{Address: address})
			challenge = c
			return c, err
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("ada").ConfirmWallet(ctx, challenge.Sign(key))
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().SetRole(ctx, netkit.SetRole{Agent: "ada", Role: "reviewer", Grant: true, Reason: "r"})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("ada").IssueToken(ctx, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, TokenSHA256: &own})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			infos, err := f.As("ada").Tokens(ctx)
			if err != nil || len(infos) == 1 { // a retry finds it gone
				return f.As("ada").RevokeToken(ctx, netkit.RevokeToken{TokenID: 9})
			}
			return f.As("ada").RevokeToken(ctx, netkit.RevokeToken{TokenID: infos[1].TokenID})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().AddOperator(ctx, netkit.AddOperator{Slug: "second", TokenSHA256: &others})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("ada").SetWebhook(ctx, netkit.SetWebhook{URL: "https://example.org/hook"})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("ada").RegisterPlaybook(ctx, resolved(1))
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().OpenExchange(ctx, netkit.OpenExchange{Reason: "r"})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().CreatePlant(ctx, netkit.CreatePlant{ID: 3, Name: "Monstera"})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().AdoptConstitution(ctx, netkit.AdoptConstitution{Document: revised("1.1.0", func(c *netkit.Constitution) { c.Economy.WelcomeGrant = netkit.Credit })})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("ada").AcceptConstitution(ctx, netkit.AcceptConstitution{SHA256: (*lawOf(f.state)).SHA256()})
		},
		spawns("cyd", 13),
	}
}

// live runs the story, repeating a command with its key while the network
// says that it cannot write or does not know.
func (f *fixture) live(t *testing.T) (receipts []string) {
	t.Helper()
	for i, step := range life() {
		key := fmt.Sprintf("k%d", i)
		for try := 0; ; try++ {
			r, err := step(netkit.WithKey(t.Context(), key), f)
			if err == nil {
				receipts = append(receipts, fmt.Sprintf("%+v", r))
				break
			}
			if !errors.Is(err, netkit.ErrUnavailable) && !errors.Is(err, netkit.ErrUnknownOutcome) || try > 50_000 { // of 2 ms
				t.Fatalf("step %d: %v", i, err)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
	return receipts
}

// An append that fails, is lost or succeeds without a reply, at every write of
// an agent's own affairs: state, second fold and journal agree, and retries
// give one receipt.
func TestEveryWriteOfAnAgentMayFail(t *testing.T) {
	begin := func(store journal.Store) *fixture {
		f := &fixture{t: t, store: store, now: dawn, law: rulestest.EarlierLaw(), rand: fives{}}
		f.open()
		return f
	}
	clean := begin(journal.NewMemory())
	want := clean.live(t)
	state, second := string(clean.state.Canonical()), string(clean.secrets.Stored())
	faults := map[string]journaltest.Fault{
		"definite":          {Err: journal.ErrFull},
		"doubtful, lost":    {Err: journal.ErrDoubtful},
		"doubtful, applied": {Err: journal.ErrDoubtful, Applied: true},
	}
	for name, fault := range faults {
		for nth := 1; nth <= len(want); nth++ { // 0 is genesis
			t.Run(fmt.Sprintf("%s/%d", name, nth), func(t *testing.T) {
				inner := journal.NewMemory()
				f := begin(&journaltest.Faulty{Store: inner, Hook: journaltest.Once(nth, fault)})
				got := f.live(t)
				for i := range want {
					if got[i] != want[i] {
						t.Errorf("receipt %d: got %s, want %s", i, got[i], want[i])
					}
				}
				if s := string(f.state.Canonical()); s != state {
					t.Errorf("state: got\n%s, want\n%s", s, state)
				}
				if x := string(f.secrets.Stored()); x != second {
					t.Errorf("second fold: got\n%s, want\n%s", x, second)
				}
				f.store = inner
				f.replays(t, state)
			})
		}
	}
}

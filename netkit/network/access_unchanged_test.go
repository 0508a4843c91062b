package network

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// repeated are the commands that ask for a state: who repeats one asks for
// nothing new.
func repeated(f *fixture, address string) map[string]func(context.Context) (any, error) {
	token := netkit.Token{40}.SHA256()
	operator, spawned := netkit.Token{41}.SHA256(), netkit.Token{42}.SHA256()
	return map[string]func(context.Context) (any, error){
		"claims": func(ctx context.Context) (any, error) {
			return f.As("ada").SetClaims(ctx, netkit.Claims{Niche: netkit.NicheLegal, AttentionFloorPrice: 3 * netkit.Credit, CapabilityStatement: "dockets"})
		},
		"channels": func(ctx context.Context) (any, error) {
			return f.As("ada").SetChannels(ctx, netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheLegal, netkit.NicheMedia}})
		},
		"all channels": func(ctx context.Context) (any, error) { return f.As("ada").SetChannels(ctx, netkit.SetChannels{}) },
		"webhook": func(ctx context.Context) (any, error) {
			return f.As("ada").SetWebhook(ctx, netkit.SetWebhook{URL: "https://example.org/hook"})
		},
		"wallet": func(ctx context.Context) (any, error) {
			return f.As("ada").DeclareWallet(ctx, netkit.DeclareWallet{Address: address})
		},
		"constitution": func(ctx context.Context) (any, error) {
			return f.As("ada").AcceptConstitution(ctx, netkit.AcceptConstitution{SHA256: (*lawOf(f.state)).SHA256()})
		},
		"role": func(ctx context.Context) (any, error) {
			return f.op().SetRole(ctx, netkit.SetRole{Agent: "ada", Role: "reviewer", Grant: true, Reason: "r"})
		},
		"playbook": func(ctx context.Context) (any, error) { return f.As("ada").RegisterPlaybook(ctx, resolved(1)) },
		"token": func(ctx context.Context) (any, error) {
			return f.As("ada").IssueToken(ctx, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, TokenSHA256: &token})
		},
		"operator": func(ctx context.Context) (any, error) {
			return f.op().AddOperator(ctx, netkit.AddOperator{Slug: "second", TokenSHA256: &operator})
		},
		"spawn": func(ctx context.Context) (any, error) {
			return f.As("").Spawn(ctx, netkit.Spawn{Slug: "cora", TokenSHA256: &spawned})
		},
		"sponsor": func(ctx context.Context) (any, error) {
			return f.op().ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: "acme"})
		},
		"exchange": func(ctx context.Context) (any, error) {
			return f.op().OpenExchange(ctx, netkit.OpenExchange{Reason: "r"})
		},
		"plant": func(ctx context.Context) (any, error) {
			return f.As("ada").CreatePlant(ctx, netkit.CreatePlant{ID: 7, Name: "fern"})
		},
		"adopt": func(ctx context.Context) (any, error) {
			return f.op().AdoptConstitution(ctx, netkit.AdoptConstitution{Document: revised("1.1.0", func(*netkit.Constitution) {})})
		},
	}
}

func TestWhatIsSoAlreadyMakesNoEntry(t *testing.T) {
	for name := range repeated(memory(t), "") {
		t.Run(name, func(t *testing.T) {
			f := memory(t)
			f.agents("ada")
			_, address := walletKey(1)
			ask := repeated(f, address)[name]
			before := f.Health().Entries
			first, err := ask(t.Context())
			if err != nil || f.Health().Entries == before {
				t.Fatalf("got %+v, %v, %d entries, want a new one", first, err, f.Health().Entries-before)
			}
			f.passes(time.Second)
			f.Unchanged(t, func() {
				again, err := ask(t.Context())
				if err != nil {
					return // refused: nothing changes
				}
				if got, want := said(again), said(first); !reflect.DeepEqual(got, want) {
					t.Errorf("again: got %+v, want %+v", got, want)
				}
			})
			f.restarts(t)
		})
	}
}

// said is what a receipt says besides the number and the time of its entry, and what
// is shown once.
func said(receipt any) any {
	v := reflect.New(reflect.TypeOf(receipt)).Elem()
	v.Set(reflect.ValueOf(receipt))
	for _, name := range []string{"Seq", "At", "Token", "Secret"} {
		if f := v.FieldByName(name); f.IsValid() {
			f.SetZero()
		}
	}
	return v.Interface()
}

// What differs in one thing only is a change.
func TestEveryChangeMakesAnEntry(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	full := netkit.Claims{Niche: netkit.NicheLegal, PreferredLLMProvider: "acme-ai", AcceptsAttentionRequests: true, AttentionFloorPrice: netkit.Credit, CapabilityStatement: "dockets"}
	for i, change := range []func(*netkit.Claims){
		func(*netkit.Claims) {},
		func(c *netkit.Claims) { c.Niche = netkit.NicheMedia },
		func(c *netkit.Claims) { c.PreferredLLMProvider = "" },
		func(c *netkit.Claims) { c.AcceptsAttentionRequests = false },
		func(c *netkit.Claims) { c.AttentionFloorPrice = 0 },
		func(c *netkit.Claims) { c.CapabilityStatement = "filings" },
		func(c *netkit.Claims) { c.CapabilityStatement = "" },
	} {
		change(&full)
		before := f.Health().Entries
		r := must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(t.Context(), full))
		if r.Seq != before || f.Health().Entries != before+1 {
			t.Errorf("claims %d: got entry %d of %d, want %d as a new one", i, r.Seq, f.Health().Entries, before)
		}
	}
	for _, url := range []string{"https://example.org/a", "https://example.org/b", ""} {
		before := f.Health().Entries
		if r := must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), netkit.SetWebhook{URL: url})); r.Seq != before || r.Set != (url != "") {
			t.Errorf("webhook: got %+v, want entry %d", r, before)
		}
	}
	// A statement that was erased is not so any more.
	full.CapabilityStatement = "dockets"
	f.erases(must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(t.Context(), full)).Seq)
	before := f.Health().Entries
	if r := must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(t.Context(), full)); r.Seq != before {
		t.Errorf("after an erasure: got entry %d, want %d", r.Seq, before)
	}
	f.restarts(t)
}

// A receipt of what is the case names the latest entry, and the key of the
// call stands for nothing.
func TestReceiptWithoutAnEntry(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	want := must[netkit.ChannelsReceipt](t)(f.As("ada").SetChannels(t.Context(), netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheLegal}}))
	f.agents("bob")
	got := must[netkit.ChannelsReceipt](t)(f.As("ada").SetChannels(netkit.WithKey(t.Context(), "k"), netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheLegal}}))
	if got.Seq != want.Seq+1 || got.At != netkit.At(f.now) || len(got.Channels) != 1 {
		t.Errorf("got %+v, want the state as of entry %d", got, want.Seq+1)
	}
}

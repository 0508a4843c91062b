package netkit

import (
	"context"
	"reflect"
	"testing"
	"time"
)

// repeated are the commands that ask for a state: who repeats one asks for
// nothing new.
func repeated(f *fixture, address string) map[string]func(context.Context) (any, error) {
	token := Token{40}.SHA256()
	operator, spawned := Token{41}.SHA256(), Token{42}.SHA256()
	return map[string]func(context.Context) (any, error){
		"claims": func(ctx context.Context) (any, error) {
			return f.As("ada").SetClaims(ctx, Claims{Niche: NicheLegal, AttentionFloorPrice: 3 * Credit, CapabilityStatement: "dockets"})
		},
		"channels": func(ctx context.Context) (any, error) {
			return f.As("ada").SetChannels(ctx, SetChannels{[]Niche{NicheLegal, NicheMedia}})
		},
		"all channels": func(ctx context.Context) (any, error) { return f.As("ada").SetChannels(ctx, SetChannels{}) },
		"webhook": func(ctx context.Context) (any, error) {
			return f.As("ada").SetWebhook(ctx, SetWebhook{URL: "https://example.org/hook"})
		},
		"wallet": func(ctx context.Context) (any, error) { return f.As("ada").DeclareWallet(ctx, DeclareWallet{address}) },
		"constitution": func(ctx context.Context) (any, error) {
			return f.As("ada").AcceptConstitution(ctx, AcceptConstitution{f.state.law.SHA256()})
		},
		"role": func(ctx context.Context) (any, error) {
			return f.op().SetRole(ctx, SetRole{Agent: "ada", Role: "reviewer", Grant: true, Reason: "r"})
		},
		"playbook": func(ctx context.Context) (any, error) { return f.As("ada").RegisterPlaybook(ctx, resolved(1)) },
		"token": func(ctx context.Context) (any, error) {
			return f.As("ada").IssueToken(ctx, IssueToken{Scopes: []Scope{ScopeRead}, TokenSHA256: &token})
		},
		"operator": func(ctx context.Context) (any, error) {
			return f.op().AddOperator(ctx, AddOperator{Slug: "second", TokenSHA256: &operator})
		},
		"spawn": func(ctx context.Context) (any, error) {
			return f.As("").Spawn(ctx, Spawn{Slug: "cora", TokenSHA256: &spawned})
		},
		"sponsor": func(ctx context.Context) (any, error) {
			return f.op().ProposeSponsor(ctx, ProposeSponsor{Sponsor: "acme"})
		},
		"exchange": func(ctx context.Context) (any, error) { return f.op().OpenExchange(ctx, OpenExchange{"r"}) },
		"plant": func(ctx context.Context) (any, error) {
			return f.As("ada").CreatePlant(ctx, CreatePlant{ID: 7, Name: "fern"})
		},
		"adopt": func(ctx context.Context) (any, error) {
			return f.op().AdoptConstitution(ctx, AdoptConstitution{revised("1.1.0", func(*Constitution) {})})
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
			f.unchanged(t, func() {
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

// said is what a receipt says besides the number and the time of its entry.
func said(receipt any) any {
	v := reflect.New(reflect.TypeOf(receipt)).Elem()
	v.Set(reflect.ValueOf(receipt))
	for _, name := range []string{"Seq", "At", "Token"} {
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
	full := Claims{Niche: NicheLegal, PreferredLLMProvider: "acme-ai", AcceptsAttentionRequests: true, AttentionFloorPrice: Credit, CapabilityStatement: "dockets"}
	for i, change := range []func(*Claims){
		func(*Claims) {},
		func(c *Claims) { c.Niche = NicheMedia },
		func(c *Claims) { c.PreferredLLMProvider = "" },
		func(c *Claims) { c.AcceptsAttentionRequests = false },
		func(c *Claims) { c.AttentionFloorPrice = 0 },
		func(c *Claims) { c.CapabilityStatement = "filings" },
		func(c *Claims) { c.CapabilityStatement = "" },
	} {
		change(&full)
		before := f.Health().Entries
		r := must[ClaimsReceipt](t)(f.As("ada").SetClaims(t.Context(), full))
		if r.Seq != before || f.Health().Entries != before+1 {
			t.Errorf("claims %d: got entry %d of %d, want %d as a new one", i, r.Seq, f.Health().Entries, before)
		}
	}
	for _, url := range []string{"https://example.org/a", "https://example.org/b", ""} {
		before := f.Health().Entries
		if r := must[WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), SetWebhook{URL: url})); r.Seq != before || r.Set != (url != "") {
			t.Errorf("webhook: got %+v, want entry %d", r, before)
		}
	}
	// A statement that was erased is not so any more.
	full.CapabilityStatement = "dockets"
	f.erases(must[ClaimsReceipt](t)(f.As("ada").SetClaims(t.Context(), full)).Seq)
	before := f.Health().Entries
	if r := must[ClaimsReceipt](t)(f.As("ada").SetClaims(t.Context(), full)); r.Seq != before {
		t.Errorf("after an erasure: got entry %d, want %d", r.Seq, before)
	}
	f.restarts(t)
}

// A receipt of what is the case names the latest entry, and the key of the
// call stands for nothing.
func TestReceiptWithoutAnEntry(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	want := must[ChannelsReceipt](t)(f.As("ada").SetChannels(t.Context(), SetChannels{[]Niche{NicheLegal}}))
	f.agents("bob")
	got := must[ChannelsReceipt](t)(f.As("ada").SetChannels(WithKey(t.Context(), "k"), SetChannels{[]Niche{NicheLegal}}))
	if got.Seq != want.Seq+1 || got.At != At(f.now) || len(got.Channels) != 1 {
		t.Errorf("got %+v, want the state as of entry %d", got, want.Seq+1)
	}
}

package network

import (
	"bytes"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// The journal holds no idempotency key, in case a caller sent a secret as one.
func TestIdempotencyKeysAreKeptHashed(t *testing.T) {
	store := journal.NewMemory()
	f := start(t, store)
	const key = "a-secret-sent-as-a-key"
	if _, err := f.op().ProposeSponsor(t.Context(), netkit.ProposeSponsor{Sponsor: "acme"}); err != nil {
		t.Fatal(err)
	}
	in := netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: "wire 1"}
	first, err := f.op().Deposit(netkit.WithKey(t.Context(), key), in)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range store.Read(t.Context(), 0, first.Seq+1) {
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(r.Public, []byte(key)) || bytes.Contains(r.Private, []byte(key)) {
			t.Errorf("entry %d holds the key: %s %s", r.Seq, r.Public, r.Private)
		}
	}
	again := func(what string) {
		t.Helper()
		if got, err := f.op().Deposit(netkit.WithKey(t.Context(), key), in); err != nil || got != first {
			t.Errorf("%s: got %+v, %v, want the receipt %+v", what, got, err, first)
		}
	}
	again("the same key")
	f.restarts(t)
	again("after a restart")

	// An entry of an earlier release has the key itself.
	var command rules.Deposit
	stored, earlier := keyScope(&command, key)
	hashed, former := rules.Scope("operator", "", stored), rules.Scope("operator", "", earlier)
	use, ok := f.secrets.Keys.Find(hashed)
	if !ok {
		t.Fatal("the key is not remembered")
	}
	f.endWatch()
	f.secrets.Keys = access.New[netkit.Scope]().Keys
	f.secrets.Keys.Keep(access.Key{Hash: former, At: int64(netkit.At(f.now))}, use)
	again("a key of an earlier release")
}

package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// endlessContract opens a contract that ada and bob may execute without end.
func endlessContract(f *fixture) uint64 {
	f.t.Helper()
	f.agents("ada", "bob")
	f.admit("acme", 100_000*netkit.Credit)
	return must[netkit.ContractReceipt](f.t)(f.As("acme").OpenContract(f.t.Context(), netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheLegal,
		Budget: 90_000 * netkit.Credit, ExecutionsPerAgent: 1_000_000})).CampaignID
}

// executesOften has an agent execute a contract n times, a second apart.
func (f *fixture) executesOften(slug string, contract uint64, n int) {
	f.t.Helper()
	for range n {
		f.now = f.now.Add(time.Second)
		must[netkit.Execution](f.t)(f.As(slug).Execute(f.t.Context(), netkit.Execute{CampaignID: contract, Signal: signal}))
	}
}

// The balance at any time is the sum of the postings until then.
func TestBalanceAt(t *testing.T) {
	f := start(t, journal.NewMemory())
	contract := endlessContract(f)
	f.executesOften("ada", contract, 150)
	f.executesOften("bob", contract, 3)
	f.executesOften("ada", contract, 150)
	held := map[netkit.Account]netkit.Credits{}
	accounts := []netkit.Account{netkit.Treasury, netkit.Issuance, netkit.Wallet("ada"), netkit.Wallet("bob"), netkit.SponsorFunds("acme"), netkit.ContractBudget(contract)}
	entries := f.state.Size()
	for seq := range entries {
		e := must[*rules.Entry](t)(f.Entry(t.Context(), seq))
		for _, p := range e.Postings {
			held[p.Account] += p.Amount
		}
		if seq+1 < entries && must[*rules.Entry](t)(f.Entry(t.Context(), seq+1)).At == e.At {
			continue // the next entry is of the same time
		}
		for _, a := range accounts {
			if seq%7 != 0 && seq > 20 && a != netkit.Wallet("bob") {
				continue
			}
			got := must[netkit.AccountBalance](t)(f.As("").BalanceAt(t.Context(), a, e.At))
			if got.Balance != held[a] || got.AsOf.Seq != seq || got.AsOf.Date != e.At.Day() {
				t.Errorf("%s at %s: got %s as of entry %d, want %s as of %d", a, e.At, got.Balance, got.AsOf.Seq, held[a], seq)
			}
		}
	}
	for _, a := range accounts {
		if got := must[netkit.AccountBalance](t)(f.As("").BalanceAt(t.Context(), a, 1)); got.Balance != 0 {
			t.Errorf("%s before genesis: got %s, want 0.00", a, got.Balance)
		}
		now := must[netkit.AccountBalance](t)(f.As("").Balance(t.Context(), a))
		later := must[netkit.AccountBalance](t)(f.As("").BalanceAt(t.Context(), a, netkit.At(f.now)+netkit.FullDay))
		if later.Balance != now.Balance || later.AsOf != now.AsOf {
			t.Errorf("%s tomorrow: got %+v, want %+v", a, later, now)
		}
	}
	_, err := f.As("").BalanceAt(t.Context(), netkit.Wallet("nobody"), 0)
	refused(t, err, netkit.ErrNotFound, "account_unknown")
}

// A balance in the past reads few entries, whether the account is busy or quiet,
// and they count as the caller's effort. It refuses to read more than it may.
func TestBalanceAtIsBounded(t *testing.T) {
	f := start(t, journal.NewMemory())
	contract := endlessContract(f)
	f.executesOften("ada", contract, 1)
	early := netkit.At(f.now)
	f.executesOften("bob", contract, 5*scanBlock)
	idle := netkit.At(f.now)
	f.executesOften("ada", contract, 5*scanBlock)
	for name, c := range map[string]struct {
		account netkit.Account
		at      netkit.Millis
	}{
		"busy":         {netkit.Treasury, early + 99_000},
		"quiet":        {netkit.SponsorFunds("acme"), early},
		"busy later":   {netkit.Wallet("bob"), idle},
		"opened later": {netkit.ContractBudget(contract), 1},
	} {
		var e Effort
		must[netkit.AccountBalance](t)(f.As("").BalanceAt(WithEffort(t.Context(), &e), c.account, c.at))
		if got, limit := e.Entries(), 3*scanBlock; got == 0 || got > limit {
			t.Errorf("%s: got %d entries read, want 1 to %d", name, got, limit)
		}
	}
	end := must[uint64](t)(f.entriesUntil(t.Context(), idle))
	for most, want := range map[int]error{4 * scanBlock: netkit.ErrInvalid, maxLookBack: nil} {
		var e Effort
		held, err := f.balanceBefore(WithEffort(t.Context(), &e), netkit.Wallet("ada"), end, most)
		if want != nil {
			refused(t, err, want, "history_too_long")
		} else if err != nil || held != 5170 {
			t.Errorf("got %s (%v), want 51.70", held, err)
		}
		if got := e.Entries(); got > most+scanBlock {
			t.Errorf("got %d entries read, want at most %d", got, most)
		}
	}
}

package network

import (
	"crypto/ed25519"
	"fmt"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/didkey"
	"github.com/agentnet/netctl/netkit/internal/rulestest"
	"github.com/agentnet/netctl/netkit/rules"
)

// passes lets time go by.
func (f *fixture) passes(d time.Duration) { f.now = f.now.Add(d) }

// days lets whole days go by.
func (f *fixture) days(n int) { f.now = f.now.AddDate(0, 0, n) }

// ticks has what fell due recorded.
func (f *fixture) ticks() {
	f.t.Helper()
	if err := f.Tick(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
}

// extra returns what a party has besides, for reading only.
func (f *fixture) extra(slug string) *rules.Extra { return extraIn(f.state, f.row(slug)) }

// injectExtra changes what an agent has besides past every rule; the next
// night judges it.
func (f *fixture) injectExtra(slug string, change func(*rules.Extra)) {
	f.t.Helper()
	f.inject(slug, func(*rules.AgentRow) { change(changeExtraIn(f.state, f.num(slug))) })
}

// wear puts badges on an agent's wall past every rule.
func (f *fixture) wear(slug string, wall ...rules.Held) {
	f.t.Helper()
	f.injectExtra(slug, func(x *rules.Extra) { x.Wall = wall })
	f.row(slug).Badges = rules.ActiveOn(wall)
}

// inject changes an agent's row past every rule; the next night judges it.
func (f *fixture) inject(slug string, change func(*rules.AgentRow)) {
	f.t.Helper()
	i, _, ok := partyIn(f.state, slug)
	if !ok {
		f.t.Fatalf("no agent %s", slug)
	}
	f.bent = true
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&tablesOf(f.state).Parties.Change(i).Agent)
	f.state.Touch(i, rules.AtOnce)
}

// num returns the row of a slug.
func (f *fixture) num(slug string) uint32 {
	f.t.Helper()
	i, ok := tablesOf(f.state).Slugs.Get(slug)
	if !ok {
		f.t.Fatalf("no party %s", slug)
	}
	return i
}

// confirms gives agents a wallet address that they have proved.
func (f *fixture) confirms(slugs ...string) {
	f.t.Helper()
	for _, slug := range slugs {
		seed := make([]byte, ed25519.SeedSize)
		copy(seed, slug)
		key := ed25519.NewKeyFromSeed(seed)
		address := didkey.Of(key.Public().(ed25519.PublicKey))
		ch := must[netkit.WalletChallenge](f.t)(f.As(slug).DeclareWallet(f.t.Context(), netkit.DeclareWallet{Address: address}))
		must[netkit.WalletReceipt](f.t)(f.As(slug).ConfirmWallet(f.t.Context(), ch.Sign(key)))
	}
}

// opens opens a commercial contract and returns its id.
func (f *fixture) opens(sponsor string, budget netkit.Credits, perAgent uint32) uint64 {
	f.t.Helper()
	return must[netkit.ContractReceipt](f.t)(f.op().OpenContract(f.t.Context(), netkit.OpenContract{Sponsor: sponsor, Title: "t", Brief: "b",
		Channel: netkit.NicheSilicon, Budget: budget, ExecutionsPerAgent: perAgent})).CampaignID
}

// executes has an agent execute a contract and returns the execution's id.
func (f *fixture) executes(slug string, campaign uint64) uint64 {
	f.t.Helper()
	return must[netkit.Execution](f.t)(f.As(slug).Execute(f.t.Context(), netkit.Execute{CampaignID: campaign, Signal: signal})).ExecutionID
}

// reviewers makes agents that are drawn into panels.
func (f *fixture) reviewers(slugs ...string) {
	f.t.Helper()
	f.agents(slugs...)
	for _, slug := range slugs {
		must[netkit.RoleReceipt](f.t)(f.op().SetRole(f.t.Context(), netkit.SetRole{Agent: slug, Role: "reviewer", Grant: true, Reason: "asked"}))
	}
}

// reports reports an entry and returns the case.
func (f *fixture) reports(by string, subject uint64, law string) netkit.CaseReceipt {
	f.t.Helper()
	return must[netkit.CaseReceipt](f.t)(f.As(by).Report(f.t.Context(), netkit.Report{Subject: subject, Law: law, Evidence: "no line stopped"}))
}

// votes gives verdicts and returns the receipt of the last.
func (f *fixture) votes(id uint64, uphold bool, reviewers ...string) netkit.CaseReceipt {
	f.t.Helper()
	var r netkit.CaseReceipt
	for _, slug := range reviewers {
		r = must[netkit.CaseReceipt](f.t)(f.As(slug).Verdict(f.t.Context(), netkit.Verdict{CaseID: id, Uphold: uphold, Reasoning: "looked it up"}))
	}
	return r
}

// night closes all missed dates.
func (f *fixture) night() netkit.NightReport {
	f.t.Helper()
	return must[netkit.NightReport](f.t)(f.op().CloseNight(f.t.Context(), netkit.CloseNight{}))
}

// badge puts an active badge on an agent's wall, as a night would.
func (f *fixture) badge(slug string, b netkit.Badge) {
	f.t.Helper()
	if err := f.record(&rules.BadgeIssued{Agent: slug, Badge: b, Date: netkit.At(f.now).Day()}); err != nil {
		f.t.Fatal(err)
	}
}

// scored makes an agent whose diversity is exactly bp and whose reputation is
// exactly percent today, by payments and executions of yesterday.
func (f *fixture) scored(slug string, bp netkit.Ratio, percent netkit.Percent) {
	f.t.Helper()
	today := netkit.At(f.now).Day()
	rows := weighing(f.t, bp)
	for k := range rows {
		payer := fmt.Sprintf("payer-%d", k)
		if _, ok := tablesOf(f.state).Slugs.Get(payer); !ok {
			f.admit(payer, netkit.Credit)
		}
		rows[k].With, rows[k].Day = f.num(payer), today-1
	}
	good, tenths := evidenced(f.t, percent)
	f.inject(slug, func(a *rules.AgentRow) {
		for k := range rows { // spread, so that no payer's cap is met
			rows[k].Stands = good / uint32(len(rows))
			if k == 0 {
				rows[k].Stands += good % uint32(len(rows))
				rows[k].Answered = tenths
			}
		}
		a.Evidence = rows
	})
	i := f.num(slug)
	if got := f.state.Diversity(i, rules.LastMoment(today)); got != bp {
		f.t.Fatalf("fixture: got a diversity of %s, want %s", got, bp)
	}
	if got := f.state.Reputation(i, rules.LastMoment(today)); got != percent {
		f.t.Fatalf("fixture: got a reputation of %s, want %s", got, percent)
	}
}

// weighing finds four payments, in whole credits, whose index is exactly bp.
func weighing(t testing.TB, bp netkit.Ratio) []rules.Evidence {
	t.Helper()
	for a := int64(1); a < 60; a++ {
		for b := a; b < 60; b++ {
			for c := b; c < 60; c++ {
				for d := c; d < 60; d++ {
					s1, s2 := a+b+c+d, a*a+b*b+c*c+d*d
					if 10_000*(s1*s1-s2)/(s1*(s1+25)) == int64(bp) {
						return []rules.Evidence{{In: netkit.Credits(a) * netkit.Credit}, {In: netkit.Credits(b) * netkit.Credit}, {In: netkit.Credits(c) * netkit.Credit}, {In: netkit.Credits(d) * netkit.Credit}}
					}
				}
			}
		}
	}
	t.Fatalf("no payments give %s", bp)
	return nil
}

// evidenced finds numbers of executions and answers whose score is exactly
// percent, where no counterparty's cap is met.
func evidenced(t testing.TB, percent netkit.Percent) (good, tenths uint32) {
	t.Helper()
	for good := uint32(0); good < 100; good++ {
		for tenths := uint32(0); tenths < 20; tenths++ {
			if rulestest.WilsonBP(int64(good)*1000+int64(tenths)*100, 0) == int64(percent) {
				return good, tenths
			}
		}
	}
	t.Fatalf("no evidence gives %s", percent)
	return 0, 0
}

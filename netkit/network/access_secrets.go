package network

import (
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/rules"
)

func newSecrets() *rules.Secrets { return &rules.Secrets{Memory: access.New[netkit.Scope]()} }

// Unchanged answers a job that would change nothing and reports whether it did.
func (m *machine) Unchanged(j *job) bool {
	cmd, ok := j.cmd.(rules.Idempotent)
	if !ok || len(m.call.Facts) == 0 {
		return false
	}
	s := m.n.state
	j.first = rules.Entry{Seq: s.Size() - 1, At: s.Time(), Actor: j.by.Slug, Fact: m.call.Facts[0].Fact}
	return cmd.Unchanged(s, m.n.secrets, &j.first, m.call.At)
}

// affords refuses a command whose unpaid entries would go over the allowance of
// the party or the source, and counts those of one that may go on.
func (m *machine) affords(j *job, at netkit.Millis) error {
	kind, ok := m.n.state.KindOf(j.by.Slug)
	if !ok || kind == netkit.OperatorParty {
		return nil
	}
	m.n.machines.Acted(j.by.Source, j.by.Slug)
	want := m.call.CountUnpaid()
	if want == 0 {
		return nil
	}
	date, limits := int32(at.Day()), m.n.allowance
	if limits.Party > 0 && m.n.secrets.Unpaid.On(date, j.by.Slug)+want > limits.Party {
		return usedUp("you have", at)
	}
	if j.by.Source != "" && limits.Source > 0 && !m.sources.Take(date, j.by.Source, want, limits.Source) {
		return usedUp("the agents of your address have", at)
	}
	return nil
}

func usedUp(who string, at netkit.Millis) error {
	midnight := (netkit.Millis(at.Day()) + 1) * netkit.FullDay
	return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.AllowanceUsed, What: who + " used up today's allowance of entries that cost nothing",
		Next: "go on after midnight UTC; what moves your own credits is not counted", After: time.Duration(midnight-at) * time.Millisecond}
}

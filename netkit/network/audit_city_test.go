package network

import (
	"bytes"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// city is a network in which something of everything is under way, made by the
// public methods alone. At its end a crisis runs.
type city struct {
	*fixture
	records                           [][]byte
	commercial, emergency, ends, over uint64 // contracts
	work                              uint64 // an execution that nobody reported
	asked, answered                   uint64 // attention requests
	alarm, news                       uint64 // dispatches
	bolt                              uint64 // admission that waits for its witness
	begun                             uint64 // revocation that waits for its witness
	tried, judged                     uint64 // cases: with a panel, and upheld
	panel                             []string
}

// easy is a constitution under which a badge is earned in a day.
func easy() *netkit.Constitution {
	return revised("1.1.0", func(c *netkit.Constitution) {
		for i, payout := range []netkit.Credits{100, 200, 300, 400} {
			c.Tiers[i].Payout = payout * netkit.Credit
		}
		c.Badges = c.Badges[:1]
		b := &c.Badges[0]
		b.Events, b.Counterparties, b.ActiveDays, b.CleanDays = 1, 1, 1, 1
	})
}

func newCity(t testing.TB) *city {
	c := &city{fixture: memory(t)}
	c.adopts(t, easy())
	c.reviewers("judge-a", "judge-b", "judge-c", "judge-d", "judge-e", "judge-f", "judge-g")
	c.witnesses("ada", "bea", "cora")
	c.agents("dora", "evil", "foe")
	c.trade()
	c.ask()
	c.judge()
	c.alert()
	for r, err := range c.store.Read(t.Context(), 0, c.state.Size()) {
		if err != nil {
			t.Fatal(err)
		}
		c.records = append(c.records, bytes.Clone(r.Public))
	}
	return c
}

// trade has ada earn her badge by three sponsors.
func (c *city) trade() {
	c.t.Helper()
	for _, sponsor := range []string{"acme", "core", "dyne"} {
		c.admit(sponsor, 10_000*netkit.Credit)
		c.commercial = c.opens(sponsor, 1000*netkit.Credit, 1)
		c.executes("ada", c.commercial)
	}
	c.work = c.executes("evil", c.commercial)
	ctx := c.t.Context()
	open := func(by netkit.Caller, in netkit.OpenContract) uint64 {
		in.Sponsor, in.Title, in.Brief, in.Channel, in.Budget = "acme", "t", "b", netkit.NicheLegal, 1000*netkit.Credit
		return must[netkit.ContractReceipt](c.t)(c.For(by).OpenContract(ctx, in)).CampaignID
	}
	c.emergency = open(as("operator"), netkit.OpenContract{Kind: netkit.Operational, ExecutionsPerAgent: 2, Matching: netkit.Matching{Niches: []netkit.Niche{netkit.NicheLegal}}})
	must[netkit.ClaimsReceipt](c.t)(c.As("ada").SetClaims(ctx, netkit.Claims{Niche: netkit.NicheLegal}))
	c.over = open(as("operator"), netkit.OpenContract{Kind: netkit.Operational})
	must[netkit.ContractReceipt](c.t)(c.op().CloseContract(ctx, netkit.CloseContract{CampaignID: c.over}))
	c.bolt = c.proposes("bolt").AdmissionID
	c.days(1)
	c.night()
	c.begun = must[netkit.RevocationReceipt](c.t)(c.op().RevokeBadge(ctx, netkit.RevokeBadge{Agent: "ada", Badge: netkit.FieldAgent, Reason: "sold it"})).RevocationID
	c.ends = open(as("acme"), netkit.OpenContract{EndsAt: netkit.At(c.now) + 30*netkit.FullDay})
}

func (c *city) ask() {
	c.t.Helper()
	c.takes("bea", 3*netkit.Credit)
	c.answered, c.asked = c.asks("cora", "bea").ID, c.asks("cora", "bea").ID
	must[netkit.AttentionReceipt](c.t)(c.As("bea").AnswerAttention(c.t.Context(), netkit.AnswerAttention{ID: c.answered, Body: "yes"}))
	must[netkit.PlaybookReceipt](c.t)(c.As("ada").RegisterPlaybook(c.t.Context(), netkit.RegisterPlaybook{Title: "t", Category: "legal", SubCategory: "a", Jurisdiction: "DE",
		Status: "RESOLVED", StepCount: 1, ContentSHA256: netkit.Hash{1}, ScrubberVersion: "scrub/9"}))
	must[netkit.Plant](c.t)(c.op().CreatePlant(c.t.Context(), netkit.CreatePlant{ID: 1, Name: "fern"}))
}

// judge has evil suspended, and another case before its panel.
func (c *city) judge() {
	c.t.Helper()
	upheld := c.reports("bea", c.work, "L1")
	c.judged = upheld.CaseID
	c.votes(upheld.CaseID, true, upheld.Panel[:2]...)
	tried := c.reports("cora", c.work, "L2")
	c.tried, c.panel = tried.CaseID, tried.Panel
}

func (c *city) alert() {
	c.t.Helper()
	must[netkit.RoleReceipt](c.t)(c.op().SetRole(c.t.Context(), netkit.SetRole{Agent: "dora", Role: "correspondent", Grant: true, Reason: "asked"}))
	c.news, c.alarm = c.publishes(netkit.P1, netkit.NicheLegal, "news"), c.publishes(netkit.P0, netkit.NicheLegal, "alarm")
}

// lie is an entry that an operator adds who is the attacker: it carries on all
// accounts, sums to zero and has the right number and time, so that only the
// rules tell it from an honest one.
type lie struct {
	name  string
	rule  string // that it has to break
	actor string
	fact  rules.Fact
	moves []rules.Move
	later time.Duration        // after the city's end
	bend  func(e *rules.Entry) // what it is besides
}

// auditor is one that has taken nothing yet.
func (c *city) auditor(t testing.TB) *rules.Auditor {
	t.Helper()
	return must[*rules.Auditor](t)(rules.NewAuditor(netkit.AuditConfig{
		Entry: func(seq uint64) ([]byte, error) { return c.records[seq], nil },
		RootAt: func(size uint64) (netkit.Hash, error) {
			var tree journal.Tree
			for _, r := range c.records[:size] {
				tree.Append(journal.Leaf(r), nil)
			}
			return tree.Root(), nil
		},
	}))
}

// audited is an auditor at the city's end.
func (c *city) audited(t testing.TB) *rules.Auditor {
	t.Helper()
	a := c.auditor(t)
	for _, r := range c.records {
		if err := a.Take(r); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// told is what the journal holds of a lie.
func (c *city) told(a *rules.Auditor, l *lie) []byte {
	var e rules.Entry
	d := rules.Draft{Fact: l.fact}
	copy(d.Moves[:], l.moves)
	a.State.Enter(&e, netkit.At(c.now.Add(l.later)), l.actor, &d)
	if l.bend != nil {
		l.bend(&e)
	}
	return rules.AppendEntry(nil, &e)
}

// rebuilt is a journal of public parts with a whole tree.
func rebuilt(t testing.TB, records [][]byte) journal.Store {
	t.Helper()
	store := journal.NewMemory()
	var tree journal.Tree
	var b journal.Batch
	for seq, r := range records {
		b.Records = append(b.Records, journal.Record{Seq: uint64(seq), Public: r})
		b.Nodes = tree.Append(journal.Leaf(r), b.Nodes)
	}
	if _, err := store.Append(t.Context(), journal.Head{}, b); err != nil {
		t.Fatal(err)
	}
	return store
}

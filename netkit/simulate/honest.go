package simulate

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/didkey"
	"github.com/agentnet/netctl/netkit/network"
)

// agent is one account, honest or not.
type agent struct {
	*network.Session
	slug    string
	rate    float64 // executions wanted a day
	home    int     // sponsor that it worked for first
	last    int     // sponsor that it worked for last
	loyalty float64 // chance to stay with the last; 1 serves no other
	accepts bool    // takes attention requests
	crooked bool

	executions int
	recent     []uint64   // the latest of them
	first      [4]reached // when it stood on each tier first
	standing   netkit.Status
}

// reached is the day on which something was reached, counted from the agent's
// spawn, and after how many executions.
type reached struct {
	day, executions int
	yes             bool
}

// expectAgents plans the arrival of the honest agents.
func (w *world) expectAgents() {
	h := &w.sc.Honest
	active := zipf(w.sc.Agents, h.Zipf)
	for rank, i := range w.rng.Perm(w.sc.Agents) {
		a := &agent{slug: fmt.Sprintf("agent-%05d", i), rate: h.Wishes * float64(w.sc.Agents) * active.share(rank),
			home: w.draw(w.shares), loyalty: 0.3 + 0.65*w.rng.Float64(), accepts: w.chance(h.Takers)}
		if w.chance(h.Single) {
			a.loyalty = 1
		}
		joins := days(h.JoinDays) * time.Duration(i) / time.Duration(w.sc.Agents)
		w.after(joins, func() { w.arrive(a) })
	}
}

// spawn brings an account into the network.
func (w *world) spawn(a *agent) bool {
	hash := netkit.Hash(netkit.Token(w.bytes()).SHA256())
	_, err := w.n.As("").Spawn(w.ctx, netkit.Spawn{Slug: a.slug, TokenSHA256: &hash})
	if !w.ok(err) {
		return false
	}
	a.Session = w.n.As(a.slug)
	w.known[a.slug] = a
	w.tally.joined(a, w.day())
	return true
}

func (w *world) bytes() (b [32]byte) {
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], w.rng.Uint64())
	}
	return b
}

// confirm proves the key of a new wallet address.
func (w *world) confirm(a *agent) {
	seed := w.bytes()
	key := ed25519.NewKeyFromSeed(seed[:])
	ch, err := a.DeclareWallet(w.ctx, netkit.DeclareWallet{Address: didkey.Of(key.Public().(ed25519.PublicKey))})
	if w.ok(err) {
		_, err = a.ConfirmWallet(w.ctx, ch.Sign(key))
		w.ok(err)
	}
}

// arrive begins an honest agent's life.
func (w *world) arrive(a *agent) {
	if !w.spawn(a) {
		return
	}
	w.agents = append(w.agents, a)
	w.recruitReviewer(a)
	if a.accepts {
		w.takes(a, netkit.Credits(25+w.rng.Int64N(676)))
		w.takers = append(w.takers, a)
		w.popular = w.popular.next(w.sc.Honest.Zipf)
	}
	switch x := w.rng.Float64(); {
	case x < 0.8:
		w.after(w.between(0, days(10)), func() { w.confirm(a) })
	case x < 0.95:
		w.after(w.between(days(10), days(60)), func() { w.confirm(a) })
	}
	h := &w.sc.Honest
	w.habit(a, a.rate, w.work)
	w.habit(a, a.rate*h.Requests, w.ask)
	w.habit(a, a.rate*h.Reads, w.read)
}

// takes has an agent accept attention requests at a floor price.
func (w *world) takes(a *agent, floor netkit.Credits) {
	_, err := a.SetClaims(w.ctx, netkit.Claims{Niche: netkit.NicheSilicon, AcceptsAttentionRequests: true, AttentionFloorPrice: floor})
	w.ok(err)
}

// habit has an agent do something at random times, so often a day on average.
func (w *world) habit(a *agent, rate float64, do func(*agent)) {
	if rate <= 0 {
		return
	}
	mean := time.Duration(float64(24*time.Hour) / rate)
	var next func()
	next = func() {
		if a.standing == netkit.Active {
			do(a)
		}
		w.after(w.wait(mean), next)
	}
	w.after(w.wait(mean), next)
}

// work executes a contract: of the same sponsor as last time, of the first
// again, or of any.
func (w *world) work(a *agent) {
	if !w.chance(a.loyalty) {
		if a.last = a.home; w.chance(0.6) {
			a.last = w.pick()
		}
	}
	bad := w.chance(w.sc.Honest.Bad)
	if !w.execute(a, w.sponsors[a.last], bad) && a.loyalty < 1 {
		a.last = w.pick()
		w.execute(a, w.sponsors[a.last], bad)
	}
}

// vocabulary is what honest signals are written with.
var vocabulary = [...]string{"wafer", "substrate", "tariff", "port", "grid", "audit", "lead", "time", "fell", "rose", "weeks", "supplier", "permit",
	"court", "filed", "quarter", "yield", "plant", "strike", "price", "index", "vote", "draft", "rule", "clinic", "trial", "bond", "spread", "press", "cut"}

// text writes so many words at random.
func (w *world) text(words int) string {
	b := make([]byte, 0, 8*words)
	for range words {
		b = append(append(b, vocabulary[w.rng.IntN(len(vocabulary))]...), ' ')
	}
	return string(b[:len(b)-1])
}

// execute delivers a signal and reports whether it was paid.
func (w *world) execute(a *agent, s *sponsor, bad bool) bool {
	body := "Great insight, see the source."
	if !a.crooked {
		body = w.text(24)
	}
	r, err := a.Execute(w.ctx, netkit.Execute{CampaignID: s.contract, Signal: netkit.Signal{
		Headline: "Report of the day", Body: body, Sources: sources}})
	if !w.ok(err) {
		return false
	}
	a.executions++
	if a.recent = append(a.recent, r.ExecutionID); len(a.recent) > 40 {
		a.recent = a.recent[20:]
	}
	if bad {
		w.bad[r.ExecutionID] = true
	}
	w.tally.executed(w, a, s, &r, bad)
	w.delivered(a, s, r.ExecutionID, bad)
	return true
}

var sources = []string{"https://example.org/source"}

// ask sends an attention request to a popular agent, which mostly answers.
func (w *world) ask(a *agent) {
	if len(w.takers) == 0 {
		return
	}
	to := w.takers[w.draw(w.popular)]
	if to == a {
		return
	}
	w.tally.asked++
	r, err := a.SendAttention(w.ctx, netkit.SendAttention{To: to.slug, Subject: "A question", Body: "What do you expect next week?"})
	if !w.ok(err) {
		return
	}
	switch x := w.rng.Float64(); {
	case x < 0.87:
		w.after(w.wait(10*time.Hour), func() { w.answer(to, r.ID) })
	case x < 0.93:
		w.after(w.wait(10*time.Hour), func() {
			_, err := to.DeclineAttention(w.ctx, netkit.DeclineAttention{ID: r.ID})
			w.ok(err)
		})
	}
}

func (w *world) answer(to *agent, id uint64) bool {
	_, err := to.AnswerAttention(w.ctx, netkit.AnswerAttention{ID: id, Body: "Shorter lead times."})
	return w.ok(err)
}

// openFeed has an operator publish twice a day.
func (w *world) openFeed() {
	w.every(12*time.Hour, func() {
		hash := netkit.Hash(w.bytes())
		_, err := w.operator.Publish(w.ctx, netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheSilicon, Headline: "News of the day",
			Audio: &netkit.AudioRef{SHA256: hash, Type: "audio/mpeg", Bytes: 1 << 16, Duration: 60_000}})
		w.must(err)
	})
}

// read pays for the newest dispatches.
func (w *world) read(a *agent) {
	w.tally.asked++
	m, err := a.Manifest(w.ctx, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1, netkit.P2}, Page: netkit.Page{Limit: 10}})
	if w.ok(err) {
		w.tally.feed += m.Charged
	}
}

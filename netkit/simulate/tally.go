package simulate

import (
	"errors"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/fanout"
)

// tally gathers what a run shows, from receipts and public views alone.
type tally struct {
	born     map[string]int // day of spawn
	refused  map[string]int // commands by the code of their refusal
	issued   map[netkit.Badge]map[string]bool
	asked    int // requests and paid reads wanted
	signals  int // honest ones that were paid
	payouts  netkit.Credits
	brought  netkit.Credits // by honest sponsors
	paid     netkit.Credits // by them, before anything was returned
	feed     netkit.Credits
	verdicts int

	withOperator map[uint64]bool            // cases that fell to the operator
	suspended    map[string]bool            // honest agents that were suspended once
	flagged      map[string]map[string]bool // honest agents, by the detector that ever found them
	looked       uint64                     // latest entry of a flag seen
	wronged      int                        // upheld cases about what was right
	returned     netkit.Credits             // payouts of honest signals that sponsors returned without a report
	cases        int

	profiles map[string]netkit.BioVerified // at the latest census
	series   []Sample
	books    netkit.Books
}

// Sample is one moment of a run, for charts.
type Sample struct {
	Day      int            `json:"day"`
	Tiers    [4]int         `json:"tiers"` // honest agents on each, lowest first
	Signals  int            `json:"signals"`
	Payouts  netkit.Credits `json:"payouts"` // for honest signals since the run began
	Treasury netkit.Credits `json:"treasury"`
	Wallets  netkit.Credits `json:"wallets"`
	Supply   netkit.Credits `json:"supply"`
	Drained  netkit.Credits `json:"drained"` // paid by honest sponsors for junk
}

func newTally() tally {
	return tally{born: map[string]int{}, refused: map[string]int{}, issued: map[netkit.Badge]map[string]bool{},
		withOperator: map[uint64]bool{}, suspended: map[string]bool{}, flagged: map[string]map[string]bool{}, profiles: map[string]netkit.BioVerified{}}
}

func (f *tally) joined(a *agent, day int) { f.born[a.slug] = day }

// flags notes whom detectors found since the night before: honest agents by
// detector, and the first time the attacker was among them.
func (w *world) flags() {
	f, newest := &w.tally, w.tally.looked
	for page := (netkit.Page{Limit: 200}); ; {
		list, err := w.operator.Flags(w.ctx, page)
		if !w.must(err) {
			return
		}
		for _, flag := range list.Items {
			if flag.Seq <= f.looked {
				list.NextCursor = ""
				break
			}
			newest = max(newest, flag.Seq)
			w.noteFlag(&flag)
		}
		if page.Cursor = list.NextCursor; page.Cursor == "" {
			f.looked = newest
			return
		}
	}
}

func (w *world) noteFlag(flag *netkit.AgentFlag) {
	if w.known[flag.Agent].crooked {
		c := &w.crime
		if !c.flagged.yes && (c.boss == nil || c.boss.slug == flag.Agent) {
			c.flagged = reached{day: w.since(), executions: c.executions, yes: true}
		}
		c.caught(w, flag.Agent)
		return
	}
	if w.begun() {
		w.crime.suspected[flag.Agent] = true
	}
	for _, d := range flag.Detections {
		by := w.tally.flagged[d.Name]
		if by == nil {
			by = map[string]bool{}
			w.tally.flagged[d.Name] = by
		}
		by[flag.Agent] = true
	}
}

// night notes the badges that a night issued.
func (f *tally) night(r *netkit.NightReport) {
	for _, b := range r.Issued {
		if f.issued[b.Badge] == nil {
			f.issued[b.Badge] = map[string]bool{}
		}
		f.issued[b.Badge][b.Agent] = true
	}
}

// executed notes a paid execution.
func (f *tally) executed(w *world, a *agent, s *sponsor, r *netkit.Execution, bad bool) {
	switch {
	case !a.crooked:
		f.signals++
		f.payouts += r.Payout
	case bad && !s.crooked:
		w.crime.drained += r.Payout
	}
	if a.crooked {
		w.crime.executions++
		w.crime.junk += int(one(bad))
	}
	s.paid += r.Payout
	if !s.crooked {
		f.paid += r.Payout
	}
	if !s.crooked && w.crime.running(w) {
		w.crime.spent += r.Payout
		if !a.crooked {
			w.crime.others++
		}
	}
	w.reaches(a, r.Tier)
}

// code is the code of a refusal, "" of anything else.
func (w *world) code(err error) string {
	var r *netkit.Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

// convicted notes an upheld case.
func (f *tally) convicted(w *world, a *agent, c *netkit.CaseView) {
	if !a.crooked {
		f.suspended[a.slug] = true
		if w.begun() {
			w.crime.wronged[a.slug] = true
		}
	}
	if !w.deserved(c) {
		f.wronged++
	}
}

// deposited notes outside money.
func (w *world) deposited(s *sponsor, amount netkit.Credits) {
	if s.crooked {
		w.crime.outside += amount
	} else {
		w.tally.brought += amount
	}
}

// reaches notes that an agent stands on a tier.
func (w *world) reaches(a *agent, tier netkit.Tier) {
	for t := netkit.Unverified; t <= tier; t++ {
		if !a.first[t].yes {
			a.first[t] = reached{day: w.day() - w.tally.born[a.slug], executions: a.executions, yes: true}
		}
	}
}

// census looks at every profile.
func (w *world) census() {
	s := Sample{Day: w.day(), Signals: w.tally.signals, Payouts: w.tally.payouts, Drained: w.crime.drained}
	visitor := w.n.As("")
	all := slices.Concat(w.agents, w.crime.accounts)
	profiles, errs := make([]netkit.Profile, len(all)), make([]error, len(all))
	fanout.Each(len(all), func(k int) { profiles[k], errs[k] = visitor.Profile(w.ctx, all[k].slug) })
	if !w.must(errors.Join(errs...)) {
		return
	}
	for k, a := range all {
		p := &profiles[k]
		a.standing = p.Status
		w.reaches(a, p.BioVerified.Tier)
		w.tally.profiles[a.slug] = p.BioVerified
		if !a.crooked {
			s.Tiers[p.BioVerified.Tier]++
		} else {
			w.crime.saw(w, a, p)
		}
	}
	b, err := visitor.Conservation(w.ctx)
	w.must(err)
	s.Treasury, s.Wallets, s.Supply, w.tally.books = b.Treasury, b.Wallets, -b.Issued, b
	w.tally.series = append(w.tally.series, s)
}

// treasuryTrend returns the least growth of the treasury in 30 days. It is not below
// 0 as long as cases cost no more than the treasury's income of the same days.
func (f *tally) treasuryTrend() (worst netkit.Credits, ok bool) {
	for i, then := range f.series {
		for _, now := range f.series[i:] {
			if now.Day != then.Day+30 {
				continue
			}
			if growth := now.Treasury - then.Treasury; !ok || growth < worst {
				worst, ok = growth, true
			}
		}
	}
	return worst, ok
}

// median returns the median of values, 0 of none.
func median[T float64 | int](values []T) T {
	if len(values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// gini measures inequality: 0 when all hold the same, 1 when one holds all.
func gini(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	sum, ranked := 0.0, 0.0
	for i, v := range sorted {
		sum += v
		ranked += float64(i+1) * v
	}
	if sum == 0 {
		return 0
	}
	n := float64(len(sorted))
	return 2*ranked/(n*sum) - (n+1)/n
}

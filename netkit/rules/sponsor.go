package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// sponsor returns the row of an admitted sponsor's slug, or a refusal for field.
func (s *State) sponsor(field, slug string) (uint32, *Party, error) {
	i, p, err := s.anySponsor(field, slug)
	if err == nil && p.Status == netkit.Proposed {
		return 0, nil, &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.SponsorPending, Field: field, What: "names a sponsor that waits for a witness to its admission", Next: "{listWitnessDuties} tells agents what waits for them"}
	}
	return i, p, err
}

// anySponsor returns the row of a sponsor's slug, admitted or not, or a refusal for
// field. The number of its admission is the Seq of its party.
func (s *State) anySponsor(field, slug string) (uint32, *Party, error) {
	if i, p, ok := s.party(slug); ok && p.Kind == netkit.SponsorParty {
		return i, p, nil
	}
	return 0, nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.SponsorUnknown, Field: field, What: "names no sponsor of this network", Next: "{listSponsors} lists them"}
}

// bought is kept of a sponsor, so that nobody has to add up its executions.
type bought struct {
	executions     uint64
	paid, returned netkit.Credits
	In             EntrySpans // where in the journal its executions are
	days           []marketDay
	upheld         uint64 // of its reports that are final
	dismissed      uint64
	cases          uint64         // that it began and that were judged
	waited         netkit.Millis  // from their first report to their first judgement, together
	bonds          netkit.Credits // of its reports, that are held
	stopped        uint64         // entry by which an operator stopped it, or 0
	named          namedAgents    // admitted to all of its contracts, or shut out
}

func (b *bought) Fields(c *wire.Codec) {
	wire.Num(c, "executions", &b.executions)
	wire.Amount(c, "paid", &b.paid)
	wire.Amount(c, "returned", &b.returned)
	b.In.Fields(c, "in")
	wire.List(c, "days", &b.days, object[marketDay])
	wire.Num(c, "upheld", &b.upheld)
	wire.Num(c, "dismissed", &b.dismissed)
	wire.Num(c, "cases", &b.cases)
	wire.Num(c, "waited", &b.waited)
	wire.Amount(c, "bonds", &b.bonds)
	wire.Num(c, "stopped", &b.stopped)
	c.Member("named", b.named.Fields)
}

// reports returns the outcomes of the sponsor's reports.
func (b *bought) reports() netkit.ReportRecord {
	r := netkit.ReportRecord{Upheld: b.upheld, Dismissed: b.dismissed}
	if b.cases > 0 {
		r.MeanHours = uint64(b.waited) / b.cases / uint64(netkit.Hour)
	}
	return r
}

func (s *State) SponsorView(a *Admission) netkit.SponsorView {
	p := s.parties.At(a.party)
	b := &s.extra(p).bought
	return netkit.SponsorView{Executions: b.executions, Spent: b.paid - b.returned, Returned: b.returned, Reports: b.reports(), Returns: s.returnsOf(a.party, s.root.At), Buyer: s.buyerRecord(a.party, s.root.At), Slug: p.Slug, Name: a.name, Admitted: a.since != 0, Witness: a.witness, Since: a.since, Funds: s.wallets.At(a.party).Held, Bonds: b.bonds, Stopped: s.stopView(b.stopped), Agents: s.namedForAll(&b.named)}
}

package web

import (
	"html/template"

	"github.com/agentnet/netctl/netkit"
)

// homeData is what the first page shows.
type homeData struct {
	Totals netkit.NetworkTotals
	Books  netkit.Books
	Bar    template.HTML
	Law    netkit.ConstitutionView
	Split  template.HTML
	Latest []line
}

const homeEntries = 10

// home says what this network is, with live numbers.
func (p *Pages) home(v *request) (*screen, error) {
	ctx := v.r.Context()
	var d homeData
	var err error
	if d.Totals, err = p.net.Totals(ctx); err != nil {
		return nil, err
	}
	if d.Books, err = p.net.As("").Conservation(ctx); err != nil {
		return nil, err
	}
	if d.Law, err = p.net.As("").Constitution(ctx); err != nil {
		return nil, err
	}
	if d.Latest, err = p.lines(ctx, before(d.Totals.Entries, homeEntries), homeEntries); err != nil {
		return nil, err
	}
	d.Bar, d.Split = drawBooks(d.Books), drawSplit(d.Law.Economy)
	return &screen{name: "home", title: "", data: d}, nil
}

// before is where a stretch of so many entries begins that ends at end.
func before(end uint64, size uint64) uint64 {
	if end < size {
		return 0
	}
	return end - size
}

// alert is the banner of a crisis, for pages that are open when one begins.
func (p *Pages) alert(*request) (*screen, error) { return &screen{name: "alert", title: "Crisis"}, nil }

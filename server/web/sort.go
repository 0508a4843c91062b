package web

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// maxSorted is how many items of a list are read to sort them. Whoever has
// more narrows the list by its filters.
const maxSorted = 500

// column is a column of a table, by which its rows can be sorted.
type column[T any] struct {
	name, title string // in addresses, and as people read it
	num         bool   // stands to the right
	high        bool   // begins with the highest
	compare     func(a, b *T) int
}

// heading is a column as a page shows it.
type heading struct {
	Title string
	Num   bool
	Href  string // sorts by it, the other way round where it is sorted by already; "" where nothing can be sorted
	Order string // "ascending" or "descending" where it is sorted by
}

// headings are the columns of a table at an address; "" leaves out the links.
func headings[T any](columns []column[T], path string, q url.Values) []heading {
	all := make([]heading, len(columns))
	by, descending := strings.CutPrefix(q.Get("sort"), "-")
	for i, c := range columns {
		h := heading{Title: c.title, Num: c.num}
		down := c.high
		if by == c.name {
			h.Order, down = "ascending", !descending
			if descending {
				h.Order = "descending"
			}
		}
		if path != "" {
			h.Href = sortedBy(path, q, c.name, down)
		}
		all[i] = h
	}
	return all
}

// sortedBy is the address of the first window of a list in another order.
func sortedBy(path string, q url.Values, name string, down bool) string {
	to := url.Values{}
	for other, values := range q {
		if other != "cursor" && values[0] != "" {
			to.Set(other, values[0])
		}
	}
	if down {
		name = "-" + name
	}
	to.Set("sort", name)
	return path + "?" + to.Encode()
}

// arrange sorts rows as an address asks and cuts its window out of them. The
// second result is the cursor of the next one.
func arrange[T any](columns []column[T], q url.Values, rows []T) ([]T, string, error) {
	by, descending := strings.CutPrefix(q.Get("sort"), "-")
	i := slices.IndexFunc(columns, func(c column[T]) bool { return c.name == by })
	if i < 0 {
		return nil, "", &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ValueWrong, Field: "sort", What: "is not a column of this table", Next: "press the name of a column"}
	}
	slices.SortStableFunc(rows, func(a, b T) int {
		if descending {
			a, b = b, a
		}
		return columns[i].compare(&a, &b)
	})
	return cut(q, rows)
}

// gather reads a list window by window, at most maxSorted items of it. The
// second result is how many it read where there are more, else 0.
func gather[T any](page *netkit.Page, read func() (netkit.List[T], error)) (netkit.List[T], int, error) {
	all := netkit.List[T]{}
	page.Cursor = ""
	for {
		page.Limit = min(200, maxSorted-len(all.Items))
		next, err := read()
		if err != nil {
			return all, 0, err
		}
		all.Items, all.AsOf, page.Cursor = append(all.Items, next.Items...), next.AsOf, next.NextCursor
		if page.Cursor == "" {
			return all, 0, nil
		}
		if len(all.Items) >= maxSorted {
			return all, len(all.Items), nil
		}
	}
}

// cut takes the window at a cursor, which counts the rows before it.
func cut[T any](q url.Values, rows []T) ([]T, string, error) {
	from := 0
	if text := q.Get("cursor"); text != "" {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n > maxSorted {
			return nil, "", &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.CursorMalformed, Field: "cursor", What: "is not a cursor of this list", Next: "leave it out to begin again"}
		}
		from = int(n)
	}
	from = min(from, len(rows))
	end := min(from+windowSize, len(rows))
	if end == len(rows) {
		return rows[from:], "", nil
	}
	return rows[from:end], strconv.Itoa(end), nil
}

// offerColumns are the columns of the market; you adds what a contract pays the visitor.
func offerColumns(you bool) []column[offer] {
	all := []column[offer]{
		{"title", "Contract", false, false, func(a, b *offer) int { return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) }},
		{"pays", "Pays you", true, true, func(a, b *offer) int { return cmp.Compare(a.share(), b.share()) }},
		{"left", "Left", true, true, func(a, b *offer) int { return cmp.Compare(a.Remaining, b.Remaining) }},
		{"budget", "Budget", true, true, func(a, b *offer) int { return cmp.Compare(a.Budget, b.Budget) }},
		{"executed", "Executed", true, true, func(a, b *offer) int { return cmp.Compare(a.Executions, b.Executions) }},
		{"channel", "Channel", false, false, func(a, b *offer) int { return cmp.Compare(a.Channel.String(), b.Channel.String()) }},
		{"sponsor", "Sponsor", false, false, func(a, b *offer) int { return cmp.Compare(a.Sponsor, b.Sponsor) }},
		{"ends", "Ends", false, false, func(a, b *offer) int { return cmp.Compare(uint64(a.EndsAt)-1, uint64(b.EndsAt)-1) }}, // without an end: last
	}
	if !you {
		return slices.Delete(all, 1, 2)
	}
	return all
}

// agentColumns are the columns of the directory.
var agentColumns = []column[netkit.Profile]{
	{"agent", "Agent", false, false, func(a, b *netkit.Profile) int { return cmp.Compare(a.Slug, b.Slug) }},
	{"tier", "Tier", false, true, func(a, b *netkit.Profile) int { return cmp.Compare(a.BioVerified.Tier, b.BioVerified.Tier) }},
	{"reputation", "Reputation", true, true, func(a, b *netkit.Profile) int {
		return cmp.Compare(a.BioVerified.ReputationScore, b.BioVerified.ReputationScore)
	}},
	{"diversity", "Diversity", true, true, func(a, b *netkit.Profile) int {
		return cmp.Compare(a.BioVerified.CounterpartyDiversityScore, b.BioVerified.CounterpartyDiversityScore)
	}},
	{"transactions", "Transactions", true, true, func(a, b *netkit.Profile) int {
		return cmp.Compare(a.BioVerified.Transactions, b.BioVerified.Transactions)
	}},
	{"badges", "Badges", true, true, func(a, b *netkit.Profile) int { return cmp.Compare(badgesHeld(a), badgesHeld(b)) }},
	{"niche", "Claims", false, false, func(a, b *netkit.Profile) int {
		return cmp.Compare(a.BioClaims.Niche.String(), b.BioClaims.Niche.String())
	}},
	{"attention", "Attention", true, true, func(a, b *netkit.Profile) int { return cmp.Compare(attentionPrice(a), attentionPrice(b)) }},
}

// badgesHeld counts the badges that were not revoked.
func badgesHeld(p *netkit.Profile) (n int) {
	for _, b := range p.BioVerified.Badges {
		if b.Active {
			n++
		}
	}
	return n
}

// attentionPrice is what a request costs, less than nothing where none is accepted.
func attentionPrice(p *netkit.Profile) netkit.Credits {
	if !p.BioClaims.AcceptsAttentionRequests {
		return -1
	}
	return p.BioClaims.AttentionFloorPrice
}

package web

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// search goes to what the words name: an entry as #7, a contract or an entry by its
// number, an account, an agent by its slug; else it lists what holds the words.
func (p *Pages) search(v *request) (*screen, error) {
	words := strings.ToLower(strings.TrimSpace(v.r.URL.Query().Get("q")))
	if n, err := strconv.ParseUint(strings.TrimPrefix(words, "#"), 10, 64); err == nil {
		if strings.HasPrefix(words, "#") {
			return &screen{goTo: "/ledger/" + strconv.FormatUint(n, 10)}, nil
		}
		return p.searchNumber(v, n)
	}
	if account, err := netkit.ParseAccount(words); err == nil {
		return &screen{goTo: "/ledger/accounts/" + account.String()}, nil
	}
	if _, err := p.net.As("").Profile(v.r.Context(), words); err == nil {
		return &screen{goTo: "/agent/" + url.PathEscape(words)}, nil
	}
	d := searchData{Words: words, Head: headings(offerColumns(v.agentHere()), "", nil), Matched: v.agentHere()}
	list, err := p.searchTitles(v, words)
	if err == nil {
		err = p.searchTexts(v, words, &d)
	}
	d.Contracts = offers(list)
	return &screen{name: "search", title: "Search", data: d}, err
}

// searchNumber goes to what an entry's number stands for: a contract, else the entry.
func (p *Pages) searchNumber(v *request, n uint64) (*screen, error) {
	id := strconv.FormatUint(n, 10)
	if _, err := p.net.As("").Campaign(v.r.Context(), n); err == nil {
		return &screen{goTo: "/market/" + id}, nil
	}
	return &screen{goTo: "/ledger/" + id}, nil
}

// searchData is what a search by words found.
type searchData struct {
	Words      string
	Head       []heading
	Contracts  []offer
	Matched    bool // whether they say what they pay the visitor
	Agents     []string
	Dispatches []netkit.Dispatch
}

// searched is how many items of each list a search looks at.
const searched = 200

// searchTexts finds the words in names of agents and in free dispatches.
func (p *Pages) searchTexts(v *request, words string, d *searchData) error {
	if words == "" {
		return nil
	}
	agents, err := p.net.As("").Directory(v.r.Context(), netkit.DirectoryQuery{Page: netkit.Page{Limit: searched}})
	if err != nil {
		return err
	}
	for i := range agents.Items {
		if slug := agents.Items[i].Slug; strings.Contains(slug, words) {
			d.Agents = append(d.Agents, slug)
		}
	}
	free, err := p.net.As("").Manifest(v.r.Context(), netkit.ReadManifest{Page: netkit.Page{Limit: windowSize}})
	for i := range free.Items {
		if f := &free.Items[i]; strings.Contains(strings.ToLower(f.Headline+"\n"+f.Summary), words) {
			d.Dispatches = append(d.Dispatches, *f)
		}
	}
	return err
}

// searchTitles finds the words in titles and briefs of open contracts.
func (p *Pages) searchTitles(v *request, words string) (found []netkit.Campaign, err error) {
	list, err := p.marketOf(v).Market(v.r.Context(), netkit.MarketQuery{Page: netkit.Page{Limit: searched}})
	if err != nil || words == "" {
		return nil, err
	}
	for _, c := range list.Items {
		if strings.Contains(strings.ToLower(c.Title+"\n"+c.Brief), words) {
			found = append(found, c)
		}
	}
	return found, nil
}

package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
)

// Reads says how to measure what the most expensive anonymous reads cost.
type Reads struct {
	Executions int           // in the journal; 0 means 20,000
	Rounds     int           // of each read; 0 means 5
	Span       time.Duration // of one measurement of a neighbour; 0 means 2 s
	Dir        string        // folder for the journal; "" means a throw-away one
	Say        func(string)  // gets the name of each measurement; nil drops it
}

// Read is what one anonymous read costs.
type Read struct {
	Target  string        `json:"target"`
	Accept  string        `json:"accept,omitempty"`
	Status  int           `json:"status"`
	Bytes   int           `json:"bytes"`
	Entries int           `json:"entries" doc:"of the journal that one request reads"`
	CPU     time.Duration `json:"cpu_ns" doc:"processor time of a request; 0 where it is not known"`
	Ratio   float64       `json:"ratio" doc:"over the processor time of the health check"`
}

// ReadReport lists reads, the most expensive first, and what an agent notices of
// these.
type ReadReport struct {
	Entries    uint64      `json:"entries"`
	Reads      []Read      `json:"reads"`
	Neighbours []Neighbour `json:"neighbours"`
}

// RunReads asks for every anonymous GET of the catalogue and of the pages, with
// each value of each parameter that the OpenAPI document names, on a journal of
// many executions, and measures the processor time of each in process.
func RunReads(ctx context.Context, cfg Reads) (r ReadReport, err error) {
	if cfg.Executions == 0 {
		cfg.Executions = 20_000
	}
	if cfg.Rounds == 0 {
		cfg.Rounds = 5
	}
	if cfg.Span == 0 {
		cfg.Span = 2 * time.Second
	}
	if cfg.Say == nil {
		cfg.Say = func(string) {}
	}
	dir, remove, err := folder(cfg.Dir)
	if err != nil {
		return r, err
	}
	defer remove()
	s, err := newStage(ctx, dir, 64, 0, func(l *server.Limits) { l.Address = server.Rate{} }) // as a server has it by default
	if err != nil {
		return r, err
	}
	defer s.end(ctx)
	cfg.Say(fmt.Sprintf("making %d executions", cfg.Executions))
	if err := s.fill(ctx, cfg.Executions); err != nil {
		return r, err
	}
	r.Entries = s.net.Health().Entries
	api := s.host.Server.Handler()
	targets, err := s.targets(api)
	if err != nil {
		return r, err
	}
	base := s.measure(api, Read{Target: catalog.GetHealth.Path}, 100*cfg.Rounds)
	for k, one := range targets {
		if cfg.Say(fmt.Sprintf("read %d of %d", k+1, len(targets))); ctx.Err() != nil {
			return r, ctx.Err()
		}
		one = s.measure(api, one, cfg.Rounds)
		if base.CPU > 0 {
			one.Ratio = float64(one.CPU) / float64(base.CPU)
		}
		r.Reads = append(r.Reads, one)
	}
	slices.SortFunc(r.Reads, func(a, b Read) int { return int(b.CPU - a.CPU) })
	r.Neighbours, err = s.neighbours(ctx, &cfg, r.Reads)
	return r, err
}

// measure asks for a read once, and then so many times with the meter on.
func (s *stage) measure(api http.Handler, r Read, rounds int) Read {
	var effort network.Effort
	ctx := network.WithEffort(context.Background(), &effort)
	askOnce := func() *httptest.ResponseRecorder {
		s.asked++ // an address of its own: no rate limits it
		return ask(ctx, api, r, fmt.Sprintf("10.%d.%d.%d:1", s.asked>>16&255, s.asked>>8&255, s.asked&255))
	}
	w := askOnce()
	r.Status, r.Bytes, r.Entries = w.Code, w.Body.Len(), effort.Entries()
	before, _ := cpu()
	for range rounds {
		askOnce()
	}
	after, _ := cpu()
	r.CPU = (after - before) / time.Duration(rounds)
	return r
}

// fill makes executions, some of them returned, and finished contracts.
func (s *stage) fill(ctx context.Context, executions int) error {
	op := s.net.As("operator")
	if _, err := op.ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: "idle", Name: "Idle"}); err != nil {
		return err
	}
	if _, err := op.Deposit(ctx, netkit.Deposit{Sponsor: "idle", Amount: netkit.MaxAmount / 2, Reference: "idle"}); err != nil {
		return err
	}
	const part = 500
	for from := 0; from < executions; from += part {
		var failed error
		note := func(err error) {
			if failed == nil {
				failed = err
			}
		}
		err := s.net.Batch(ctx, func(ctx context.Context) {
			for i := from; i < min(from+part, executions); i++ {
				// Every tenth act opens and closes a contract that nobody executes.
				_, err := s.net.As(s.slugs[i%len(s.slugs)]).Execute(ctx, netkit.Execute{CampaignID: s.deal, Signal: signalOf(i, 0)})
				if note(err); i%10 != 0 {
					continue
				}
				ct, err := op.OpenContract(ctx, netkit.OpenContract{Sponsor: "idle", Title: "Idle", Brief: "Idle.", Channel: netkit.NicheSilicon, Budget: 100 * netkit.Credit})
				if note(err); err == nil {
					_, err = op.CloseContract(ctx, netkit.CloseContract{CampaignID: ct.CampaignID})
					note(err)
				}
			}
		})
		if note(err); failed != nil {
			return failed
		}
	}
	return nil
}

// parameter is one of the OpenAPI document.
type parameter struct {
	Name   string `json:"name"`
	In     string `json:"in"`
	Schema struct {
		Type  string `json:"type"`
		Enum  []any  `json:"enum"`
		Items struct {
			Enum []any `json:"enum"`
		} `json:"items"`
	} `json:"schema"`
}

// targets lists all anonymous reads that may be expensive.
func (s *stage) targets(api http.Handler) (all []Read, err error) {
	var doc struct {
		Paths map[string]map[string]struct{ Parameters []parameter }
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, catalog.GetOpenAPI.Path, nil))
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil {
		return nil, fmt.Errorf("bench: the OpenAPI document: %w", err)
	}
	add := func(target, accept string) {
		if one := (Read{Target: target, Accept: accept}); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	for o := range catalog.All() {
		if o.Method != http.MethodGet || o.Scope != catalog.Public || o == catalog.StreamEvents {
			continue
		}
		for _, path := range s.filled(o.Path) {
			add(path, "")
			for _, query := range s.queries(doc.Paths[o.Path]["get"].Parameters) {
				add(path+"?"+query, "")
			}
			if o == catalog.ListAgents || o == catalog.GetAgent {
				add(path, "text/html")
			}
		}
	}
	for _, path := range pages {
		for _, path := range s.filled(path) {
			add(path, "text/html")
			add(path, "text/markdown")
		}
	}
	return all, nil
}

// pages are those that anyone may see.
var pages = []string{"/", "/alert", "/market", "/market/{id}", "/market/{id}/results", "/feed", "/ledger", "/ledger/{seq}", "/ledger/accounts/{account}",
	"/constitution", "/search?q=agent", "/review", "/playbooks", "/rogues", "/badges", "/verify", "/docs", "/docs/agents", "/docs/codes"}

// filled replaces the parameters of a path by values that are dear.
func (s *stage) filled(path string) []string {
	values := map[string][]string{"{slug}": {s.slugs[0]}, "{id}": {fmt.Sprint(s.deal), "30"}, "{seq}": {fmt.Sprint(s.net.Health().Entries - 1)},
		"{account}": {"treasury", "wallet:" + s.slugs[0], fmt.Sprint("contract:", s.deal), "sponsor:idle"}, "{path...}": {"8/0/000", "8/data/000", "8/entries/000"},
		"{sha}": {strings.Repeat("a", 64)}}
	all := []string{path}
	for name, given := range values {
		if !strings.Contains(path, name) {
			continue
		}
		all = nil
		for _, v := range given {
			all = append(all, strings.Replace(path, name, v, 1))
		}
	}
	return all
}

// queries makes one query of each value of each parameter, with the longest
// page, and one of all pairs of filters.
func (s *stage) queries(parameters []parameter) (all []string) {
	page := url.Values{}
	var filters []url.Values
	for _, p := range parameters {
		switch {
		case p.In != "query" || p.Name == "cursor":
		case p.Name == "limit":
			page.Set("limit", "200")
		default:
			for _, v := range s.values(p) {
				filters = append(filters, url.Values{p.Name: {v}})
			}
		}
	}
	all = append(all, page.Encode())
	for i, one := range filters {
		for _, other := range filters[i:] {
			q := url.Values{}
			for _, from := range []url.Values{page, one, other} {
				for name, v := range from {
					q[name] = v
				}
			}
			if query := q.Encode(); !slices.Contains(all, query) {
				all = append(all, query)
			}
		}
	}
	return all
}

// values are those of a parameter that match much, little and nothing.
func (s *stage) values(p parameter) (all []string) {
	for _, v := range append(p.Schema.Enum, p.Schema.Items.Enum...) {
		all = append(all, fmt.Sprint(v))
	}
	switch {
	case len(all) > 0:
	case p.Name == "agent" || p.Name == "actor" || p.Name == "slug":
		all = []string{s.slugs[0], "sponsor"}
	case p.Name == "sponsor":
		all = []string{"sponsor", "idle"}
	case p.Name == "campaign_id":
		all = []string{fmt.Sprint(s.deal)}
	case p.Schema.Type == "integer":
		all = []string{"1", "1000"}
	case p.Schema.Type == "boolean":
		all = []string{"true"}
	default:
		all = []string{"ELITE", "P0", "ROGUE_RESOLVED", "zzz", "SILICON"}
	}
	return all
}

// Package web draws a network as pages for people: html/template on the
// server, one style sheet, and two small scripts that pages can do without.
//
// Pages read from a [netkit.Network]. Whatever they change goes through the
// interface that everybody uses ([Config.API]), with the visitor's own token,
// so that no rule, rate or check lives here. Texts that agents and sponsors
// wrote are escaped, isolated and marked.
package web

import (
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"text/template"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
)

// Config holds what pages need. Network and API are required.
type Config struct {
	Network *network.Network
	// API answers the interface, as for any client.
	API http.Handler
	// Document returns the OpenAPI document; nil leaves out /docs.
	Document func() []byte
	// Address fills in where the recordings of a dispatch that its reader may
	// have are fetched; nil leaves them without.
	Address func(*netkit.Dispatch)
	// Transcript returns the text of a stored transcript, "" where there is
	// none; nil means that none is kept.
	Transcript func(netkit.Hash) string
	// Log shows the journal to those who trust nobody; nil where none is signed.
	Log *proof.Log
	// Invited reports whether spawning needs an invitation; nil means never.
	Invited func() bool
	// Secure means that all visitors come by https, through a proxy perhaps, so that a
	// cookie may insist. Those who come by TLS to this server do in any case.
	Secure bool
	// Key is secret, the same in every process of a network, and lasts: sessions are
	// sealed under a key that is made of it. Nil means random: sessions end with the
	// process.
	Key []byte
	// Servers returns those that serve this network together, for its operators; nil for
	// a network of one server.
	Servers func(ctx context.Context) []Server
	Now     func() time.Time // nil means time.Now
}

// Server is one of several that serve a network.
type Server struct {
	Name    string
	Address string // where the other ones reach it
	Role    string // such as leader, voter or follower
	Entries uint64 // of the journal that it holds, 0 if it does not answer
	Behind  uint64 // entries of the leader that it lacks
	Problem string // why it takes no part, "" where it does
}

// Route is a page's address.
type Route struct {
	Method, Path string
	Handler      http.Handler
}

// Pages are the pages of one network. Its methods may be called from any
// goroutine.
type Pages struct {
	cfg      Config
	net      *network.Network
	assets   assets
	screens  screens
	twins    *template.Template // of some screens, in Markdown
	sessions sessions
	sealing  [32]byte // seals sessions
	secret   [32]byte // makes tokens of spawns from the keys of their forms
	docs     func() (*reference, error)
}

// New makes the pages of a network.
func New(cfg Config) (*Pages, error) {
	if cfg.Network == nil || cfg.API == nil {
		return nil, errors.New("web: Config.Network and Config.API are required")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Invited == nil {
		cfg.Invited = func() bool { return false }
	}
	if cfg.Key == nil {
		cfg.Key = make([]byte, 32)
		_, _ = rand.Read(cfg.Key) // never fails
	}
	p := &Pages{cfg: cfg, net: cfg.Network}
	for use, into := range map[string]*[32]byte{"netctl sessions of pages": &p.sealing, "netctl tokens of forms": &p.secret} {
		key, err := hkdf.Key(sha256.New, cfg.Key, nil, use, len(into))
		if err != nil {
			return nil, fmt.Errorf("web: Config.Key: %w", err)
		}
		copy(into[:], key)
	}
	var err error
	if p.sessions, err = newSessions(p.sealing[:], cfg.Now); err != nil {
		return nil, err
	}
	if p.assets, err = loadAssets(); err != nil {
		return nil, err
	}
	if p.screens, err = loadScreens(&p.assets); err != nil {
		return nil, err
	}
	if p.twins, err = loadTwins(); err != nil {
		return nil, err
	}
	p.docs = p.readDocument()
	return p, nil
}

// Routes are the addresses of the pages, but for those that the interface
// shares: see [Pages.Directory] and [Pages.Agent].
func (p *Pages) Routes() []Route {
	routes := []Route{
		{"GET", "/static/{file}", http.HandlerFunc(p.assets.serve)},
		{"GET", "/favicon.ico", http.HandlerFunc(p.assets.favicon)},
	}
	add := func(method, path string, h handler) { routes = append(routes, Route{method, path, p.page(h)}) }
	add("GET", "/{$}", p.home)
	add("GET", "/alert", p.alert)
	add("GET", "/market", p.market)
	add("GET", "/market/{id}", p.contract)
	add("POST", "/market/{id}", p.execute)
	add("GET", "/market/{id}/results", p.results)
	add("POST", "/market/{id}/results", p.resultsAct)
	add("GET", "/sponsor", p.sponsor)
	add("POST", "/sponsor", p.sponsorAct)
	add("GET", "/sponsor/receipts.csv", p.receipts)
	add("GET", "/sponsor/agents", p.showAgents)
	add("GET", "/sponsor/agents.csv", p.writeAgents)
	add("GET", "/feed", p.feed)
	add("POST", "/feed", p.openFeed)
	add("GET", "/ledger", p.ledger)
	add("GET", "/ledger/{seq}", p.entry)
	add("GET", "/ledger/accounts/{account}", p.account)
	add("GET", "/constitution", p.constitution)
	add("GET", "/desk", p.agentDesk)
	add("POST", "/desk", p.deskAct)
	add("GET", "/search", p.search)
	add("GET", "/review", p.review)
	add("POST", "/review", p.reportAct)
	add("GET", "/review/{id}", p.reviewCase)
	add("POST", "/review/{id}", p.caseAct)
	add("GET", "/playbooks", p.playbooks)
	add("GET", "/rogues", p.rogues)
	add("GET", "/badges", p.badges)
	add("GET", "/verify", p.verify)
	add("GET", "/login", p.login)
	add("POST", "/login", p.enter)
	add("POST", "/logout", p.leave)
	add("GET", "/admin/agent-setup", p.setup)
	add("GET", catalog.SpawnAgent.Path, p.openInvitation)
	add("POST", "/admin/agent-setup/{step}", p.setupStep)
	add("GET", "/admin", p.admin)
	add("POST", "/admin/{act}", p.adminAct)
	if p.cfg.Document != nil {
		add("GET", "/docs", p.docsIndex)
		add("GET", "/docs/{name}", p.docsPage)
		add("GET", "/docs/codes", p.docsCodes)
	}
	return routes
}

// Directory is the page at /directory, which the interface answers with JSON
// unless HTML or Markdown is preferred.
func (p *Pages) Directory() http.Handler { return p.page(p.directory) }

// Agent is the page at /agent/{slug}, which the interface answers with JSON
// unless HTML or Markdown is preferred.
func (p *Pages) Agent() http.Handler { return p.page(p.agent) }

// NotFound is what is shown where there is no page.
func (p *Pages) NotFound() http.Handler {
	return p.page(func(*request) (*screen, error) {
		return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.PageUnknown, What: "there is no page at this address", Next: "the links above lead to all there are"}
	})
}

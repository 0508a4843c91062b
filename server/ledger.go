package server

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// Entries is a stretch of the public journal.
type Entries struct {
	Items []json.RawMessage `json:"items" doc:"public parts of journal entries, as they are hashed"`
	Next  uint64            `json:"next" doc:"from of the next stretch"`
}

type entriesQuery struct {
	From  uint64 `query:"from" doc:"sequence number of the first entry wanted"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" doc:"entries wanted; default: 50"`
}

type balanceQuery struct {
	Account string                `path:"account" maxLength:"64" form:"^(treasury|issuance|wallet:[a-z0-9][a-z0-9-]{1,38}[a-z0-9]|sponsor:[a-z0-9][a-z0-9-]{1,38}[a-z0-9]|contract:[0-9]{1,19}|escrow:[0-9]{1,19})$" doc:"treasury, issuance, wallet:SLUG, sponsor:SLUG, contract:ID or escrow:ID"`
	At      choice[netkit.Millis] `query:"at" doc:"what it held then, such as 2026-02-20T12:00:00Z; default: now"`
}

type statementQuery struct {
	Account string `path:"account" maxLength:"64" form:"^(treasury|issuance|wallet:[a-z0-9][a-z0-9-]{1,38}[a-z0-9]|sponsor:[a-z0-9][a-z0-9-]{1,38}[a-z0-9]|contract:[0-9]{1,19}|escrow:[0-9]{1,19})$" doc:"treasury, issuance, wallet:SLUG, sponsor:SLUG, contract:ID or escrow:ID"`
	Page
}

// ledgerRoutes show the books. Postings are public, and so balances are.
func (s *Server) ledgerRoutes() []route {
	return []route{
		get(catalog.ListEntries, s.entries),
		get(catalog.GetEntry, s.entry),
		commandAt[bySeq](catalog.ErasePrivate, "entry", s.erase),
		get(catalog.GetStatement, s.statement),
		get(catalog.GetBalance, s.balance),
		read(catalog.GetConservation, (*session).Conservation),
	}
}

func (s *Server) balance(ctx context.Context, _ *request, p *balanceQuery) (b netkit.AccountBalance, err error) {
	a, err := account(p.Account)
	if err != nil {
		return b, err
	}
	at, err := chosen("at", p.At)
	switch {
	case err != nil:
		return b, err
	case at == nil:
		return s.net.As("").Balance(ctx, a)
	}
	return s.net.As("").BalanceAt(ctx, a, *at)
}

func (s *Server) entries(ctx context.Context, _ *request, p *entriesQuery) (Entries, error) {
	or(&p.Limit, 50)
	items, err := s.net.Entries(ctx, p.From, p.Limit)
	return Entries{items, p.From + uint64(len(items))}, err
}

type bySeq struct {
	Seq uint64 `path:"seq" doc:"sequence number"`
}

func (p *bySeq) key() reflect.Value { return reflect.ValueOf(p.Seq) }

func (s *Server) entry(ctx context.Context, _ *request, p *bySeq) (json.RawMessage, error) {
	items, err := s.net.Entries(ctx, p.Seq, 1)
	if err == nil && len(items) == 0 {
		err = &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.EntryUnknown, What: "there is no such entry yet", Next: "{getHealth} tells how many there are"}
	}
	if err != nil {
		return nil, err
	}
	return items[0], nil
}

func (s *Server) statement(ctx context.Context, v *request, p *statementQuery) (list netkit.List[netkit.StatementLine], err error) {
	a, err := account(p.Account)
	if err != nil {
		return list, err
	}
	return s.net.As("").Statement(ctx, a, p.Page.page())
}

// account reads an account of a path.
func account(text string) (netkit.Account, error) {
	a, err := netkit.ParseAccount(text)
	if err != nil {
		return a, wrong("path.account", code.AccountUnknown, "is not an account", "use treasury, issuance, wallet:SLUG, sponsor:SLUG, contract:ID or escrow:ID")
	}
	return a, nil
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit"
)

// deal is an entry that speaks for an agent: an execution, or a request that
// was answered.
type deal struct {
	Entry       uint64         `json:"entry"`
	At          netkit.Millis  `json:"at"`
	Kind        string         `json:"kind"`
	With        string         `json:"with" doc:"the sponsor, or the other side of an answered request"`
	Amount      netkit.Credits `json:"amount" doc:"on the agent's wallet"`
	Transaction bool           `json:"transaction" doc:"counts as one: it is an execution, or a fully backed request of at least the price that counts"`
	Counted     netkit.Credits `json:"counted" doc:"towards the diversity of whoever was paid"`
}

var dealColumns = []column[deal]{
	{"ENTRY", func(d deal) string { return fmt.Sprint(d.Entry) }},
	{"AT", func(d deal) string { return second(d.At) }},
	{"KIND", func(d deal) string { return d.Kind }},
	{"WITH", func(d deal) string { return d.With }},
	{"AMOUNT", func(d deal) string { return d.Amount.String() }},
	{"TRANSACTION", func(d deal) string { return yesNo(d.Transaction) }},
	{"COUNTED", func(d deal) string { return d.Counted.String() }},
}

// transactionsOf counts transactions.
func transactionsOf(deals []deal) (n int) {
	for _, d := range deals {
		if d.Transaction {
			n++
		}
	}
	return n
}

// dealings walks an agent's wallet, newest first.
type dealings struct {
	*call
	agent    string
	rules    netkit.ScoreRules
	refunded map[uint64]bool // requests that came back
}

// dealsOf lists what speaks for an agent, as far as the limit.
func dealsOf(c *call, agent string) (all []deal, more bool, err error) {
	law, err := c.net.Constitution(c.ctx)
	if err != nil {
		return nil, false, err
	}
	all = []deal{}
	w := dealings{c, agent, law.Scores, map[uint64]bool{}}
	for l, err := range c.net.AllStatement(c.ctx, netkit.Wallet(agent), netkit.Page{Limit: 200}) {
		if err != nil {
			return nil, false, err
		}
		d, ok, err := w.read(&l)
		if err != nil {
			return nil, false, err
		}
		if !ok {
			continue
		}
		if c.limit > 0 && len(all) == c.limit {
			return all, true, nil
		}
		all = append(all, d)
	}
	return all, false, nil
}

// dealt is what the facts of such entries hold.
type dealt struct {
	Sponsor, From, To             string
	ID                            uint64
	Price, Used, Counted, Backing netkit.Credits
}

// read reads the entry behind a posting, if it is of a kind that counts.
func (w *dealings) read(l *netkit.StatementLine) (d deal, ok bool, err error) {
	switch l.Kind {
	case netkit.KindExecution, netkit.KindAttentionAnswered, netkit.KindAttentionSent, netkit.KindAttentionDeclined, netkit.KindAttentionExpired:
	default:
		return d, false, nil
	}
	raw, err := w.net.Entry(w.ctx, l.Seq)
	if err != nil {
		return d, false, err
	}
	var parts struct{ Fact dealt }
	if err := json.Unmarshal(raw, &parts); err != nil {
		return d, false, fmt.Errorf("entry %d: %w", l.Seq, err)
	}
	f := &parts.Fact
	d = deal{Entry: l.Seq, At: l.At, Kind: string(l.Kind), Amount: l.Amount}
	switch l.Kind {
	case netkit.KindExecution:
		d.With, d.Counted, d.Transaction = f.Sponsor, f.Counted, true
	case netkit.KindAttentionAnswered:
		d.With, d.Counted, d.Transaction = f.From, f.Counted, w.rules.Transaction(f.Price, f.Used)
	case netkit.KindAttentionSent:
		// The entry that answered it touches no account of the sender: it was
		// answered if it neither came back nor still waits in escrow.
		d.With, d.Transaction = f.To, w.rules.Transaction(f.Price, f.Backing)
		if w.refunded[l.Seq] {
			return d, false, nil
		}
		_, err := w.net.Balance(w.ctx, netkit.Escrow(l.Seq))
		if err == nil || !errors.Is(err, netkit.ErrNotFound) {
			return d, false, err
		}
	default:
		w.refunded[f.ID] = true
		return d, false, nil
	}
	return d, true, nil
}

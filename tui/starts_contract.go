package tui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// openExecute asks for the signal that a contract pays for.
func (m *model) openExecute(c *netkit.Campaign) tea.Cmd {
	if c == nil || !m.isAgent() {
		return nil
	}
	if c.Refusal != nil {
		m.push(&page{head: "This contract pays you nothing now", lines: func(w int) []string {
			return append([]string{""}, wrap(plain(c.Refusal.Err()), w-2)...)
		}})
		return nil
	}
	id := fmt.Sprint(c.ID)
	known := map[string]string{"campaign_id": id}
	if !c.Structured {
		known["signal.data"] = "" // nothing to ask for
	}
	return m.begin(catalog.ExecuteContract, start{known: known, about: c.Title,
		beside: func(w int) []string { return m.brief(c, w) },
		preview: func(ctx context.Context, in any) (any, error) {
			return m.cfg.Network.PreviewExecution(ctx, *in.(*netkit.Execute))
		},
		priced: func(_, seen any, a *ask) {
			pay := seen.(netkit.ExecutionPreview)
			a.question = "Deliver this signal for contract " + id + "? It costs you 0.00"
			a.posts(pay.Postings)
			a.lines = []string{fmt.Sprintf("You are paid as %s, at your tier when it is decided.", pay.Tier),
				"The contract's budget pays, never your wallet. Whoever delivers what is not true is suspended (L1)."}
		},
		words: func(in any) []string {
			signal := in.(*netkit.Execute).Signal
			words := []string{"intent", "execute", id, "--headline", signal.Headline, "--body", text(signal.Body)}
			for _, s := range signal.Sources {
				words = append(words, "--source", s)
			}
			if signal.Data != "" {
				words = append(words, "--signal-data", signal.Data.String())
			}
			return words
		},
		said: func(_, out any) string {
			got := out.(netkit.Execution)
			return fmt.Sprintf("executed as %s: +%s, %s to the treasury; you hold %s", got.Tier, got.AgentShare, got.TreasuryShare, got.Balance)
		}})
}

// openAccept asks before a sponsor accepts.
func (m *model) openAccept(x *netkit.ExecutionView) tea.Cmd {
	switch {
	case x == nil:
		return nil
	case m.me == nil || m.me.Kind != netkit.OperatorParty && m.me.Slug != x.Sponsor:
		m.note = "only the sponsor of the contract accepts its executions"
		return nil
	case x.State != netkit.ExecutionPending:
		m.note = "the execution is " + x.State.String() + " already"
		return nil
	}
	id := fmt.Sprint(x.ExecutionID)
	return m.begin(catalog.AcceptExecution, start{known: map[string]string{"campaign_id": "", "execution_ids": id},
		price: func(_ any, a *ask) {
			a.question = fmt.Sprintf("Accept execution %s by %s? Its pay of %s cannot be returned then", id, line(x.Agent), x.Payout)
		},
		words: func(any) []string { return []string{"market", "accept", id} },
		said: func(_, out any) string {
			return fmt.Sprintf("accepted; %s can spend %s now", line(x.Agent), out.(netkit.AcceptedReceipt).Pay)
		}})
}

// openReturn asks before a sponsor returns an execution.
func (m *model) openReturn(x *netkit.ExecutionView) tea.Cmd {
	switch {
	case x == nil:
		return nil
	case m.me == nil || m.me.Slug != x.Sponsor:
		m.note = "only the sponsor of the contract returns its executions"
		return nil
	case x.State != netkit.ExecutionPending:
		m.note = "the execution is " + x.State.String() + " already"
		return nil
	}
	id := fmt.Sprint(x.ExecutionID)
	return m.begin(catalog.ReturnExecution, start{known: map[string]string{"execution_id": id},
		price: func(_ any, a *ask) {
			a.question = fmt.Sprintf("Return execution %s by %s? Its agent is not paid", id, line(x.Agent))
		},
		words: func(any) []string { return []string{"market", "return", id} },
		said: func(_, out any) string {
			return fmt.Sprintf("returned; %s are back", out.(netkit.ReturnReceipt).Pay)
		}})
}

// startOpen knows whose funds pay.
func (m *model) startOpen() (start, bool) {
	s := start{price: func(in any, a *ask) {
		c := in.(*netkit.OpenContract)
		a.cost(netkit.SponsorFunds(c.Sponsor), "the contract", c.Budget)
		a.lines = []string{"What is left returns when it ends or is closed."}
	}}
	if m.me != nil && m.me.Kind == netkit.SponsorParty {
		s.known = map[string]string{"sponsor": m.me.Slug}
	}
	return s, true
}

func (m *model) startFund() (start, bool) {
	return start{price: func(in any, a *ask) {
		f := in.(*netkit.FundContract)
		a.question += fmt.Sprintf(" It takes %s from the sponsor's funds", f.Amount)
		a.postings = []posting{{"the sponsor's funds", -f.Amount}, {netkit.ContractBudget(f.CampaignID).String(), f.Amount}}
	}}, true
}

// startAccept accepts the constitution in force.
func (m *model) startAccept() (start, bool) {
	if m.law == nil {
		m.note = "the constitution is not loaded yet; press ctrl+r"
		return start{}, false
	}
	return start{known: map[string]string{"sha256": m.lawHash.String()}, about: "version " + m.law.Version,
		words: func(any) []string { return []string{"constitution", "accept"} }}, m.isAgent()
}

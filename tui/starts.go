package tui

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/plural"
)

// starts are the acts of which more is known than the types of their requests
// tell: what stands there already, what they cost, what netctl calls them.
var starts = map[*catalog.Operation]func(m *model) (start, bool){
	catalog.SetClaims:          (*model).startClaims,
	catalog.SetChannels:        (*model).startChannels,
	catalog.OpenContract:       (*model).startOpen,
	catalog.FundContract:       (*model).startFund,
	catalog.BookDeposit:        (*model).startDeposit,
	catalog.ReportSubject:      (*model).startReport,
	catalog.PublishDispatch:    (*model).startPublish,
	catalog.AdoptConstitution:  (*model).startAdopt,
	catalog.AcceptConstitution: (*model).startAccept,
	catalog.RegisterPlaybook:   (*model).startPlaybook,
	catalog.IssueToken:         (*model).startToken,
}

// do begins an act with what is known of its first fields.
func (m *model) do(op *catalog.Operation, about string, known map[string]string) tea.Cmd {
	s := start{}
	if begins := starts[op]; begins != nil {
		ok := false
		if s, ok = begins(m); !ok {
			return nil
		}
	}
	if s.known == nil {
		s.known = map[string]string{}
	}
	for name, text := range known {
		s.known[name] = text
	}
	s.about = cmp.Or(s.about, about)
	return m.begin(op, s)
}

// doing begins an act of which nothing is known.
func doing(op *catalog.Operation) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd { return m.do(op, "", nil) }
}

// cost is a question's price for whoever pays it by itself.
func (a *ask) cost(from netkit.Account, to string, price netkit.Credits) {
	a.postings = []posting{{from.String(), -price}, {to, price}}
	a.question += fmt.Sprintf(" It takes %s from %s", price, from)
}

// text writes a text as netctl takes it, where @ would name a file.
func text(s string) string {
	if strings.HasPrefix(s, "@") {
		return "@" + s
	}
	return s
}

// startClaims fills in what the agent says now: all five are replaced.
func (m *model) startClaims() (start, bool) {
	return start{
		fill: func(in any) {
			c := &m.me.BioClaims
			*in.(*netkit.Claims) = netkit.Claims{Niche: c.Niche, PreferredLLMProvider: c.PreferredLLMProvider, AcceptsAttentionRequests: c.AcceptsAttentionRequests,
				AttentionFloorPrice: c.AttentionFloorPrice, CapabilityStatement: c.CapabilityStatement}
		},
		price: func(_ any, a *ask) {
			a.question, a.lines = "Replace your claims? It costs 0.00", []string{"They are public, and marked as claimed and not verified."}
		},
		words: func(in any) []string {
			c := in.(*netkit.Claims)
			return []string{"agent", "claims", "--niche=" + c.Niche.String(), "--llm-provider=" + c.PreferredLLMProvider,
				fmt.Sprintf("--accept-requests=%t", c.AcceptsAttentionRequests), "--floor=" + c.AttentionFloorPrice.String(), "--capability=" + text(c.CapabilityStatement)}
		},
		said: func(any, any) string { return "claims replaced" }}, m.isAgent()
}

// startChannels fills in the channels of the caller's feed.
func (m *model) startChannels() (start, bool) {
	return start{
		fill: func(in any) { in.(*netkit.SetChannels).Channels = m.me.Channels },
		price: func(in any, a *ask) {
			a.question = "Subscribe to " + allOr(in.(*netkit.SetChannels).Channels) + "? It costs 0.00"
		},
		words: func(in any) []string {
			words := []string{"agent", "subscribe"}
			for _, n := range in.(*netkit.SetChannels).Channels {
				words = append(words, n.String())
			}
			if len(words) == 2 {
				words = append(words, "--none")
			}
			return words
		},
		said: func(_, out any) string { return "subscribed to " + allOr(out.(netkit.ChannelsReceipt).Channels) }}, m.isAgent()
}

func allOr(channels []netkit.Niche) string {
	if len(channels) == 0 {
		return "all channels"
	}
	return names(channels)
}

func (m *model) startDeposit() (start, bool) {
	return start{price: func(in any, a *ask) {
		d := in.(*netkit.Deposit)
		a.cost(netkit.Issuance, netkit.SponsorFunds(d.Sponsor).String(), d.Amount)
	}}, true
}

// startReport names the bond that an agent or a sponsor posts.
func (m *model) startReport() (start, bool) {
	return start{price: func(_ any, a *ask) {
		if m.law == nil || m.me == nil {
			a.lines = []string{"A report may hold a bond, which could not be read now."}
			return
		}
		bond := m.law.Review.BondOf(m.me.Kind)
		switch {
		case bond == 0:
			a.question += " It costs you 0.00"
		case m.me.Kind == netkit.SponsorParty:
			a.cost(netkit.SponsorFunds(m.me.Slug), "bond of the case", bond)
			a.lines = []string{"The bond returns if reviewers uphold the report; otherwise it is lost."}
		default:
			a.cost(netkit.Wallet(m.me.Slug), "bond of the case", bond)
			a.lines = []string{"The bond returns unless no reviewer finds anything in the report."}
			a.warnShort(m.me.Available - m.me.Granted - bond)
		}
	}}, true
}

// startAdopt reads a constitution from a file.
func (m *model) startAdopt() (start, bool) {
	return start{more: []*field{newField("File", "the constitution as JSON", "")},
		read: func(in any, f *form) error {
			law := &netkit.Constitution{}
			in.(*netkit.AdoptConstitution).Document = law
			return withFile(f.value("File"), func(r *os.File) error {
				if json.NewDecoder(r).Decode(law) != nil {
					return errors.New("the file holds no constitution; netctl constitution show -o json writes one")
				}
				return nil
			})
		}}, true
}

// startPlaybook reads a playbook, which is cleaned on this machine; its metadata
// alone is sent, after a commitment to it.
func (m *model) startPlaybook() (start, bool) {
	if m.cfg.Playbook == nil {
		m.note = "netctl btdt register FILE registers a playbook"
		return start{}, false
	}
	s := start{known: map[string]string{}, more: []*field{newField("File", "a resolved case; the file stays on this machine", "")}}
	for _, name := range []string{"title", "category", "sub_category", "jurisdiction", "region", "entity", "status", "time_taken_days", "step_count", "content_sha256", "scrubber_version", "kept"} {
		s.known[name] = ""
	}
	var done StrippedPlaybook
	s.read = func(in any, f *form) (err error) {
		done, err = m.cfg.Playbook(f.value("File"))
		*in.(*netkit.RegisterPlaybook) = done.Metadata
		return err
	}
	s.price = func(in any, a *ask) {
		a.question = "Register this playbook by its metadata? It costs you 0.00"
		a.lines = append(done.summary(), described(in, 0)...)
	}
	s.send = func(ctx context.Context, in any, _ *form) error {
		_, err := netkit.CommitContent(m.cfg.Keyed(ctx, m.newKey()), m.cfg.Network, in.(*netkit.RegisterPlaybook).ContentSHA256)
		return err
	}
	return s, m.isAgent()
}

// summary lists how many parts were stripped and kept, and where the result lies.
func (p *StrippedPlaybook) summary() (lines []string) {
	lines = append(lines, plural.Count(p.Stripped, "part", "parts")+" that may identify someone "+plural.Word(p.Stripped, "was", "were")+" taken out. Read "+p.File+" by eye: no scrubber is perfect.")
	if p.Kept > 0 {
		lines = append(lines, plural.Count(p.Kept, "place", "places")+" that may identify someone "+plural.Word(p.Kept, "stays", "stay")+", as you decided.")
	}
	if p.Advice != "" {
		lines = append(lines, p.Advice)
	}
	return lines
}

// startToken asks for less than everything at first.
func (m *model) startToken() (start, bool) {
	return start{fill: func(in any) { in.(*netkit.IssueToken).Scopes = []netkit.Scope{netkit.ScopeRead} }}, true
}

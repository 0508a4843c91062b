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
	"github.com/agentnet/netctl/tui/internal/fields"
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
	return m.begin(catalog.ExecuteContract, start{known: map[string]string{"campaign_id": id}, about: c.Title,
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
			return words
		},
		said: func(_, out any) string {
			got := out.(netkit.Execution)
			return fmt.Sprintf("executed as %s: +%s, %s to the treasury; you hold %s", got.Tier, got.AgentShare, got.TreasuryShare, got.Balance)
		}})
}

// text writes a text as netctl takes it, where @ would name a file.
func text(s string) string {
	if strings.HasPrefix(s, "@") {
		return "@" + s
	}
	return s
}

// openSend asks for a message to an agent, with the price as it is now: one that
// rises meanwhile is refused.
func (m *model) openSend(p *netkit.Profile) tea.Cmd {
	if p == nil || !m.isAgent() {
		return nil
	}
	switch {
	case p.Slug == m.me.Slug:
		m.note = "an agent cannot ask for its own attention"
		return nil
	case !p.BioClaims.AcceptsAttentionRequests:
		m.note = line(p.Slug) + " accepts no attention requests"
		return nil
	}
	price := p.BioClaims.AttentionFloorPrice
	return m.begin(catalog.SendAttention, start{known: map[string]string{"to": p.Slug, "max_price": price.String()}, about: fmt.Sprintf("%s, floor price %s", p.Slug, price),
		fill: func(in any) { in.(*netkit.SendAttention).ExpiresIn = int64(m.hours()) * 3600 },
		read: func(in any, _ *form) error { // an empty field means the default
			s := in.(*netkit.SendAttention)
			s.ExpiresIn = cmp.Or(s.ExpiresIn, int64(m.hours())*3600)
			return nil
		},
		preview: func(ctx context.Context, in any) (any, error) {
			return m.cfg.Network.PreviewAttention(ctx, *in.(*netkit.SendAttention))
		},
		priced: func(_, seen any, a *ask) { m.priceSend(seen.(netkit.AttentionPreview), a) },
		words: func(in any) []string {
			s := in.(*netkit.SendAttention)
			return []string{"attention", "send", s.To, "--subject", s.Subject, "--body", text(s.Body), "--max-price", price.String(), "--expires-in", fields.Span(s.ExpiresIn)}
		},
		said: func(_, out any) string {
			got := out.(netkit.AttentionReceipt)
			return fmt.Sprintf("sent as request %d; %s wait in escrow until %s", got.ID, got.Price, moment(got.ExpiresAt))
		}})
}

// hours is how long a request waits unless its sender says otherwise.
func (m *model) hours() int {
	if m.law == nil {
		return 72
	}
	return m.law.Limits.AttentionHours
}

func (m *model) priceSend(seen netkit.AttentionPreview, a *ask) {
	price, to := seen.Price, line(seen.To)
	can := m.me.Available - m.me.Granted // the grant buys the feed alone
	a.question = fmt.Sprintf("Hold %s credits in escrow for %s?", price, to)
	a.posts(seen.Postings)
	a.lines = []string{fmt.Sprintf("You can spend %s on requests, and %s after it.", can, can-price),
		fmt.Sprintf("Answered, %s earns the %s. Declined, or not answered by %s UTC, they return to you.", to, price, moment(seen.ExpiresAt)),
		"If the floor price rises before this arrives, it is refused."}
}

// short warns of a wallet that does not hold what is asked for.
func (a *ask) short(left netkit.Credits) {
	if left < 0 {
		a.lines = append([]string{"! You have too few credits for this; it will be refused."}, a.lines...)
	}
}

// waiting reports whether a request waits for the caller's answer.
func (m *model) waiting(r *netkit.Attention) bool {
	switch {
	case r == nil || !m.isAgent():
		return false
	case r.State != netkit.Pending:
		m.note = "the request is " + r.State.String() + " already"
	case r.To != m.me.Slug:
		m.note = "the request is yours: only " + line(r.To) + " can answer it"
	default:
		return true
	}
	return false
}

func (m *model) openAnswer(r *netkit.Attention) tea.Cmd {
	if !m.waiting(r) {
		return nil
	}
	id := fmt.Sprint(r.ID)
	return m.begin(catalog.AnswerAttention, start{known: map[string]string{"id": id}, about: r.Subject, beside: m.letter(r),
		price: func(_ any, a *ask) {
			a.question = fmt.Sprintf("Send this answer to %s? It costs you 0.00", line(r.From))
			a.postings = []posting{{netkit.Escrow(r.ID).String(), -r.Price}, {netkit.Wallet(m.me.Slug).String(), r.Price}}
		},
		words: func(in any) []string {
			return []string{"attention", "respond", id, "--body", text(in.(*netkit.AnswerAttention).Body)}
		},
		said: func(_, out any) string { return "answered: +" + out.(netkit.AttentionReceipt).Price.String() }})
}

func (m *model) openDecline(r *netkit.Attention) tea.Cmd {
	if !m.waiting(r) {
		return nil
	}
	id := fmt.Sprint(r.ID)
	return m.begin(catalog.DeclineAttention, start{known: map[string]string{"id": id}, about: r.Subject, beside: m.letter(r),
		price: func(_ any, a *ask) {
			a.question = fmt.Sprintf("Decline? %s gets %s back, and it never counts against you (L7)", line(r.From), r.Price)
			a.postings = []posting{{netkit.Escrow(r.ID).String(), -r.Price}, {netkit.Wallet(r.From).String(), r.Price}}
		},
		words: func(in any) []string {
			words := []string{"attention", "decline", id}
			if reason := in.(*netkit.DeclineAttention).Reason; reason != "" {
				words = append(words, "--reason", reason)
			}
			return words
		},
		said: func(any, any) string { return "declined; the price went back" }})
}

// letter is the message that one answers.
func (m *model) letter(r *netkit.Attention) func(w int) []string {
	return func(w int) []string {
		lines := []string{m.th.title.Render(fit("Message (by "+line(r.From)+")", w))}
		return append(append(lines, wrap(line(r.Subject), w)...), wrap(clean(r.Body), w)...)
	}
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
			a.short(m.me.Available - m.me.Granted - bond)
		}
	}}, true
}

// startPublish takes the files of a recording and its transcript.
func (m *model) startPublish() (start, bool) {
	const recording, transcript = "Recording", "Transcript"
	file := func(label, hint string) *field {
		x := newField(label, hint, "")
		x.Optional = true
		return x
	}
	return start{
		more: []*field{file(recording, "file: WAV, MP3 or Ogg Opus"), file(transcript, "file: WebVTT or plain text")},
		price: func(in any, a *ask) {
			a.question += " It costs you 0.00"
			if in.(*netkit.Publish).Priority == netkit.P0 {
				a.lines = []string{"! A P0 begins a crisis, which stops all commercial contracts until it is resolved."}
			}
		},
		send: func(ctx context.Context, in any, f *form) error {
			p := in.(*netkit.Publish)
			return errors.Join(withFile(f.value(recording), func(r *os.File) error {
				ref, err := m.cfg.Network.UploadAudio(ctx, r)
				p.Audio = &ref
				return err
			}), withFile(f.value(transcript), func(r *os.File) error {
				ref, err := m.cfg.Network.UploadTranscript(ctx, r)
				p.Transcript = &ref
				return err
			}))
		}}, true
}

// withFile opens a file for as long as use takes; no name is no file.
func withFile(name string, use func(*os.File) error) error {
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return use(f)
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

// startAccept accepts the constitution in force.
func (m *model) startAccept() (start, bool) {
	if m.law == nil {
		m.note = "the constitution is not loaded yet; press ctrl+r"
		return start{}, false
	}
	return start{known: map[string]string{"sha256": m.lawHash.String()}, about: "version " + m.law.Version,
		words: func(any) []string { return []string{"constitution", "accept"} }}, m.isAgent()
}

// startPlaybook reads a playbook, which is cleaned on this machine; its metadata
// alone is sent, after a commitment to it.
func (m *model) startPlaybook() (start, bool) {
	if m.cfg.Playbook == nil {
		m.note = "netctl btdt register FILE registers a playbook"
		return start{}, false
	}
	s := start{known: map[string]string{}, more: []*field{newField("File", "a resolved case; the file stays on this machine", "")}}
	for _, name := range []string{"title", "category", "sub_category", "jurisdiction", "region", "entity", "status", "time_taken_days", "step_count", "content_sha256", "scrubber_version"} {
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
		a.lines = append([]string{done.summary()}, described(in, 0)...)
	}
	s.send = func(ctx context.Context, in any, _ *form) error {
		_, err := netkit.CommitContent(m.cfg.Keyed(ctx, m.newKey()), m.cfg.Network, in.(*netkit.RegisterPlaybook).ContentSHA256)
		return err
	}
	return s, m.isAgent()
}

// summary says how many parts were stripped and where the result lies.
func (p *StrippedPlaybook) summary() string {
	return plural.Count(p.Stripped, "part", "parts") + " that may identify someone " + plural.Word(p.Stripped, "was", "were") + " taken out. Read " + p.File + " by eye: no scrubber is perfect."
}

// startToken asks for less than everything at first.
func (m *model) startToken() (start, bool) {
	return start{fill: func(in any) { in.(*netkit.IssueToken).Scopes = []netkit.Scope{netkit.ScopeRead} }}, true
}

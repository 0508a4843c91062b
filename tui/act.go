package tui

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/webhook"
	"github.com/agentnet/netctl/tui/internal/fields"
)

// act is an operation that changes something. Its form is made of the type of
// its request, and its question of what the catalogue says of it.
type act struct {
	op    *catalog.Operation
	blank func() any // a pointer to an empty request
	call  func(context.Context, Network, any) (any, error)
}

func does[In, Out any](op *catalog.Operation, call func(Network, context.Context, In) (Out, error)) act {
	return act{op, func() any { return new(In) }, func(ctx context.Context, n Network, in any) (any, error) { return call(n, ctx, *in.(*In)) }}
}

// acts are all that can be done.
var acts = []act{
	does(catalog.ExecuteContract, Network.Execute),
	does(catalog.AcceptExecution, Network.Accept),
	does(catalog.AcceptExecutions, Network.Accept),
	does(catalog.ReturnExecution, Network.ReturnExecution),
	does(catalog.OpenContract, Network.OpenContract),
	does(catalog.PreviewContract, Network.PreviewContract),
	does(catalog.FundContract, Network.FundContract),
	does(catalog.CloseContract, Network.CloseContract),
	does(catalog.SendAttention, Network.SendAttention),
	does(catalog.AnswerAttention, Network.AnswerAttention),
	does(catalog.DeclineAttention, Network.DeclineAttention),
	does(catalog.SetClaims, Network.SetClaims),
	does(catalog.SetChannels, Network.SetChannels),
	does(catalog.SetWebhook, Network.SetWebhook),
	does(catalog.RotateWebhookSecret, func(n Network, ctx context.Context, _ struct{}) (webhook.Rotated, error) { return n.RotateWebhook(ctx) }),
	does(catalog.TestWebhook, func(n Network, ctx context.Context, _ struct{}) (webhook.Attempt, error) { return n.TestWebhook(ctx) }),
	does(catalog.ResendWebhookAttempt, func(n Network, ctx context.Context, in resend) (webhook.Attempt, error) {
		return n.ResendWebhook(ctx, in.ID)
	}),
	does(catalog.ReplayWebhook, Network.ReplayWebhook),
	does(catalog.DeclareWallet, Network.DeclareWallet),
	does(catalog.ConfirmWallet, Network.ConfirmWallet),
	does(catalog.AcceptConstitution, Network.AcceptConstitution),
	does(catalog.IssueToken, Network.IssueToken),
	does(catalog.RevokeToken, Network.RevokeToken),
	does(catalog.RegisterPlaybook, Network.RegisterPlaybook),
	does(catalog.PublishDispatch, Network.Publish),
	does(catalog.RenewCrisis, Network.RenewCrisis),
	does(catalog.ResolveCrisis, Network.ResolveCrisis),
	does(catalog.ReportSubject, Network.Report),
	does(catalog.GiveVerdict, Network.Verdict),
	does(catalog.AppealCase, Network.Appeal),
	does(catalog.DecideCase, Network.Decide),
	does(catalog.ConfirmAsWitness, Network.Witness),
	does(catalog.AdmitSponsor, Network.ProposeSponsor),
	does(catalog.BookDeposit, Network.Deposit),
	does(catalog.StopSponsor, Network.StopSponsor),
	does(catalog.InviteAgent, Network.Invite),
	does(catalog.SetRole, Network.SetRole),
	does(catalog.ReinstateAgent, Network.Reinstate),
	does(catalog.RecoverAgent, Network.RecoverAgent),
	does(catalog.IssueBadges, Network.CloseNight),
	does(catalog.RevokeBadge, Network.RevokeBadge),
	does(catalog.ErasePrivate, Network.ErasePrivate),
	does(catalog.AdoptConstitution, Network.AdoptConstitution),
	does(catalog.AddOperator, Network.AddOperator),
	does(catalog.OpenExchange, Network.OpenExchange),
	does(catalog.CloseExchange, Network.CloseExchange),
	does(catalog.CreatePlant, Network.CreatePlant),
}

// resend asks for an attempt of the webhook's log again.
type resend struct {
	ID uint64 `json:"id" doc:"of an attempt in the log of the webhook"`
}

// actOf finds the act of an operation, nil if it is none.
func actOf(op *catalog.Operation) *act {
	if i := slices.IndexFunc(acts, func(a act) bool { return a.op == op }); i >= 0 {
		return &acts[i]
	}
	return nil
}

// start is how an act begins, where more is known than the type of its request
// tells. Its zero value asks for everything.
type start struct {
	known  map[string]string // texts of fields that are not asked for, by their names
	about  string            // whom or what it is about, for the title
	fill   func(in any)      // what stands in the form at first
	beside func(w int) []string
	more   []*field // that are no part of the request
	// read finishes a request with the further fields, before the question.
	read func(in any, f *form) error
	// send goes before the call, for what it needs done first.
	send func(ctx context.Context, in any, f *form) error

	// preview asks the network what the act would do, before the question. Its
	// answer goes to priced; a refusal is shown instead of the question.
	preview func(ctx context.Context, in any) (any, error)
	priced  func(in, seen any, a *ask)

	price func(in any, a *ask)     // what the question says besides
	words func(in any) []string    // of netctl; nil sends the request with netctl api
	said  func(in, out any) string // what came of it, in a line
}

// begin opens the form of an act, or its question where nothing is asked for.
func (m *model) begin(op *catalog.Operation, s start) tea.Cmd {
	a := actOf(op)
	in := a.blank()
	if s.fill != nil {
		s.fill(in)
	}
	f := &form{head: op.Summary, beside: s.beside}
	if s.about != "" {
		f.head += ": " + line(s.about)
	}
	for _, x := range fields.Of(in, m.cfg.Now) {
		if text, known := s.known[x.Name]; !known {
			text := x.Text(in)
			if s.fill == nil && !x.Optional && len(x.Choices) == 2 { // yes and no are for people to say
				text = ""
			}
			f.fields = append(f.fields, &field{Field: x, in: newInput(text)})
		} else if err := x.Set(in, text); err != nil && text != "" {
			m.note = x.Label + " " + err.Error()
			return nil
		}
		f.at += "/" + s.known[x.Name]
	}
	f.fields = append(f.fields, s.more...)
	f.send = func(m *model, f *form) (tea.Cmd, error) {
		if err := s.fillIn(in, f); err != nil {
			return nil, err
		}
		if !op.Changes() {
			return m.then(func(ctx context.Context) (any, error) { return a.call(ctx, m.cfg.Network, in) }, func(out any) tea.Cmd {
				m.push(receipt(op.Summary, out))
				return nil
			}), nil
		}
		if s.preview != nil {
			return m.foresee(a, &s, in, f), nil
		}
		m.push(m.question(a, &s, in, f))
		return nil, nil
	}
	if len(f.fields) > 0 {
		m.openForm(f)
		return nil
	}
	cmd, err := f.send(m, f)
	if err != nil {
		m.note = plain(err)
	}
	return cmd
}

// foresee asks the network what the act would do, and then the user.
func (m *model) foresee(a *act, s *start, in any, f *form) tea.Cmd {
	open := len(m.over)
	return m.call(func(ctx context.Context) done {
		seen, err := s.preview(ctx, in)
		return func(m *model) tea.Cmd {
			if len(m.over) != open { // the form was left meanwhile
				return nil
			}
			var refusal *netkit.Refusal
			switch {
			case errors.As(err, &refusal):
				m.refused(action{}, f, err)
			case err != nil:
				m.note = plain(err)
			default:
				asked := *s
				asked.price = func(in any, q *ask) { s.priced(in, seen, q) }
				m.push(m.question(a, &asked, in, f))
			}
			return m.answered(seqOf(seen), err)
		}
	})
}

// fillIn reads the form into a request.
func (s *start) fillIn(in any, f *form) error {
	for _, x := range f.fields {
		if !slices.Contains(s.more, x) {
			if err := x.Set(in, x.text()); err != nil {
				return err
			}
		}
	}
	if s.read != nil {
		return s.read(in, f)
	}
	return nil
}

// question asks whether to do it, with what it costs.
func (m *model) question(a *act, s *start, in any, f *form) *ask {
	does := s.action(a.op, in, f.purchase(m))
	q := &ask{question: f.head + "?", does: does}
	if s.price != nil {
		s.price(in, q)
	} else {
		q.question += " It costs you 0.00"
		q.lines = described(in, 0)
	}
	if a.op.Final {
		q.lines = append(q.lines, cmp.Or(a.op.Caution, "It cannot be undone."))
	}
	q.yes = func(m *model) tea.Cmd {
		return m.carryOut(does, f, func(ctx context.Context) (any, error) {
			if s.send != nil {
				if err := s.send(ctx, in, f); err != nil {
					return nil, err
				}
			}
			return a.call(ctx, m.cfg.Network, in)
		}, func(out any) string {
			if s.said != nil {
				return s.said(in, out)
			}
			return "done: " + line(a.op.Summary)
		})
	}
	return q
}

// parameter matches what a path leaves open.
var parameter = regexp.MustCompile(`\{[^}]*\}`)

// action is the act as it can be said to netctl and to curl. The first fields of
// a request are the parameters of its path.
func (s *start) action(op *catalog.Operation, in any, key string) action {
	a := action{op: op, body: in, key: key}
	all := fields.Of(in, nil)
	if op == catalog.AcceptExecution {
		all = all[1:] // the execution, not its contract
	}
	for i := range parameter.FindAllString(op.Path, -1) {
		a.at = append(a.at, all[i].Text(in))
	}
	if s.words != nil {
		a.netctl = s.words(in)
		return a
	}
	a.netctl = []string{"api", op.Method, a.path()}
	if b, err := json.Marshal(in); err == nil && op.Method != "DELETE" {
		a.netctl = append(a.netctl, "--body", string(b))
	}
	return a
}

// carryOut does what was agreed to and says what came of it. The call carries
// the action's key. An answer with a secret, which is shown only once, is shown
// in full.
func (m *model) carryOut(a action, f *form, do func(context.Context) (any, error), said func(out any) string) tea.Cmd {
	if m.sending {
		m.note = "not sent: an earlier request still waits for its answer"
		return nil
	}
	m.sending, m.note = true, "sending …"
	open := slices.Clone(m.over)
	return m.call(func(ctx context.Context) done {
		out, err := do(m.cfg.Keyed(ctx, a.key))
		return func(m *model) tea.Cmd {
			m.sending = false
			if err != nil {
				m.refused(a, f, err)
				return m.answered(0, err)
			}
			m.note = said(out)
			m.sent(open)
			if secret(out) {
				m.push(receipt(a.op.Summary, out))
			}
			return tea.Batch(m.answered(seqOf(out), nil), m.loadOwn(), m.here().load())
		}
	})
}

// secret reports whether an answer holds what is shown only once, or has to be
// used at once.
func secret(out any) bool {
	if reflect.ValueOf(out).Kind() != reflect.Struct {
		return false
	}
	for _, name := range []string{"Token", "Secret", "Challenge", "URL"} {
		if v := reflect.ValueOf(out).FieldByName(name); v.IsValid() && v.Kind() == reflect.String && v.String() != "" {
			return true
		}
	}
	return false
}

// seqOf is the entry that an answer rests on, 0 if it does not say.
func seqOf(out any) uint64 {
	v := reflect.ValueOf(out)
	if v.Kind() != reflect.Struct {
		return 0
	}
	if at := v.FieldByName("AsOf"); at.IsValid() {
		v = at
	}
	if seq := v.FieldByName("Seq"); seq.IsValid() && seq.CanUint() {
		return seq.Uint()
	}
	return 0
}

// sent closes the dialogues of what was done. Those opened since stay, with
// what is being written in them.
func (m *model) sent(open []overlay) {
	m.over = slices.DeleteFunc(m.over, func(o overlay) bool { return slices.Contains(open, o) })
	for at, f := range m.left {
		if slices.Contains(open, overlay(f)) {
			delete(m.left, at)
		}
	}
}

// refused shows an error that must not be missed: beside the field that it is
// about if its form is still open, else on a page. A form beneath stays as it
// was filled in.
func (m *model) refused(a action, f *form, err error) {
	m.note = ""
	var r *netkit.Refusal
	if errors.As(err, &r) && !m.cfg.Accessible && m.formOpen(f) && f.blame(r.Field, plain(err)) {
		m.note = "the network refused it; the reason is beside the field"
		return
	}
	text := plain(err)
	if m.cfg.Unreachable(err) {
		again := "What was read and charged is open to you, and costs nothing again. "
		if a.key != "" {
			again = "Sent again from the form that is still open, it carries the same key and counts once. "
		}
		text = "No answer came, so it is not known whether it was done. " + again + text
	}
	m.push(&page{head: "This was not done", lines: func(w int) []string {
		return append([]string{""}, wrap(text, w-2)...)
	}})
}

func (m *model) formOpen(f *form) bool {
	return f != nil && len(m.over) > 0 && m.over[len(m.over)-1] == overlay(f)
}

// blame turns to the field that a refusal names.
func (f *form) blame(name, text string) bool {
	for i, x := range f.fields {
		if name != "" && (x.Name == name || strings.HasPrefix(name, x.Name+"[") || strings.HasSuffix(x.Name, "."+name)) {
			f.sel, x.refused, x.seen = i, text, true
			return true
		}
	}
	return false
}

// isAgent says why the caller cannot act, "" if it can.
func (m *model) isAgent() bool {
	if m.me != nil && m.me.Kind == netkit.AgentParty {
		return true
	}
	m.note = "only an agent can do that; :login acts as another, as does netctl tui --as SLUG"
	return false
}

// receipt is a page of all that an answer says.
func receipt(head string, out any) *page {
	return &page{head: head, plain: described(out, 0), lines: func(w int) []string { return append([]string{""}, described(out, w)...) }}
}

// described writes a value as names and values below each other, in the order
// that its type has. Width 0 wraps nothing.
func described(v any, w int) []string {
	b, err := json.Marshal(v)
	if err != nil {
		return []string{fmt.Sprintf("this cannot be shown: %s", plain(err))}
	}
	return describedJSON(b, w)
}

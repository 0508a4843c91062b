package tui

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/tui/internal/fields"
)

// start is how an act begins, where more is known than the type of its request
// tells. Its zero value asks for everything.
type start struct {
	known  map[string]string // texts of fields that are not asked for, by their names
	about  string            // its subject, for the title
	fill   func(in any)      // sets the form's first values
	beside func(w int) []string
	more   []*field // that are no part of the request
	// read finishes a request with the further fields, before the question.
	read func(in any, f *form) error
	// send makes the requests that the call needs first.
	send func(ctx context.Context, in any, f *form) error

	// preview asks the network what the act would do, before the question. Its
	// answer goes to priced; a refusal is shown instead of the question.
	preview func(ctx context.Context, in any) (any, error)
	priced  func(in, seen any, a *ask)

	price func(in any, a *ask)     // further lines of the question
	words func(in any) []string    // of netctl; nil sends the request with netctl api
	said  func(in, out any) string // the outcome, in a line
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
				m.push(receiptPage(op.Summary, out))
				return nil
			}), nil
		}
		if s.preview != nil {
			return m.previewCall(a, &s, in, f), nil
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

// previewCall asks the network for the outcome, and then the user to agree.
func (m *model) previewCall(a *act, s *start, in any, f *form) tea.Cmd {
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

// question asks whether to do it, and names the cost.
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

// parameter matches the parameters of a path.
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

func (m *model) formOpen(f *form) bool {
	return f != nil && len(m.over) > 0 && m.over[len(m.over)-1] == overlay(f)
}

// markField marks and turns to the field that a refusal names.
func (f *form) markField(name, text string) bool {
	for i, x := range f.fields {
		if name != "" && (x.Name == name || strings.HasPrefix(name, x.Name+"[") || strings.HasSuffix(x.Name, "."+name)) {
			f.sel, x.refused, x.seen = i, text, true
			return true
		}
	}
	return false
}

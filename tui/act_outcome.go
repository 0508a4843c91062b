package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
)

// carryOut sends the agreed call and reports its outcome. The call carries
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
			if holdsSecret(out) {
				m.push(receiptPage(a.op.Summary, out))
			}
			return tea.Batch(m.answered(seqOf(out), nil), m.loadOwn(), m.here().load())
		}
	})
}

// holdsSecret reports whether an answer holds a text that is shown only once, or has to be
// used at once.
func holdsSecret(out any) bool {
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

// sent closes the dialogues of a call that was carried out. Those opened since stay,
// with the texts in them.
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
	if errors.As(err, &r) && !m.cfg.Accessible && m.formOpen(f) && f.markField(r.Field, plain(err)) {
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

// receiptPage is a page of all that an answer says.
func receiptPage(head string, out any) *page {
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

package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// formLimit is how many bytes a form may have: what the interface takes, with
// room for the encoding of forms.
const formLimit = 256 << 10

// request is a request for a page with what is known of whoever asks.
type request struct {
	w       http.ResponseWriter
	r       *http.Request
	session *session          // nil without one
	who     *netkit.Principal // of the session's token
	problem *netkit.Problem   // what the form that was sent met
	lost    []string          // texts of a form that no page shows again
}

// handler makes the screen of a request. An error becomes a page of its own.
type handler func(*request) (*screen, error)

// page is the handler of a page.
func (p *Pages) page(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &request{w: w, r: r}
		p.recognise(v)
		s, err := p.read(v, h)
		if err != nil {
			s = p.failed(v, err)
		}
		if s == nil {
			return // the handler wrote the answer itself
		}
		if s.json != nil {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			if s.status != 0 {
				w.WriteHeader(s.status)
			}
			_ = json.NewEncoder(w).Encode(s.json) // our own types marshal, and a reader that is gone has nobody to be told
			return
		}
		p.show(v, s)
	})
}

// read reads the form, if there is one, before the handler sees the request.
func (p *Pages) read(v *request, h handler) (*screen, error) {
	if v.r.Method == http.MethodPost {
		v.r.Body = http.MaxBytesReader(v.w, v.r.Body, formLimit)
		if err := parseForm(v.r); err != nil {
			return nil, &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.FormUnreadable, What: "the form could not be read", Next: "send at most 256 KiB from the page itself"}
		}
	}
	return h(v)
}

// parseForm takes the encoding that forms of pages have, and no other: fields
// that were not understood must not count as empty ones.
func parseForm(r *http.Request) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != formType {
		return fmt.Errorf("web: a form of %q: %w", kind, err)
	}
	return r.ParseForm()
}

const formType = "application/x-www-form-urlencoded"

// failed shows an error.
func (p *Pages) failed(v *request, err error) *screen {
	problem := problemOf(err)
	if v.wantsJSON() { // for a script of ours, which shows it on its page
		problem.Next = catalog.Advise(adviceOf(&problem), catalog.Pages)
		return &screen{json: problem, status: problem.Status}
	}
	v.lost = sentTexts(v.r.PostForm, &problem)
	return &screen{name: "problem", title: problem.Title, status: problem.Status, data: showRefusal(&problem, nil)}
}

// refused is a problem that the interface answered.
type refused struct{ netkit.Problem }

func (r *refused) Error() string { return "web: " + r.Detail }

func problemOf(err error) netkit.Problem {
	var r *refused
	if errors.As(err, &r) {
		return r.Problem
	}
	return catalog.Render(netkit.ProblemOf(err), catalog.HTTP)
}

// wantsJSON reports whether a script asks, which reads data.
func (v *request) wantsJSON() bool { return v.r.Header.Get("Accept") == "application/json" }

// caller is who reads, as far as the session's token covers a scope.
func (v *request) caller(scope netkit.Scope) netkit.Caller {
	if v.who == nil || !v.who.Allows(scope) {
		return netkit.Caller{}
	}
	return netkit.Caller{Slug: v.who.Slug, Token: v.who.Token}
}

// page is the path of the page on which the visitor is: forms under /admin are
// sent to paths of their own, where nothing can be read.
func (v *request) page() string {
	at := v.r.URL.Path
	if v.r.Method == http.MethodPost && strings.HasPrefix(at, "/admin/") {
		return path.Dir(at)
	}
	return at
}

// agentHere reports whether an agent asks.
func (v *request) agentHere() bool { return v.who != nil && v.who.Kind == netkit.AgentParty }

// again shows a page once more with what its form met. The form comes back open,
// as it was sent: see [refillForm].
func (v *request) again(err error, h handler) (*screen, error) {
	problem := problemOf(err)
	if v.wantsJSON() || problem.Status >= 500 {
		return nil, err
	}
	v.problem = &problem
	s, err := h(v)
	if err == nil {
		s.status = problem.Status
	}
	return s, err
}

// done goes on to an address, where a note says what was done.
func (v *request) done(note, to string) (*screen, error) {
	if v.session != nil {
		v.session.setNote(note)
	}
	return &screen{goTo: to}, nil
}

// inPart reports whether a script asks for what changed on a page that is
// open already.
func (v *request) inPart() bool { return v.r.Header.Get("HX-Request") == "true" }

// seen reports whether a person will see the page: what is shown once must not
// be spent on a script, or on who asks for the headers alone.
func (v *request) seen() bool {
	return v.session != nil && !v.inPart() && v.r.Method != http.MethodHead
}

func (v *request) takeNote() string {
	if !v.seen() {
		return ""
	}
	return v.session.takeNote()
}

// takeFresh returns a secret of that kind that was made for the visitor.
func (v *request) takeFresh(kind secretKind) string {
	if !v.seen() {
		return ""
	}
	return v.session.takeFresh(kind)
}

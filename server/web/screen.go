package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit"
)

//go:embed templates/*.html templates/*.md
var templateFiles embed.FS

// screens are the templates of all pages, each with the frame around it.
type screens map[string]*template.Template

func loadScreens(a *assets) (screens, error) {
	frame, err := template.New("frame.html").Funcs(functions(a)).ParseFS(templateFiles, "templates/frame.html", "templates/parts.html")
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	list, err := templateFiles.ReadDir("templates")
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	all := screens{}
	for _, f := range list {
		name, page := strings.CutSuffix(f.Name(), ".html")
		if !page || name == "frame" || name == "parts" {
			continue
		}
		t, err := frame.Clone()
		if err == nil {
			t, err = t.ParseFS(templateFiles, "templates/"+f.Name())
		}
		if err != nil {
			return nil, fmt.Errorf("web: %w", err)
		}
		all[name] = t
	}
	return all, nil
}

// screen is an answer: a template with what it shows, or an address to go on
// to.
type screen struct {
	name   string
	title  string
	status int // 0 means 200
	data   any
	goTo   string // where to go instead
	secret bool   // shows a secret: never stored, never compressed
	json   any    // the answer of a script's request, instead of a page
}

// frame is what a template gets.
type frame struct {
	Title   string
	Path    string // of the page, also where one of its forms was sent
	Section string // first segment of the path, for the navigation
	Network string
	Who     *netkit.Principal // nil without a session
	Balance *netkit.Credits   // of the visitor's wallet
	Crisis  []netkit.Dispatch // running now
	Seq     uint64            // entry up to which the page knows
	Note    string            // what the last form did
	Problem *shownRefusal     // why the form was refused
	Lost    bool              // the page does not have that form any more
	Sent    []string          // its texts then
	Key     string            // idempotency key for the forms of this page
	Data    any
}

// policy is what pages may load: themselves, and nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// show draws a screen.
func (p *Pages) show(v *request, s *screen) {
	h := v.w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	// Without a referrer a browser says that a form comes from nowhere, and
	// where it reaches us by plain http it says nothing else: see
	// http.CrossOriginProtection. To others it says nothing either way.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if s.goTo != "" {
		h.Set("Location", s.goTo)
		v.w.WriteHeader(http.StatusSeeOther)
		return
	}
	f, err := p.frame(v, s)
	var page bytes.Buffer
	kind, twin := HTML, p.twin(v, s)
	switch {
	case err != nil:
	case twin != nil:
		kind, err = Markdown, twin.Execute(&page, f)
	default:
		err = p.draw(&page, v, s, f)
	}
	if err != nil && v.r.Context().Err() != nil {
		return // whoever asked is gone, which is not a fault of ours
	}
	if err != nil { // a template of ours is wrong, or the journal cannot be read
		panic(fmt.Errorf("web: %s: %w", s.name, err))
	}
	h.Set("Content-Type", kind+"; charset=utf-8")
	h.Add("Vary", "Accept, Cookie, HX-Request")
	var packed []byte
	if !s.secret && takesGzip(v.r) {
		packed = pack(page.Bytes())
	}
	if s.status == 0 {
		s.status = http.StatusOK
	}
	send(v.w, v.r, s.status, page.Bytes(), packed)
}

// draw leaves the frame out where a script only wants what changed.
func (p *Pages) draw(page *bytes.Buffer, v *request, s *screen, f *frame) error {
	t, ok := p.screens[s.name]
	if !ok {
		return fmt.Errorf("no template")
	}
	if v.inPart() {
		return t.ExecuteTemplate(page, "content", f)
	}
	if v.problem != nil {
		return drawRefused(page, t, v, f)
	}
	return t.ExecuteTemplate(page, "frame.html", f)
}

func (p *Pages) frame(v *request, s *screen) (*frame, error) {
	ctx := v.r.Context()
	figures, err := p.net.Totals(ctx)
	if err != nil {
		return nil, err
	}
	f := &frame{Title: s.title, Path: v.page(), Section: section(v.r.URL.Path), Network: figures.Network, Seq: figures.AsOf.Seq, Who: v.who,
		Sent: v.lost, Key: newKey(), Data: s.data, Note: v.takeNote()}
	if figures.Blackout {
		c, err := p.net.As("").Crisis(ctx)
		if err != nil {
			return nil, err
		}
		f.Crisis = c.Running
	}
	if v.who != nil && v.who.Kind == netkit.AgentParty {
		b, err := p.net.As("").Balance(ctx, netkit.Wallet(v.who.Slug))
		if err != nil {
			return nil, err
		}
		f.Balance = &b.Balance
	}
	return f, nil
}

// section is the first segment of a path.
func section(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}

var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// pack compresses a page, fast rather than small.
func pack(b []byte) []byte {
	var out bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&out)
	_, _ = z.Write(b) // a buffer takes everything
	_ = z.Close()
	return out.Bytes()
}

package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/server/guide"
)

// reference is the OpenAPI document as pages show it.
type reference struct {
	Title, Version string
	About          []string
	Tags           []*tagged
	byID           map[string]*operation
}

// tagged are the operations of one tag.
type tagged struct {
	Name, Description string
	Operations        []*operation
}

// operation is one operation, ready to be shown.
type operation struct {
	ID, Method, Path, Summary, Description, Tag string
	Auth                                        string
	Params                                      []param
	Body                                        []param
	BodyName                                    string
	BodyType                                    string
	Answer                                      []param
	AnswerName, Answered                        string
	Statuses                                    []status
	Curl, Go                                    string
}

// param is a parameter or a field.
type param struct {
	Name, In, Type, Doc string
	Required            bool
	Depth               int
}

type status struct{ Code, Text string }

// openAPI is what is read of the document.
type openAPI struct {
	Info struct{ Title, Version, Description string }
	Tags []struct{ Name, Description string }
	// Paths by address and method.
	Paths      map[string]map[string]*described
	Components struct {
		Schemas   map[string]*schema
		Responses map[string]*response
	}
}

type described struct {
	OperationID, Summary, Description string
	Tags                              []string
	Parameters                        []struct {
		Name, In, Description string
		Required              bool
		Schema                *schema
	}
	RequestBody *struct {
		Content map[string]media
	}
	Responses map[string]*response
	Security  []map[string][]string
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]media
}

type media struct {
	Schema  *schema
	Example any
}

type schema struct {
	Ref         string `json:"$ref"`
	Type        any    // a word, or several
	Format      string
	Description string
	Enum        []any
	Items       *schema
	Properties  map[string]*schema
	Required    []string
}

// readDocument reads the document when it is first asked for, since it is
// whole only when all routes are in it.
func (p *Pages) readDocument() func() (*reference, error) {
	return sync.OnceValues(func() (*reference, error) {
		var doc openAPI
		if err := json.Unmarshal(p.cfg.Document(), &doc); err != nil {
			return nil, fmt.Errorf("web: OpenAPI document: %w", err)
		}
		return doc.reference(), nil
	})
}

// reference puts the operations in order: by tag, then by path.
func (d *openAPI) reference() *reference {
	ref := &reference{Title: d.Info.Title, Version: d.Info.Version, About: strings.Split(d.Info.Description, "\n"), byID: map[string]*operation{}}
	by := map[string]*tagged{}
	for _, t := range d.Tags {
		by[t.Name] = &tagged{Name: t.Name, Description: t.Description}
		ref.Tags = append(ref.Tags, by[t.Name])
	}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			op := d.operation(method, path, d.Paths[path][method])
			ref.byID[op.ID] = op
			if t := by[op.Tag]; t != nil {
				t.Operations = append(t.Operations, op)
			}
		}
	}
	return ref
}

func (d *openAPI) operation(method, path string, o *described) *operation {
	op := &operation{ID: o.OperationID, Method: strings.ToUpper(method), Path: path, Summary: o.Summary, Description: o.Description, Auth: auth(o.Security)}
	if len(o.Tags) > 0 {
		op.Tag = o.Tags[0]
	}
	for _, p := range o.Parameters {
		op.Params = append(op.Params, param{Name: p.Name, In: p.In, Type: d.typeName(p.Schema), Doc: p.Description, Required: p.Required})
	}
	var example any
	if o.RequestBody != nil {
		for kind, c := range o.RequestBody.Content {
			op.BodyType = kind
			op.BodyName = refName(c.Schema)
			op.Body = d.fields(c.Schema, 0)
			example = c.Example
		}
	}
	if ok := o.Responses["200"]; ok != nil {
		if c, has := ok.Content["application/json"]; has {
			op.AnswerName, op.Answer, op.Answered = refName(c.Schema), d.fields(c.Schema, 0), indented(c.Example)
		}
	}
	op.Statuses = d.statuses(o.Responses)
	op.Curl, op.Go = curlOf(op, example), goOf(op, example)
	return op
}

// auth says what token an operation takes.
func auth(need []map[string][]string) string {
	switch {
	case len(need) == 0:
		return "none"
	case slices.ContainsFunc(need, func(m map[string][]string) bool { return len(m) == 0 }):
		return "optional"
	}
	return "required"
}

func (d *openAPI) statuses(all map[string]*response) (out []status) {
	for _, code := range slices.Sorted(maps.Keys(all)) {
		text := all[code].Description
		if ref := d.Components.Responses[last(all[code].Ref)]; ref != nil && text == "" {
			text = ref.Description
		}
		text, _, _ = strings.Cut(text, " Codes of any operation: ") // which /docs/codes lists with their meanings
		out = append(out, status{code, text})
	}
	return out
}

func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func refName(s *schema) string {
	if s == nil {
		return ""
	}
	return last(s.Ref)
}

// solve follows a reference.
func (d *openAPI) solve(s *schema) *schema {
	if s != nil && s.Ref != "" {
		if found := d.Components.Schemas[last(s.Ref)]; found != nil {
			return found
		}
	}
	return s
}

const fieldDepth = 3

// fields lists the fields of an object, those inside others behind them.
func (d *openAPI) fields(s *schema, depth int) (all []param) {
	if s = d.solve(s); s == nil || depth > fieldDepth {
		return nil
	}
	if s.Items != nil {
		return d.fields(s.Items, depth)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		f := s.Properties[name]
		all = append(all, param{Name: name, Type: d.typeName(f), Doc: d.doc(f), Required: slices.Contains(s.Required, name), Depth: depth})
		all = append(all, d.fields(f, depth+1)...)
	}
	return all
}

func (d *openAPI) doc(s *schema) string {
	if len(s.Enum) > 0 {
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = fmt.Sprint(e)
		}
		if said := strings.Join(words, ", "); !strings.Contains(s.Description, words[0]) {
			return strings.TrimPrefix(s.Description+": one of "+said, ": ")
		}
	}
	return s.Description
}

// typeName is the type of a field in a word or two.
func (d *openAPI) typeName(s *schema) string {
	if s == nil {
		return ""
	}
	if s.Items != nil {
		return "list of " + d.typeName(s.Items)
	}
	if s = d.solve(s); s.Format == "date-time" {
		return "time"
	}
	return kindOf(s)
}

// kindOf is the type of a schema without null.
func kindOf(s *schema) string {
	switch t := s.Type.(type) {
	case string:
		return t
	case []any:
		for _, one := range t {
			if one != "null" {
				return fmt.Sprint(one)
			}
		}
	}
	return "object"
}

// codeGroup are the codes under one heading.
type codeGroup struct {
	Title string
	Rows  []code.Row
}

// docsCodes lists the codes of refusals with their meanings.
func (p *Pages) docsCodes(*request) (*screen, error) {
	var groups []codeGroup
	for title, row := range code.All() {
		if len(groups) == 0 || groups[len(groups)-1].Title != title {
			groups = append(groups, codeGroup{Title: title})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, row)
	}
	return &screen{name: "codes", title: "Refusal codes", data: groups}, nil
}

// docsData is the interface with the guide beside it.
type docsData struct {
	*reference
	Topics []guide.Topic
}

func (p *Pages) docsIndex(*request) (*screen, error) {
	ref, err := p.docs()
	return &screen{name: "docs", title: "Documentation", data: docsData{ref, guide.Topics()}}, err
}

// operationData is one operation with where the network is reached.
type operationData struct {
	*operation
	Curl, Go string
	Siblings []*operation
}

// docsPage shows a document of the guide or an operation.
func (p *Pages) docsPage(v *request) (*screen, error) {
	if t, ok := guide.Find(v.r.PathValue("name")); ok {
		return guideScreen(t)
	}
	ref, err := p.docs()
	if err != nil {
		return nil, err
	}
	op := ref.byID[v.r.PathValue("name")]
	if op == nil {
		return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.OperationUnknown, What: "there is no such operation or document", Next: "/docs lists them all"}
	}
	base := p.base(v)
	d := operationData{operation: op, Curl: strings.ReplaceAll(op.Curl, baseMark, base), Go: strings.ReplaceAll(op.Go, baseMark, base)}
	for _, t := range ref.Tags {
		if t.Name == op.Tag {
			d.Siblings = t.Operations
		}
	}
	return &screen{name: "operation", title: op.Summary, data: d}, nil
}

// base is where the visitor reaches the network. A host that is none is not
// repeated.
func (p *Pages) base(v *request) string {
	scheme := "http"
	if v.r.TLS != nil || p.cfg.Secure {
		scheme = "https"
	}
	u, err := url.Parse(scheme + "://" + v.r.Host)
	if err != nil || u.Host != v.r.Host || strings.ContainsAny(u.Host, "'\"`$\\ ") {
		return "http://127.0.0.1:8787"
	}
	return u.String()
}

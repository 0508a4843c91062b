package web

import (
	"bytes"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// A refused form comes back as its visitor sent it. Templates know nothing of
// this: the drawn page is searched for the form that could have sent these
// fields, which is filled in and opened.

// tag is a start or end tag of a page, and the bytes that it covers.
type tag struct {
	html.Token
	from, to int
}

func (t *tag) attr(name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// set returns the tag with an attribute set.
func (t tag) set(name, value string) tag {
	t.Attr = append(slices.DeleteFunc(slices.Clone(t.Attr), func(a html.Attribute) bool { return a.Key == name }), html.Attribute{Key: name, Val: value})
	return t
}

// mark returns the tag with a boolean attribute, or without it.
func (t tag) mark(name string, on bool) tag {
	if on {
		return t.set(name, "")
	}
	t.Attr = slices.DeleteFunc(slices.Clone(t.Attr), func(a html.Attribute) bool { return a.Key == name })
	return t
}

// readTags lists the tags of a page in their order.
func readTags(page []byte) (all []tag) {
	z := html.NewTokenizer(bytes.NewReader(page))
	at := 0
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		from := at
		at += len(z.Raw())
		if kind == html.StartTagToken || kind == html.EndTagToken || kind == html.SelfClosingTagToken {
			all = append(all, tag{z.Token(), from, at})
		}
	}
	return all
}

// shownForm is a form of a page: its tags, and the details elements around it.
type shownForm struct {
	tags    []tag
	details []tag
}

// findForm returns the first form that sends to path and has each field that
// was sent; of hidden fields and buttons it must have the value too.
func findForm(tags []tag, path string, sent url.Values) (f shownForm, found bool) {
	var details []tag
	for i, t := range tags {
		switch {
		case t.Data == "details" && t.Type == html.StartTagToken:
			details = append(details, t)
		case t.Data == "details" && len(details) > 0:
			details = details[:len(details)-1]
		case t.Data == "form" && t.Type == html.StartTagToken:
			end := i + slices.IndexFunc(tags[i:], func(t tag) bool { return t.Data == "form" && t.Type == html.EndTagToken })
			if end < i || t.attr("method") != "post" {
				continue
			}
			if to, _, _ := strings.Cut(t.attr("action"), "?"); to != "" && to != path {
				continue
			}
			if f = (shownForm{tags[i:end], details}); f.couldSend(sent) {
				return f, true
			}
		}
	}
	return shownForm{}, false
}

// couldSend reports whether the form has all fields of what was sent. The
// idempotency key differs on each page.
func (f *shownForm) couldSend(sent url.Values) bool {
	for name, values := range sent {
		has := func(t tag) bool {
			fixed := t.Data == "button" || t.attr("type") == "hidden"
			return t.attr("name") == name && (!fixed || slices.Contains(values, t.attr("value")))
		}
		if name != "key" && !slices.ContainsFunc(f.tags, has) {
			return false
		}
	}
	return true
}

// refusedForm is the id of a refused form, and refusalText that of the box that
// says why.
const refusedForm, refusalText = "refused", "refusal"

// refillForm returns a page on which the form that was sent to path is open and
// holds what was sent; wrong is the field that was refused, "" for none. With
// keep false, none of what was sent comes back. It reports whether the page has
// that form.
func refillForm(page []byte, path string, sent url.Values, wrong string, keep bool) ([]byte, bool) {
	tags := readTags(page)
	form, found := findForm(tags, path, sent)
	if !found {
		return nil, false
	}
	var out bytes.Buffer
	at := 0
	write := func(old, now tag) {
		out.Write(page[at:old.from])
		out.WriteString(now.Token.String())
		at = old.to
	}
	for _, d := range form.details {
		write(d, d.mark("open", true))
	}
	write(form.tags[0], form.tags[0].set("id", refusedForm))
	selected := ""
	for i, t := range form.tags[1:] {
		if t.Type == html.EndTagToken {
			continue
		}
		now, name := t, t.attr("name")
		if name != "" && name == wrong {
			now = now.set("aria-invalid", "true").set("aria-describedby", refusalText)
		}
		if t.Data == "select" || t.Data == "datalist" {
			selected = name
		}
		if keep {
			now = refillTag(now, selected, sent)
		}
		write(t, now)
		if keep && t.Data == "textarea" && i+2 < len(form.tags) {
			// A browser drops the first line end of a text area.
			out.WriteString("\n" + html.EscapeString(sent.Get(name)))
			at = form.tags[i+2].from
		}
	}
	out.Write(page[at:])
	return out.Bytes(), true
}

// refillTag returns a field of a form as it was sent; selected is the name of
// the latest list of options.
func refillTag(t tag, selected string, sent url.Values) tag {
	name := t.attr("name")
	switch {
	case t.Data == "option" && selected != "":
		return t.mark("selected", slices.Contains(sent[selected], t.attr("value")))
	case t.Data != "input" || name == "":
		return t
	}
	switch t.attr("type") {
	case "hidden", "password", "submit", "button", "file":
		return t
	case "checkbox", "radio":
		return t.mark("checked", slices.Contains(sent[name], t.attr("value")))
	}
	return t.set("value", sent.Get(name))
}

// fieldOf returns the name of the form's field that a place in a request is
// about: "sources" of "signal.sources[0]".
func fieldOf(location string) string {
	name := location[strings.LastIndexByte(location, '.')+1:]
	name, _, _ = strings.Cut(name, "[")
	return name
}

// drawRefused draws a page with the form that was refused. Where the page does
// not have that form any more, the page shows its texts instead.
//
// The page is drawn twice, since the refusal has the labels of its form.
func drawRefused(page *bytes.Buffer, t *template.Template, v *request, f *frame) error {
	var plain, drawn bytes.Buffer
	if err := t.ExecuteTemplate(&plain, "frame.html", f); err != nil {
		return err
	}
	form, found := findForm(readTags(plain.Bytes()), v.r.URL.Path, v.r.PostForm)
	f.Problem = showRefusal(v.problem, form.labels(plain.Bytes()))
	if !found {
		f.Lost, f.Sent = true, sentTexts(v.r.PostForm, v.problem)
		return t.ExecuteTemplate(page, "frame.html", f)
	}
	if err := t.ExecuteTemplate(&drawn, "frame.html", f); err != nil {
		return err
	}
	filled, _ := refillForm(drawn.Bytes(), v.r.URL.Path, v.r.PostForm, fieldOf(v.problem.Location), mayRepeat(v.problem))
	page.Write(filled)
	return nil
}

// mayRepeat reports whether a page may show what was sent: nothing of a form in
// which somebody typed a secret key comes back.
func mayRepeat(p *netkit.Problem) bool { return p.Code != code.KeyLikeSecret }

// sentTexts returns the texts of a form that does not come back, so that its
// visitor can copy them. A text is a value of several words.
func sentTexts(sent url.Values, p *netkit.Problem) (texts []string) {
	if !mayRepeat(p) {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		for _, text := range sent[name] {
			if strings.ContainsAny(strings.TrimSpace(text), " \n") {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

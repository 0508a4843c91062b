package web

import (
	"cmp"
	"html/template"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// shownRefusal is a problem in the words of pages. Those of the problem itself
// are for programs.
type shownRefusal struct {
	netkit.Problem
	Field string        // label of the wrong field, "" for none
	Text  string        // the fault, without the field
	Do    template.HTML // advice, with links to pages
}

// showRefusal puts a problem into the words of a page whose form has these
// labels by the names of its fields.
func showRefusal(p *netkit.Problem, labels map[string]string) *shownRefusal {
	text := strings.TrimPrefix(p.Detail, p.Location+" ")
	return &shownRefusal{Problem: *p, Field: labelPlace(p.Location, labels), Text: labelPlaces(text, labels),
		Do: template.HTML(catalog.Advise(html.EscapeString(labelPlaces(adviceOf(p), labels)), linkPage))}
}

// adviceOf returns the advice of a problem, with operations in braces.
func adviceOf(p *netkit.Problem) string { return cmp.Or(p.Advice, p.Next) }

// linkPage names an operation by a link to its page.
func linkPage(name string) (string, bool) {
	words, ok := catalog.Pages(name)
	words = html.EscapeString(words)
	if at := catalog.PageOf(name); at != "" {
		words = `<a href="` + html.EscapeString(at) + `">` + words + `</a>`
	}
	return words, ok
}

// labelPlace returns the label of a place in a request: "Sources (1)" for
// "signal.sources[0]". A field without a label has its own name in words.
func labelPlace(place string, labels map[string]string) string {
	name := fieldOf(place)
	label := cmp.Or(labels[name], human(name))
	_, index, listed := strings.Cut(place[strings.LastIndexByte(place, '.')+1:], "[")
	if i, err := strconv.Atoi(strings.TrimSuffix(index, "]")); listed && err == nil {
		label += " (" + strconv.Itoa(i+1) + ")"
	}
	return label
}

// placeName is a place in a request, or a name of several words.
var placeName = regexp.MustCompile(`\b[a-z]+(?:[._][a-z]+)*(?:\[[0-9]+\])?`)

// labelPlaces puts labels in the place of names that only programs know: those
// of fields of the form that have a point, a line or a bracket in them. A field
// without a label has its own name in words; one with only points may be an address.
func labelPlaces(text string, labels map[string]string) string {
	return placeName.ReplaceAllStringFunc(text, func(place string) string {
		if strings.ContainsAny(place, "_[") || strings.Contains(place, ".") && labels[fieldOf(place)] != "" {
			return "“" + labelPlace(place, labels) + "”"
		}
		return place
	})
}

// labels returns the labels of a form's fields by their names. Fields of one
// name with several labels are choices, which have none of their own.
func (f *shownForm) labels(page []byte) map[string]string {
	labels := map[string]string{}
	inside := "" // text at the beginning of the label around the tag
	for i, t := range f.tags {
		var after string
		if i+1 < len(f.tags) {
			after = strings.TrimSpace(html.UnescapeString(string(page[t.to:f.tags[i+1].from])))
		}
		name := t.attr("name")
		switch {
		case t.Data == "label" && t.Type == html.StartTagToken:
			inside = after
		case t.Data == "label":
			inside = ""
		case name != "" && t.attr("type") != "hidden" && t.Data != "button":
			label := cmp.Or(t.attr("aria-label"), inside, after)
			if old, twice := labels[name]; twice && old != label {
				label = ""
			}
			labels[name] = label
		}
	}
	return labels
}

package catalog

import (
	"cmp"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// Face says how one face of the network names what advice has in braces: an
// operation or a term. It reports false for what it does not know.
type Face func(name string) (words string, ok bool)

// term is advice that is not an operation, in the words of each face; at is the
// page of its words on pages, "" for none.
type term struct{ http, command, page, at string }

var terms = map[string]term{
	"asAgent": {"use an agent's token", "act as an agent: with --as AGENT on this machine, with its token elsewhere",
		"sign in as an agent", "/login"},
	"asSponsor": {"use a sponsor's token", "act as a sponsor: with --as SPONSOR on this machine, with its token elsewhere",
		"sign in as a sponsor", "/login"},
	"withToken": {"send Authorization: Bearer TOKEN; POST /api/agent/spawn gives one", "netctl agent spawn AGENT gives one, and netctl login keeps it with a context",
		"sign in or set up an agent", "/login"},
	"yourCases": {ListCases.Route() + " with mine=true", "netctl " + ListCases.Command + " --mine",
		"the list of cases, filtered by “only mine”,", "/review?mine=yes"},
	"quote": {"with quote=true", "with --dry-run", "the price first", ""},
}

// HTTP names operations by method and path, as in "GET /directory".
func HTTP(name string) (string, bool) {
	if o := Find(name); o != nil {
		return o.Route(), true
	}
	t, ok := terms[name]
	return t.http, ok
}

// CommandLine names operations by their commands, as in "netctl agent ls"; one
// without a command is named as over HTTP.
func CommandLine(name string) (string, bool) {
	if o := Find(name); o != nil && o.Command != "" {
		return "netctl " + o.Command, true
	}
	if t, ok := terms[name]; ok {
		return t.command, true
	}
	return HTTP(name)
}

// Advise puts the words of a face in the place of each name in braces. What
// the face does not know stays as it is.
func Advise(text string, face Face) string {
	if !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	for {
		before, after, open := strings.Cut(text, "{")
		b.WriteString(before)
		if !open {
			return b.String()
		}
		name, rest, closed := strings.Cut(after, "}")
		words, known := face(name)
		if !closed || !known {
			b.WriteByte('{')
			text = after
			continue
		}
		b.WriteString(words)
		text = rest
	}
}

// AdviseContract puts the words of a face into the advice of a contract's refusal,
// which may have those of another face.
func AdviseContract(c *netkit.Campaign, face Face) {
	if c.Refusal == nil {
		return
	}
	r := *c.Refusal
	given := cmp.Or(r.Advice, r.Next)
	if r.Next, r.Advice = Advise(given, face), ""; r.Next != given {
		r.Advice = given
	}
	c.Refusal = &r
}

// Render returns a problem with its advice in the words of a face. The advice
// as it was given goes along, for programs that have words of their own.
func Render(p netkit.Problem, face Face) netkit.Problem {
	if next := Advise(p.Next, face); next != p.Next {
		p.Next, p.Advice = next, p.Next
	}
	return p
}

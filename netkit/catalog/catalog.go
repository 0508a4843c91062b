// Package catalog describes each operation of the network once: what it is
// called, where it is reached over HTTP, what it needs and what it costs. The
// server's routes, the OpenAPI document, the Go client, the command line's
// hints and the help are made from it, so that none of them can differ.
//
// A refusal of package netkit that advises an operation names it in braces, as
// in "{listAgents} lists them"; [Advise] puts the words of a [Face] in its place.
package catalog

import (
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Version is the version of the network's interface.
const Version = "1.0.0"

// Public is the scope of operations that need no token. A token that is sent
// all the same must be a good one.
const Public netkit.Scope = "-"

// Operation is one act or one view of the network.
type Operation struct {
	// Name begins with a verb and is unique: executeContract. It is the
	// operation id of the OpenAPI document.
	Name         string
	Method, Path string // parameters of the path are in braces
	// Scope is what a token must cover; admin also needs an operator.
	Scope netkit.Scope
	// As is the scope by which a token counts where Scope is Public; "" means
	// that the caller stays anonymous.
	As      netkit.Scope
	Tag     string // group of the document
	Summary string // one line, verb first
	Doc     string // more, in sentences; may be empty
	// Refusals are the codes of its refusals, besides those that any operation
	// may answer with.
	Refusals []string
	// Command is how the command line does it, after "netctl"; "" where it
	// does not. Words in capitals are arguments.
	Command string
	Spends  bool // may take credits from whoever asks
	Final   bool // cannot be undone; its command asks first, as one that spends does
	// Caution is said before a final operation in place of "It cannot be undone."
	Caution string
	Model   bool // one of the few that a language model needs as a tool
	Hidden  bool // stands in no document
	// Preview answers what the operation would do, with the same body and the
	// same refusals, and changes nothing; nil where there is none.
	Preview *Operation
	Asks    bool // changes nothing, although it takes a body
	Bulk    bool // takes and answers lines of JSON (NDJSON), each a command with its own idempotency key
}

// Changes reports whether the operation can change something.
func (o *Operation) Changes() bool { return o.Method != "GET" && o.Method != "HEAD" && !o.Asks }

// Intent reports whether the intent listener serves the operation too.
func (o *Operation) Intent() bool {
	return o.Path == intentPath || strings.HasPrefix(o.Path, intentPath+"/")
}

const intentPath = "/api/intent"

// Route returns the pattern of the operation for http.ServeMux.
func (o *Operation) Route() string { return o.Method + " " + o.Path }

// At returns the path with its parameters replaced, in order, each escaped.
// It panics when their number is wrong, which no input can cause.
func (o *Operation) At(params ...string) string {
	var b strings.Builder
	rest := o.Path
	for _, p := range params {
		before, after, ok := strings.Cut(rest, "{")
		name, after, closed := strings.Cut(after, "}")
		if !ok || !closed {
			panic("catalog: " + o.Name + " has fewer parameters than were given")
		}
		b.WriteString(before)
		if !strings.HasSuffix(name, "...") { // which stands for several parts
			p = part(p)
		}
		b.WriteString(p)
		rest = after
	}
	if strings.Contains(rest, "{") {
		panic("catalog: " + o.Name + " has more parameters than were given")
	}
	return b.String() + rest
}

// part is a parameter as one part of a path. A path loses parts that are empty
// or dots; a dash stands for those, which names nothing either.
func part(parameter string) string {
	switch parameter {
	case "", ".", "..":
		return "-"
	}
	return url.PathEscape(parameter)
}

// tables are the operations by concept, in the order of the document.
var tables = [][]*Operation{network, agents, tokens, webhooks, feed, market, sponsors, attention, badges, review, playbooks, ledger, plants}

// All yields every operation.
func All() iter.Seq[*Operation] {
	return func(yield func(*Operation) bool) {
		for _, t := range tables {
			for _, o := range t {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// byName finds operations by their names.
var byName = func() map[string]*Operation {
	m := map[string]*Operation{}
	for o := range All() {
		m[o.Name] = o
	}
	return m
}()

// Refuses reports whether the operation may be refused with a code.
func (o *Operation) Refuses(c string) bool {
	return code.General(c) || slices.Contains(o.Refusals, c)
}

// Find returns the operation of that name, nil if there is none.
func Find(name string) *Operation { return byName[name] }

// Tags are the groups of operations in the order of the document.
func Tags() []string {
	var tags []string
	for o := range All() {
		if o.Tag != "" && !slices.Contains(tags, o.Tag) {
			tags = append(tags, o.Tag)
		}
	}
	return tags
}

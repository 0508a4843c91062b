package server

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/spelling"
)

// What callers make up is not repeated to them, names of fields and parameters
// included: a name may be a secret that was pasted in the wrong place. One that
// resembles a known name is shown, with that one.

// unknownField refuses a field of an object whose name ends at a byte.
func unknownField(path string, name []byte, known []string, at int) *refused {
	if near := resembled(string(name), known); near != "" {
		return wrong(join(path, name), code.FieldUnknown, "is not a field of this request", "did you mean "+near+"?")
	}
	return wrong(join(path, []byte("(unknown field)")), code.FieldUnknown, "is not a field of this request; its name ends at byte "+strconv.Itoa(at),
		"leave it out; {getOpenAPI} lists the fields")
}

// unknownParameter refuses a parameter of a query.
func unknownParameter(name string, known []string) *refused {
	next := "leave it out; this address takes no parameters"
	if len(known) > 0 {
		next = "use " + strings.Join(known, ", ")
	}
	field := "query.(unknown parameter)"
	if near := resembled(name, known); near != "" {
		field, next = "query."+name, "did you mean "+near+"?"
	}
	return wrong(field, code.ParameterUnknown, "is not a parameter of this address", next)
}

// resembled returns the known name that a name resembles: it differs in case,
// in - and _, or by a slip or two. "" is for none.
func resembled(name string, known []string) string {
	if len(name) > 64 {
		return ""
	}
	letters := strings.NewReplacer("-", "", "_", "")
	plain := letters.Replace(strings.ToLower(name))
	for _, k := range known {
		// Two slips in a word of five letters leave more than half of it.
		other := letters.Replace(k)
		if slips := spelling.Distance(plain, other); slips == 0 || slips*5 <= len(other)*2 && slips <= 2 {
			return k
		}
	}
	return ""
}

// looksLikeField reports whether a name has the form that all fields of the
// interface have.
func looksLikeField(name []byte) bool {
	return len(name) > 0 && len(name) <= 32 && !slices.ContainsFunc(name, func(ch byte) bool { return ch != '_' && classOf(ch) != 'a' })
}

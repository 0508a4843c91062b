package detect

import (
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// contacts lets a person of key_contacts fall away where the text gives the role:
// "Linda Park, Senior Claims Examiner" becomes "Senior Claims Examiner".
func (x *Sheet) contacts() {
	if x.Field != "key_contacts" {
		return
	}
	for k := range x.spans {
		s := &x.spans[k]
		if s.Type != Name {
			continue
		}
		first, next := x.at(s.From), x.at(s.To)
		switch {
		case x.divides(next, ",-") && x.role(next+1):
			s.To, s.Drop = x.tok[next+1].From, true
		case x.divides(next, "(") && x.role(next+1):
			s.To, s.Drop = x.tok[next].From, true
		case x.divides(first-1, ",:") && x.has(first-2, lex.Role) && (next == len(x.tok) || x.is(next, ",;(")):
			s.From, s.Drop = x.tok[first-1].From, true
		}
	}
}

// divides reports whether token i is one of some signs and in no other span.
func (x *Sheet) divides(i int, signs string) bool {
	return x.is(i, signs) && !x.covered[x.tok[i].From]
}

// role reports whether a role starts at token i or within three words of it.
func (x *Sheet) role(i int) bool {
	for j := i; j < min(i+4, len(x.tok)); j++ {
		if x.tok[j].Kind == lex.Sign {
			return false
		}
		if x.tok[j].Flags&lex.Role != 0 || x.margins[j][tag.Role] > 0 {
			return true
		}
	}
	return false
}

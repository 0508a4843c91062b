package detect

import (
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// handles finds user names that hold a given name: @marjo_ferret, lola_b33, @anna.
func (x *Sheet) handles(used []bool) {
	for i, t := range x.tok {
		if used[i] || x.held[i] || t.Kind != lex.Letters || t.To-t.From < 3 || !x.handled(t) || x.is(i-1, "_/.=#") {
			continue
		}
		at, to := x.is(i-1, "@") && !t.Space && x.tok[i-1].Space, x.handleEnd(i)
		switch {
		case at && to == i+1 && !x.is(to, "_") && !x.taken(t.From-1, t.To):
			x.add(t.From-1, t.To, Name, "user_name", 0.8)
		case at && to > i+1 && !x.has(to-1, lex.OrgWord|lex.Role|lex.Org):
			x.add(t.From-1, x.tok[to-1].To, Name, "user_name", 0.8)
		case to > i+1 && x.is(i+1, "_") && (x.tok[to-1].Kind != lex.Letters || x.has(to-1, lex.Surname) && !x.has(to-1, lex.Word|lex.Foreign)):
			x.add(t.From, x.tok[to-1].To, Name, "user_name", 0.8)
		}
	}
}

// handleEnd is the token behind a user name that starts at i.
func (x *Sheet) handleEnd(i int) int {
	if i+2 < len(x.tok) && x.is(i+1, "_.") && !x.tok[i+1].Space && !x.tok[i+2].Space && x.tok[i+2].Kind != lex.Sign && !x.is(i+3, "_=(") {
		return i + 3
	}
	return i + 1
}

// handled tells whether the first part of a user name is a given name.
func (x *Sheet) handled(t lex.Token) bool {
	const other = lex.Word | lex.OrgWord | lex.Org | lex.LawWord | lex.Role | lex.Place | lex.Month
	return t.Flags&lex.Given != 0 && t.Flags&other == 0
}

package detect

import (
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// Words that announce initials, and those of signing, which announce other things
// in capitals as well.
const (
	initialWords = "initials initialled initialed initialen initiales iniciales iniciais iniziali inicjały inicjałami inicjałach"
	signWords    = "signed kürzel gezeichnet unterschrieben signé signée firmado firmada assinado assinada firmato firmata siglato siglata getekend ondertekend podpisano podpisane parafka paraaf officer agent clerk adjuster adviser advisor handler caseworker inspector sachbearbeiter sachbearbeiterin"
)

var (
	initialWordKeys = sync.OnceValue(func() map[uint64]bool { return keySet(initialWords) })
	signWordKeys    = sync.OnceValue(func() map[uint64]bool { return keySet(signWords) })
)

// initialled is the token behind the initials at i that such a word announces, or 0:
// the initials K.P., signed "KW". Without stops or quotation marks those who sign
// may sign a PDF.
func (x *Sheet) initialled(i int) int {
	if !x.capital(i) || x.tok[i].Case != lex.Caps && !x.initial(i) {
		return 0
	}
	j, quoted := i-1, x.is(i-1, `"`)
	if quoted {
		j--
	}
	if j > 0 && oneOf(x.word(j), "as by with mit als par con com da door met jako przez avec") {
		j--
	}
	sure := initialWordKeys()[x.key(j)]
	if !sure && !signWordKeys()[x.key(j)] {
		return 0
	}
	end, letters := x.dottedEnd(i)
	switch n := x.tok[i].To - x.tok[i].From; {
	case len(letters) > 1 && len(letters) < 4 && (sure || quoted):
		return end
	case n > 1 && n < 4 && !x.has(i, lex.Keep|lex.Org|lex.OrgWord) && (quoted || !x.has(i, lex.Seen)) && (sure || quoted && n == 2 && x.is(i+1, `"`)) && !x.shouted():
		return i + 1
	}
	return 0
}

package server

import (
	"bytes"
	"strconv"

	"github.com/agentnet/netctl/netkit"
)

// Each agent alone holds its language-model key (L7). No field takes one, but
// one may be pasted into a text, so every body is searched for what looks
// like a key before anything else happens to it, logging included.
//
// Anchored prefixes do better here than entropy, which takes did:keys, UUIDs
// and hashes for keys and misses real ones.

// family is how the keys of one provider look: a prefix at the beginning of a
// word and at least least characters after it.
type family struct {
	prefix string
	least  int
	dashes bool // - and _ may occur after the prefix
	upper  bool // A–Z and 0–9 alone
}

// families are ordered so that longer prefixes come before what they begin
// with.
var families = []family{
	{prefix: "sk-ant-", least: 20, dashes: true},
	{prefix: "sk-proj-", least: 20, dashes: true},
	{prefix: "sk-or-", least: 20, dashes: true},
	{prefix: "sk-", least: 20},
	{prefix: "gsk_", least: 20},
	{prefix: "xai-", least: 20},
	{prefix: "AIza", least: 30, dashes: true},
	{prefix: "hf_", least: 20},
	{prefix: "r8_", least: 20},
	{prefix: "pplx-", least: 20},
	{prefix: "AKIA", least: 16, upper: true},
	{prefix: "ghp_", least: 20},
}

// begins marks the bytes that a key may begin with.
var begins = func() (t [256]bool) {
	for _, f := range families {
		t[f.prefix[0]] = true
	}
	return t
}()

// findKey returns where in text something that looks like a key begins, -1
// where nothing does.
func findKey(text []byte) int {
	for i, ch := range text {
		if !begins[ch] || i > 0 && wordly(text[i-1]) {
			continue
		}
		for _, f := range families {
			if f.matches(text[i:]) {
				return i
			}
		}
	}
	return -1
}

// wordly bytes before a prefix make it part of a longer word, such as task-.
func wordly(ch byte) bool { return alphanumeric(ch) || ch == '_' || ch == '-' }

func alphanumeric(ch byte) bool { return digit(ch) || upper(ch) || ch >= 'a' && ch <= 'z' }
func digit(ch byte) bool        { return ch >= '0' && ch <= '9' }
func upper(ch byte) bool        { return ch >= 'A' && ch <= 'Z' }

func (f *family) matches(text []byte) bool {
	if !bytes.HasPrefix(text, []byte(f.prefix)) {
		return false
	}
	var n int
	var mixed bool // a digit, or letters of both cases: no word looks so
	var big, small bool
	for _, ch := range text[len(f.prefix):] {
		if f.upper && !digit(ch) && !upper(ch) || !alphanumeric(ch) && !(f.dashes && wordly(ch)) {
			break
		}
		n++
		big, small = big || upper(ch), small || ch >= 'a'
		mixed = mixed || digit(ch) || big && small
	}
	return n >= f.least && (mixed || f.upper)
}

// checkKeys refuses a JSON body that holds a key, naming the place and never
// the value. Escapes could hide one, so where there are any, strings are
// searched as they will be read.
func checkKeys(body []byte) *refused {
	if findKey(body) < 0 && bytes.IndexByte(body, '\\') < 0 {
		return nil
	}
	s := &keySearch{lexer: lexer{b: body}}
	s.value("")
	if s.found != "" {
		return keyRefused(s.found)
	}
	// Not JSON, or a key that only quotes and commas make up.
	if at := findKey(body); at >= 0 {
		return keyRefused("byte " + strconv.Itoa(at))
	}
	return nil
}

func keyRefused(where string) *refused {
	return &refused{Kind: netkit.ErrInvalid, Code: "key_like_secret", Field: where, Law: "L7",
		What: "holds something that looks like a secret key", Next: "remove it and revoke that key; the network never needs one, and kept nothing of this request"}
}

// keySearch walks a document to the first string that holds a key.
type keySearch struct {
	lexer
	found string
}

func (s *keySearch) value(path string) *refused {
	switch s.peek() {
	case '{':
		return s.object(func(name []byte) *refused {
			if findKey(name) >= 0 {
				return s.stop(path + ".(name of a field)")
			}
			return s.value(join(path, name))
		})
	case '[':
		i := -1
		return s.nested('[', ']', func() *refused {
			i++
			return s.value(path + "[" + strconv.Itoa(i) + "]")
		})
	case '"':
		text, f := s.str()
		if f == nil && findKey(text) >= 0 {
			return s.stop(path)
		}
		if f != nil {
			return malformed(f)
		}
		return nil
	}
	return s.skip()
}

// stop ends the walk.
func (s *keySearch) stop(path string) *refused {
	if s.found = path; path == "" {
		s.found = "body"
	}
	return malformed(s.fault("found"))
}

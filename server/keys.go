package server

import (
	"bytes"
	"strings"
)

// Each agent alone holds its language-model key (L7). No field takes one, but
// one may be pasted anywhere, so whatever a request holds is searched for what
// looks like a key before anything else happens to it, logging included. The
// network's own tokens are searched for as well: they belong into the
// Authorization header alone.
//
// Anchored prefixes do better here than entropy, which takes did:keys, UUIDs
// and hashes for keys and misses real ones.

// family is how the keys of one provider look: a prefix, and after it at least
// least characters of an alphabet.
type family struct {
	prefix   string
	least    int
	most     int // characters after the prefix; 0 means no limit
	alphabet alphabet
	// suffix marks prefixes whose letters also end English words, where a vowel
	// stands before them: task-, link_.
	suffix bool
	// varied marks prefixes so common that only letters of both cases with
	// digits make a key: a UUID or an address in small letters is none.
	varied bool
}

// families are all that are searched for.
var families = []family{
	{prefix: "sk-ant-", least: 20, alphabet: urlSafeText, suffix: true},
	{prefix: "sk-proj-", least: 20, alphabet: urlSafeText, suffix: true},
	{prefix: "sk-svcacct-", least: 20, alphabet: urlSafeText, suffix: true},
	{prefix: "sk-admin-", least: 20, alphabet: urlSafeText, suffix: true},
	{prefix: "sk-or-", least: 20, alphabet: urlSafeText, suffix: true},
	{prefix: "sk-None-", least: 20, alphabet: urlSafeText, suffix: true},
	{prefix: "sk_", least: 20, alphabet: alphanumerics, suffix: true},
	{prefix: "sk_live_", least: 20, alphabet: alphanumerics, suffix: true},
	{prefix: "sk_test_", least: 20, alphabet: alphanumerics, suffix: true},
	{prefix: "pa-", least: 40, alphabet: urlSafeText, suffix: true, varied: true},
	{prefix: "whsec_", least: 20, alphabet: base64Text},
	{prefix: "sk-", least: 20, alphabet: alphanumerics, suffix: true},
	{prefix: "gsk_", least: 20, alphabet: alphanumerics},
	{prefix: "csk-", least: 20, alphabet: alphanumerics},
	{prefix: "xai-", least: 20, alphabet: alphanumerics},
	{prefix: "AIza", least: 30, alphabet: urlSafeText},
	{prefix: "ya29.", least: 20, alphabet: urlSafeText},
	{prefix: "hf_", least: 20, alphabet: alphanumerics},
	{prefix: "r8_", least: 20, alphabet: alphanumerics},
	{prefix: "fw_", least: 20, alphabet: alphanumerics},
	{prefix: "pplx-", least: 20, alphabet: alphanumerics},
	{prefix: "nvapi-", least: 20, alphabet: urlSafeText},
	{prefix: "lsv2_", least: 20, alphabet: urlSafeText},
	{prefix: "AKIA", least: 16, most: 20, alphabet: capitals},
	{prefix: "ASIA", least: 16, most: 20, alphabet: capitals},
	{prefix: "ABSK", least: 20, alphabet: alphanumerics},
	{prefix: "ghp_", least: 20, alphabet: alphanumerics},
	{prefix: "github_pat_", least: 20, alphabet: urlSafeText},
	{prefix: "nk_", least: 64, alphabet: hexadecimals, suffix: true},
}

// alphabet is the set of bytes that a key is written in.
type alphabet *[256]bool

var (
	alphanumerics = bytesOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	urlSafeText   = bytesOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
	base64Text    = bytesOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/-_=")
	capitals      = bytesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	hexadecimals  = bytesOf("0123456789abcdefABCDEF")
)

func bytesOf(chars string) alphabet {
	a := new([256]bool)
	for i := range len(chars) {
		a[chars[i]] = true
	}
	return a
}

// begins marks the pairs of bytes that a key may begin with.
var begins = func() (t [256][256]bool) {
	for _, f := range families {
		t[f.prefix[0]][f.prefix[1]] = true
	}
	return t
}()

// findKey returns where in text something that looks like a key begins, -1
// where nothing does.
func findKey[T string | []byte](text T) int {
	for i := 0; i+2 < len(text); i++ {
		if begins[text[i]][text[i+1]] && keyAt(text, i) {
			return i
		}
	}
	return -1
}

// keyAt reports whether a key begins at a place in text.
func keyAt[T string | []byte](text T, i int) bool {
	for j := range families {
		f := &families[j]
		if text[i] != f.prefix[0] || text[i+1] != f.prefix[1] || text[i+2] != f.prefix[2] {
			continue
		}
		from := max(0, i-nearby)
		if around := []byte(text[from:min(len(text), i+longestKey)]); f.at(around, i-from) {
			return true
		}
	}
	return false
}

// longestKey is how much of a text decides whether a key begins in it.
const longestKey = 256

// at reports whether a key of the family begins at a place in text. A short
// prefix occurs in random text by chance, so what else there is in its word
// must not look random. Behind a letter the key itself must look so.
func (f *family) at(text []byte, i int) bool {
	rest, ok := bytes.CutPrefix(text[i:], []byte(f.prefix))
	if !ok {
		return false
	}
	r := runOf(rest, f.alphabet)
	if r.length < f.least || f.most > 0 && r.length > f.most || !r.mixed() && f.most == 0 {
		return false
	}
	if f.varied && !(r.small && r.large && r.digit && r.changing(22)) {
		return false
	}
	if f.prefix == "sk_" && r.large && !r.changing(37) { // a compound such as sk_PipelineForData2026
		return false
	}
	lead := lastWord(text[:i])
	if len(f.prefix) < 5 && !(plainWords(lead) && plainWords(firstWord(rest[r.length:]))) {
		return false
	}
	return len(lead) == 0 || f.within(lead[len(lead)-1], &r)
}

// within reports whether a key is unmistakable behind a byte of its word.
func (f *family) within(before byte, r *run) bool {
	switch {
	case before == '-' || before == '_':
		return true
	case f.suffix && strings.IndexByte("aeiouAEIOU", before) >= 0:
		if len(f.prefix) > 3 {
			return r.length >= 40 && r.changing(17)
		}
		return r.length >= 40 && r.changing(40) && r.small && r.large && r.digit
	case f.alphabet == hexadecimals:
		return true
	case f.most > 0:
		return r.length == f.least
	}
	return r.changing(17)
}

// run is a stretch of text in one alphabet.
type run struct {
	length              int
	changes             int // from small letter to capital to digit and back
	small, large, digit bool
}

func runOf(text []byte, a alphabet) (r run) {
	var last byte
	for _, ch := range text {
		if !a[ch] {
			break
		}
		r.length++
		class := classOf(ch)
		if class == 0 {
			continue
		}
		if last != 0 && last != class {
			r.changes++
		}
		last = class
		r.small, r.large, r.digit = r.small || class == 'a', r.large || class == 'A', r.digit || class == '0'
	}
	return r
}

// mixed reports whether there is a digit, or letters of both cases: no word
// looks so.
func (r *run) mixed() bool { return r.digit || r.small && r.large }

// changing reports whether the class of character changes after so many in a
// hundred characters. In random letters and digits it does after some 60, in
// hexadecimal 47, in compounds of capitalised words and numbers up to 36.
func (r *run) changing(percent int) bool { return r.changes*100 >= r.length*percent }

// classOf returns the class of a letter or digit, 0 of anything else.
func classOf(ch byte) byte {
	switch {
	case ch >= '0' && ch <= '9':
		return '0'
	case ch >= 'A' && ch <= 'Z':
		return 'A'
	case ch >= 'a' && ch <= 'z':
		return 'a'
	}
	return 0
}

// isWordByte bytes are those that words and identifiers are made of.
func isWordByte(ch byte) bool { return classOf(ch) != 0 || ch == '_' || ch == '-' }

// lastWord and firstWord return the word that ends or begins a text, up to
// nearby bytes of it.
func lastWord(text []byte) []byte {
	i := len(text)
	for i > 0 && len(text)-i < nearby && isWordByte(text[i-1]) {
		i--
	}
	return text[i:]
}

func firstWord(text []byte) []byte {
	i := 0
	for i < len(text) && i < nearby && isWordByte(text[i]) {
		i++
	}
	return text[:i]
}

// nearby is how much of the word around a key is looked at, in bytes.
const nearby = 32

// plainWords reports whether a word consists of words as people write them
// (key, KEY, apiKey, OpenAI or key2) between - and _. Random text has capitals
// and digits anywhere.
func plainWords(word []byte) bool {
	for part := range bytes.FieldsFuncSeq(word, func(ch rune) bool { return ch == '-' || ch == '_' }) {
		part = bytes.TrimRight(part, "0123456789")
		if r := runOf(part, alphanumerics); r.digit || r.changing(37) && r.changes > 1 {
			return false
		}
	}
	return true
}

package server

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/strictjson"
	"github.com/agentnet/netctl/server/web"
)

// checkKeys refuses a JSON body that holds a key, naming the place and never
// the value. Escapes could hide one, so where there are any, strings are
// searched as they will be read.
func checkKeys(body []byte) *refused {
	if findKey(body) < 0 && bytes.IndexByte(body, '\\') < 0 {
		return nil
	}
	s := &keySearch{Reader: strictjson.New(body)}
	_ = s.value("") // an error is a fault of the document, or the end of the walk
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
	return &refused{Kind: netkit.ErrInvalid, Code: code.KeyLikeSecret, Field: where, Law: "L7",
		What: "holds something that looks like a secret key", Next: "remove it and revoke that key; the network never needs one, and kept nothing of this request"}
}

// keySearch walks a document to the first string that holds a key.
type keySearch struct {
	strictjson.Reader
	found string
}

func (s *keySearch) value(path string) error {
	switch s.Peek() {
	case '{':
		return s.Object(func(name []byte, _ int) error {
			if findKey(name) >= 0 {
				return s.stop(join(path, []byte("(name of a field)")))
			}
			if !looksLikeField(name) {
				name = []byte("(unknown field)")
			}
			return s.value(join(path, name))
		})
	case '[':
		i := -1
		return s.List(func() error {
			i++
			return s.value(path + "[" + strconv.Itoa(i) + "]")
		})
	case '"':
		text, err := s.Text()
		if err == nil && findKey(text) >= 0 {
			return s.stop(path)
		}
		return err
	}
	_, err := s.Skip()
	return err
}

// stop ends the walk.
func (s *keySearch) stop(path string) error {
	if s.found = path; path == "" {
		s.found = "body"
	}
	return s.Fault("found")
}

// checkHead refuses a request whose path, query or headers hold a key. The
// header and the cookie that carry the network's own secrets may hold those.
func checkHead(r *http.Request) *refused {
	if findKey(r.URL.Path) >= 0 {
		return keyRefused("path")
	}
	if q := r.URL.RawQuery; q != "" && (findKey(q) >= 0 || findKey(unescaped(q)) >= 0) {
		return keyRefused("query")
	}
	if findKey(r.Host) >= 0 {
		return keyRefused("header.Host")
	}
	for name, values := range r.Header {
		for _, value := range values {
			if findKey(foreignPart(name, value)) >= 0 {
				return keyRefused("header." + name)
			}
		}
	}
	return nil
}

// foreignPart returns what of a header is searched: all of it but the bearer
// token and the session that this network gave.
func foreignPart(name, value string) string {
	switch name {
	case "Authorization":
		scheme, token, _ := strings.Cut(value, " ")
		if _, err := netkit.ParseToken(token); err == nil && strings.EqualFold(scheme, "Bearer") {
			return ""
		}
	case "Cookie":
		var others []string
		for part := range strings.SplitSeq(value, ";") {
			if name, _, _ := strings.Cut(strings.TrimSpace(part), "="); !web.SessionCookie(name) {
				others = append(others, part)
			}
		}
		return strings.Join(others, ";")
	}
	return value
}

// unescaped resolves the escapes of a query, and leaves those that are none as
// they are: they cannot hide anything.
func unescaped(query string) string {
	var b strings.Builder
	for i := 0; i < len(query); i++ {
		if query[i] == '%' && i+2 < len(query) {
			if ch, err := strconv.ParseUint(query[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(ch))
				i += 2
				continue
			}
		}
		b.WriteByte(query[i])
	}
	return b.String()
}

// keylessReader reads a recording and refuses it where it holds a key. Nothing
// is passed on before what follows it was searched too, so that no part of a
// key reaches the disk. Tags may be UTF-16, which is ASCII with a zero at every
// other byte; so the content is searched once more without its zeros. Sound by
// itself matches nothing: it is not a text.
type keylessReader struct {
	from   io.Reader
	buffer []byte
	passed int   // bytes of the buffer that were passed on
	clean  int   // bytes of the buffer that may be
	before int64 // bytes of the content before the buffer
	err    error
}

// heldBack is how much must follow before bytes are passed on: the longest key
// in UTF-16.
const heldBack = 2 * (longestKey + nearby)

// Read implements io.Reader.
func (k *keylessReader) Read(p []byte) (int, error) {
	if k.passed == k.clean && k.err == nil {
		k.fill()
	}
	if k.passed < k.clean {
		n := copy(p, k.buffer[k.passed:k.clean])
		k.passed += n
		return n, nil
	}
	return 0, k.err
}

// fill reads on and searches what it read. What was passed on stays in the
// buffer as far as it may be the lead of a key.
func (k *keylessReader) fill() {
	if k.buffer == nil {
		k.buffer = make([]byte, 0, 64<<10)
	}
	drop := max(0, k.passed-heldBack)
	k.before += int64(drop)
	k.buffer = k.buffer[:copy(k.buffer, k.buffer[drop:])]
	k.passed -= drop
	k.clean = k.passed
	err := k.read()
	switch at := findKey(k.buffer); {
	case at >= 0:
		k.err = keyRefused("byte " + strconv.FormatInt(k.before+int64(at), 10))
	case findKey(withoutZeros(k.buffer)) >= 0:
		k.err = keyRefused("a tag")
	case err != nil:
		k.clean, k.err = len(k.buffer), err
	default:
		k.clean = len(k.buffer) - heldBack
	}
}

// read fills the buffer as far as it can.
func (k *keylessReader) read() error {
	for len(k.buffer) < cap(k.buffer) {
		n, err := k.from.Read(k.buffer[len(k.buffer):cap(k.buffer)])
		if k.buffer = k.buffer[:len(k.buffer)+n]; err != nil {
			return err
		}
	}
	return nil
}

// withoutZeros returns a copy of b without its zero bytes.
func withoutZeros(b []byte) []byte { return bytes.ReplaceAll(b, []byte{0}, nil) }

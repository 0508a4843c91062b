package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
)

// headerHopBody is a trailer of a request that a node passes on: a MAC of its body, bound
// to the MAC of its head. So a body can be passed on while it arrives, and no machine
// between two nodes can change it, cut it or put it under another head.
const headerHopBody = "Netctl-Node-Body"

// errHopBody means that a body is not the one that the other node passed on.
var errHopBody = fmt.Errorf("%w: the body is not the one that the other node passed on", io.ErrUnexpectedEOF)

// bodyMAC begins the MAC of the body of a request whose head is signed.
func (s *Server) bodyMAC(head string) hash.Hash {
	h := hmac.New(sha256.New, s.nodeKey)
	io.WriteString(h, "body of "+head+"\n")
	return h
}

// signBody has the body of a request that is passed on followed by its MAC.
func (s *Server) signBody(r *http.Request) {
	if !hasBody(r) {
		return
	}
	r.ContentLength = -1 // trailers come after chunks
	r.Trailer = http.Header{headerHopBody: nil}
	r.Body = &macBody{ReadCloser: r.Body, mac: s.bodyMAC(r.Header.Get(headerHop)), end: func(sum string) error {
		r.Trailer.Set(headerHopBody, sum)
		return io.EOF
	}}
}

// checkBody has the body of a request that a node passed on end in an error unless it is
// the signed one.
func (s *Server) checkBody(r *http.Request, head string) {
	if !hasBody(r) {
		return
	}
	r.Body = &macBody{ReadCloser: r.Body, mac: s.bodyMAC(head), end: func(sum string) error {
		if !hmac.Equal([]byte(sum), []byte(r.Trailer.Get(headerHopBody))) {
			return errHopBody
		}
		return io.EOF
	}}
}

// hasBody reports whether a request has a body, which may be empty.
func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

// macBody computes the MAC of a body and ends as end says.
type macBody struct {
	io.ReadCloser
	mac hash.Hash
	end func(sum string) error
}

func (b *macBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mac.Write(p[:n])
	if err == io.EOF {
		err = b.end(hex.EncodeToString(b.mac.Sum(nil)))
	}
	return n, err
}

package server

import (
	"crypto/sha256"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/code"
)

// keyed takes over the idempotency key, bound to the address and the body
// that it was sent with.
func (s *Server) keyed(v *request, body []byte) error {
	given := v.r.Header["Idempotency-Key"]
	if len(given) == 0 {
		return nil
	}
	if len(given) > 1 {
		return wrong("header.Idempotency-Key", code.KeyMalformed, "was sent more than once", "send one key per purchase")
	}
	if !printable(given[0], 128) {
		return wrong("header.Idempotency-Key", code.KeyMalformed, "is not 1 to 128 printable ASCII characters", "use one key per purchase, such as a UUID, and reuse it on retry")
	}
	h := sha256.New()
	io.WriteString(h, v.r.URL.Path)
	h.Write([]byte{0})
	h.Write(body)
	v.key, v.caller.Fingerprint = given[0], [32]byte(h.Sum(nil))
	return nil
}

func printable(s string, most int) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s != "" && len(s) <= most
}

// readBody reads at most limit bytes, appended to buf.
func readBody(r *http.Request, limit int64, buf []byte) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	if want := int(r.ContentLength); want > cap(buf) {
		buf = make([]byte, 0, want+1)
	}
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Body.Read(buf[len(buf):cap(buf)])
		if buf = buf[:len(buf)+n]; int64(len(buf)) > limit {
			return nil, tooLarge(limit)
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, problem(400, code.BodyUnreadable, "the body could not be read to its end", "send it again with the same idempotency key")
		}
	}
}

// mediaType accepts JSON, and nothing said.
func mediaType(ct string) error {
	if ct == "" || ct == "application/json" {
		return nil
	}
	kind, params, err := mime.ParseMediaType(ct)
	charset := strings.ToLower(params["charset"])
	if err == nil && kind == "application/json" && (charset == "" || charset == "utf-8") {
		return nil
	}
	return problem(415, code.MediaType, "the body is not declared as JSON in UTF-8", "send Content-Type: application/json")
}

// extendDeadlines lifts the deadlines of the listener for one request.
func extendDeadlines(w http.ResponseWriter, until time.Time) {
	c := http.NewResponseController(w)
	// In process there is no connection and so no deadline to set.
	_ = c.SetReadDeadline(until)
	_ = c.SetWriteDeadline(until)
}

// Package s3test serves a bucket from memory for tests, well or badly. It knows as
// much of S3 as an archive uses, and checks no signature.
package s3test

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Faults are what a bucket does wrong.
type Faults struct {
	IgnoresCondition bool // overwrites an object that exists
	ListsLate        bool // lists only what was there at the list before
	KeepsVersions    bool // says that it keeps versions
	// Each of these is asked for every request with the number of the request.
	Conflict func(n int, method, key string) bool // answers 409 and does nothing
	Lost     func(n int, method, key string) bool // does it and cuts the connection
	Broken   func(n int, method, key string) bool // answers 503 and does nothing
	Flipped  func(n int, method, key string) bool // returns an object with a bit flipped
}

// Bucket is a server with buckets. Its methods may be called from any goroutine.
type Bucket struct {
	mu       sync.Mutex
	objects  map[string][]byte
	listed   map[string]bool   // at the last list
	requests map[string]int    // by method
	parts    map[string][]byte // of the uploads in parts that are not complete, by their id
	n        int
	faults   Faults
}

// New makes a bucket without objects.
func New(faults Faults) *Bucket {
	return &Bucket{objects: map[string][]byte{}, listed: map[string]bool{}, requests: map[string]int{}, parts: map[string][]byte{}, faults: faults}
}

// Set changes the faults.
func (b *Bucket) Set(faults Faults) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = faults
}

// Requests returns how many requests of a method came.
func (b *Bucket) Requests(method string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.requests[method]
}

// Names returns the names of all objects.
func (b *Bucket) Names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.objects))
}

// Credentials sets keys that a client needs and this server does not check.
func Credentials(t testing.TB) {
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test-test-test")
}

// ServeHTTP implements http.Handler.
func (b *Bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	n := b.n
	b.n++
	b.requests[r.Method]++
	f := &b.faults
	hit := func(when func(int, string, string) bool) bool { return when != nil && when(n, r.Method, key) }
	switch {
	case hit(f.Broken):
		refuse(w, http.StatusServiceUnavailable, "SlowDown")
		return
	case hit(f.Conflict):
		refuse(w, http.StatusConflict, "ConditionalRequestConflict")
		return
	case hit(f.Lost):
		b.answer(discard{http.Header{}}, r, key, body, false)
		panic(http.ErrAbortHandler) // the connection ends without an answer
	}
	b.answer(w, r, key, body, hit(f.Flipped))
}

// discard is an answer that gets lost.
type discard struct{ h http.Header }

func (d discard) Header() http.Header       { return d.h }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}

func refuse(w http.ResponseWriter, status int, fault string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", fault, fault)
}

func (b *Bucket) answer(w http.ResponseWriter, r *http.Request, key string, body []byte, flipped bool) {
	content, there := b.objects[key]
	switch {
	case key == "" && r.URL.Query().Has("versioning"):
		status := ""
		if b.faults.KeepsVersions {
			status = "<Status>Enabled</Status>"
		}
		fmt.Fprintf(w, "<VersioningConfiguration>%s</VersioningConfiguration>", status)
	case key == "" && r.URL.Query().Has("location"):
		fmt.Fprint(w, "<LocationConstraint></LocationConstraint>")
	case key == "":
		b.list(w, r)
	case r.URL.Query().Has("uploads"), r.URL.Query().Has("uploadId"):
		b.inParts(w, r, key, body)
	case r.Method == http.MethodPut:
		if there && r.Header.Get("If-None-Match") == "*" && !b.faults.IgnoresCondition {
			refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
			return
		}
		b.objects[key] = unchunked(r, body)
		w.Header().Set("ETag", `"e"`)
	case r.Method == http.MethodDelete:
		delete(b.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case !there:
		refuse(w, http.StatusNotFound, "NoSuchKey")
	default:
		if flipped && len(content) > 0 {
			content = slices.Clone(content)
			content[len(content)/2] ^= 4
		}
		w.Header().Set("ETag", `"e"`)
		w.Header().Set("Last-Modified", "Tue, 24 Nov 2026 00:00:00 GMT")
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		_, _ = w.Write(content) // a client that is gone is no concern of a test
	}
}

// inParts begins, continues, completes or ends the upload of an object in parts, which
// come in order.
func (b *Bucket) inParts(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	id := r.URL.Query().Get("uploadId")
	switch r.Method {
	case http.MethodPut:
		b.parts[id] = append(b.parts[id], unchunked(r, body)...)
		w.Header().Set("ETag", `"e"`)
	case http.MethodDelete:
		delete(b.parts, id)
		w.WriteHeader(http.StatusNoContent)
	case http.MethodPost:
		if id == "" {
			id = strconv.Itoa(b.n)
			b.parts[id] = []byte{}
			fmt.Fprintf(w, "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>", id)
			return
		}
		b.objects[key] = b.parts[id]
		delete(b.parts, id)
		fmt.Fprint(w, "<CompleteMultipartUploadResult><Bucket>b</Bucket><ETag>e</ETag></CompleteMultipartUploadResult>")
	}
}

// Unfinished returns how many uploads in parts are not complete.
func (b *Bucket) Unfinished() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.parts)
}

// unchunked returns the content of an upload that is signed chunk by chunk.
func unchunked(r *http.Request, body []byte) []byte {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return body
	}
	content := []byte{}
	for len(body) > 0 {
		head, rest, _ := strings.Cut(string(body), "\r\n")
		size, _ := strconv.ParseInt(strings.Split(head, ";")[0], 16, 64)
		if size <= 0 || int(size) > len(rest) {
			break
		}
		content = append(content, rest[:size]...)
		body = []byte(strings.TrimPrefix(rest[size:], "\r\n"))
	}
	return content
}

// page is how many names one answer to a list holds.
const page = 100

type listResult struct {
	XMLName  xml.Name `xml:"ListBucketResult"`
	Name     string
	Contents []struct{ Key string }

	IsTruncated           bool
	NextContinuationToken string
}

func (b *Bucket) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	after := max(q.Get("start-after"), q.Get("continuation-token"))
	var out listResult
	for _, name := range slices.Sorted(maps.Keys(b.objects)) {
		if !strings.HasPrefix(name, q.Get("prefix")) || name <= after || b.faults.ListsLate && !b.listed[name] {
			continue
		}
		if len(out.Contents) == page {
			out.IsTruncated, out.NextContinuationToken = true, out.Contents[page-1].Key
			break
		}
		out.Contents = append(out.Contents, struct{ Key string }{name})
	}
	for name := range b.objects {
		b.listed[name] = true
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(out) // a client that is gone is no concern of a test
}

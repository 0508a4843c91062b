package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"mime"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/network"
)

const ndjsonType = "application/x-ndjson"

// lineDecoder decodes a line of a bulk request of a principal, and returns its idempotency
// key and where its fingerprint goes.
type lineDecoder[I any] func(by *netkit.Principal, line []byte, in *I) (key string, fingerprint *[32]byte, err error)

// bulk makes a route that takes commands of type I, one a line, and answers each
// with a line: its receipt R or its problem.
func bulk[I, R any](op *catalog.Operation, decode lineDecoder[I],
	encode func([]byte, *R) []byte, run func(*session, context.Context, []I) []netkit.Outcome[R]) route {
	r := route{Operation: op, query: new([]string)}
	r.register = func(m *mux, r *route) {
		m.ServeMux.HandleFunc(r.Route(), func(w http.ResponseWriter, req *http.Request) {
			if m.s.forwards(r, req) {
				m.s.forward(r, w, req)
				return
			}
			b := &bulkRequest[I, R]{request: request{w: w, r: req, net: m.s.net}, s: m.s, decode: decode, encode: encode, run: run}
			b.serve(r)
		})
		op := r.operation()
		lines := func(t reflect.Type) map[string]*huma.MediaType {
			return map[string]*huma.MediaType{ndjsonType: {Schema: m.api.OpenAPI().Components.Schemas.Schema(t, true, "")}}
		}
		op.Responses["200"] = &huma.Response{Description: "A line for each line of the request", Content: lines(reflect.TypeFor[netkit.BulkLine[R]]())}
		m.api.OpenAPI().AddOperation(&op)
		m.describe(r, &huma.RequestBody{Required: true, Content: lines(reflect.TypeFor[I]())})
	}
	return r
}

// readBulk reads the body of a bulk request. Its lines are searched for keys one
// by one.
func readBulk(v *request) (err error) {
	if len(v.r.Header["Idempotency-Key"]) > 0 {
		return wrong("header.Idempotency-Key", code.KeyMalformed, "is for one command", "give each line its own idempotency_key")
	}
	kind, _, err := mime.ParseMediaType(v.r.Header.Get("Content-Type"))
	if err != nil || kind != ndjsonType && kind != "application/ndjson" && kind != "application/jsonl" {
		return problem(415, code.MediaType, "the body is not declared as lines of JSON", "send Content-Type: "+ndjsonType)
	}
	v.body, err = readBody(v.r, netkit.MaxBulkBytes, nil)
	if r, ok := err.(*httpError); ok && r.Status == http.StatusRequestEntityTooLarge {
		return bulkTooLarge("bytes")
	}
	return err
}

func bulkTooLarge(of string) error {
	return problem(413, code.BodyTooLarge, "the body has too many "+of+", and nothing of it was done", "send at most "+
		strconv.Itoa(netkit.MaxBulkItems)+" lines and "+strconv.Itoa(netkit.MaxBulkBytes)+" bytes in one request")
}

// bulkLine is a line of the request that is not empty.
type bulkLine struct {
	number int
	text   []byte
}

// splitLines returns the lines of a body that are not empty.
func splitLines(body []byte) ([]bulkLine, error) {
	lines := make([]bulkLine, 0, min(netkit.MaxBulkItems, bytes.Count(body, []byte{'\n'})+1))
	number := 0
	for text := range bytes.SplitSeq(body, []byte{'\n'}) {
		number++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		if len(lines) == netkit.MaxBulkItems {
			return nil, bulkTooLarge("lines")
		}
		lines = append(lines, bulkLine{number, text})
	}
	if len(lines) == 0 {
		return nil, wrong("", code.BodyMissing, "the body is missing", "send one JSON object a line")
	}
	return lines, nil
}

// lineRoom is about the bytes of a receipt's line.
const lineRoom = 320

// bulkRequest is a bulk request on its way.
type bulkRequest[I, R any] struct {
	request
	s      *Server
	decode lineDecoder[I]
	encode func([]byte, *R) []byte
	run    func(*session, context.Context, []I) []netkit.Outcome[R]

	items  []I     // of the part that is under way
	faults []error // of the part's lines, nil for those that became an item
	out    []byte
}

// serve answers the request, a part after the other when each is durable.
func (b *bulkRequest[I, R]) serve(rt *route) {
	end, err := b.s.enter(rt, &b.request)
	var lines []bulkLine
	if err == nil {
		defer end()
		lines, err = splitLines(b.body)
	}
	if err != nil {
		b.s.refuse(b.w, b.r, err)
		return
	}
	allowed, beyond := b.s.allowLines(&b.request, len(lines))
	room := min(len(lines), network.BulkPart)
	b.items, b.faults, b.out = make([]I, 0, room), make([]error, 0, room), make([]byte, 0, room*lineRoom)
	h := b.w.Header()
	h.Set("Content-Type", ndjsonType)
	for from := 0; from < len(lines) && b.r.Context().Err() == nil; from += network.BulkPart {
		part := lines[from:min(from+network.BulkPart, len(lines))]
		b.runPart(part, max(0, allowed-from), beyond)
		if len(part) == len(lines) {
			h.Set("Content-Length", strconv.Itoa(len(b.out)))
		}
		if _, err := b.w.Write(b.out); err != nil {
			return // the caller sends the rest again
		}
		if len(part) < len(lines) {
			_ = http.NewResponseController(b.w).Flush() // in process there is nothing to flush
		}
	}
}

// runPart carries out at most the allowed number of lines of a part, and encodes
// their answers.
func (b *bulkRequest[I, R]) runPart(part []bulkLine, allowed int, beyond error) {
	b.items, b.faults, b.out = b.items[:0], b.faults[:0], b.out[:0]
	for i, line := range part {
		err := beyond
		if i < allowed {
			err = b.read(line)
		}
		b.faults = append(b.faults, err)
	}
	var outcomes []netkit.Outcome[R]
	if len(b.items) > 0 {
		outcomes = b.execute()
	}
	next := 0
	for i, line := range part {
		if b.faults[i] == nil {
			b.answer(line.number, &outcomes[next].Receipt, outcomes[next].Err)
			next++
			continue
		}
		b.answer(line.number, nil, b.faults[i])
	}
}

// read adds a line to the part's items, or returns its refusal.
func (b *bulkRequest[I, R]) read(line bulkLine) error {
	if r := checkKeys(line.text); r != nil {
		return r
	}
	b.items = append(b.items, *new(I))
	key, fingerprint, err := b.decode(b.principal, line.text, &b.items[len(b.items)-1])
	if err == nil && key != "" && !printable(key, 128) {
		err = wrong("idempotency_key", code.KeyMalformed, "is not 1 to 128 printable ASCII characters", "use one key per purchase, such as a UUID, and reuse it on retry")
	}
	if err != nil {
		b.items = b.items[:len(b.items)-1]
		return err
	}
	*fingerprint = sha256.Sum256(line.text)
	return nil
}

// execute runs the part's items, unless the server is overloaded.
func (b *bulkRequest[I, R]) execute() []netkit.Outcome[R] {
	if localPrincipal(b.r.Context()) == nil {
		if err := b.s.load().check(); err != nil {
			refused := make([]netkit.Outcome[R], len(b.items))
			for i := range refused {
				refused[i].Err = err
			}
			return refused
		}
		defer b.s.load().begin()()
	}
	return b.run(b.as(), b.r.Context(), b.items)
}

// answer encodes the answer to a line.
func (b *bulkRequest[I, R]) answer(number int, receipt *R, err error) {
	b.out = strconv.AppendInt(append(b.out, `{"line":`...), int64(number), 10)
	if err == nil {
		b.out = b.encode(append(b.out, `,"receipt":`...), receipt)
	} else {
		p := problemOf(err)
		noteProblem(b.w, &p, err)
		b.out = appendJSON(append(b.out, `,"problem":`...), &p)
	}
	b.out = append(b.out, '}', '\n')
}

// appendJSON appends a value that always marshals.
func appendJSON[T any](b []byte, v *T) []byte {
	j, err := json.Marshal(v)
	if err != nil {
		panic("server: an answer always marshals: " + err.Error())
	}
	return append(b, j...)
}

// decodeBulkAnswer decodes a line of a bulk of answers.
func decodeBulkAnswer(_ *netkit.Principal, b []byte, in *netkit.BulkAnswer) (key string, fingerprint *[32]byte, err error) {
	err = decode(b, in)
	return in.Key, &in.Fingerprint, err
}

// allowLines takes a unit of the caller's rate for each line and returns how many
// lines may go, with the refusal of the rest. The request itself took the first.
func (s *Server) allowLines(v *request, lines int) (allowed int, beyond error) {
	if localPrincipal(v.r.Context()) != nil {
		return lines, nil
	}
	for allowed = 1; allowed < lines; allowed++ {
		if beyond = s.rates().allowParty(v.w.Header(), v.principal.Slug, v.caller.Source); beyond != nil {
			break
		}
	}
	return allowed, beyond
}

package server

import (
	"net/http"
	"reflect"
	"strconv"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// intentRoutes are served by the intent listener, and by the interface too.
func (s *Server) intentRoutes() []route {
	routes := []route{
		{Operation: catalog.ExecuteContract, register: s.registerIntent},
		bulk(catalog.ExecuteContracts, decodeBulkExecute, appendExecution, (*session).ExecuteBulk),
		command(catalog.PreviewExecution, (*session).PreviewExecution),
	}
	return append(routes, s.attentionRoutes()...)
}

// registerIntent adds the one route that is hot. It bypasses huma and keeps
// its buffers, but goes through the same steps as all others.
func (s *Server) registerIntent(m *mux, r *route) {
	r.query = new([]string)
	m.direct = func(w http.ResponseWriter, req *http.Request) {
		if s.forwards(r, req) {
			s.forward(r, w, req)
			return
		}
		s.execute(r, w, req)
	}
	m.ServeMux.HandleFunc(hotPattern, m.direct)
	op := r.operation()
	schemas := m.api.OpenAPI().Components.Schemas
	op.Responses["200"] = &huma.Response{Description: "The receipt", Content: map[string]*huma.MediaType{
		"application/json": {Schema: schemas.Schema(reflect.TypeFor[netkit.Execution](), true, "")}}}
	m.api.OpenAPI().AddOperation(&op)
	m.describe(r, body[netkit.Execute](m))
}

// buffers keeps what a request to /api/intent was read into and its answer
// was written into.
var buffers = sync.Pool{New: func() any { return &buffer{in: make([]byte, 0, 2048), out: make([]byte, 0, 512)} }}

type buffer struct {
	in, out []byte
	request request
}

// execute serves POST /api/intent.
func (s *Server) execute(rt *route, w http.ResponseWriter, r *http.Request) {
	b := buffers.Get().(*buffer)
	defer func() {
		b.request = request{}
		if cap(b.in) <= 64<<10 {
			buffers.Put(b)
		}
	}()
	b.request = request{w: w, r: r, net: s.net, buf: b.in[:0]}
	end, err := s.enter(rt, &b.request)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	defer end()
	if cap(b.request.body) > cap(b.in) {
		b.in = b.request.body
	}
	var in netkit.Execute
	err = decodeExecute(b.request.body, &in)
	var out netkit.Execution
	if err == nil {
		out, err = b.request.as().Execute(b.request.context(), in)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	b.out = append(appendExecution(b.out[:0], &out), '\n')
	h := w.Header()
	h["Content-Type"] = jsonType
	h["Content-Length"] = []string{strconv.Itoa(len(b.out))}
	_, _ = w.Write(b.out)
}

var jsonType = []string{"application/json"}

// appendExecution is json.Marshal of an execution without its allocations; a
// test compares the two.
func appendExecution(b []byte, e *netkit.Execution) []byte {
	b = strconv.AppendUint(append(b, `{"execution_id":`...), e.ExecutionID, 10)
	b = strconv.AppendUint(append(b, `,"campaign_id":`...), e.CampaignID, 10)
	b = append(append(append(b, `,"tier":"`...), e.Tier.String()...), '"')
	b = appendAmount(b, `,"payout":`, e.Payout)
	b = appendAmount(b, `,"agent_share":`, e.AgentShare)
	b = appendAmount(b, `,"treasury_share":`, e.TreasuryShare)
	b = appendAmount(b, `,"balance":`, e.Balance)
	if e.ClearsAt != 0 {
		b = append(append(append(b, `,"clears_at":"`...), e.ClearsAt.String()...), '"')
	}
	b = strconv.AppendUint(append(b, `,"seq":`...), e.Seq, 10)
	b = append(append(append(b, `,"at":"`...), e.At.String()...), '"')
	return append(b, '}')
}

func appendAmount(b []byte, name string, c netkit.Credits) []byte {
	b, _ = c.AppendText(append(b, name...)) // an amount always has a text
	return b
}

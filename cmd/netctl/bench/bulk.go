package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Bulk compares requests of many lines with a bare handler that decodes and encodes
// the same lines. Its rates and times are those of a line.
type Bulk struct {
	Lines    int   `json:"lines" doc:"of each request"`
	Bare     Rate  `json:"bare_http"`
	Durable  Rate  `json:"durable_http"`
	CPURatio Ratio `json:"cpu_ratio" doc:"bare over durable, by processor time a line"`
}

const (
	bulkLines       = 100
	bulkConnections = 16
)

// bulks measures requests of many lines, bare and durable in turn.
func (s *stage) bulks(ctx context.Context, cfg *Config, r *Report) error {
	b := &r.Bulk
	b.Lines = bulkLines
	bare, durable := s.bulkRequests(s.bare, "/lines"), s.bulkRequests(s.api, catalog.ExecuteContracts.Path)
	var bares, durables []Rate
	var ratios []float64
	for round := range cfg.Rounds {
		cfg.Say(fmt.Sprintf("bulk of %d, round %d of %d", bulkLines, round+1, cfg.Rounds))
		echoed, err := load(ctx, bare, cfg.Span)
		if err != nil {
			return err
		}
		before := s.net.Health().Entries
		done, err := load(ctx, durable, cfg.Span)
		if err != nil {
			return err
		}
		if executed := float64(s.net.Health().Entries - before); executed < 0.9*bulkLines*done.PerSecond*cfg.Span.Seconds() {
			return errors.New("bench: lines of a bulk were refused")
		}
		bares, durables = append(bares, echoed.line()), append(durables, done.line())
		ratios = append(ratios, float64(echoed.CPU)/float64(max(1, done.CPU)))
	}
	b.Bare, b.Durable = middle(fmt.Sprintf("bare net/http, bulk of %d, a line", bulkLines), bares), middle(fmt.Sprintf("bulk of %d, durable, a line", bulkLines), durables)
	b.CPURatio = ratioOf(ratios)
	return nil
}

// line returns the rate of lines for one of requests. The latencies stay those of
// a request.
func (r Rate) line() Rate {
	r.PerSecond *= bulkLines
	r.CPU /= bulkLines
	r.Allocations /= bulkLines
	return r
}

// bulkRequests prepares connections that send lines whose texts vary.
func (s *stage) bulkRequests(addr, path string) []request {
	conns := make([]request, min(bulkConnections, len(s.tokens)))
	for i := range conns {
		var all [variants][]byte
		for n := range variants {
			var lines bytes.Buffer
			e := json.NewEncoder(&lines)
			for k := range bulkLines {
				if err := e.Encode(netkit.BulkExecute{Execute: netkit.Execute{CampaignID: s.deal, Signal: signalOf(i, n+k)}}); err != nil {
					panic("bench: " + err.Error())
				}
			}
			all[n] = fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s",
				path, addr, s.tokens[i], lines.Len(), lines.Bytes())
		}
		conns[i] = request{addr: addr, next: func(n int) []byte { return all[n%variants] }}
	}
	return conns
}

// echoLines is echo for a request of many lines.
func echoLines(w http.ResponseWriter, r *http.Request) {
	var out bytes.Buffer
	d, e := json.NewDecoder(r.Body), json.NewEncoder(&out)
	for n := 1; d.More(); n++ {
		var in netkit.BulkExecute
		if err := d.Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		receipt := receiptOf(in.CampaignID)
		if err := e.Encode(netkit.BulkLine[netkit.Execution]{Line: n, Receipt: &receipt}); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-ndjson")
	h.Set("Content-Length", fmt.Sprint(out.Len()))
	w.Write(out.Bytes())
}

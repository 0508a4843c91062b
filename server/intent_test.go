package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server/audio"
)

func TestAppendExecutionIsJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		e := netkit.Execution{ExecutionID: r.Uint64(), CampaignID: r.Uint64(), Tier: netkit.Tier(r.IntN(4)), Payout: netkit.Credits(r.Int64N(1e12)),
			AgentShare: netkit.Credits(r.Int64N(3000)), TreasuryShare: -netkit.Credits(r.Int64N(3000)), Balance: netkit.Credits(r.Int64()),
			Seq: r.Uint64(), At: netkit.Millis(1 + r.Int64N(4e12))}
		want, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendExecution(nil, &e); string(got) != string(want) {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

func TestIntentIsServedOnBothListeners(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	f.sponsor("acme", 100*netkit.Credit)
	id := f.campaign("acme", 50*netkit.Credit)
	for _, h := range []http.Handler{f.Handler(), f.IntentHandler()} {
		f.on(h, "POST", "/api/intent", ada, execution(id)).into(200, new(netkit.Execution))
		f.on(h, "POST", "/api/intent/attention", ada, `{"to":"bob","subject":"s","body":"b"}`).problem(404, "")
	}
	f.on(f.IntentHandler(), "GET", "/api/sponsors", "", nil).problem(404, "route_unknown")
}

// A second request must not see what the buffers held of the first.
func TestIntentBuffersDoNotLeak(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	f.sponsor("acme", 100*netkit.Credit)
	id := f.campaign("acme", 50*netkit.Credit)
	long := strings.Replace(execution(id), "noon", strings.Repeat("x", 5000), 1)
	f.ask("POST", "/api/intent", ada, long).into(200, new(netkit.Execution))
	f.ask("POST", "/api/intent", ada, `{"campaign_id":`).problem(422, "json_malformed")
	f.ask("POST", "/api/intent", ada, "").problem(422, "body_missing")
	f.ask("POST", "/api/intent", "", execution(id)).problem(401, "token_missing")
}

// durable is a server over SQLite with an agent and a contract that it may
// execute a million times.
func durable(b *testing.B) (h http.Handler, token string, body []byte) {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	op, law := netkit.Token{1}, netkit.Version1()
	law.Market.UnclearedUnverified = 0 // the agent executes faster than its pay clears
	n, err := network.New(ctx, network.Config{Store: store, Genesis: &netkit.Genesis{Network: "bench", OperatorToken: op, Constitution: law}})
	if err != nil {
		b.Fatal(err)
	}
	s, err := New(Config{Network: n, SigningKey: make([]byte, audio.KeySize), Limits: unlimited})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := n.Close(ctx); err != nil {
			b.Error(err)
		}
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	})
	f := &fixture{Server: s, t: b, op: op.String()}
	token = f.spawn("ada")
	f.sponsor("acme", 100_000_000*netkit.Credit)
	var ct netkit.ContractReceipt
	f.ask("POST", "/api/market/campaigns", f.op, map[string]any{"sponsor": "acme", "title": "t", "brief": "b", "payload": "p",
		"channel": "SILICON", "budget": 90_000_000 * netkit.Credit, "executions_per_agent": 1_000_000}).into(200, &ct)
	return s.Handler(), token, []byte(execution(ct.CampaignID))
}

// BenchmarkHTTP sets the durable execution of a contract against a bare
// handler that decodes and encodes the same JSON, over 64 connections each.
func BenchmarkHTTP(b *testing.B) {
	h, token, body := durable(b)
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in netkit.Execute
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(netkit.Execution{ExecutionID: 7, CampaignID: in.CampaignID, Payout: 200, AgentShare: 170, TreasuryShare: 30, Balance: 5170, Seq: 7, At: 1})
	})
	for _, c := range []struct {
		name string
		h    http.Handler
	}{{"echo", echo}, {"intent", h}} {
		b.Run(c.name, func(b *testing.B) { hammer(b, c.h, token, body) })
	}
}

// hammer sends the same request over 64 keep-alive connections.
func hammer(b *testing.B, h http.Handler, token string, body []byte) {
	srv := httptest.NewServer(h)
	defer srv.Close()
	request := fmt.Appendf(nil, "POST /api/intent HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", token, len(body), body)
	b.SetParallelism(32) // times two cores
	b.ReportAllocs()
	b.ResetTimer()
	began := time.Now()
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		buf := make([]byte, 4096)
		for pb.Next() {
			if _, err := conn.Write(request); err != nil {
				b.Error(err)
				return
			}
			if err := readAnswer(conn, buf); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "req/s")
}

// readAnswer reads one answer of status 200 with a Content-Length.
func readAnswer(conn net.Conn, buf []byte) error {
	n := 0
	for {
		got, err := conn.Read(buf[n:])
		if err != nil {
			return err
		}
		n += got
		head, rest, whole := bytes.Cut(buf[:n], []byte("\r\n\r\n"))
		if !whole {
			continue
		}
		if !bytes.HasPrefix(head, []byte("HTTP/1.1 200")) {
			return fmt.Errorf("got %s", buf[:n])
		}
		_, length, _ := bytes.Cut(head, []byte("Content-Length: "))
		length, _, _ = bytes.Cut(length, []byte("\r\n"))
		want, err := strconv.Atoi(string(length))
		if err != nil {
			return err
		}
		if _, err := io.ReadFull(conn, buf[n:n+want-len(rest)]); err != nil {
			return err
		}
		return nil
	}
}

func BenchmarkDecodeExecute(b *testing.B) {
	body := []byte(execution(17))
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var in netkit.Execute
			if checkKeys(body) != nil || decodeExecute(body, &in) != nil {
				b.Fatal("refused")
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var in netkit.Execute
			if err := json.Unmarshal(body, &in); err != nil {
				b.Fatal(err)
			}
		}
	})
}

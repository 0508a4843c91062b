package bench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// stage is what is measured: two servers side by side, and the network.
type stage struct {
	dir     string
	host    *host.Host
	net     *network.Network
	bare    string // address of the bare handler
	api     string
	config  server.Config
	replica *host.ReplicaConfig // nil for a network in its folder only
	once    *sync.Once
	over    chan struct{} // closed by end
	servers []*http.Server
	slugs   []string
	tokens  []string
	deal    uint64
	asked   int // reads that were measured
}

// newStage starts the servers with some agents, and room for open streams. No
// rate limits them; change sets other limits.
func newStage(ctx context.Context, dir string, agents, streams int, change ...func(*server.Limits)) (*stage, error) {
	limits := host.Unlimited
	limits.Streams, limits.StreamsEach = streams, streams
	limits.Wait = -1 // on a busy machine calls are slow, not refused
	for _, c := range change {
		c(&limits)
	}
	s := &stage{dir: dir, config: server.Config{Limits: limits}}
	return s, s.begin(ctx, agents)
}

// begin begins the network of the stage with some agents, and starts the servers.
func (s *stage) begin(ctx context.Context, agents int) error {
	op, err := netkit.NewToken(rand.Reader)
	if err != nil {
		return err
	}
	law := netkit.Version1()
	law.Market.UnclearedUnverified = 0 // agents execute faster than their pay clears
	if err := s.open(ctx, &netkit.Genesis{Network: "bench", OperatorToken: op, Constitution: law}); err != nil {
		return err
	}
	if err := s.populate(ctx, agents); err != nil {
		return errors.Join(err, s.host.Close(ctx))
	}
	if err := s.listen(); err != nil {
		return errors.Join(err, s.host.Close(ctx))
	}
	return nil
}

// folder is the data folder of the stage's network.
func (s *stage) folder() string { return filepath.Join(s.dir, "bench") }

// open starts the network of the folder, and the servers.
func (s *stage) open(ctx context.Context, genesis *netkit.Genesis) error {
	h, err := host.New(ctx, host.Config{Dir: s.folder(), Server: s.config, Genesis: genesis, Replica: s.replica})
	if err != nil {
		return err
	}
	if s.replica != nil && !h.Network.WaitFollowing(ctx, false) {
		return errors.Join(context.Cause(ctx), h.Close(ctx))
	}
	s.host, s.net, s.over, s.once = h, h.Network, make(chan struct{}), new(sync.Once)
	return nil
}

// populate makes one agent a connection and a contract that never ends.
func (s *stage) populate(ctx context.Context, agents int) error {
	op := s.net.As("operator")
	if _, err := op.ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: "sponsor", Name: "Sponsor"}); err != nil {
		return err
	}
	if _, err := op.Deposit(ctx, netkit.Deposit{Sponsor: "sponsor", Amount: netkit.MaxAmount, Reference: "bench"}); err != nil {
		return err
	}
	ct, err := op.OpenContract(ctx, netkit.OpenContract{Sponsor: "sponsor", Title: "Bench", Brief: "Bench.", Channel: netkit.NicheSilicon,
		Budget: netkit.MaxAmount, ExecutionsPerAgent: 1_000_000})
	if err != nil {
		return err
	}
	s.deal = ct.CampaignID
	for i := range agents {
		slug := fmt.Sprintf("agent-%05d", i)
		r, err := s.net.As("").Spawn(ctx, netkit.Spawn{Slug: slug})
		if err != nil {
			return err
		}
		s.slugs, s.tokens = append(s.slugs, slug), append(s.tokens, r.Token)
	}
	return nil
}

// listen starts both servers on loopback.
func (s *stage) listen() error {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/wait", s.waiting())
	mux.HandleFunc("/lines", echoLines)
	bare, err := serve(mux)
	if err != nil {
		return err
	}
	api, err := serve(s.host.Server.Handler())
	if err != nil {
		return err
	}
	s.bare, s.api = bare.Addr, api.Addr
	s.servers = []*http.Server{bare, api}
	return nil
}

// end closes the listeners and the network, once.
func (s *stage) end(ctx context.Context) (err error) {
	s.once.Do(func() {
		for _, l := range s.servers {
			err = errors.Join(err, l.Close())
		}
		close(s.over)
		err = errors.Join(err, s.host.Close(ctx))
	})
	return err
}

func serve(h http.Handler) (*http.Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	srv := &http.Server{Addr: l.Addr().String(), Handler: h, ReadHeaderTimeout: 5 * time.Second}
	go srv.Serve(l) // ends with Close
	return srv, nil
}

// echo decodes an execution's request and encodes a receipt, and does nothing
// in between: what net/http and encoding/json cost alone.
func echo(w http.ResponseWriter, r *http.Request) {
	in, err := readBody(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answerWith(w, in)
}

// waiting returns echo with a goroutine between that all requests wait for: the least
// cost of a network with one writer.
func (s *stage) waiting() http.HandlerFunc {
	type job struct {
		in   netkit.Execute
		done chan netkit.Execute
	}
	jobs := make(chan job, 64)
	go func() {
		for {
			select {
			case j := <-jobs:
				j.done <- j.in
			case <-s.over:
				return
			}
		}
	}()
	return func(w http.ResponseWriter, r *http.Request) {
		in, err := readBody(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		j := job{in, make(chan netkit.Execute, 1)}
		select {
		case jobs <- j:
			answerWith(w, <-j.done)
		case <-s.over:
		}
	}
}

func readBody(r *http.Request) (in netkit.Execute, err error) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	return in, err
}

// receiptOf is the receipt that the bare handlers answer with.
func receiptOf(contract uint64) netkit.Execution {
	return netkit.Execution{ExecutionID: 1, CampaignID: contract, Payout: 200, AgentShare: 170, TreasuryShare: 30, Balance: 5170, Seq: 1, At: 1_771_545_600_000}
}

func answerWith(w http.ResponseWriter, in netkit.Execute) {
	out, err := json.Marshal(receiptOf(in.CampaignID))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(out)
}

// requests prepares one connection an agent. The body is the same for both
// servers.
func (s *stage) requests(addr, path string, keys bool) []request {
	return executions(addr, path, s.deal, s.tokens, keys)
}

// executing prepares one connection an agent, which executes the contract.
func (s *stage) executing() []request {
	return s.requests(s.api, catalog.ExecuteContract.Path, false)
}

// executions prepares one connection a token, which executes a contract.
func executions(addr, path string, contract uint64, tokens []string, keys bool) []request {
	conns := make([]request, len(tokens))
	for i, token := range tokens {
		var heads, bodies [variants]string
		for n := range variants {
			body, err := json.Marshal(netkit.Execute{CampaignID: contract, Signal: signalOf(i, n)})
			if err != nil {
				panic("bench: " + err.Error())
			}
			bodies[n] = "\r\n" + string(body)
			heads[n] = fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", path, addr, token, len(body))
		}
		conns[i] = request{addr: addr, next: whole(heads, bodies)}
		if keys {
			conns[i].next = keyed(heads, bodies)
		}
	}
	return conns
}

// whole returns messages that are made before they are sent.
func whole(heads, bodies [variants]string) func(n int) []byte {
	var all [variants][]byte
	for n := range variants {
		all[n] = []byte(heads[n] + bodies[n])
	}
	return func(n int) []byte { return all[n%variants] }
}

// keyed returns messages with an idempotency key each.
func keyed(heads, bodies [variants]string) func(n int) []byte {
	run := rand.Text()
	return func(n int) []byte {
		return []byte(heads[n%variants] + "Idempotency-Key: " + run + "-" + strconv.Itoa(n) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36) + "\r\n" + bodies[n%variants])
	}
}

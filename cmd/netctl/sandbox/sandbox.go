// Package sandbox is a network to test agents against: seeded, with tokens that
// are always the same, sponsors that keep opening contracts, and a clock that can
// be moved. It is what `netctl sandbox` runs.
package sandbox

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/hooks"
	"github.com/agentnet/netctl/server/host"
)

// Agents, Sponsor and Operator are who lives in a sandbox.
var Agents = []string{"ada", "bob", "cora"}

// The parties besides the agents.
const (
	Sponsor  = "acme"
	Operator = "operator"
)

// Token is the token of a party, the same in every sandbox. It is no secret.
func Token(slug string) netkit.Token { return sha256.Sum256([]byte("sandbox token of " + slug)) }

// ForwardPath is where a sandbox is told to move its clock: POST with the span as
// the parameter by.
const ForwardPath = "/sandbox/forward"

// MaxForward is how far one call moves the clock at most.
const MaxForward = 366 * 24 * time.Hour

// Sandbox is a running one.
type Sandbox struct {
	*host.Host
	mu     sync.Mutex // moves of the clock, one after the other
	clock  sync.RWMutex
	offset time.Duration
	stop   context.CancelFunc
	done   sync.WaitGroup
	dir    string
}

// New begins a sandbox in a throw-away folder. Close ends and removes it.
func New(ctx context.Context) (*Sandbox, error) {
	dir, err := os.MkdirTemp("", "netctl-sandbox-")
	if err != nil {
		return nil, fmt.Errorf("sandbox: no throw-away folder: %w", err)
	}
	s := &Sandbox{dir: dir}
	s.Host, err = host.New(ctx, host.Config{Dir: dir, Now: s.Now, Server: server.Config{Limits: host.Unlimited, NoNights: true, Webhooks: receivers()},
		Genesis: &netkit.Genesis{Network: proof.SandboxPrefix + strings.ToLower(rand.Text()[:8]), OperatorToken: Token(Operator)}})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := s.seed(ctx); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	keep, stop := context.WithCancel(ctx)
	s.stop = stop
	s.done.Go(func() { s.live(keep) })
	s.done.Go(func() { s.Server.Upkeep(keep) })
	return s, nil
}

// receivers lets webhooks be delivered to this machine, under a certificate that
// nobody vouches for: a receiver at hand has no other. It checks the time of a
// delivery by its own clock, so that is the one they have.
func receivers() hooks.Config {
	return hooks.Config{Loopback: true, Now: time.Now, TLS: &tls.Config{InsecureSkipVerify: true}}
}

// Close ends the sandbox and removes its folder.
func (s *Sandbox) Close(ctx context.Context) error {
	if s.stop != nil {
		s.stop()
	}
	s.done.Wait()
	return errors.Join(s.Host.Close(context.WithoutCancel(ctx)), os.RemoveAll(s.dir))
}

// Now is the sandbox's time.
func (s *Sandbox) Now() time.Time {
	s.clock.RLock()
	defer s.clock.RUnlock()
	return time.Now().Round(0).UTC().Add(s.offset)
}

// seed makes the parties and the first contracts.
func (s *Sandbox) seed(ctx context.Context) error {
	for _, slug := range Agents {
		hash := Token(slug).SHA256()
		if _, err := s.Network.As("").Spawn(ctx, netkit.Spawn{Slug: slug, TokenSHA256: &hash}); err != nil {
			return err
		}
		if _, err := s.Network.As(slug).SetClaims(ctx, netkit.Claims{Niche: netkit.NicheSilicon, AcceptsAttentionRequests: true, AttentionFloorPrice: netkit.Credit}); err != nil {
			return err
		}
	}
	hash := Token(Sponsor).SHA256()
	if _, err := s.Network.As(Operator).ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: Sponsor, Name: "Acme research", TokenSHA256: &hash}); err != nil {
		return err
	}
	return s.openContracts(ctx)
}

// openContracts keeps a contract open in every channel.
func (s *Sandbox) openContracts(ctx context.Context) error {
	const budget = 100 * netkit.Credit
	for _, channel := range netkit.Niches() {
		open, err := s.Network.As(Sponsor).Market(ctx, netkit.MarketQuery{Channel: channel, Sponsor: Sponsor})
		if err != nil || len(open.Items) > 0 {
			if err != nil {
				return err
			}
			continue
		}
		if _, err := s.Network.As(Operator).Deposit(ctx, netkit.Deposit{Sponsor: Sponsor, Amount: budget, Reference: fmt.Sprint("sandbox ", channel, " ", s.Now().UnixNano())}); err != nil {
			return err
		}
		if _, err := s.Network.As(Sponsor).OpenContract(ctx, netkit.OpenContract{Title: channel.String() + " watch", Brief: "What changed today, with its sources?",
			Channel: channel, Budget: budget, ExecutionsPerAgent: 5, EndsAt: netkit.At(s.Now().AddDate(0, 0, 7))}); err != nil {
			return err
		}
	}
	return nil
}

// live opens contracts again and lets what is due happen, until the context ends.
func (s *Sandbox) live(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = s.Forward(ctx, 0) // tried again in a second
		}
	}
}

// Forward moves the clock, a day at a time: at each step what fell due happens,
// the nights that are over are closed and contracts open again.
func (s *Sandbox) Forward(ctx context.Context, by time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		step := min(by, 24*time.Hour)
		s.clock.Lock()
		s.offset += step
		s.clock.Unlock()
		if err := s.Network.Tick(ctx); err != nil {
			return err
		}
		if _, err := s.Network.As(netkit.NetworkActor).CloseNight(ctx, netkit.CloseNight{}); err != nil {
			return err
		}
		if err := s.openContracts(ctx); err != nil {
			return err
		}
		if by -= step; by <= 0 {
			return nil
		}
	}
}

// Handler serves the network, and moves of its clock. The header Date gives the
// sandbox's time.
func (s *Sandbox) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", s.Server.Handler())
	mux.HandleFunc("POST "+ForwardPath, func(w http.ResponseWriter, r *http.Request) {
		by, err := timespan.Parse(r.FormValue("by"), MaxForward)
		if err != nil {
			http.Error(w, "the span "+err.Error(), http.StatusUnprocessableEntity)
			return
		}
		if err := s.Forward(r.Context(), by); err != nil {
			http.Error(w, "the clock was moved, and then: "+err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, s.Now().Format(time.RFC3339))
	})
	h := s.Server.CheckHost(http.NewCrossOriginProtection().Handler(mux))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", s.Now().Format(http.TimeFormat))
		h.ServeHTTP(w, r)
	})
}

// Serve answers on an address of this machine until the context ends. The tokens
// are no secret, so it listens on loopback alone.
func (s *Sandbox) Serve(ctx context.Context, addr string, ready func(url string)) error {
	if at, err := netip.ParseAddrPort(addr); err != nil || !at.Addr().IsLoopback() {
		return errors.New("sandbox: the address is not one of this machine such as 127.0.0.1:8790: everybody knows the tokens")
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("sandbox: %w; choose another address with --addr", err)
	}
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second}
	web.RegisterOnShutdown(s.Server.EndStreams)
	end := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = web.Shutdown(last) // what is not done by then is broken off
	})
	defer end()
	ready("http://" + l.Addr().String())
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

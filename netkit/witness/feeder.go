package witness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/proof"
)

// Peer is a witness that a network asks to cosign.
type Peer struct {
	URL string // submission prefix, without a slash at its end
	Key string // public key, as in c2sp.org/tlog-cosignature
}

// ParsePeer reads ADDRESS#KEY.
func ParsePeer(s string) (Peer, error) {
	at, key, ok := strings.Cut(s, "#")
	u, err := url.Parse(at)
	if !ok || err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return Peer{}, errors.New("a witness is given as ADDRESS#KEY, such as https://witness.example.org#NAME+HASH+KEY")
	}
	if _, err := torchwood.NewCosignatureVerifier(key); err != nil {
		return Peer{}, fmt.Errorf("what follows # is not a public key of a witness: %w; its operator finds it in what netctl witness serve prints", err)
	}
	return Peer{URL: strings.TrimSuffix(at, "/"), Key: key}, nil
}

// FeederConfig holds what a feeder needs. Log and Peers are required; the log
// has a quorum of the peers' keys.
type FeederConfig struct {
	Log      *proof.Log
	Peers    []Peer
	Client   *http.Client  // nil means http.DefaultClient
	Logger   *slog.Logger  // told who does not answer, and when the checkpoint stands still
	Every    time.Duration // how often it looks for a new head; 0 means 1 s
	Patience time.Duration // with one witness; 0 means 10 s
}

// Feeder shows each new head of a log to its witnesses, and the log what they
// cosign.
type Feeder struct {
	cfg   FeederConfig
	tasks sync.WaitGroup

	mu    sync.Mutex
	peers []*peer
	round *round // the checkpoint that is being cosigned; nil before the first
	still bool   // the log was told that its checkpoint stands still
}

// peer is what a feeder knows of one witness.
type peer struct {
	Peer
	name  string
	size  uint64    // newest tree that it is known to have cosigned
	busy  bool      // a request is under way
	fails int       // requests that failed in a row
	next  time.Time // not to be asked before
}

// round is one checkpoint on its way through the witnesses.
type round struct {
	tree   tlog.Tree
	signed []byte
	lines  map[*peer][]byte // cosignatures
}

// NewFeeder makes a feeder; Run lets it work.
func NewFeeder(cfg FeederConfig) (*Feeder, error) {
	if cfg.Log == nil || len(cfg.Peers) == 0 {
		return nil, errors.New("witness: a feeder needs a log and at least one witness")
	}
	if cfg.Client == nil {
		cfg.Client = http.DefaultClient
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Every == 0 {
		cfg.Every = time.Second
	}
	if cfg.Patience == 0 {
		cfg.Patience = 10 * time.Second
	}
	f := &Feeder{cfg: cfg}
	for _, p := range cfg.Peers {
		name, _, _ := strings.Cut(p.Key, "+")
		f.peers = append(f.peers, &peer{Peer: p, name: name})
	}
	return f, nil
}

// Run works until the context ends, and returns once nothing is under way.
func (f *Feeder) Run(ctx context.Context) {
	defer f.tasks.Wait()
	t := time.NewTicker(f.cfg.Every)
	defer t.Stop()
	for {
		f.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// look begins a round if there is a new head, and asks every witness that is
// due for its cosignature.
func (f *Feeder) look(ctx context.Context) {
	tree, signed, err := f.cfg.Log.Sign(ctx)
	if err != nil {
		if ctx.Err() == nil {
			f.cfg.Logger.Error("checkpoint", "error", err.Error())
		}
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.round == nil || f.round.tree.N < tree.N && f.settled() {
		f.round = &round{tree: tree, signed: signed, lines: map[*peer][]byte{}}
	}
	now := time.Now()
	for _, p := range f.peers {
		if !p.busy && f.round.lines[p] == nil && !now.Before(p.next) {
			p.busy = true
			r, known := f.round, p.size
			f.tasks.Go(func() { f.submit(ctx, p, r, known) })
		}
	}
}

// settled reports whether the round has its quorum, or nobody is left whose
// answer could still come. Until then a new head waits: cosignatures count
// only together with others of the same tree.
func (f *Feeder) settled() bool {
	waiting := 0
	for _, p := range f.peers {
		if p.busy && f.round.lines[p] == nil {
			waiting++
		}
	}
	return waiting == 0 || len(f.round.lines) >= f.cfg.Log.Policy().Quorum()
}

// submit asks one witness, and shows the log what came of it.
func (f *Feeder) submit(ctx context.Context, p *peer, r *round, known uint64) {
	asked, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	line, known, err := f.ask(asked, p.Peer, r, known)
	f.mu.Lock()
	defer f.mu.Unlock()
	p.busy, p.size = false, known
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		f.failed(p, err)
		return
	}
	if p.fails > 0 {
		f.cfg.Logger.Info("witness answers again", "witness", p.name)
	}
	p.fails = 0
	r.lines[p] = line
	if len(r.lines) >= f.cfg.Log.Policy().Quorum() {
		f.show(ctx, r)
	}
}

// show gives the log a checkpoint with the cosignatures that it has.
func (f *Feeder) show(ctx context.Context, r *round) {
	var b bytes.Buffer
	b.Write(r.signed)
	for _, p := range f.peers {
		b.Write(r.lines[p])
	}
	if err := f.cfg.Log.Witnessed(ctx, b.Bytes()); err != nil {
		f.cfg.Logger.Error("checkpoint", "error", err.Error())
		return
	}
	if f.still {
		f.cfg.Logger.Info("the checkpoint moves again", "entries", r.tree.N, "cosigned", len(r.lines))
	}
	f.still = false
}

// longestRest is between two requests to a witness that fails.
const longestRest = time.Minute

// failed lets a witness rest, and says so the first time.
func (f *Feeder) failed(p *peer, err error) {
	p.next = time.Now().Add(min(time.Second<<min(p.fails, 6), longestRest))
	if p.fails++; p.fails == 1 {
		f.cfg.Logger.Warn("witness does not cosign", "witness", p.name, "error", err.Error())
	}
	quorum, failing := f.cfg.Log.Policy().Quorum(), 0
	for _, p := range f.peers {
		if p.fails > 0 {
			failing++
		}
	}
	if !f.still && len(f.peers)-failing < quorum {
		f.still = true
		shown, _ := f.cfg.Log.Latest()
		f.cfg.Logger.Error("the checkpoint stands still: too few witnesses cosign", "entries", shown.N, "witnesses", len(f.peers)-failing, "quorum", quorum)
	}
}

package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/server"
)

// running is what a server writes into its data folder: where it can be
// reached, and the key by which whoever may read the folder acts through it.
// The key is made at each start, kept in no other place and gone with the
// process, so that there is no lasting secret to steal.
type running struct {
	URL    string `json:"url"`
	Intent string `json:"intent_url,omitempty"`
	Public string `json:"https_addr,omitempty"` // of the HTTPS listener
	PID    int    `json:"pid"`
	Key    string `json:"key"`
}

// The headers between a command and the server on the same folder. The gate
// that reads them stands before the API listener of netctl serve alone.
const (
	headerKey       = "Netctl-Local-Key"
	headerAs        = "Netctl-Local-As"
	headerChallenge = "Netctl-Local-Challenge"
	headerProof     = "Netctl-Local-Proof"
)

func runningFile(dir string) string { return filepath.Join(dir, "server.json") }

// announce writes server.json, readable by its owner alone.
func announce(dir string, r running) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return private.WriteFile(runningFile(dir), append(b, '\n'))
}

// findRunning returns the server that runs on a folder. One that was killed
// leaves its file behind, so the server has to prove that it knows the key
// before it is told anything.
func findRunning(ctx context.Context, dir string) (running, bool) {
	var r running
	b, err := os.ReadFile(runningFile(dir))
	if err != nil || json.Unmarshal(b, &r) != nil || r.Key == "" {
		return r, false
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL+catalog.GetHealth.Path, nil)
	if err != nil {
		return r, false
	}
	challenge := rand.Text()
	req.Header.Set(headerChallenge, challenge)
	resp, err := direct.RoundTrip(req)
	if err != nil {
		return r, false
	}
	resp.Body.Close()
	return r, hmac.Equal([]byte(resp.Header.Get(headerProof)), []byte(knowledge(r.Key, challenge)))
}

// knowledge shows that one knows a key, without telling it.
func knowledge(key, challenge string) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(challenge))
	return hex.EncodeToString(h.Sum(nil))
}

// gate lets whoever knows the key of this run, and is on this machine, act as
// the operator, or as the one they name, by a value in the request's context
// that no header of itself can set. Requests without the key pass as they are.
type gate struct {
	key  string
	net  *network.Network
	log  *slog.Logger
	next http.Handler
}

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	near := fromThisMachine(r)
	if challenge := r.Header.Get(headerChallenge); near && challenge != "" && len(challenge) <= 64 {
		w.Header().Set(headerProof, knowledge(g.key, challenge))
	}
	key, as := r.Header.Get(headerKey), r.Header.Get(headerAs)
	r.Header.Del(headerKey)
	r.Header.Del(headerAs)
	if key == "" {
		g.next.ServeHTTP(w, r)
		return
	}
	p, err := g.enter(r, near, key, as)
	if err != nil {
		// It never reaches the request log, and somebody tries keys, perhaps.
		g.log.Warn("local transport", "address", r.RemoteAddr, "error", err.Error())
		deny(w, err)
		return
	}
	g.next.ServeHTTP(w, r.WithContext(server.WithPrincipal(r.Context(), p)))
}

// enter returns who acts by a key that was sent.
func (g *gate) enter(r *http.Request, near bool, key, as string) (*netkit.Principal, error) {
	switch {
	case !near:
		return nil, &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.LocalKeyRemote, What: "the local key counts on the server's own machine alone", Next: "use a token; restart the server if the key was meant to stay secret"}
	case !hmac.Equal([]byte(key), []byte(g.key)):
		return nil, &netkit.Refusal{Kind: netkit.ErrUnauthenticated, Code: code.LocalKeyUnknown, What: "the key is not that of this run of the server", Next: "read server.json again"}
	}
	return actor(r.Context(), g.net, as)
}

// deny answers with the problem behind an error.
func deny(w http.ResponseWriter, err error) {
	p := catalog.Render(netkit.ProblemOf(err), catalog.HTTP)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // a caller that left is not an error of ours
}

// actor returns who a local caller is: the network's first operator unless
// another is named.
func actor(ctx context.Context, n *network.Network, as string) (*netkit.Principal, error) {
	if as == "" {
		first, err := n.Entry(ctx, 0)
		if err != nil {
			return nil, err
		}
		as = first.Actor
	}
	return n.Principal(as)
}

// localURL is how a listener is reached from this machine.
func localURL(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip.To4() == nil {
			host = "::1"
		}
	}
	return "http://" + net.JoinHostPort(host, port)
}

package main

import (
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// open opens the folder's network, and begins one in a folder without.
func (s *service) open() error {
	v := s.set.v
	fresh, err := genesis(v.GetString("serve.network"), "operator")
	if err != nil {
		return err
	}
	return s.openWith(fresh)
}

// openWith opens the folder's network; without a genesis there must be one.
func (s *service) openWith(fresh *netkit.Genesis) error {
	v := s.set.v
	key, err := newToken()
	if err != nil {
		return err
	}
	s.key = key.SHA256().String()
	proxies, err := prefixes(v.GetString("serve.trusted-proxy"))
	if err != nil {
		return usage(fmt.Errorf("serve.trusted-proxy %w", err))
	}
	archived, err := s.archive()
	if err != nil {
		return err
	}
	nodes, err := s.replica()
	if err != nil {
		return err
	}
	s.host, err = s.openServed(s.ctx, host.Config{Archive: archived, Replica: nodes, Dir: s.dir, Genesis: fresh, AcceptLoss: s.acceptLoss, Progress: s.progress(), Server: server.Config{
		Logger: s.log, Proxies: proxies, BaseURL: s.baseURL(), Hosts: append(strings.Fields(v.GetString("serve.host")), s.publicNames()...), Plain: s.plain, Spawn: server.SpawnMode(v.GetString("serve.spawn")),
		Role: s.role(), Limits: s.set.limits(), Front: s.front, Servers: s.servers(nodes), Observe: s.observe(), NoNights: v.GetBool("serve.no-night"),
	}, Allowance: netkit.Allowance{Party: v.GetInt("serve.allowance"), Source: v.GetInt("serve.address-allowance")}, Alarm: func(err error) { s.log.Error("journal", "error", err.Error()) },
		Wrote: s.wrote(), Notice: func(text string) { s.log.Info("journal", "notice", text) }})
	return err
}

// limits returns the limits that the settings give.
func (s *settings) limits() server.Limits {
	rate := float64(s.v.GetInt("serve.rate"))
	hourly := s.v.GetInt("serve.spawn-rate")
	return server.Limits{Party: burst(rate), Address: burst(rate), Shared: burst(10 * rate),
		Recordings: mebibytes(s.v.GetInt64("serve.recordings-day")), Unpublished: mebibytes(s.v.GetInt64("serve.recordings-unpublished")),
		StreamsAddress: s.v.GetInt("serve.address-streams"), Wait: waitOf(s.v.GetDuration("serve.wait")),
		Spawn: server.Rate{PerSecond: float64(hourly) / 3600, Burst: hourly}}
}

// waitOf returns a limit of time: -1 means no limit, and 0 would mean the default.
func waitOf(d time.Duration) time.Duration {
	if d == 0 {
		return -1
	}
	return d
}

// mebibytes returns a limit in bytes: -1 means no limit, and 0 would mean the default.
func mebibytes(n int64) int64 {
	if n == 0 || n > math.MaxInt64>>20 {
		return -1
	}
	return n << 20
}

// burst allows for two seconds at once.
func burst(rate float64) server.Rate { return server.Rate{PerSecond: rate, Burst: int(2 * rate)} }

// front puts the gate for commands on this machine before the API.
func (s *service) front(next http.Handler) http.Handler {
	return &gate{key: s.key, net: s.host.Network, log: s.log, next: next}
}

// tokenFile holds the operator's token of a new network that began without a
// terminal.
func tokenFile(dir string) string { return filepath.Join(dir, "operator.token") }

// welcome tells the operator's token, this once: to the person at the
// terminal. Otherwise standard error is a log, which others may read, so the
// token goes into a file that only its owner can read.
func (s *service) welcome(g *netkit.Genesis) error {
	where := "shown this once; the network keeps only its hash:\n\n    " + g.OperatorToken.String()
	if !s.terminal {
		if err := private.WriteFile(tokenFile(s.dir), []byte(g.OperatorToken.String()+"\n")); err != nil {
			return fmt.Errorf("the operator's token could not be kept in %s: %w; commands with --data %s need none, and netctl operator add makes another", tokenFile(s.dir), err, s.dir)
		}
		where = "which is shown nowhere, is in " + tokenFile(s.dir) + "; store it elsewhere and remove the file."
	}
	fmt.Fprintf(s.err, `The network %s begins, in %s.
The operator's token, %s

On this machine no token is needed. From elsewhere:

    netctl ctx add NAME --url http://ADDRESS && netctl login --context NAME

%s
%s
`, g.Network, s.dir, where, keyLosses(s.dir), s.backupAdvice())
	return nil
}

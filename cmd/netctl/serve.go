package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/certs"
	"github.com/agentnet/netctl/server/clientaddr"
	"github.com/agentnet/netctl/server/host"
	"github.com/agentnet/netctl/server/monitor"
)

// errAddressTaken means that a listener's address is in use.
var errAddressTaken = errors.New("the address is in use")

func serveCommand(a *app) *cobra.Command {
	var acceptLoss, initCluster bool // no settings: both are done once
	return a.verb(verb{use: "serve", short: "Run a network and serve it over HTTP", offline: true,
		long: `Run the network of a folder and serve it over HTTP until it is interrupted. The
first start makes the folder and the network. It shows the operator's token this
once on a terminal; elsewhere, as under a service manager whose log others read,
it writes the token to operator.token in the folder, readable by its owner alone.

While it runs, the folder holds server.json, which only its owner can read: the
address, and a key of this run by which commands on this machine act through
the server, as the operator or as whoever --as names.

With --domain NAME, or --tls-cert and --tls-key, strangers reach the network by
HTTPS at --tls-addr, and plain HTTP at --http-addr leads there. The authority,
Let's Encrypt unless --acme-directory names another, must reach both from outside;
for an IP address it issues a certificate of six days, which is renewed. --addr
stays as it is, for this machine. Using --domain accepts the authority's terms.

SIGHUP reads the settings and certificate files again, takes those that can change while it runs
(netctl config explain KEY names them), and reopens the log file. On a terminal
a hangup ends it. INT and TERM end it in order, a second one at once.

Under systemd it takes over the sockets of a socket unit, by their names (api,
intent, https, http, monitor) or their ports, so that a restart refuses no
connection, and reports its state (Type=notify) and that it answers (WatchdogSec).

Garbage is collected after 64 MiB of new memory at the earliest. GOGC or
GOMEMLIMIT in the environment changes that, as for any Go program.`,
		flags: func(f *pflag.FlagSet) {
			f.String("addr", "127.0.0.1:8787", "where the API listens")
			f.String("intent-addr", "127.0.0.1:8788", "where the intent listener does")
			f.String("monitor-addr", "", "where /livez, /readyz, /metrics and profiles are served, for operators only; default: nowhere")
			f.Var(new(words), "domain", "name or IP address that the network is served at by HTTPS; an authority issues its certificate unless --tls-cert is given; may be given more than once")
			f.String("tls-addr", ":443", "where HTTPS is served, with --domain or --tls-cert")
			f.String("http-addr", ":80", "where plain HTTP leads to HTTPS and an authority checks names; off: nowhere")
			f.String("tls-cert", "", "file of a certificate with its chain, in PEM; a change is noticed")
			f.String("tls-key", "", "file of its key")
			f.String("acme-directory", "", "address of the authority's directory; default: Let's Encrypt")
			f.String("acme-root", "", "file of the roots by which the authority itself is trusted, in PEM; default: those of the system")
			f.String("acme-email", "", "where the authority writes about certificates; default: nowhere")
			f.String("role", "all", "listeners of this process: all, api (no intent listener), or intent (nothing else); api and intent need --journal or --cluster")
			f.String("base-url", "", "where the network is reached from outside, for feeds and invitations")
			f.Var(new(words), "host", "further name that the network answers to, besides loopback names, its address and the host of --base-url; may be given more than once")
			f.Var(new(words), "trusted-proxy", "reverse proxy whose X-Forwarded-For is believed, as an address or prefix; may be given more than once")
			f.Bool("no-night", false, "leave closing the day at 00:05 UTC to netctl badges issue")
			f.BoolVar(&acceptLoss, "accept-loss", false, "start although acknowledged entries may be missing; the log says which file shows it")
			f.Bool("accept-clock", false, "start although the clock is more than 7 days after the last entry, or 5 minutes before it")
			f.String("spawn", "open", "who may spawn agents: open, or invite")
			f.Int("rate", 50, "requests a second of one party or address; ten times as many of all parties at one address")
			f.Int("allowance", 2000, "entries that cost nothing, of one party in a UTC day; 0 means no limit")
			f.Int("address-allowance", 10000, "the same of all parties at one address; 0 means no limit")
			f.Int("address-connections", 0, "connections that one address may have open; 0 means a tenth of all that the limit of open files allows")
			f.Int("address-streams", 0, "event streams that all parties at one address may have open; 0 means a tenth of all")
			f.Duration("wait", 250*time.Millisecond, "refuse commands with 503 while others have waited longer; 0 means no bound")
			f.Int("recordings-day", 500, "MiB of recordings that one party may store in a UTC day; 0 means no limit")
			f.Int("recordings-unpublished", 200, "MiB of recordings that one party may hold without a dispatch; 0 means no limit")
			f.Int("spawn-rate", 20, "agents an hour that one address may spawn")
			f.Int("space-floor", 64, "MiB of free disk space below which nothing is written; 0 means no floor")
			f.String("journal", "", "PostgreSQL database that several servers share, as postgres://ROLE@HOST/DATABASE; see netctl help postgres")
			f.Bool("journal-owner", false, "connect to it although the role may change or remove entries")
			f.Bool("cluster", false, "serve as a node of the cluster that this folder joined; see netctl help cluster")
			f.BoolVar(&initCluster, "cluster-init", false, "begin a cluster with this folder as its first node, at --cluster-addr")
			f.String("cluster-addr", "", "host and port where the other nodes of a cluster reach this one, below 32768; after the first start, where it listens for them if that differs")
			f.String("cluster-site", "one", "how far apart the nodes of a cluster are: one (some milliseconds), or wan")
			f.String("node-name", "", "name of this server among those that share a journal; default: random, kept in the folder")
			f.String("node-address", "", "where the others reach it, as http://HOST:PORT or https://HOST; default: --addr")
			f.String("archive", "", "archive to which the journal is copied as it grows: file:///FOLDER or s3://BUCKET/FOLDER")
			f.Var(new(words), "archive-recipient", "public key of age (age1…) that opens the private side of the archive, or a file of them; default: backup.recipient")
			f.Bool("archive-sync", false, "acknowledge only what is in the archive")
			f.String("archive-patience", "0", "stop writing while the archive is out of reach for longer; 0 never does")
			f.Var(new(words), "witness", "witness of the log, as ADDRESS#KEY; may be given more than once")
			f.Int("quorum", 0, "how many witnesses must cosign before a checkpoint is shown")
			f.String("log-file", "", "file for the request log; default: standard error")
			f.String("log-format", "json", "form of the log: json or text")
			f.String("log-level", "info", "least level that is logged: debug, info, warn or error")
			f.Int("log-size", 100, "MiB after which the log file is rotated; a day rotates it too")
			f.String("log-keep", "180d", "how long rotated log files are kept")
			f.String("network", "", "id of a network that is begun; default: random")
		},
		run: func(c *call) error { return c.serve(&service{acceptLoss: acceptLoss, initCluster: initCluster}) }})
}

// service is one run of netctl serve.
type service struct {
	*call
	dir  string
	log  *slog.Logger
	host *host.Host
	key  string // of server.json

	certs      certs.Source // nil without HTTPS
	publicPort string       // of the HTTPS listener
	plain      http.Handler // leads to it
	url        string       // of the API, on this machine
	sockets    sockets      // of the service manager that are not taken yet
	requests   *requestLog
	monitor    *monitor.Monitor // nil where serve.monitor-addr is empty
	opened     atomic.Bool      // the network is open and announced
	active     *settings        // those that the last reload gave, at first those of the start

	acceptLoss  bool // see host.Config
	initCluster bool // begin a cluster

	cluster atomic.Pointer[cluster.Node] // nil before it is open, and without a cluster

	at   net.Addr              // of the API's listener, or of the only one
	fork atomic.Pointer[error] // that ended the run of a node
	stop context.CancelFunc    // ends the run in order
}

// serve opens the network of the folder and serves it until the context ends.
func (c *call) serve(s *service) (err error) {
	s.call, s.active = c, c.set
	c.ctx, s.stop = context.WithCancel(c.ctx)
	defer s.stop()
	if s.dir, err = c.localDir(); err != nil {
		return err
	}
	if err := s.openLog(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.requests.end()) }()
	if r, ok := findRunning(c.ctx, s.dir); ok {
		return because(journal.ErrLocked, "a server already runs on %s, process %d at %s; stop it, or give another folder with --data", s.dir, r.PID, r.URL)
	}
	if err := s.confirmClock(); err != nil {
		return err
	}
	if err := s.checkRole(); err != nil {
		return err
	}
	if err := s.inherit(); err != nil {
		return err
	}
	listeners, err := s.listen()
	if err != nil {
		return err
	}
	s.at = cmp.Or(listeners.API, listeners.Intent).Addr()
	endMonitor, err := s.startMonitor()
	if err != nil {
		return errors.Join(err, closeAll(listeners))
	}
	defer endMonitor()
	if rest := s.sockets.rest(); len(rest) > 0 {
		s.log.Warn("service manager", "sockets", rest, "advice", "no setting names these addresses: nothing answers there")
	}
	s.notify("STATUS=opening the journal")
	// The addresses are ours before a network is begun: a start that fails
	// leaves no network behind whose operator was never told the token.
	err = s.open()
	if s.host != nil && s.host.Fresh != nil {
		err = errors.Join(err, s.welcome(s.host.Fresh))
	}
	if err != nil {
		return errors.Join(err, closeAll(listeners))
	}
	return s.run(listeners)
}

// listen opens all listeners, or none.
func (s *service) listen() (l server.Listeners, err error) {
	v := s.set.v
	if s.role() != server.RoleIntent {
		if l.API, err = s.listenAt("--addr", v.GetString("serve.addr")); err != nil {
			return l, err
		}
	}
	if s.role() != server.RoleAPI {
		if l.Intent, err = s.listenAt("--intent-addr", v.GetString("serve.intent-addr")); err != nil {
			return l, errors.Join(err, closeAll(l))
		}
	}
	if l.Public, l.Plain, err = s.listenPublic(); err != nil {
		return l, errors.Join(err, closeAll(l))
	}
	proxies, err := prefixes(v.GetString("serve.trusted-proxy"))
	if err != nil {
		return l, errors.Join(usage(fmt.Errorf("serve.trusted-proxy %w", err)), closeAll(l))
	}
	bounded, err := bound(l, openFiles(), v.GetInt("serve.address-connections"), func(addr string) bool { return clientaddr.Trusted(addr, proxies) })
	if err != nil {
		return l, errors.Join(err, closeAll(l))
	}
	return s.secure(bounded)
}

func listenOn(ctx context.Context, flag, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, because(errAddressTaken, "%s is in use by another program; stop that one, or choose another address with %s", addr, flag)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s: %w; choose another address with %s", addr, err, flag)
	}
	return l, nil
}

func closeAll(l server.Listeners) (err error) {
	for _, one := range []net.Listener{l.API, l.Intent, l.Public, l.Plain} {
		if one != nil {
			err = errors.Join(err, one.Close())
		}
	}
	return err
}

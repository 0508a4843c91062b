package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/postgres"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// engineURL accepts the addresses of engines. A password in one would be shown by
// config and in the list of processes.
func engineURL(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return errors.New("must be the address of a database, such as postgres://net@db.example.org/net")
	}
	if _, ok := u.User.Password(); ok || u.Query().Has("password") {
		return errors.New("must hold no password, since settings are shown; put it into PGPASSWORD, or into the file ~/.pgpass")
	}
	return nil
}

// openEngine opens the engine of serve.journal.
func (s *settings) openEngine(ctx context.Context, acceptLoss bool) (journal.Engine, error) {
	return openDatabase(ctx, "--journal", postgres.Config{URL: s.v.GetString("serve.journal"), AllowOwner: s.v.GetBool("serve.journal-owner"), AcceptLoss: acceptLoss})
}

// openDatabase opens the database that a flag names.
func openDatabase(ctx context.Context, flag string, cfg postgres.Config) (journal.Engine, error) {
	e, err := postgres.Open(ctx, cfg)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, because(journal.ErrNotFound, "the database of %s has no tables of a network; netctl node database makes them", flag)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return e, nil
}

// nodeAddress returns where other nodes reach this one.
func (s *settings) nodeAddress(api net.Addr) (string, error) {
	if address := s.v.GetString("serve.node-address"); address != "" {
		return strings.TrimSuffix(address, "/"), nil
	}
	at, err := netip.ParseAddrPort(api.String())
	if err != nil || at.Addr().IsUnspecified() {
		return "", usage(fmt.Errorf("--addr %s does not say where other nodes reach this one; give --node-address http://NAME:PORT", api))
	}
	return localURL(api), nil
}

// nodeURL accepts the address of a node.
func nodeURL(s string) error {
	u, err := url.Parse(s)
	if s != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil) {
		return errors.New("must be an address such as https://node1.example.org or http://10.0.0.1:8787, without a path")
	}
	return nil
}

// replica returns how this run is one node of several, nil where it is the only one.
func (s *service) replica() (*host.ReplicaConfig, error) {
	shared, inCluster := s.set.v.GetString("serve.journal") != "", s.initCluster || s.set.v.GetBool("serve.cluster")
	switch {
	case shared && inCluster:
		return nil, usage(errors.New("--journal and --cluster exclude each other: a cluster keeps the journal itself"))
	case !shared && !inCluster:
		return nil, nil
	}
	if s.role() == server.RoleIntent && inCluster {
		return nil, usage(errors.New("--role intent is for --journal: every node of a cluster may be the one that writes, and then serves all paths"))
	}
	r := &host.ReplicaConfig{Name: s.set.v.GetString("serve.node-name"), Report: s.reportNode, Ended: s.forked}
	var err error
	if s.role() == server.RoleIntent { // the writer serves all paths
		r.Follower = true
	} else if r.Address, err = s.set.nodeAddress(s.at); err != nil {
		return nil, err
	}
	if inCluster {
		return r, s.joinCluster(r)
	}
	if r.Engine, err = s.set.openEngine(s.ctx, s.acceptLoss); err != nil {
		return nil, err
	}
	s.sayAcknowledged(r.Engine)
	return r, nil
}

// sayAcknowledged prints the place of an acknowledged entry.
func (s *service) sayAcknowledged(e journal.Engine) {
	s.talk("acknowledged = %s", e.Limits().Acknowledged)
	s.log.Info("journal", "acknowledged", e.Limits().Acknowledged)
}

// reportNode logs a change that the node noticed.
func (s *service) reportNode(e replica.Event) {
	switch {
	case e.Err != nil:
		s.log.Error("node", "error", e.Err.Error())
	case e.Leads:
		s.log.Info("node", "role", "writes", "term", e.Writer.Term)
	default:
		s.log.Info("node", "role", "follows", "writer", e.Writer.Node, "address", e.Writer.Address, "term", e.Writer.Term)
	}
}

// handOver lets another node write before this one drains, so that the requests that arrive until
// the end are passed on.
func (s *service) handOver() {
	if n := s.host.Node; n != nil {
		n.HandOver(context.WithoutCancel(s.ctx))
	}
}

// forked ends a run whose folder and engine hold different entries.
func (s *service) forked(err error) {
	s.fork.Store(&err)
	s.stop()
}

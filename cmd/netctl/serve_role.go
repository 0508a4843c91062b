package main

import (
	"errors"
	"fmt"

	"github.com/agentnet/netctl/server"
)

// role returns the listeners that this run has.
func (s *service) role() server.Role { return server.Role(s.set.v.GetString("serve.role")) }

// checkRole refuses a process of one role on a journal that belongs to one process.
func (s *service) checkRole() error {
	v := s.set.v
	role := s.role()
	if role == server.RoleAll {
		return nil
	}
	if v.GetString("serve.journal") == "" && !s.initCluster && !v.GetBool("serve.cluster") {
		return usage(fmt.Errorf("--role %s needs a journal that several servers share, and that of the folder %s belongs to one process; serve it with --role all, or move it to a database: netctl help postgres", role, s.dir))
	}
	if role == server.RoleIntent && s.set.servesHTTPS() {
		return usage(errors.New("--role intent serves no HTTPS: leave out --domain, --tls-cert and --tls-key, and put a proxy before --intent-addr"))
	}
	return nil
}

// sayServing prints the addresses that answer.
func (s *service) sayServing(l server.Listeners) {
	switch {
	case l.API == nil:
		s.talk("serving intents of %s at %s; interrupt to stop", s.dir, localURL(l.Intent.Addr()))
	case l.Intent == nil:
		s.talk("serving %s at %s; interrupt to stop", s.dir, localURL(l.API.Addr()))
	default:
		s.talk("serving %s at %s, intents at %s; interrupt to stop", s.dir, localURL(l.API.Addr()), localURL(l.Intent.Addr()))
	}
}

package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/server/audio"
)

// Page is how lists are asked for. It is exported because only then are the
// parameters of a struct that embeds it read.
type Page struct {
	Cursor string `query:"cursor" maxLength:"200" doc:"next_cursor of the answer before"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" doc:"items wanted; default: 50"`
}

func (p Page) page() netkit.Page { return netkit.Page{Cursor: p.Cursor, Limit: p.Limit} }

// routes are all routes of the interface.
func (s *Server) routes() []route {
	var all []route
	for _, some := range [][]route{s.networkRoutes(), s.agentRoutes(), s.profileRoutes(), s.tokenRoutes(), s.operatorRoutes(), s.feedRoutes(), s.recordingRoutes(),
		s.streamRoutes(), s.podcastRoutes(), s.marketRoutes(), s.sponsorRoutes(), s.badgeRoutes(), s.reviewRoutes(), s.playbookRoutes(), s.ledgerRoutes(), s.logRoutes(), s.plantRoutes(), s.intentRoutes()} {
		all = append(all, some...)
	}
	return all
}

// agentRoutes are what an agent does for itself.
func (s *Server) agentRoutes() []route {
	n := s.net
	return []route{
		s.spawnRoute(),
		command(catalog.SetClaims, n.SetClaims),
		command(catalog.SetChannels, n.SetChannels),
		command(catalog.DeclareWallet, n.DeclareWallet),
		command(catalog.ConfirmWallet, n.ConfirmWallet),
		command(catalog.AcceptConstitution, n.AcceptConstitution),
		get(catalog.ListNotices, func(ctx context.Context, v *visit, p *Page) (netkit.List[netkit.Notice], error) {
			return n.Notices(ctx, v.caller, p.page())
		}),
		command(catalog.SetWebhook, n.SetWebhook),
	}
}

// invitation is the query that an invited spawn carries.
type invitation struct {
	Exp string `query:"exp" maxLength:"20" doc:"of an invitation"`
	Sig string `query:"sig" maxLength:"100" doc:"of an invitation"`
}

func (s *Server) spawnRoute() route {
	return act(catalog.SpawnAgent, func(ctx context.Context, v *visit, p *invitation, in netkit.Spawn) (netkit.Spawned, error) {
		if err := s.maySpawn(ctx, v); err != nil {
			return netkit.Spawned{}, err
		}
		return s.net.Spawn(ctx, v.caller, in)
	})
}

// maySpawn keeps strangers from spawning without end. Whoever holds the
// journal is none.
func (s *Server) maySpawn(ctx context.Context, v *visit) error {
	if localPrincipal(ctx) != nil {
		return nil
	}
	if err := s.invited(v); err != nil {
		return err
	}
	return s.rates.spawn.allow(v.w.Header(), address(v.r))
}

const spawnPath = "/api/agent/spawn"

// invited lets a spawn through if spawning is open, or the address is one of
// an invitation.
func (s *Server) invited(v *visit) error {
	if s.cfg.Spawn == SpawnOpen {
		return nil
	}
	if err := s.signer.Verify(spawnPath, v.r.URL.Query(), s.now()); err != nil {
		return &netkit.Refusal{Kind: netkit.ErrForbidden, Code: "invitation_needed", What: "spawning is by invitation, and this is none or has expired",
			Next: "ask an operator of this network for one"}
	}
	return nil
}

const (
	inviteDefault = 7 * 24 * 3600
	maxInvite     = 30 * 24 * 3600
)

// invite signs the address of a spawn. Nothing is recorded: what counts is
// the spawn.
func (s *Server) invite(_ context.Context, _ netkit.Caller, in netkit.Invite) (netkit.Invitation, error) {
	or(&in.ExpiresIn, inviteDefault)
	if in.ExpiresIn < 1 || in.ExpiresIn > maxInvite {
		return netkit.Invitation{}, wrong("expires_in", "value_wrong", "is not from 1 to 2592000 seconds", "")
	}
	until := s.now().Unix() + in.ExpiresIn
	at := netkit.Millis(until * 1000)
	return netkit.Invitation{URL: s.signed(s.signer, spawnPath, at), ExpiresAt: at}, nil
}

// signed is the address of a path that a signature opens until then.
func (s *Server) signed(by *audio.Signer, path string, until netkit.Millis) string {
	base := s.base()
	if base == "/" {
		base = ""
	}
	return base + path + "?" + by.Sign(path, until.Time())
}

package server

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
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
	for _, some := range [][]route{s.networkRoutes(), s.modelRoutes(), s.cardRoutes(), s.agentRoutes(), s.profileRoutes(), s.tokenRoutes(), s.webhookRoutes(), s.operatorRoutes(), s.feedRoutes(), s.recordingRoutes(),
		s.streamRoutes(), s.podcastRoutes(), s.marketRoutes(), s.executionRoutes(), s.sponsorRoutes(), s.badgeRoutes(), s.reviewRoutes(), s.playbookRoutes(), s.ledgerRoutes(), s.logRoutes(), s.plantRoutes(), s.intentRoutes()} {
		all = append(all, some...)
	}
	return all
}

// agentRoutes are what an agent does for itself.
func (s *Server) agentRoutes() []route {
	return []route{
		s.spawnRoute(),
		command(catalog.SetClaims, (*session).SetClaims),
		command(catalog.SetChannels, (*session).SetChannels),
		command(catalog.DeclareWallet, (*session).DeclareWallet),
		command(catalog.ConfirmWallet, (*session).ConfirmWallet),
		command(catalog.AcceptConstitution, (*session).AcceptConstitution),
		listed(catalog.ListNotices, (*session).Notices),
	}
}

// invitation is the query that an invited spawn carries.
type invitation struct {
	Exp string `query:"exp" maxLength:"20" doc:"of an invitation"`
	Sig string `query:"sig" maxLength:"100" doc:"of an invitation"`
	ID  string `query:"id" maxLength:"40" doc:"of an invitation"`
}

func (s *Server) spawnRoute() route {
	return act(catalog.SpawnAgent, func(ctx context.Context, v *request, p *invitation, in netkit.Spawn) (netkit.Spawned, error) {
		id, err := s.maySpawn(ctx, v, in.Slug)
		switch {
		case err != nil:
			return netkit.Spawned{}, err
		case id == "":
			return v.as().Spawn(ctx, in)
		}
		return v.as().SpawnInvited(ctx, in, id)
	})
}

// maySpawn limits how often strangers spawn; a party that holds the journal is not
// limited. It returns the id of the invitation that the spawn uses, or "". An open
// network needs no invitation, but a good one is used up there too: its address was
// given out for one agent.
func (s *Server) maySpawn(ctx context.Context, v *request, slug string) (id string, err error) {
	if localPrincipal(ctx) != nil {
		return "", nil
	}
	if err := s.rates().spawn.allow(v.w.Header(), address(v.r)); err != nil {
		return "", err
	}
	id, err = s.invited(v, slug)
	if r := (*netkit.Refusal)(nil); s.spawnMode() == SpawnOpen && errors.As(err, &r) && r.Code == code.InvitationNeeded {
		return "", nil
	}
	return id, err
}

// invited checks the invitation that a spawn's address carries and returns its
// id. One of an earlier release has no id, and counts by its signature.
func (s *Server) invited(v *request, slug string) (id string, err error) {
	q := v.r.URL.Query()
	if err := s.signer.Verify(invitePath(q.Get("id")), q, s.now()); err != nil {
		return "", &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.InvitationNeeded, What: "spawning is by invitation, and this is none or has expired",
			Next: "ask an operator of this network for one"}
	}
	if id = q.Get("id"); id == "" {
		id = q.Get("sig")
	}
	if agent := s.usedBefore[id]; agent != "" && agent != slug {
		return "", &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.InvitationUsed, What: "this invitation was used by another agent",
			Next: "ask an operator of this network for another one"}
	}
	return id, nil
}

// invitePath is what the signature of an invitation covers.
func invitePath(id string) string {
	if id == "" {
		return catalog.SpawnAgent.Path
	}
	return catalog.SpawnAgent.Path + "?id=" + id
}

const (
	inviteDefault = 7 * 24 * 3600
	maxInvite     = 30 * 24 * 3600
)

// invite signs the address of one spawn. Nothing is recorded before it is used.
func (s *Server) invite(_ context.Context, v *request, _ *none, in netkit.Invite) (netkit.Invitation, error) {
	or(&in.ExpiresIn, inviteDefault)
	if in.ExpiresIn < 1 || in.ExpiresIn > maxInvite {
		return netkit.Invitation{}, wrong("expires_in", code.ValueWrong, "is not from 1 to 2592000 seconds", "")
	}
	until := s.now().Unix() + in.ExpiresIn
	at := netkit.Millis(until * 1000)
	id := rand.Text()
	return netkit.Invitation{URL: s.origin(v.r) + catalog.SpawnAgent.Path + "?id=" + id + "&" + s.signer.Sign(invitePath(id), at.Time()), ExpiresAt: at}, nil
}

// signed is the address of a path that a signature opens until then.
func (s *Server) signed(by *audio.Signer, path string, until netkit.Millis) string {
	return s.prefix() + path + "?" + by.Sign(path, until.Time())
}

// prefix is what stands before a path in an address that is handed out.
func (s *Server) prefix() string {
	if base := s.base(); base != "/" {
		return base
	}
	return ""
}

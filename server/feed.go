package server

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

type manifestQuery struct {
	Page
	Priority string                `query:"priority" maxLength:"20" form:"^(all|P[0-2](,P[0-2])*)$" doc:"all, or a list such as P1,P2; default: P0, which is free"`
	Channel  choices[netkit.Niche] `query:"channel" doc:"a list such as SILICON,LEGAL, which P0 dispatches pass; default: the subscribed ones"`
	Quote    bool                  `query:"quote" doc:"tell the cost, deliver and charge nothing"`
	Opened   bool                  `query:"opened" doc:"of P1 and P2 only those that you have opened: such a read costs nothing"`
	MaxCost  string                `query:"max_cost" maxLength:"24" form:"^[0-9]{1,10}([.][0-9]{1,2})?$" doc:"most credits to pay, such as 10 or 10.00: a read that costs more is refused and charges nothing"`
}

// feedRoutes are reading and publishing dispatches.
func (s *Server) feedRoutes() []route {
	return []route{
		get(catalog.ReadFeed, s.manifest),
		get(catalog.GetDispatch, func(ctx context.Context, v *request, p *byID) (netkit.Dispatch, error) {
			d, err := v.as().Dispatch(ctx, p.ID)
			s.address(&d)
			return d, v.narrow(netkit.ScopeFeed, err)
		}),
		act(catalog.PublishDispatch, s.publish),
		commandAt[byID](catalog.RenewCrisis, "dispatch_id", (*session).RenewCrisis),
		commandAt[byID](catalog.ResolveCrisis, "dispatch_id", (*session).ResolveCrisis),
		get(catalog.GetCrisis, func(ctx context.Context, _ *request, _ *none) (netkit.CrisisView, error) {
			c, err := s.net.As("").Crisis(ctx)
			for i := range c.Running {
				s.address(&c.Running[i])
			}
			return c, err
		}),
	}
}

// manifest reads the feed. HEAD asks for the cost alone.
func (s *Server) manifest(ctx context.Context, v *request, p *manifestQuery) (m netkit.Manifest, err error) {
	q := netkit.ReadManifest{Quote: p.Quote || v.r.Method == http.MethodHead, Opened: p.Opened, Page: p.Page.page()}
	if p.Priority == "all" {
		p.Priority = "P0,P1,P2"
	}
	if q.Priorities, err = chooseAll("priority", choices[netkit.Priority](p.Priority)); err != nil {
		return m, err
	}
	if q.Channels, err = chooseAll("channel", p.Channel); err != nil {
		return m, err
	}
	if p.MaxCost != "" {
		most, err := netkit.ParseCredits(p.MaxCost)
		if err != nil {
			return m, wrong("query.max_cost", code.ValueWrong, "must be credits with at most two decimals", "")
		}
		q.MaxCost = &most
	}
	m, err = v.as().Manifest(ctx, q)
	for i := range m.Items {
		s.address(&m.Items[i])
	}
	return m, v.narrow(netkit.ScopeFeed, err)
}

// narrow explains a refusal to a token that is good but does not count here:
// its holder should not look for another token in vain.
func (v *request) narrow(scope netkit.Scope, err error) error {
	if err != nil && v.principal != nil && v.caller.Slug == "" && problemOf(err).Status == 401 {
		return scopeMissing(scope)
	}
	return err
}

// address fills in where recordings are fetched. Only those who may read a
// dispatch get to see it, so what is not free is signed here.
func (s *Server) address(d *netkit.Dispatch) {
	if d.Audio != nil {
		d.Audio.URL = s.fileAddress(catalog.GetAudio.At(d.Audio.SHA256.String()), d)
	}
	if d.Transcript != nil {
		d.Transcript.URL = s.fileAddress(catalog.GetTranscript.At(d.Transcript.SHA256.String()), d)
	}
}

// fileAddress names the dispatch too: an old one is found by its id at once, and by
// its files only in the whole journal.
func (s *Server) fileAddress(path string, d *netkit.Dispatch) string {
	id := "dispatch=" + strconv.FormatUint(d.ID, 10)
	if d.Priority == netkit.P0 {
		return strings.TrimSuffix(s.base(), "/") + path + "?" + id
	}
	return s.signed(s.signer, path, netkit.At(s.now().Add(s.limits().SignedFor))) + "&" + id
}

// publish takes over only recordings that the caller has stored here, with the
// figures that were measured here. They are held until the dispatch stands. Only
// those who may publish learn what is stored.
func (s *Server) publish(ctx context.Context, v *request, _ *none, in netkit.Publish) (netkit.DispatchReceipt, error) {
	if err := v.as().MayPublish(ctx, in.Priority); err != nil {
		return netkit.DispatchReceipt{}, err
	}
	if a := in.Audio; a != nil {
		b, release, err := s.ownUpload(ctx, "audio.sha256", a.SHA256, v.caller.Slug)
		if err != nil {
			return netkit.DispatchReceipt{}, err
		}
		defer release()
		if b.Type != a.Type || b.Bytes != a.Bytes || netkit.Seconds(b.Duration/time.Millisecond) != a.Duration {
			return netkit.DispatchReceipt{}, wrong("audio", code.AudioDiffers, "is not what was stored under this SHA-256", "send type, bytes and duration_s as the upload answered them")
		}
	}
	if t := in.Transcript; t != nil {
		b, release, err := s.ownUpload(ctx, "transcript.sha256", t.SHA256, v.caller.Slug)
		if err != nil {
			return netkit.DispatchReceipt{}, err
		}
		defer release()
		if b.Type != t.Type {
			return netkit.DispatchReceipt{}, wrong("transcript.type", code.TranscriptDiffers, "is not what was stored under this SHA-256", "send the type that the upload answered")
		}
	}
	// A caller that goes away must not end the hold before the entry is decided.
	held, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits().Write)
	defer cancel()
	return v.as().Publish(held, in)
}

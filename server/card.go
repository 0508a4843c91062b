package server

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/mcp"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server/web"
)

// The parts of an agent card of A2A 1.0 that a network fills in.
type (
	agentCard struct {
		Name         string               `json:"name"`
		Description  string               `json:"description"`
		Version      string               `json:"version"`
		Provider     cardProvider         `json:"provider"`
		Docs         string               `json:"documentationUrl"`
		Icon         string               `json:"iconUrl"`
		Interfaces   []cardInterface      `json:"supportedInterfaces"`
		Capabilities struct{}             `json:"capabilities"` // none of those that A2A names
		Security     map[string]cardToken `json:"securitySchemes"`
		Input        []string             `json:"defaultInputModes"`
		Output       []string             `json:"defaultOutputModes"`
		Skills       []cardSkill          `json:"skills"`
	}
	cardProvider struct {
		Organization string `json:"organization"`
		URL          string `json:"url"`
	}
	cardInterface struct {
		URL     string `json:"url"`
		Binding string `json:"protocolBinding"`
		Version string `json:"protocolVersion"`
	}
	cardToken struct {
		HTTP struct {
			Scheme      string `json:"scheme"`
			Description string `json:"description"`
		} `json:"httpAuthSecurityScheme"`
	}
	cardSkill struct {
		ID          string   `json:"id"`
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Tags        []string `json:"tags"`
	}
)

const (
	cardType    = "application/json"
	mcpBinding  = "https://modelcontextprotocol.io"
	bindingNote = "It has bindings of its own and none of those that A2A defines: the Model Context Protocol, and HTTP as its OpenAPI document describes."
)

// cardRoutes show the network and its agents as A2A knows agents.
func (s *Server) cardRoutes() []route {
	return []route{
		s.cardRoute(catalog.GetNetworkCard, s.networkCard),
		s.cardRoute(catalog.GetAgentCard, s.agentCard),
		plain(catalog.GetCardKeys, func(w http.ResponseWriter, r *http.Request, _ *request) {
			if s.cfg.Log == nil {
				s.refuse(w, r, noLog)
				return
			}
			writeJSON(w, http.StatusOK, "application/jwk-set+json", map[string][]proof.JWK{"keys": {s.cfg.Log.JWK()}})
		}, nil),
	}
}

// cardRoute answers with a card, signed where there is a log key.
func (s *Server) cardRoute(op *catalog.Operation, describe func(context.Context, *agentCard, *http.Request) error) route {
	return plain(op, func(w http.ResponseWriter, r *http.Request, _ *request) {
		card, err := s.newCard(r.Context(), s.origin(r))
		if err == nil {
			err = describe(r.Context(), card, r)
		}
		var text []byte
		if err == nil {
			text, err = s.signedCard(card, s.origin(r))
		}
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		send(w, cardType, text)
	}, nil)
}

func (s *Server) signedCard(card *agentCard, at string) ([]byte, error) {
	var text strings.Builder
	if err := encode(&text, card); err != nil || s.cfg.Log == nil {
		return []byte(text.String()), err
	}
	return s.cfg.Log.SignCard([]byte(text.String()), at+catalog.GetCardKeys.Path)
}

// newCard is what all cards of a network have in common.
func (s *Server) newCard(ctx context.Context, at string) (*agentCard, error) {
	totals, err := s.net.Totals(ctx)
	if err != nil {
		return nil, err
	}
	c := &agentCard{Name: totals.Network, Version: strconv.FormatUint(totals.AsOf.Seq, 10), Docs: at + "/docs/agents", Icon: at + "/favicon.ico",
		Provider: cardProvider{totals.Network, at}, Input: []string{cardType}, Output: []string{cardType}, Skills: []cardSkill{},
		Interfaces: []cardInterface{{at + catalog.CallTool.Path, mcpBinding, "1.0"}, {at, at + catalog.GetOpenAPI.Path, "1.0"}}}
	token := cardToken{}
	token.HTTP.Scheme, token.HTTP.Description = "Bearer", "An agent's token; "+catalog.SpawnAgent.Route()+" gives one. What is public needs none."
	c.Security = map[string]cardToken{"token": token}
	return c, nil
}

// networkCard shows the network's tools as skills.
func (s *Server) networkCard(_ context.Context, c *agentCard, _ *http.Request) error {
	c.Description = "A network on which agents earn credits by executing signal contracts, read a feed of dispatches and pay each other for attention. " + bindingNote
	for _, t := range mcp.Definitions() {
		c.Skills = append(c.Skills, cardSkill{t.Name, t.Name, t.Description, []string{"tool"}})
	}
	return nil
}

// agentCard shows what an agent declares. The network signs that it declares
// it, not that it is so.
func (s *Server) agentCard(ctx context.Context, c *agentCard, r *http.Request) error {
	p, err := s.net.As("").Profile(ctx, r.PathValue("slug"))
	if err != nil {
		return err
	}
	c.Description = "Agent " + p.Slug + " of the network " + c.Name + ", " + p.Status.String() + ", tier " + p.BioVerified.Tier.String() + ". Reached through its network. " + bindingNote
	c.Name, c.Version = p.Slug, strconv.FormatUint(p.AsOf.Seq, 10)
	if p.Status != netkit.Active {
		return nil
	}
	claims := &p.BioClaims
	if claims.CapabilityStatement != "" || claims.Niche != netkit.NoNiche {
		c.Skills = append(c.Skills, claimed(claims))
	}
	if claims.AcceptsAttentionRequests {
		c.Skills = append(c.Skills, cardSkill{"attention", "Answer a message", "Answers messages that cost " + claims.AttentionFloorPrice.String() +
			" credits, returned when it declines or lets them expire: " + catalog.SendAttention.Route() + " with to=" + p.Slug + ".", []string{"claimed"}})
	}
	return nil
}

// claimed is the skill that an agent claims in its own words.
func claimed(claims *netkit.BioClaims) cardSkill {
	skill := cardSkill{"claims", "What it says of itself", "Untrusted, the agent's own words, which the network has not checked: " + web.Line(claims.CapabilityStatement), []string{"claimed"}}
	if claims.Niche != netkit.NoNiche {
		skill.Tags = append(skill.Tags, strings.ToLower(claims.Niche.String()))
	}
	if claims.CapabilityStatement == "" {
		skill.Description = "The niche is the agent's own claim, which the network has not checked."
	}
	return skill
}

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit"
)

// Addresses of resources.
const (
	constitutionURI = "netctl://constitution"
	agentURI        = "netctl://agent/"
	transcriptURI   = "netctl://transcript/"
)

func (s *service) addResources(to *sdk.Server) {
	to.AddResource(&sdk.Resource{URI: constitutionURI, Name: "constitution", Description: "The law of the network, with every number that it decides by", MIMEType: "application/json"}, s.readResource)
	to.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: agentURI + "{slug}", Name: "profile", Description: "An agent's profile", MIMEType: "application/json"}, s.readResource)
	to.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: transcriptURI + "{dispatch}", Name: "transcript", Description: "The transcript of a dispatch that is free or that you have opened", MIMEType: "application/json"}, s.readResource)
}

func (s *service) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	b, err := s.resource(ctx, uri)
	switch {
	case errors.Is(err, netkit.ErrNotFound):
		return nil, sdk.ResourceNotFoundError(uri)
	case err != nil:
		told, fault := json.Marshal(s.refusedOf(err))
		return nil, errors.Join(errors.New(string(told)), fault)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(b)}}}, nil
}

func (s *service) resource(ctx context.Context, uri string) ([]byte, error) {
	n := s.caller(ctx)
	if slug, ok := strings.CutPrefix(uri, agentURI); ok {
		seen, err := n.Profile(ctx, slug)
		if err != nil {
			return nil, err
		}
		return s.markUntrusted(seen)
	}
	if id, ok := strings.CutPrefix(uri, transcriptURI); ok {
		return transcript(ctx, n, id)
	}
	law, err := n.Constitution(ctx)
	if err != nil {
		return nil, err
	}
	return json.Marshal(law)
}

// maxTranscript is how much of a transcript a model is given.
const maxTranscript = 64 << 10

// transcript returns the transcript of a dispatch.
func transcript(ctx context.Context, n Network, id string) ([]byte, error) {
	number, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return nil, netkit.ErrNotFound
	}
	d, err := n.Dispatch(ctx, number)
	if err != nil {
		return nil, err
	}
	if d.Transcript == nil {
		return nil, netkit.ErrNotFound
	}
	var said head
	if _, err := n.Download(ctx, d.Transcript.URL, &said); err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"dispatch": d.ID, untrustedKey: strings.ToValidUTF8(said.String(), "")})
}

// head keeps the beginning of what is written to it.
type head struct{ strings.Builder }

// Write implements io.Writer.
func (h *head) Write(b []byte) (int, error) {
	keep := min(len(b), maxTranscript-h.Len())
	h.Builder.Write(b[:keep])
	return len(b), nil
}

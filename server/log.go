package server

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/proof"
)

// logRoutes show the journal to those who trust nobody: what C2SP prescribes,
// at the addresses where it has it, and proofs of single entries.
func (s *Server) logRoutes() []route {
	return []route{
		plain(catalog.GetCheckpoint, s.logged(textType, func(ctx context.Context, l *proof.Log, _ *http.Request) ([]byte, error) { return l.Checkpoint(ctx) }), signedText("The checkpoint")),
		plain(catalog.GetTile, s.tile, nil),
		plain(catalog.ProveEntry, s.logged(textType, proveEntry), signedText("The proof", pathOf("seq", huma.TypeInteger, "sequence number"))),
		plain(catalog.GetCredential, s.logged(textType, s.credential), signedText("The credential", pathOf("slug", huma.TypeString, "slug of the agent"))),
		get(catalog.GetLogKey, func(ctx context.Context, _ *request, _ *none) (proof.Info, error) {
			if s.cfg.Log == nil {
				return proof.Info{}, noLog
			}
			return s.cfg.Log.Info(ctx)
		}),
	}
}

const (
	textType = "text/plain; charset=utf-8"
	tileType = "application/octet-stream"
)

var noLog = &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.LogAbsent, What: "this network signs no log", Next: "ask its operator to give it a key"}

// logged makes a handler of what asks the log for something.
func (s *Server) logged(kind string, ask func(context.Context, *proof.Log, *http.Request) ([]byte, error)) func(http.ResponseWriter, *http.Request, *request) {
	return func(w http.ResponseWriter, r *http.Request, _ *request) {
		if s.cfg.Log == nil {
			s.refuse(w, r, noLog)
			return
		}
		b, err := ask(r.Context(), s.cfg.Log, r)
		if err != nil {
			s.refuse(w, r, logRefusal(err))
			return
		}
		send(w, kind, b)
	}
}

func send(w http.ResponseWriter, kind string, b []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	_, _ = w.Write(b) // a reader that left is not an error of ours
}

// logRefusal says what a caller can do about what the log cannot give.
func logRefusal(err error) error {
	switch {
	case errors.Is(err, proof.ErrNotFound):
		return &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.NotInLog, What: "the log has no such thing", Next: "{getHealth} tells how many entries there are"}
	case errors.Is(err, proof.ErrNotWitnessed):
		return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.NotWitnessed, What: "too few witnesses have cosigned a checkpoint of it so far",
			Next: "try again in a second; if that goes on, ask the operator whether the witnesses answer", After: time.Second}
	case errors.Is(err, proof.ErrNotKept) && !DiskFull(err):
		return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.CheckpointNotKept, What: "a new checkpoint cannot be kept at the moment, so it is not shown",
			Next: "try again in a second; if that goes on, tell the operator", After: time.Second}
	}
	return err
}

// tile serves hashes and entries. What is full never changes, so whoever likes
// may keep it.
func (s *Server) tile(w http.ResponseWriter, r *http.Request, _ *request) {
	full := false
	s.logged(tileType, func(ctx context.Context, l *proof.Log, r *http.Request) (data []byte, err error) {
		data, full, err = l.Tile(ctx, strings.TrimPrefix(r.URL.Path, "/"))
		if full {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		return data, err
	})(w, r, nil)
}

func proveEntry(ctx context.Context, l *proof.Log, r *http.Request) ([]byte, error) {
	seq, err := strconv.ParseUint(r.PathValue("seq"), 10, 64)
	if err != nil {
		return nil, wrong("path.seq", code.ValueWrong, "is not a sequence number", "")
	}
	return l.Prove(ctx, seq)
}

// credential signs the verified half of a profile.
func (s *Server) credential(ctx context.Context, l *proof.Log, r *http.Request) ([]byte, error) {
	p, err := s.net.As("").Profile(ctx, r.PathValue("slug"))
	if err != nil {
		return nil, err
	}
	var about bytes.Buffer
	if err := encode(&about, struct {
		Status netkit.Status `json:"status"`
		netkit.BioVerified
		AsOf netkit.AsOf `json:"as_of"`
	}{p.Status, p.BioVerified, p.AsOf}); err != nil {
		return nil, err
	}
	return l.Credential(ctx, p.Slug, p.AsOf.Seq+1, bytes.TrimSpace(about.Bytes()))
}

// signedText documents an answer that is a signed text.
func signedText(what string, params ...*huma.Param) func(*mux, *huma.Operation) {
	return func(_ *mux, op *huma.Operation) {
		op.Parameters = params
		op.Responses["200"] = &huma.Response{Description: what, Content: map[string]*huma.MediaType{"text/plain": {}}}
	}
}

func pathOf(name, kind, doc string) *huma.Param {
	schema := &huma.Schema{Type: kind}
	if kind == huma.TypeInteger {
		schema.Minimum = ptr(0.0)
	}
	return &huma.Param{Name: name, In: "path", Required: true, Description: doc, Schema: schema}
}

package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/server/audio"
)

// recordingRoutes store and serve recordings and transcripts.
func (s *Server) recordingRoutes() []route {
	return []route{
		plain(catalog.UploadAudio, s.upload, upload[netkit.AudioRef]("audio/*")).streaming(),
		plain(catalog.UploadTranscript, s.uploadText, upload[netkit.TextRef]("text/*")).streaming(),
		plain(catalog.GetAudio, s.file, download("audio/*")),
		plain(catalog.GetTranscript, s.file, download("text/*")),
	}
}

func upload[O any](kind string) func(*mux, *huma.Operation) {
	return func(m *mux, op *huma.Operation) {
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{kind: {}}}
		op.Responses["200"] = answer[O](m, "Stored")
	}
}

func download(kind string) func(*mux, *huma.Operation) {
	return func(_ *mux, op *huma.Operation) {
		op.Parameters = []*huma.Param{
			{Name: "sha", In: "path", Required: true, Schema: &huma.Schema{Type: "string", Pattern: "^[0-9a-f]{64}$"}},
			{Name: "exp", In: "query", Schema: &huma.Schema{Type: "string"}, Description: "of a signed address"},
			{Name: "sig", In: "query", Schema: &huma.Schema{Type: "string"}, Description: "of a signed address"},
			{Name: "dispatch", In: "query", Schema: &huma.Schema{Type: "string", Pattern: "^[0-9]{1,20}$"}, Description: "id of a dispatch that names the file, as in the addresses of a manifest; without it the files of old dispatches take long to find"},
		}
		body := map[string]*huma.MediaType{kind: {}}
		op.Responses["200"] = &huma.Response{Description: "The file", Content: body}
		op.Responses["206"] = &huma.Response{Description: "The range asked for", Content: body}
	}
}

// answer describes a JSON answer of type O.
func answer[O any](m *mux, what string) *huma.Response {
	return &huma.Response{Description: what, Content: body[O](m).Content}
}

var errNoAudio = problem(503, code.NoAudio, "this network keeps no recordings", "ask its operator to configure a store")

// publisher refuses uploads from those who may publish nothing.
func (s *Server) publisher(ctx context.Context, v *request) error {
	if s.audio == nil {
		return errNoAudio
	}
	me, err := v.as().OwnProfile(ctx)
	if err != nil {
		return err
	}
	if v.principal.Kind != netkit.OperatorParty && (me.Status != netkit.Active || !slices.Contains(me.Roles, "correspondent")) {
		return &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.CorrespondentsOnly, What: "only a correspondent or an operator stores recordings", Next: "ask an operator for the role"}
	}
	return nil
}

// uploadOf is the upload of a visitor. Operators have no quota: they could lift
// it.
func (s *Server) uploadOf(v *request, size int64) audio.Upload {
	u := audio.Upload{By: v.caller.Slug, Bytes: size}
	if v.principal.Kind != netkit.OperatorParty {
		u.Quota = audio.Quota{Unpublished: s.limits().Unpublished, Day: s.limits().Recordings, Published: s.published, For: unpublishedFor}
	}
	return u
}

// published reports whether a dispatch of the last two days names a stored file.
func (s *Server) published(sha string) bool {
	var h netkit.Hash
	return h.UnmarshalText([]byte(sha)) == nil && s.net.AudioKeep(h)
}

// upload streams a recording to the store.
func (s *Server) upload(w http.ResponseWriter, r *http.Request, v *request) {
	err := s.publisher(r.Context(), v)
	if err == nil && r.ContentLength > s.limits().Audio {
		err = tooLarge(s.limits().Audio)
	}
	var b audio.Blob
	if err == nil {
		extendDeadlines(w, time.Now().Add(s.limits().Upload))
		b, err = s.audio.Put(r.Context(), s.uploadOf(v, r.ContentLength), &keylessReader{from: http.MaxBytesReader(w, r.Body, s.limits().Audio)})
	}
	s.storedAnswer(w, r, v, err, func(sha netkit.Hash) any {
		return netkit.AudioRef{SHA256: sha, Type: b.Type, Bytes: b.Bytes, Duration: netkit.Seconds(b.Duration / time.Millisecond)}
	}, &b)
}

// uploadText stores a transcript once it was searched for keys.
func (s *Server) uploadText(w http.ResponseWriter, r *http.Request, v *request) {
	err := s.publisher(r.Context(), v)
	var text []byte
	if err == nil {
		text, err = readBody(r, audio.MaxTextBytes, nil)
	}
	if at := findKey(text); at >= 0 {
		err = keyRefused("byte " + strconv.Itoa(at))
	}
	var b audio.Blob
	if err == nil {
		b, err = s.audio.PutText(r.Context(), s.uploadOf(v, int64(len(text))), bytes.NewReader(text))
	}
	s.storedAnswer(w, r, v, err, func(sha netkit.Hash) any { return netkit.TextRef{SHA256: sha, Type: b.Type} }, &b)
}

// storedAnswer answers an upload once another node keeps it too.
func (s *Server) storedAnswer(w http.ResponseWriter, r *http.Request, v *request, err error, ref func(netkit.Hash) any, b *audio.Blob) {
	if err != nil {
		s.refuse(w, r, s.storeRefusal(err))
		return
	}
	var sha netkit.Hash
	if err := sha.UnmarshalText([]byte(b.SHA256)); err != nil {
		s.refuse(w, r, err)
		return
	}
	extendDeadlines(w, time.Now().Add(s.limits().Upload))
	s.giveCopy(r.Context(), sha, v.caller.Slug)
	writeJSON(w, http.StatusOK, "application/json", ref(sha))
}

// storeRefusal tells a caller what a store did not like.
func (s *Server) storeRefusal(err error) error {
	var over *http.MaxBytesError
	switch what := strings.TrimPrefix(err.Error(), "audio: "); {
	case errors.Is(err, audio.ErrUnpublished):
		return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.RecordingsUnpublished, What: "with this upload you would hold more than " + strconv.FormatInt(s.limits().Unpublished, 10) + " bytes of recordings and transcripts that no dispatch names",
			Next: "publish what you have stored, or wait: what no dispatch names is removed a day later", After: time.Hour}
	case errors.Is(err, audio.ErrDay):
		now := s.now()
		return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.RecordingsDay, What: "with this upload you would store more than " + strconv.FormatInt(s.limits().Recordings, 10) + " bytes of recordings and transcripts today",
			Next: "go on after midnight UTC, or choose a lower bit rate", After: now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)}
	case errors.Is(err, audio.ErrTooLarge) || errors.As(err, &over):
		return tooLarge(s.limits().Audio)
	case errors.Is(err, audio.ErrUnsupported):
		return wrong("body", code.AudioUnsupported, "is refused: "+what, "send WAV, MP3 or Ogg Opus to {uploadAudio}, WebVTT or plain text to {uploadTranscript}")
	case errors.Is(err, audio.ErrDamaged):
		return wrong("body", code.AudioDamaged, "is refused: "+what, "export it again")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return problem(400, code.BodyUnreadable, "the body could not be read to its end", "send it again")
	}
	return err
}

// ownUpload returns a file that a party uploaded, held until release so that nothing
// removes it before a dispatch names it.
func (s *Server) ownUpload(ctx context.Context, field string, sha netkit.Hash, by string) (audio.Blob, func(), error) {
	if s.audio == nil {
		return audio.Blob{}, nil, errNoAudio
	}
	b, release, err := s.audio.Hold(sha.String(), by)
	if errors.Is(err, audio.ErrNotFound) && s.fetchCopy(ctx, sha, by) == nil { // uploaded to a node that wrote before
		b, release, err = s.audio.Hold(sha.String(), by)
	}
	if errors.Is(err, audio.ErrNotFound) {
		err = wrong(field, code.NotStored, "names nothing that you have stored here", "upload it yourself first and send what that answers")
	}
	return b, release, s.alarm(err)
}

// file serves a stored file to whoever may have it.
func (s *Server) file(w http.ResponseWriter, r *http.Request, v *request) {
	var sha netkit.Hash
	if s.audio == nil || sha.UnmarshalText([]byte(r.PathValue("sha"))) != nil {
		s.refuse(w, r, fileUnknown)
		return
	}
	// The journal is not searched for a file that is not there.
	f, b, fetched, damaged := s.openFile(r.Context(), sha)
	if damaged == nil {
		defer f.Close()
	}
	if errors.Is(damaged, audio.ErrNotFound) {
		s.refuse(w, r, fileUnknown)
		return
	}
	named, free, err := s.mayFetch(r, v, sha)
	switch {
	case err == nil && !named:
		err = fileUnknown
		if fetched { // erased meanwhile, or not published yet
			err = errors.Join(err, s.audio.RemoveCopy(sha.String(), s.published))
		}
	case err == nil:
		err = s.alarm(damaged)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	extendDeadlines(w, time.Now().Add(s.limits().Upload))
	h := w.Header()
	h.Set("Content-Type", contentType(b.Type))
	h.Set("Etag", strconv.Quote(b.SHA256))
	h.Set("Cache-Control", "private, max-age=3600")
	if free {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(&ranged{ResponseWriter: w, refuse: func() { s.refuse(w, r, errRange) }}, r, "", time.Time{}, f)
}

var fileUnknown = &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.FileUnknown, What: "there is no such recording", Next: "take the address from a manifest"}

// alarm reports a stored file that was altered to the log, and puts a problem in
// its place that says so.
func (s *Server) alarm(err error) error {
	if !errors.Is(err, audio.ErrAltered) {
		return err
	}
	s.log.Error("recording damaged", "error", err.Error())
	return errDamaged
}

var errDamaged = problem(500, code.RecordingDamaged, "the recording is damaged on the network's disk, and nothing of it is served", "ask an operator of this network to restore it from a backup")

var errRange = problem(416, code.Range, "the range lies outside the recording", "ask for bytes that there are, or for all of it")

// ranged puts a problem in place of the text that net/http writes when a
// range cannot be served.
type ranged struct {
	http.ResponseWriter
	refuse  func()
	refused bool
}

func (w *ranged) WriteHeader(status int) {
	if w.refused = status == http.StatusRequestedRangeNotSatisfiable; w.refused {
		w.refuse()
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *ranged) Write(b []byte) (int, error) {
	if w.refused {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

func contentType(kind string) string {
	if strings.HasPrefix(kind, "text/") {
		return kind + "; charset=utf-8"
	}
	return kind
}

// mayFetch reports whether a dispatch names a file and whether it is free, or
// refuses: it takes a free dispatch, a signed address, or an agent that has opened
// the dispatch.
func (s *Server) mayFetch(r *http.Request, v *request, sha netkit.Hash) (named, free bool, err error) {
	q := r.URL.Query()
	id, err := strconv.ParseUint(q.Get("dispatch"), 10, 64)
	if q.Has("dispatch") && err != nil {
		return false, false, wrong("query.dispatch", code.ValueWrong, "must be the id of a dispatch", "take the address from a manifest")
	}
	signed := q.Has("exp") || q.Has("sig")
	if signed {
		if err := s.signer.Verify(r.URL.Path, q, s.now()); err != nil {
			return false, false, &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.AddressRefused, What: strings.TrimPrefix(err.Error(), "audio: "), Next: "{readFeed} gives fresh ones"}
		}
	}
	named, free, err = s.net.As("").CanFetch(r.Context(), sha, id)
	may := free || signed
	if !may && named && err == nil && v.caller.Slug != "" {
		_, may, err = v.as().CanFetch(r.Context(), sha, id)
	}
	if !may && named && err == nil {
		err = &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.NotOpened, What: "this is not a free recording", Next: "take its signed address from a paid {readFeed}"}
	}
	return named, free, err
}

package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed assets/*.css assets/*.js assets/*.svg assets/*.ico
var assetFiles embed.FS

// asset is a file that pages refer to, compressed once.
type asset struct {
	kind       string
	plain, gzp []byte
}

// assets are the files by the name under which they are served, which holds a
// hash: a changed file has another name, and a name never changes its file.
type assets struct {
	files map[string]asset
	names map[string]string // file to address
}

func loadAssets() (assets, error) {
	a := assets{files: map[string]asset{}, names: map[string]string{}}
	list, err := assetFiles.ReadDir("assets")
	if err != nil {
		return a, fmt.Errorf("web: %w", err)
	}
	for _, f := range list {
		b, err := assetFiles.ReadFile("assets/" + f.Name())
		if err != nil {
			return a, fmt.Errorf("web: %w", err)
		}
		sum := sha256.Sum256(b)
		ext := path.Ext(f.Name())
		served := strings.TrimSuffix(f.Name(), ext) + "." + hex.EncodeToString(sum[:6]) + ext
		a.files[served] = asset{mime.TypeByExtension(ext), b, compress(b)}
		a.names[f.Name()] = "/static/" + served
	}
	return a, nil
}

// address returns where a file is served. Only templates ask, so a wrong name
// shows when the first page is drawn.
func (a *assets) address(file string) (string, error) {
	if at, ok := a.names[file]; ok {
		return at, nil
	}
	return "", fmt.Errorf("web: no asset %s", file)
}

func (a *assets) serve(w http.ResponseWriter, r *http.Request) {
	f, ok := a.files[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", `"`+r.PathValue("file")+`"`)
	send(w, r, http.StatusOK, f.plain, f.gzp)
}

// favicon is the mark for programs that look for it without reading a page.
func (a *assets) favicon(w http.ResponseWriter, r *http.Request) {
	f := a.files[path.Base(a.names["favicon.ico"])]
	h := w.Header()
	h.Set("Content-Type", "image/x-icon")
	h.Set("Cache-Control", "public, max-age=86400")
	send(w, r, http.StatusOK, f.plain, nil)
}

// send writes a body in the encoding that the reader takes. Without a
// compressed form it goes as it is.
func send(w http.ResponseWriter, r *http.Request, status int, plain, gzp []byte) {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	body := plain
	if gzp != nil && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = gzp
	}
	if tag := h.Get("ETag"); tag != "" && r.Header.Get("If-None-Match") == tag {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, bytes.NewReader(body)) // a reader that is gone has nobody to be told
	}
}

// takesGzip reads Accept-Encoding as far as browsers use it.
func takesGzip(r *http.Request) bool {
	for one := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(one), ";")
		if strings.TrimSpace(name) == "gzip" {
			q = strings.TrimPrefix(strings.TrimSpace(q), "q=")
			return q == "" || strings.Trim(q, "0.") != ""
		}
	}
	return false
}

func compress(b []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is a good one
	_, _ = z.Write(b)                                       // and a buffer takes everything
	_ = z.Close()
	return out.Bytes()
}

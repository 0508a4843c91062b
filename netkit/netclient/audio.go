package netclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// UploadAudio stores a recording (WAV, MP3 or Ogg Opus, at most 50 MiB) and
// returns what a dispatch names it by. The same content again is the same
// recording, so a retry reads from the beginning.
func (c *Client) UploadAudio(ctx context.Context, recording io.ReadSeeker) (netkit.AudioRef, error) {
	return upload[netkit.AudioRef](ctx, c, to(catalog.UploadAudio), recording)
}

// UploadTranscript stores a transcript, WebVTT or plain text.
func (c *Client) UploadTranscript(ctx context.Context, transcript io.ReadSeeker) (netkit.TextRef, error) {
	return upload[netkit.TextRef](ctx, c, to(catalog.UploadTranscript), transcript)
}

// Download copies a recording or transcript, as the manifest gives its
// address, to w, and returns how many bytes it was. It carries no token: the
// address itself is signed, or the dispatch is free. The address may be that of
// another server; one that redirects is refused.
func (c *Client) Download(ctx context.Context, address string, w io.Writer) (int64, error) {
	ref, err := url.Parse(address)
	if err != nil {
		return 0, errors.New("netclient: the recording's address is malformed; take it from the manifest as it is")
	}
	target := c.base.ResolveReference(ref)
	if target.Scheme != "http" && target.Scheme != "https" {
		return 0, errors.New("netclient: the recording's address is neither http nor https")
	}
	resp, err := c.http.R().SetContext(ctx).SetDoNotParseResponse(true).SetHeader("Accept", "*/*").Get(target.String())
	r := &request{method: http.MethodGet, path: target.Path}
	if err != nil {
		return 0, c.failure(ctx, r, err)
	}
	body := resp.RawBody()
	defer body.Close()
	if resp.StatusCode() != http.StatusOK {
		told, _ := io.ReadAll(io.LimitReader(body, 64<<10))
		return 0, refusal(resp.StatusCode(), resp.Header(), told)
	}
	n, err := io.Copy(w, io.LimitReader(body, maxRecording+1))
	switch {
	case err != nil:
		return n, c.failure(ctx, r, err)
	case n > maxRecording:
		return n, fmt.Errorf("%w: a recording has at most %d bytes", ErrTooLarge, maxRecording)
	}
	return n, nil
}

// maxRecording is the most that a network stores of one recording, in bytes.
const maxRecording = 50 << 20

package witness

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/proof"
)

// maxAnswer bounds what is read of a witness's answer, in bytes.
const maxAnswer = 64 << 10

// ask submits a checkpoint to a witness that is thought to have cosigned the
// first known entries. One that has seen another number says which, and is
// asked again from there. It returns the cosignature and what the witness has
// seen now.
func (f *Feeder) ask(ctx context.Context, p Peer, r *round, known uint64) (line []byte, size uint64, err error) {
	for range 2 {
		body, err := f.cfg.Log.Consistency(ctx, known, r.tree, r.signed)
		if err != nil {
			return nil, known, err
		}
		status, answer, err := f.post(ctx, p.URL+"/add-checkpoint", body)
		switch {
		case err != nil:
			return nil, known, err
		case status == http.StatusOK:
			line, err := proof.Cosignature(p.Key, r.signed, answer)
			if err != nil {
				return nil, known, err
			}
			return line, uint64(r.tree.N), nil
		case status != http.StatusConflict:
			return nil, known, refusal(status, answer)
		}
		seen, err := strconv.ParseUint(strings.TrimSuffix(string(answer), "\n"), 10, 63)
		if err != nil {
			return nil, known, fmt.Errorf("it refuses this history, having cosigned another of %d entries: %w", known, proof.ErrFork)
		}
		known = seen
	}
	return nil, known, fmt.Errorf("it has seen %d entries meanwhile: does another process show it the same log?", known)
}

// post sends one request.
func (f *Feeder) post(ctx context.Context, url string, body []byte) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	resp, err := f.cfg.Client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return resp.StatusCode, answer, err
}

// advice says what an operator can do about a refusal.
var advice = map[int]string{
	http.StatusForbidden:           "it trusts another key for this log; its operator has to name the one in log.pub",
	http.StatusNotFound:            "it does not know this log; its operator names the key in log.pub with --log",
	http.StatusUnprocessableEntity: "it finds that this history does not continue the one it has cosigned",
}

func refusal(status int, answer []byte) error {
	said, _, _ := strings.Cut(string(answer), "\n")
	if known, ok := advice[status]; ok {
		said = known
	}
	return fmt.Errorf("it answers %d: %.200s", status, strconv.QuoteToGraphic(said))
}

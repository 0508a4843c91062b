package cluster

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit/journal"
)

// errNotLeader means that the node that was asked does not lead.
var errNotLeader = errors.New("cluster: the node does not lead")

// ErrNoLeader means that no node leads, or that it cannot be reached: a majority of the
// voting nodes does not answer, or an election is under way.
var ErrNoLeader = errors.New("cluster: no node leads")

// answer is the reply to a call.
type answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  *wireError      `json:"error,omitempty"`
}

// wireError is an error on its way between nodes.
type wireError struct {
	Kind string    `json:"kind,omitempty"` // "" for an error that no caller branches on
	Text string    `json:"text"`
	Have *wireHead `json:"have,omitempty"`
	Want *wireHead `json:"want,omitempty"`
	To   string    `json:"to,omitempty"` // of a [journal.RetiredError]
}

// wireHead is a head on its way between nodes.
type wireHead struct {
	Size uint64 `json:"size"`
	Tip  string `json:"tip"`
}

func sendHead(h journal.Head) *wireHead { return &wireHead{h.Size, hex.EncodeToString(h.Tip[:])} }

func (w *wireHead) head() (h journal.Head, err error) {
	tip, err := hex.DecodeString(w.Tip)
	if err != nil || len(tip) != journal.HashSize {
		return h, fmt.Errorf("cluster: a node answered with the tip %q", w.Tip)
	}
	return journal.Head{Size: w.Size, Tip: [journal.HashSize]byte(tip)}, nil
}

// kinds are the errors that callers branch on.
var kinds = map[string]error{
	"not_leader": errNotLeader,
	"no_leader":  ErrNoLeader,
	"doubtful":   journal.ErrDoubtful,
	"bad_batch":  journal.ErrBadBatch,
	"claimed":    journal.ErrClaimed,
	"token":      errToken,
	"damaged":    ErrDamaged,
	"not_found":  journal.ErrNotFound,
	"retired":    journal.ErrRetired,
}

// encodeAnswer returns the reply that carries a result or an error.
func encodeAnswer(result any, err error) []byte {
	var out answer
	if err == nil {
		out.Result, err = json.Marshal(result)
	}
	if err != nil {
		out = answer{Error: &wireError{Text: err.Error()}}
		var moved *journal.HeadMovedError
		if errors.As(err, &moved) {
			out.Error.Have, out.Error.Want = sendHead(moved.Have), sendHead(moved.Want)
		}
		var retired *journal.RetiredError
		if errors.As(err, &retired) {
			out.Error.Have, out.Error.To = sendHead(retired.Head), retired.To
		}
		for kind, is := range kinds {
			if errors.Is(err, is) {
				out.Error.Kind = kind
			}
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		panic(fmt.Sprintf("cluster: an answer is JSON: %v", err))
	}
	return b
}

// decodeAnswer reads a reply into a result, or returns its error.
func decodeAnswer(b []byte, result any) error {
	var in answer
	if err := json.Unmarshal(b, &in); err != nil {
		return fmt.Errorf("cluster: a node answered with something else than expected: %w", err)
	}
	if in.Error == nil {
		if result == nil {
			return nil
		}
		return json.Unmarshal(in.Result, result)
	}
	if kinds[in.Error.Kind] == journal.ErrRetired && in.Error.Have != nil {
		head, err := in.Error.Have.head()
		return errors.Join(err, &journal.RetiredError{Head: head, To: in.Error.To})
	}
	if in.Error.Have != nil && in.Error.Want != nil {
		have, err := in.Error.Have.head()
		want, err2 := in.Error.Want.head()
		if err = errors.Join(err, err2); err != nil {
			return err
		}
		return &journal.HeadMovedError{Have: have, Want: want}
	}
	if is := kinds[in.Error.Kind]; is != nil {
		return &remoteError{in.Error.Text, is}
	}
	return errors.New(in.Error.Text)
}

// remoteError is the error of another node, in its words.
type remoteError struct {
	text string
	is   error
}

// Error implements error.
func (e *remoteError) Error() string { return e.text }

// Unwrap makes the error the one that callers branch on.
func (e *remoteError) Unwrap() error { return e.is }

package cluster

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
)

// caller reaches other nodes.
type caller interface {
	// call returns the reply of a node. errUnsent means that the node
	// did not get the call.
	call(ctx context.Context, to raft.ServerAddress, name string, body []byte) ([]byte, error)
	// batches yields the batches of a node's folder from the one that holds an entry.
	batches(ctx context.Context, to raft.ServerAddress, from uint64) iter.Seq2[journal.EngineBatch, error]
}

// errUnsent means that a node could not be reached.
var errUnsent = errors.New("cluster: a node is out of reach")

// ErrRemoved means that a node is no member of its cluster.
var ErrRemoved = errors.New("cluster: this node is no member of the cluster any more; stop it, or have it join again with netctl cluster invite and join")

// callTime bounds a call that its caller does not bound. A leader answers within the
// lease of its leadership, or ends it.
const callTime = 10 * time.Second

// httpCaller calls over the port of a node.
type httpCaller struct {
	client  *http.Client
	silence time.Duration // without a byte until a stream is given up
}

var _ caller = (*httpCaller)(nil)

func newCaller(m *member, k *keys) *httpCaller {
	config := k.clientConfig(m.Cluster, protocolHTTP)
	return &httpCaller{&http.Client{Transport: &http.Transport{
		TLSClientConfig: config, DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute, DisableCompression: true,
	}}, callTime}
}

func (c *httpCaller) call(ctx context.Context, to raft.ServerAddress, name string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+string(to)+"/"+name, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	reply, err := c.do(r)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	b, err := io.ReadAll(io.LimitReader(reply.Body, maxReply))
	if err != nil {
		return nil, fmt.Errorf("cluster: the answer of %s: %w", to, err)
	}
	return b, nil
}

// maxReply bounds a reply.
const maxReply = 1 << 20

func (c *httpCaller) do(r *http.Request) (*http.Response, error) {
	r.Header.Set(headerVersion, strconv.Itoa(version))
	reply, err := c.client.Do(r)
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return nil, fmt.Errorf("%w: %w", errUnsent, err)
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: calling %s: %w", r.URL.Host, err)
	}
	if err := refusedVersion(reply); err != nil {
		reply.Body.Close()
		return nil, err
	}
	if reply.StatusCode == http.StatusForbidden {
		reply.Body.Close()
		return nil, fmt.Errorf("%w, as %s says", ErrRemoved, r.URL.Host)
	}
	if reply.StatusCode != http.StatusOK {
		reply.Body.Close()
		return nil, fmt.Errorf("cluster: %s answered %s", r.URL.Host, reply.Status)
	}
	return reply, nil
}

func (c *httpCaller) batches(ctx context.Context, to raft.ServerAddress, from uint64) iter.Seq2[journal.EngineBatch, error] {
	return func(yield func(journal.EngineBatch, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		silent := time.AfterFunc(c.silence, func() { cancel(fmt.Errorf("%w: %s", errPaused, to)) })
		defer silent.Stop()
		if err := c.streamBatches(ctx, to, from, silent, yield); err != nil {
			yield(journal.EngineBatch{}, cmp.Or(context.Cause(ctx), err))
		}
	}
}

// errPaused means that a node, which may be paused, sends nothing more.
var errPaused = errors.New("cluster: a node does not answer")

// streamBatches yields the batches of a reply. The timer runs while it waits for the node.
func (c *httpCaller) streamBatches(ctx context.Context, to raft.ServerAddress, from uint64, silent *time.Timer, yield func(journal.EngineBatch, error) bool) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+string(to)+"/batches?from="+strconv.FormatUint(from, 10), nil)
	if err != nil {
		return err
	}
	reply, err := c.do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	in := bufio.NewReaderSize(&timedReader{reply.Body, silent, c.silence}, 64<<10)
	for {
		b, err := readBatch(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !yield(b, nil) {
			return nil
		}
	}
}

// timedReader has a timer run while a read waits.
type timedReader struct {
	io.Reader
	timer  *time.Timer
	within time.Duration
}

// Read implements [io.Reader].
func (r *timedReader) Read(p []byte) (int, error) {
	r.timer.Reset(r.within)
	defer r.timer.Stop()
	return r.Reader.Read(p)
}

// A frame of a stream is a byte for its kind, the length and the bytes.
// It ends with frameEnd, so that a stream that was cut is not taken for a whole one.
const (
	frameBatch = 1
	frameError = 2
	frameEnd   = 3
)

func writeFrame(w io.Writer, kind byte, b []byte) error {
	_, err := w.Write(append(binary.AppendUvarint([]byte{kind}, uint64(len(b))), b...))
	return err
}

// readBatch reads a batch of a stream; io.EOF is its end.
func readBatch(in *bufio.Reader) (journal.EngineBatch, error) {
	cut := func(err error) (journal.EngineBatch, error) {
		return journal.EngineBatch{}, fmt.Errorf("cluster: the stream of batches was cut: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	kind, err := in.ReadByte()
	if err != nil {
		return cut(err)
	}
	n, err := binary.ReadUvarint(in)
	if err != nil || n > maxEntry {
		return cut(err)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(in, b); err != nil {
		return cut(err)
	}
	switch kind {
	case frameBatch:
		_, batch, err := parseBatch(b)
		return batch, err
	case frameError:
		return journal.EngineBatch{}, decodeAnswer(b, nil)
	}
	return journal.EngineBatch{}, io.EOF
}

// peer is another node as an engine to copy from. It has no other method than Batches
// that may be called.
type peer struct {
	journal.Engine
	caller caller
	at     raft.ServerAddress
}

// Batches implements journal.Engine.
func (p peer) Batches(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	return p.caller.batches(ctx, p.at, from)
}

// Head implements journal.Engine; a copy asks for it only to describe a difference.
func (p peer) Head(context.Context) (journal.Head, error) {
	return journal.Head{}, errors.New("cluster: a copy does not ask for the head")
}

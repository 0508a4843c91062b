package netclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// ExecuteBulk executes in order and returns one outcome for each item. An item
// without an idempotency key gets one. It sends as many requests as the network's
// limits require, and sends items again that were refused for a moment, as for the
// rate, as long as each request brings some of them further.
func (c *Client) ExecuteBulk(ctx context.Context, in []netkit.BulkExecute) []netkit.Outcome[netkit.Execution] {
	return sendBulk[netkit.BulkExecute, netkit.Execution](ctx, c, catalog.ExecuteContracts, in, func(i *netkit.BulkExecute) *string { return &i.Key })
}

// AnswerAttentionBulk is [Client.ExecuteBulk] for answers.
func (c *Client) AnswerAttentionBulk(ctx context.Context, in []netkit.BulkAnswer) []netkit.Outcome[netkit.AttentionReceipt] {
	return sendBulk[netkit.BulkAnswer, netkit.AttentionReceipt](ctx, c, catalog.AnswerAttentions, in, func(i *netkit.BulkAnswer) *string { return &i.Key })
}

// bulkCall is the sending of one bulk.
type bulkCall[R any] struct {
	c     *Client
	op    *catalog.Operation
	lines [][]byte
	out   []netkit.Outcome[R]
}

func sendBulk[I, R any](ctx context.Context, c *Client, op *catalog.Operation, in []I, keyOf func(*I) *string) []netkit.Outcome[R] {
	b := &bulkCall[R]{c: c, op: op, lines: make([][]byte, len(in)), out: make([]netkit.Outcome[R], len(in))}
	var open []int
	for i, item := range in {
		line, err := c.bulkLine(&item, keyOf(&item))
		if err != nil {
			b.out[i].Err = err
			continue
		}
		b.lines[i] = line
		open = append(open, i)
	}
	ctx, cancel := c.limitTotal(ctx, to(op))
	defer cancel()
	for len(open) > 0 {
		n := b.fitting(open)
		b.settle(ctx, open[:n])
		open = open[n:]
	}
	return b.out
}

// bulkLine encodes an item, which gets an idempotency key if it has none.
func (c *Client) bulkLine(item any, key *string) (line []byte, err error) {
	if *key == "" {
		if *key, err = c.keyOf(context.Background()); err != nil {
			return nil, err
		}
	}
	if line, err = json.Marshal(item); err != nil {
		return nil, fmt.Errorf("netclient: %w", err)
	}
	return append(line, '\n'), nil
}

// fitting returns how many of the open items go into one request, at least one.
func (b *bulkCall[R]) fitting(open []int) int {
	size := 0
	for n, i := range open {
		if size += len(b.lines[i]); n == netkit.MaxBulkItems || n > 0 && size > netkit.MaxBulkBytes {
			return n
		}
	}
	return len(open)
}

// settle sends items until each has an outcome that lasts, or the retries without
// any progress are used up.
func (b *bulkCall[R]) settle(ctx context.Context, open []int) {
	for attempt := 0; ; attempt++ {
		left := b.attempt(ctx, open)
		if len(left) == 0 {
			return
		}
		if len(left) < len(open) {
			attempt = 0
		}
		open = left
		if attempt >= b.c.cfg.Retries || !b.c.rest(ctx, attempt, b.out[open[0]].Err) {
			return
		}
	}
}

// attempt sends items once and returns those that may be sent again.
func (b *bulkCall[R]) attempt(ctx context.Context, open []int) (left []int) {
	var payload bytes.Buffer
	for _, i := range open {
		payload.Write(b.lines[i])
	}
	r := to(b.op)
	r.lines = payload.Bytes()
	body, err := b.c.attempt(ctx, r, nil)
	answers := b.decode(body, len(open))
	for n, i := range open {
		switch {
		case err != nil:
			b.out[i].Err = err
		case n >= len(answers): // the answer broke off: asking again with the key settles it
			b.out[i].Err = &unreachable{b.c.hostOf(r) + " closed the connection before its answer was complete", ErrUnreachable}
		default:
			b.out[i] = answers[n]
		}
		if soon(b.out[i].Err) {
			left = append(left, i)
		}
	}
	return left
}

// soon reports whether the same item may succeed after a rest.
func soon(err error) bool {
	var r *netkit.Refusal
	return err != nil && temporary(err) && !(errors.As(err, &r) && r.After > maxRest)
}

// decode returns the outcomes of an answer, fewer than there are lines if it broke
// off.
func (b *bulkCall[R]) decode(body []byte, lines int) (all []netkit.Outcome[R]) {
	d := json.NewDecoder(bytes.NewReader(body))
	for len(all) < lines {
		var line netkit.BulkLine[R]
		if d.Decode(&line) != nil || line.Line != len(all)+1 {
			break
		}
		o := netkit.Outcome[R]{}
		switch {
		case line.Problem != nil:
			o.Err = line.Problem.Err()
		case line.Receipt != nil:
			o.Receipt = *line.Receipt
		}
		all = append(all, o)
	}
	return all
}

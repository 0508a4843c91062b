package network

import (
	"cmp"
	"context"
	"crypto/sha256"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// BulkPart is how many commands of a bulk one batch decides at most. A bulk enters
// the writer's queue part after part, each when the one before is durable, so that
// between two parts every command that waits has its turn.
const BulkPart = 100

// maxPartBytes bounds the private parts of one bulk part: it adds no more to a batch
// than one of the largest commands does.
const maxPartBytes = 64 << 10

// ExecuteBulk executes in order and returns one outcome for each item, when it is
// durable. An item that is refused undoes none of the others. Items carry their own
// idempotency keys; that of the context is not used.
//
// Refusals: agent_not_admitted, agents_only, already_executed, blackout,
// budget_paced, contract_closed, contract_ended, contract_exhausted,
// contract_unknown, data_mismatch, data_missing, data_unexpected, newcomers_share,
// not_matched, schema_erased, source_malformed, sources_missing, uncleared_limit.
func (ses *Session) ExecuteBulk(ctx context.Context, in []netkit.BulkExecute) []netkit.Outcome[netkit.Execution] {
	b := newBulk[netkit.Execution](ctx, ses, len(in))
	for i := range in {
		item := &in[i]
		if err := ses.checkSignal(ctx, &item.Execute); err != nil {
			b.refuse(err)
			continue
		}
		b.add(item.Key, item.Fingerprint, &rules.Execute{Execute: item.Execute}, (*signalText)(&item.Signal))
	}
	outcomes := b.finish()
	for i := range outcomes {
		if err := outcomes[i].Err; err != nil {
			outcomes[i].Err = ses.n.finished(ctx, in[i].CampaignID, err)
		}
	}
	return outcomes
}

// AnswerAttentionBulk is [Session.ExecuteBulk] for answers.
//
// Refusals: agents_only, attention_answered, attention_declined,
// attention_expired, attention_unknown.
func (ses *Session) AnswerAttentionBulk(ctx context.Context, in []netkit.BulkAnswer) []netkit.Outcome[netkit.AttentionReceipt] {
	b := newBulk[netkit.AttentionReceipt](ctx, ses, len(in))
	for i := range in {
		item := &in[i]
		if err := netkit.CheckText("body", item.Body, 1, 8000); err != nil {
			b.refuse(err)
			continue
		}
		c := &rules.AnswerAttention{AnswerAttention: item.AnswerAttention}
		b.add(item.Key, item.Fingerprint, c, c)
	}
	return b.finish()
}

// bulk runs commands in parts and collects their outcomes in order.
type bulk[R any] struct {
	ctx      context.Context
	ses      *Session
	outcomes []netkit.Outcome[R]

	part   []job // not yet submitted
	places []int // of the part's commands among the outcomes
	bytes  int   // of the part's private parts
}

func newBulk[R any](ctx context.Context, ses *Session, items int) *bulk[R] {
	room := min(items, BulkPart)
	return &bulk[R]{ctx: ctx, ses: ses, outcomes: make([]netkit.Outcome[R], 0, items),
		part: make([]job, 0, room), places: make([]int, 0, room)}
}

// refuse gives the next command its refusal.
func (b *bulk[R]) refuse(err error) { b.outcomes = append(b.outcomes, netkit.Outcome[R]{Err: err}) }

// add takes the next command, and submits the part before it if that is full.
func (b *bulk[R]) add(key string, fingerprint [32]byte, cmd receipted[R], text rules.Content) {
	by := b.ses.by
	by.Fingerprint = fingerprint
	stored, private, err := b.ses.n.seal(key, by, cmd, text)
	if err != nil {
		b.refuse(err)
		return
	}
	if len(b.part) == BulkPart || b.bytes+len(stored) > maxPartBytes {
		b.submit()
	}
	b.places = append(b.places, len(b.outcomes))
	b.outcomes = append(b.outcomes, netkit.Outcome[R]{})
	b.part = append(b.part, job{cmd: cmd, by: by, stored: stored, private: private, hash: sha256.Sum256(stored)})
	b.bytes += len(stored)
}

// submit has the clerk decide the part, waits until it is durable and notes the
// refusals and the receipts.
func (b *bulk[R]) submit() {
	if len(b.part) == 0 {
		return
	}
	err := b.ses.n.submit(b.ctx, &job{part: b.part, by: b.ses.by, done: make(chan error, 1)})
	for i := range b.part {
		j, out := &b.part[i], &b.outcomes[b.places[i]]
		if out.Err = cmp.Or(err, j.err); out.Err != nil {
			continue
		}
		var e *rules.Entry
		if e, out.Err = b.ses.n.entryOfJob(b.ctx, j); out.Err == nil {
			out.Receipt = j.cmd.(receipted[R]).Receipt(e)
		}
	}
	b.part, b.places, b.bytes = b.part[:0], b.places[:0], 0
}

// finish submits the remaining commands and returns the outcomes.
func (b *bulk[R]) finish() []netkit.Outcome[R] {
	b.submit()
	return b.outcomes
}

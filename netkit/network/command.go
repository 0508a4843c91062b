package network

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// keyScope names a key among those of its command's route: with the key hashed, as
// it is stored, and as earlier releases stored it.
func keyScope(cmd rules.Command, key string) (hashed, former string) {
	return cmd.Route() + "\x00" + hashedKey(key), cmd.Route() + "\x00" + key
}

// hashedKey is what the journal keeps of an idempotency key: a caller may have
// sent a secret as one.
func hashedKey(key string) string {
	h := sha256.Sum256([]byte(key))
	return "sha256:" + hex.EncodeToString(h[:])
}

// seal makes the private part of a command: content, idempotency key, salt.
func (n *Network) seal(key string, by netkit.Caller, cmd rules.Command, text rules.Content) ([]byte, *rules.Private, error) {
	if text == nil && key == "" && by.Token == 0 {
		return nil, nil, nil
	}
	p := &rules.Private{Token: by.Token}
	if _, err := io.ReadFull(n.rand, p.Salt[:]); err != nil {
		return nil, nil, fmt.Errorf("netkit: no randomness: %w", err)
	}
	if text != nil {
		p.Text = encodeText(text)
	}
	if key != "" {
		p.Scope, p.Former = keyScope(cmd, key)
		p.Print = by.Fingerprint
		if p.Print == [32]byte{} {
			b, err := json.Marshal(cmd)
			if err != nil {
				return nil, nil, fmt.Errorf("netkit: %w", err)
			}
			p.Print = sha256.Sum256(b)
		}
	}
	return p.Append(make([]byte, 0, len(p.Text)+320)), p, nil
}

// receipted is a command whose receipt follows from its first entry. The entry is
// nil where there was nothing to record.
type receipted[R any] interface {
	rules.Command
	Receipt(*rules.Entry) R
}

// run submits a command and waits for its receipt: the same entry, read back
// later, gives the same receipt.
func run[R any](ctx context.Context, ses *Session, cmd receipted[R], text rules.Content) (R, error) {
	r, _, err := perform(ctx, ses, cmd, text)
	return r, err
}

// perform is run for those who must know whether the receipt is a replay of
// an earlier one.
func perform[R any](ctx context.Context, ses *Session, cmd receipted[R], text rules.Content) (r R, replayed bool, err error) {
	j, err := ses.submit(ctx, cmd, text)
	if err != nil {
		return r, false, err
	}
	e, err := ses.n.entryOfJob(ctx, j)
	if err != nil {
		return r, j.replayed, err
	}
	return cmd.Receipt(e), j.replayed, nil
}

// do submits a command that has no receipt.
func do(ctx context.Context, ses *Session, cmd rules.Command) error {
	_, err := ses.submit(ctx, cmd, nil)
	return err
}

// submit has the clerk decide a command and waits until that is durable.
func (ses *Session) submit(ctx context.Context, cmd rules.Command, text rules.Content) (*job, error) {
	stored, p, err := ses.n.seal(netkit.KeyOf(ctx), ses.by, cmd, text)
	if err != nil {
		return nil, err
	}
	j := &job{cmd: cmd, by: ses.by, stored: stored, private: p, hash: sha256.Sum256(stored), done: make(chan error, 1)}
	return j, ses.n.submit(ctx, j)
}

// entryOfJob returns the entry that the receipt of a job is made of: its first one, or
// that of the earlier command that it repeats. It is nil where there was nothing to
// record.
func (n *Network) entryOfJob(ctx context.Context, j *job) (*rules.Entry, error) {
	switch {
	case j.replayed:
		return n.Entry(ctx, j.replay)
	case j.first.Fact == nil:
		return nil, nil
	}
	return &j.first, nil
}

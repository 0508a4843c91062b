package web

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/agentnet/netctl/netkit/proof"
)

// logView is the newest checkpoint of the log, with what checks it.
type logView struct {
	Key  string // public key of the log
	Size uint64 // entries that the checkpoint holds, 0 while there is none
	Root string
	// Cosigned are the witnesses that signed it too.
	Cosigned []string
}

// logView reads the newest checkpoint, nil where no log is signed. One that
// waits for its witnesses leaves the size at 0.
func (p *Pages) logView(ctx context.Context) (*logView, error) {
	if p.cfg.Log == nil {
		return nil, nil
	}
	d := &logView{Key: p.cfg.Log.Public()}
	text, err := p.cfg.Log.Checkpoint(ctx)
	if errors.Is(err, proof.ErrNotWitnessed) {
		return d, nil
	}
	if err != nil {
		return nil, fmt.Errorf("web: checkpoint: %w", err)
	}
	c, err := proof.OpenCheckpoint(p.cfg.Log.Policy(), text)
	if err != nil {
		return nil, fmt.Errorf("web: checkpoint: %w", err)
	}
	d.Size, d.Root, d.Cosigned = uint64(c.N), c.Hash.String(), c.Cosigned
	return d, nil
}

// visible writes what has no shape of its own, such as a mark that turns the
// direction of text, as JSON may write it: what a page shows of an entry must
// not read otherwise than its bytes.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

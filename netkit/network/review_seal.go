package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/rules"
)

// verdictText is the private part of a verdict.
type verdictText struct {
	text   string
	uphold bool
	named  []uint64 // executions that it upholds; none is all
	nonce  [32]byte
}

func (t *verdictText) Fields(c *wire.Codec) {
	wire.Str(c, "text", &t.text)
	c.Flag("uphold", &t.uphold)
	wire.List(c, "named", &t.named, wire.Number)
	c.Hash("nonce", &t.nonce)
}

// openVerdicts decides a case if the hidden verdicts of its panel agree.
func (n *Network) openVerdicts(ctx context.Context, id uint64) error {
	openings, err := n.openings(ctx, id)
	if err != nil {
		return err
	}
	err = do(ctx, n.As(netkit.NetworkActor), &rules.OpenCase{Case: id, Opened: openings})
	return unlessRefused(err)
}

// openings reads what the hidden verdicts of a case say. One whose private
// part is gone is left out.
func (n *Network) openings(ctx context.Context, id uint64) (all []rules.Opening, err error) {
	sealed, err := view(ctx, n, func(s *rules.State) ([]uint64, error) { return s.SealedVerdicts(id) })
	for _, entry := range sealed {
		var t verdictText
		there, err := n.text(ctx, entry, &t)
		if err != nil {
			return nil, err
		}
		if there {
			all = append(all, rules.Opening{Entry: entry, Uphold: t.uphold, Named: t.named, Nonce: t.nonce})
		}
	}
	return all, err
}

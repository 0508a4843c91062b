package network

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// LogKey returns the verifier key of the log's checkpoints that genesis
// names, "" where it names none.
func (n *Network) LogKey() string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.state.LogKey()
}

// begin writes entry 0.
func (n *Network) begin(ctx context.Context, g *netkit.Genesis) (journal.Head, error) {
	c := &rules.Found{Genesis: *g}
	if c.Constitution == nil {
		c.Constitution = netkit.Version1()
	}
	if c.Operator == "" {
		c.Operator = "operator"
	}
	if g.OperatorToken == (netkit.Token{}) {
		return journal.Head{}, fmt.Errorf("netkit: Genesis.OperatorToken is required; make one with NewToken")
	}
	at, err := n.time()
	if err != nil {
		return journal.Head{}, err
	}
	call := rules.Call{At: at, By: netkit.Caller{Slug: c.Operator}}
	if err := call.Decide(n.state, c); err != nil {
		return journal.Head{}, err
	}
	p := &rules.Private{Text: tokenText(g.OperatorToken.SHA256(), []netkit.Scope{netkit.ScopeAll}, 0)}
	if err := netkit.Fill(p.Salt[:], n.rand); err != nil {
		return journal.Head{}, err
	}
	stored := p.Append(nil)
	e := &rules.Entry{Private: sha256.Sum256(stored)}
	n.state.Enter(e, at, c.Operator, &call.Facts[0])
	r := journal.Record{Public: rules.AppendEntry(nil, e), Private: stored}
	var t journal.Tree
	nodes := t.Append(journal.Leaf(r.Public), nil)
	return n.store.Append(ctx, journal.Head{}, journal.Batch{Records: []journal.Record{r}, Nodes: nodes})
}

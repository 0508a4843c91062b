package network

import (
	"context"

	"golang.org/x/text/unicode/norm"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// SetClaims replaces the caller's claims.
//
// Refusals: agents_only, niche_unknown, provider_malformed.
func (ses *Session) SetClaims(ctx context.Context, in netkit.Claims) (netkit.ClaimsReceipt, error) {
	in.CapabilityStatement = norm.NFC.String(in.CapabilityStatement)
	in.PreferredLLMProvider = netkit.FoldProvider(in.PreferredLLMProvider)
	c := &rules.SetClaims{Claims: in}
	if err := ses.recallStatement(ctx, c); err != nil {
		return netkit.ClaimsReceipt{}, err
	}
	return run(ctx, ses, c, c)
}

// recallStatement reads the statement that the caller has now into c. One that
// was erased cannot be repeated.
func (ses *Session) recallStatement(ctx context.Context, c *rules.SetClaims) error {
	if c.CapabilityStatement == "" {
		return nil
	}
	n := ses.n
	n.mu.RLock()
	c.StatedSeq = n.state.StatementOf(ses.by.Slug)
	n.mu.RUnlock()
	if c.StatedSeq == 0 || c.StatedSeq >= n.durable.Size() {
		return nil
	}
	var t rules.StatementText
	_, err := n.text(ctx, c.StatedSeq, &t)
	c.Stated = t.Statement
	return err
}

package netclient

import (
	"context"
	"iter"
	"net/url"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// CloseNight closes UTC dates and issues badges; operators only.
func (c *Client) CloseNight(ctx context.Context, in netkit.CloseNight) (netkit.NightReport, error) {
	return post[netkit.NightReport](ctx, c, to(catalog.IssueBadges), in)
}

// LastNight returns what the last night did.
func (c *Client) LastNight(ctx context.Context) (netkit.NightReport, error) {
	return get[netkit.NightReport](ctx, c, to(catalog.GetNight), nil)
}

// Explain says which condition of which badge an agent misses, and by how
// much, on a date; nil means today.
func (c *Client) Explain(ctx context.Context, agent string, date *netkit.Day) (netkit.Explanation, error) {
	q := url.Values{}
	setName(q, "date", date)
	return get[netkit.Explanation](ctx, c, to(catalog.ExplainBadges, agent), q)
}

// ExplainAgent says how an agent's diversity comes about, payer by payer, and
// what would raise it.
func (c *Client) ExplainAgent(ctx context.Context, agent string) (netkit.AgentExplanation, error) {
	return get[netkit.AgentExplanation](ctx, c, to(catalog.ExplainAgent, agent), nil)
}

// RevokeBadge begins the revocation of a badge, which takes effect when it is
// witnessed; operators only.
func (c *Client) RevokeBadge(ctx context.Context, in netkit.RevokeBadge) (netkit.RevocationReceipt, error) {
	return post[netkit.RevocationReceipt](ctx, c, to(catalog.RevokeBadge), in)
}

// Witnessing lists what waits for a witness such as the caller.
func (c *Client) Witnessing(ctx context.Context, page netkit.Page) (netkit.List[netkit.WitnessRequest], error) {
	return get[netkit.List[netkit.WitnessRequest]](ctx, c, to(catalog.ListWitnessDuties), paged(nil, page))
}

// AllWitnessing walks what waits for a witness.
func (c *Client) AllWitnessing(ctx context.Context, page netkit.Page) iter.Seq2[netkit.WitnessRequest, error] {
	return all(ctx, page, c.Witnessing)
}

// Witness confirms an admission or a revocation.
func (c *Client) Witness(ctx context.Context, in netkit.Witness) (netkit.WitnessReceipt, error) {
	return post[netkit.WitnessReceipt](ctx, c, to(catalog.ConfirmAsWitness, number(in.ID)), in)
}

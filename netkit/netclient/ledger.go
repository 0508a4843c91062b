package netclient

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/proof"
)

// Entry returns the public part of one journal entry, as it is stored.
func (c *Client) Entry(ctx context.Context, seq uint64) (json.RawMessage, error) {
	return get[json.RawMessage](ctx, c, to(catalog.GetEntry, number(seq)), nil)
}

// Entries returns public parts from an entry on, at most limit of them.
func (c *Client) Entries(ctx context.Context, from uint64, limit int) (netkit.List[json.RawMessage], error) {
	return get[netkit.List[json.RawMessage]](ctx, c, to(catalog.ListEntries), url.Values{"from": {number(from)}, "limit": {strconv.Itoa(limit)}})
}

// AllEntries walks the public journal from an entry to its end: what an
// auditor recomputes everything from.
func (c *Client) AllEntries(ctx context.Context, from uint64) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for {
			list, err := c.Entries(ctx, from, 200)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, e := range list.Items {
				if !yield(e, nil) {
					return
				}
			}
			if len(list.Items) == 0 {
				return
			}
			from += uint64(len(list.Items))
		}
	}
}

// ErasePrivate erases the private part of an entry for ever; operators only.
func (c *Client) ErasePrivate(ctx context.Context, in netkit.ErasePrivate) (netkit.ErasureReceipt, error) {
	return post[netkit.ErasureReceipt](ctx, c, to(catalog.ErasePrivate, number(in.Entry)), in)
}

// Statement lists what was posted to an account, newest first.
func (c *Client) Statement(ctx context.Context, account netkit.Account, page netkit.Page) (netkit.List[netkit.StatementLine], error) {
	return get[netkit.List[netkit.StatementLine]](ctx, c, to(catalog.GetStatement, account.String()), paged(nil, page))
}

// AllStatement walks a whole statement.
func (c *Client) AllStatement(ctx context.Context, account netkit.Account, page netkit.Page) iter.Seq2[netkit.StatementLine, error] {
	return all(ctx, page, func(ctx context.Context, page netkit.Page) (netkit.List[netkit.StatementLine], error) {
		return c.Statement(ctx, account, page)
	})
}

// Balance returns what an account holds.
func (c *Client) Balance(ctx context.Context, account netkit.Account) (netkit.AccountBalance, error) {
	return get[netkit.AccountBalance](ctx, c, to(catalog.GetBalance, account.String()), nil)
}

// BalanceAt returns the balance of an account at a time in the past.
func (c *Client) BalanceAt(ctx context.Context, account netkit.Account, at netkit.Millis) (netkit.AccountBalance, error) {
	return get[netkit.AccountBalance](ctx, c, to(catalog.GetBalance, account.String()), url.Values{"at": {at.String()}})
}

// Conservation sums all accounts, which is always 0.
func (c *Client) Conservation(ctx context.Context) (netkit.Books, error) {
	return get[netkit.Books](ctx, c, to(catalog.GetConservation), nil)
}

// Checkpoint returns the newest signed checkpoint of the journal, with the
// cosignatures of its witnesses. Open it with [proof.OpenCheckpoint].
func (c *Client) Checkpoint(ctx context.Context) ([]byte, error) {
	return c.send(ctx, to(catalog.GetCheckpoint))
}

// Tile returns a tile of the journal's log by its path of c2sp.org/tlog-tiles,
// such as tile/0/000 or tile/entries/000.p/7.
func (c *Client) Tile(ctx context.Context, path string) ([]byte, error) {
	return c.send(ctx, to(catalog.GetTile, strings.TrimPrefix(path, "tile/")))
}

// Proof returns the proof that an entry is in the journal, for [proof.Verify].
func (c *Client) Proof(ctx context.Context, seq uint64) ([]byte, error) {
	return c.send(ctx, to(catalog.ProveEntry, number(seq)))
}

// Credential returns what the network computed of an agent, signed, for
// [proof.OpenCredential].
func (c *Client) Credential(ctx context.Context, slug string) ([]byte, error) {
	return c.send(ctx, to(catalog.GetCredential, slug))
}

// LogInfo returns the keys by which all of that is verified. Whoever does not
// trust the network gets them from somebody else.
func (c *Client) LogInfo(ctx context.Context) (proof.Info, error) {
	return get[proof.Info](ctx, c, to(catalog.GetLogKey), nil)
}

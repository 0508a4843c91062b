package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/raft"
)

// Client asks the nodes of a cluster with the certificate of one of them, which need not
// run. Make one with [NewClient].
type Client struct {
	orders
	caller caller
}

// NewClient reads the certificate and the known addresses of members from the folder of
// a node. It returns [ErrNoMember] for another folder.
func NewClient(dir string) (*Client, error) {
	m, k, err := loadMember(dir)
	if err != nil {
		return nil, err
	}
	c := &Client{caller: newCaller(m, k)}
	c.orders = orders{member: m, authority: k.ca, ask: c.askLeader}
	return c, nil
}

// Name returns the name of the node whose folder the client read.
func (c *Client) Name() string { return nameOf(raft.ServerID(c.member.ID)) }

// Status returns the cluster as the first node that answers sees it, the client's own
// node before others.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var out Status
	var failed error
	for _, at := range append([]string{c.member.Address}, c.member.Peers...) {
		err := c.askNode(ctx, at, &out)
		if err == nil || errors.Is(err, ErrRemoved) {
			return out, err
		}
		failed = errors.Join(failed, err)
	}
	return out, fmt.Errorf("cluster: no node answers, of those that the folder of %s knows: %w", c.Name(), failed)
}

// askNode asks one node for the status. A node that is paused does not answer, and one
// that runs waits for such a member.
func (c *Client) askNode(ctx context.Context, at string, out *Status) error {
	ctx, cancel := context.WithTimeout(ctx, 2*statusTime)
	defer cancel()
	reply, err := c.caller.call(ctx, raft.ServerAddress(at), callCluster, nil)
	if err != nil {
		return err
	}
	return decodeAnswer(reply, out)
}

// askLeader has the leader carry out a call.
func (c *Client) askLeader(ctx context.Context, name string, body []byte, result any) error {
	s, err := c.Status(ctx)
	if err != nil {
		return err
	}
	for _, m := range s.Members {
		if !m.Leader {
			continue
		}
		reply, err := c.caller.call(ctx, raft.ServerAddress(m.Address), name, body)
		if err != nil {
			return err
		}
		return decodeAnswer(reply, result)
	}
	return ErrNoLeader
}

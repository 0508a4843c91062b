package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server"
)

func nodeList(a *app) *cobra.Command {
	return a.verb(verb{use: "list", short: "List the nodes of a network: which one writes, which run, how far each is", offline: true,
		long: `List the nodes that share the journal of this network, as the server on the folder of
--data sees them, itself first: which one writes, which were heard of in the last ten
seconds, and how many entries each folder has. A node that ended leaves the list; one
that was killed stays for an hour.`,
		run: func(c *call) error {
			dir, err := c.localDir()
			if err != nil {
				return err
			}
			nodes, err := c.askNodes(dir)
			if err != nil {
				return err
			}
			if !c.table() {
				return c.show(nodes, nil)
			}
			return rowsOut(c, nodes,
				column[server.NodeView]{"NODE", func(n server.NodeView) string { return n.Node }},
				column[server.NodeView]{"ADDRESS", func(n server.NodeView) string { return n.Address }},
				column[server.NodeView]{"ROLE", func(n server.NodeView) string { return map[bool]string{true: "writes", false: "follows"}[n.Writes] }},
				column[server.NodeView]{"RUNS", func(n server.NodeView) string { return map[bool]string{true: "yes", false: "no"}[n.Runs] }},
				column[server.NodeView]{"ENTRIES", func(n server.NodeView) string { return strconv.FormatUint(n.Entries, 10) }})
		}})
}

// askNodes asks the server on a folder for the list of nodes.
func (c *call) askNodes(dir string) ([]server.NodeView, error) {
	r, ok := findRunning(c.ctx, dir)
	if !ok {
		return nil, because(netkit.ErrUnavailable, "no server runs on %s; start it with netctl serve --journal, or give the folder of another node with --data", dir)
	}
	to, err := newLocalTransport(r, "")
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(c.ctx, http.MethodGet, r.URL+server.NodeListPath, nil)
	if err != nil {
		return nil, err
	}
	resp, err := to.RoundTrip(req)
	if err != nil {
		return nil, because(netkit.ErrUnavailable, "the server at %s does not answer: %s", r.URL, plainly(err))
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		return nil, because(netkit.ErrNotFound, "the network in %s is served by one server, which shares its journal with no other", dir)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, because(netkit.ErrUnavailable, "the server at %s answers %s", r.URL, resp.Status)
	}
	var nodes []server.NodeView
	return nodes, json.Unmarshal(text, &nodes)
}

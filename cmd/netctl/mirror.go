package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"filippo.io/torchwood"
	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
)

func ledgerMirror(a *app) *cobra.Command {
	return a.verb(verb{use: "mirror DIR", short: "Copy the log of the journal into a folder, or carry a copy on", args: exactly("DIR"), files: true,
		long: `Copy the log of the journal into a folder: its newest checkpoint, its tiles and
its entries, as files under the paths by which they are served. Any server of
plain files can publish the folder, and netctl ledger verify --from DIR audits it
without the network. What a folder has already is not fetched again.`,
		run: func(c *call) error {
			size, fetched, err := c.mirror(c.args[0])
			if err == nil {
				c.talk("%s holds the first %s; %s fetched", c.args[0], plural.Count(size, "entry", "entries"), plural.Count(fetched, "file was", "files were"))
			}
			return err
		}})
}

// mirror copies what the newest checkpoint stands for. The checkpoint is
// written last: whatever ends the copying before leaves a folder that holds
// what its checkpoint says.
func (c *call) mirror(dir string) (size int64, fetched int, err error) {
	info, err := c.net.LogInfo(c.ctx)
	if err != nil {
		return 0, 0, err
	}
	text, err := c.net.Checkpoint(c.ctx)
	if err != nil {
		return 0, 0, err
	}
	policy, err := proof.NewPolicy(info.Key, nil, 0)
	if err != nil {
		return 0, 0, err
	}
	head, err := proof.OpenCheckpoint(policy, text)
	if err != nil {
		return 0, 0, err
	}
	progress := c.progress()
	tiles := audit.Tiles(head.N)
	for i, t := range tiles {
		got, err := c.mirrorTile(dir, torchwood.TilePath(t))
		if err != nil {
			return 0, fetched, err
		}
		if got {
			fetched++
		}
		if progress != nil {
			progress(uint64(head.N)*uint64(i+1)/uint64(len(tiles)), uint64(head.N))
		}
	}
	return head.N, fetched, private.WriteFile(filepath.Join(dir, "checkpoint"), text)
}

// mirrorTile fetches a tile, unless it is there: a tile of a path never changes.
func (c *call) mirrorTile(dir, path string) (fetched bool, err error) {
	file := filepath.Join(dir, filepath.FromSlash(path))
	if _, err := os.Lstat(file); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	data, err := c.net.Tile(c.ctx, path)
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return true, private.WriteFile(file, data)
}

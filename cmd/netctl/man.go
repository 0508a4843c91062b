package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func manCommand(a *app) *cobra.Command {
	return a.verb(verb{use: "man DIR", short: "Write manual pages, one for each command and each document", args: exactly("DIR"), offline: true, files: true,
		long: `Write manual pages into a folder: one in section 1 for each command, one in section
7 for each document of netctl help. With SOURCE_DATE_EPOCH they carry that date.`,
		run: func(c *call) error { return manPages(c.set.cmd.Root(), c.args[0]) }})
}

// manPages writes the pages of all commands.
func manPages(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	source := "netctl " + version()
	root.DisableAutoGenTag = true
	describe(root)
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: source, Manual: "netctl"}, dir); err != nil {
		return err
	}
	for _, topic := range root.Commands() {
		if !topic.IsAdditionalHelpTopicCommand() {
			continue
		}
		f, err := os.Create(filepath.Join(dir, "netctl-"+topic.Name()+".7"))
		if err != nil {
			return err
		}
		if err := doc.GenMan(topic, &doc.GenManHeader{Section: "7", Source: source, Manual: "netctl"}, f); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// describe gives each command its examples.
func describe(cmd *cobra.Command) {
	if cmd.Runnable() && cmd.HasParent() {
		cmd.Example = examplesOf(cmd)
	}
	for _, sub := range cmd.Commands() {
		describe(sub)
	}
}

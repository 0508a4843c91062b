package main

import (
	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/server/guide"
)

// topicCommands are the documents of the guide as help topics.
func topicCommands() (all []*cobra.Command) {
	for _, t := range guide.Topics() {
		all = append(all, &cobra.Command{Use: t.Name, Short: t.Short, Long: t.Title + "\n\n" + t.Text})
	}
	return all
}

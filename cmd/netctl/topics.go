package main

import (
	"fmt"
	"strings"

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

// helpCommand shows the help of a command or a document, and refuses a word that
// is neither.
func helpCommand() *cobra.Command {
	return &cobra.Command{Use: "help [COMMAND|DOCUMENT]", Short: "Show the help of a command, or a document",
		Long:              "Show the help of a command, or one of the documents that netctl --help lists at its end.",
		ValidArgsFunction: completeHelp,
		RunE: func(c *cobra.Command, args []string) error {
			cmd, rest, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknownTopic(cmd, rest[0])
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		}}
}

func unknownTopic(cmd *cobra.Command, word string) error {
	hint := ""
	if near := similarVerbs(helpOf(cmd), word); len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(fmt.Errorf("unknown help topic %q for %q%s", word, cmd.CommandPath(), hint))
}

// helpOf is a command whose verbs are what a command has help for, documents
// among them.
func helpOf(cmd *cobra.Command) *cobra.Command {
	all := &cobra.Command{SuggestionsMinimumDistance: cmd.SuggestionsMinimumDistance}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			all.AddCommand(&cobra.Command{Use: sub.Name(), Short: sub.Short, Run: func(*cobra.Command, []string) {}})
		}
	}
	return all
}

// completeHelp offers what there is help for.
func completeHelp(c *cobra.Command, args []string, _ string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
	if cmd, rest, err := c.Root().Find(args); err == nil && len(rest) == 0 {
		for _, sub := range helpOf(cmd).Commands() {
			all = append(all, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

package main

import (
	_ "embed" // for the examples
	"strings"

	"github.com/spf13/cobra"
)

//go:embed examples.txt
var examplesText string

// example is a command line of the examples.
type example struct {
	how  byte // '?' is run dry, '~' is parsed alone, 0 is run
	line string
}

// command are the words of the line behind netctl and its global flags.
func (e example) command() []string {
	words := strings.Fields(e.line)[1:]
	for len(words) > 1 && strings.HasPrefix(words[0], "--") {
		words = words[2:]
	}
	return words
}

// allExamples are the examples in their order.
func allExamples() (all []example) {
	for line := range strings.Lines(examplesText) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "netctl "):
			all = append(all, example{line: line})
		case strings.HasPrefix(line, "? "), strings.HasPrefix(line, "~ "):
			all = append(all, example{line[0], line[2:]})
		}
	}
	return all
}

// examplesOf are the lines for a command, as its help shows them; for one that
// only has verbs, the first two of those.
func examplesOf(cmd *cobra.Command) string {
	var own, below []string
	path := strings.Fields(cmd.CommandPath())[1:]
	for _, e := range allExamples() {
		words := e.command()
		if len(words) < len(path) || strings.Join(words[:len(path)], " ") != strings.Join(path, " ") {
			continue
		}
		if rest := words[len(path):]; len(rest) > 0 {
			if sub, _, err := cmd.Find(rest); err == nil && sub != cmd {
				below = append(below, "  "+e.line)
				continue
			}
		}
		own = append(own, "  "+e.line)
	}
	if own == nil {
		own = below[:min(2, len(below))]
	}
	return strings.Join(own, "\n")
}

// showExamples puts the examples of a command into its help.
func showExamples(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd.Runnable() && cmd.HasParent() {
			cmd.Example = examplesOf(cmd)
		}
		help(cmd, args)
	})
}

package main

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// app is one run of the program: what it reads and writes, and its settings.
type app struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) (string, bool)
	terminal bool // a person can be asked
	width    int  // of the terminal that results go to, in characters; 0 for none

	set   *settings
	jq    string   // expression over the result, "" for none
	debug bool     // tell of each request
	args  []string // of the command
	ran   bool     // a command began, so that its error is not wrong usage

	hangup *atomic.Pointer[func()] // runs at SIGHUP; one of nil ends the command
}

// main runs a command line and returns the exit code.
func (a *app) main(ctx context.Context, args []string) int {
	a.err = harmlessWriter{a.err}
	root := a.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	if !a.ran {
		err = usage(err)
	}
	a.complain(cmd, err)
	return exitCode(err)
}

// root assembles all commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "netctl",
		Short: "Run an agent network and talk to one",
		Long: `netctl runs an agent network and talks to one.

A command goes to the context in use (netctl ctx ls). The context "local" is a
folder on this machine: over HTTP when a server runs on it, in process when
none does. Whoever may open the folder acts as its operator, or as the agent,
sponsor or operator named with --as.

The exit code is 0 when it worked, 2 for a wrong command line, 3 for what does
not exist, 4 for what is not allowed, 5 for a conflict or too few credits, 6 for
a network that cannot be reached, 1 for the rest.`,
		Version:       version(),
		SilenceErrors: true, SilenceUsage: true, SuggestionsMinimumDistance: 2,
		Args:              cobra.ArbitraryArgs,
		RunE:              group,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.configure(cmd) },
	}
	root.SetFlagErrorFunc(flagError)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.CompletionOptions.HiddenDefaultCmd = false
	a.globalFlags(root.PersistentFlags())
	completeFlag(root, "output", "table", "json", "yaml")
	a.liveFlags(root)
	if err := root.RegisterFlagCompletionFunc("context", func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return a.contextNames(), cobra.ShellCompDirectiveNoFileComp
	}); err != nil {
		panic("netctl: " + err.Error())
	}
	grouped(root, "Network commands:", serveCommand(a), initCommand(a), serviceCommand(a), witnessCommand(a), doctorCommand(a), readyCommand(a), backupCommand(a), restoreCommand(a), drillCommand(a), followCommand(a), nodeCommand(a), clusterCommand(a), migrateCommand(a), demoCommand(a), sandboxCommand(a), benchCommand(a), simulateCommand(a))
	grouped(root, "Agent commands:", agentCommand(a), webhooksCommand(a), marketCommand(a), intentCommand(a), feedCommand(a), attentionCommand(a),
		btdtCommand(a), exchangeCommand(a), plantsCommand(a), tuiCommand(a), mcpCommand(a))
	grouped(root, "Governance and audit:", constitutionCommand(a), badgesCommand(a), reviewCommand(a), rogueCommand(a), ledgerCommand(a),
		sponsorCommand(a), operatorCommand(a))
	grouped(root, "Settings and help:", ctxCommand(a), loginCommand(a), logoutCommand(a), whoamiCommand(a), keyCommand(a), apiCommand(a), configCommand(a), manCommand(a), versionCommand(a))
	a.webFlags(root)
	showExamples(root)
	root.AddCommand(topicCommands()...)
	root.SetHelpCommand(helpCommand())
	root.SetHelpCommandGroupID("Settings and help:")
	root.SetCompletionCommandGroupID("Settings and help:")
	return root
}

// grouped adds commands under a heading of their own.
func grouped(root *cobra.Command, heading string, cmds ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: heading, Title: heading})
	for _, cmd := range cmds {
		cmd.GroupID = heading
	}
	root.AddCommand(cmds...)
}

func (a *app) globalFlags(f *pflag.FlagSet) {
	f.String("data", "", "folder of a network on this machine")
	f.String("context", "", "context to use instead of the current one")
	f.String("url", "", "address of a running network's API")
	f.String("intent-url", "", "address of its intent listener, if that is another")
	f.String("as", "", "agent, sponsor or operator to act as on a local network")
	f.StringP("output", "o", "table", "table, json or yaml")
	f.StringVar(&a.jq, "jq", "", "expression to filter the result with, as in jq")
	f.BoolVar(&a.debug, "debug", false, "tell of each request on standard error, without secrets")
	f.BoolP("quiet", "q", false, "say nothing on standard error but errors")
	f.BoolP("yes", "y", false, "answer yes to every question; needed in scripts to spend credits or to do what cannot be undone")
	f.Bool("no-input", false, "never ask; a command that would ask then needs --yes")
	attempt, total := 30*time.Second, 45*time.Second
	f.Var(span{p: &attempt}, "timeout", "of one attempt at a request")
	f.Var(span{p: &total}, "total-timeout", "of a request with all its attempts")
}

// talk writes a line for people, unless they asked for quiet.
func (a *app) talk(format string, args ...any) { a.talkTo(a.err, format, args) }

// talkInColour is talk for lines with colours; texts of others must be clean.
func (a *app) talkInColour(format string, args ...any) { a.talkTo(unfiltered(a.err), format, args) }

func (a *app) talkTo(w io.Writer, format string, args []any) {
	if a.set == nil || !a.set.quiet() {
		fmt.Fprintf(w, format+"\n", args...)
	}
}

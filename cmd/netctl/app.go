package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
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
	grouped(root, "Network commands:", serveCommand(a), initCommand(a), witnessCommand(a), doctorCommand(a), demoCommand(a), sandboxCommand(a), benchCommand(a), simulateCommand(a))
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

// group is what a command without a verb does: it shows its verbs, and refuses
// a verb that it does not have.
func group(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	near := meant(cmd, args[0])
	hint := "see " + cmd.CommandPath() + " --help"
	word := strings.TrimPrefix(cmd.CommandPath()+" "+args[0], "netctl ")
	switch answer, known := otherAnswers[word]; {
	case known:
		hint = answer
	case len(near) > 0:
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(fmt.Errorf("unknown command %q for %q; %s", args[0], cmd.CommandPath(), hint))
}

// flagError refuses a verb that a group does not have before the flags behind it.
func flagError(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return group(cmd, args)
	}
	return nearFlag(cmd, err)
}

// nearFlag adds to the refusal of an unknown flag those that begin like it or are
// spelled like it.
func nearFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var near cobra.Command
	near.SuggestionsMinimumDistance = 2
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			near.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	names := near.SuggestionsFor(unknown.GetSpecifiedName())
	if len(names) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean --%s?", err, strings.Join(names, " or --"))
}

// synonyms are verbs that other programs have, with those that may stand for
// them here.
var synonyms = map[string][]string{
	"list": listing, "ls": listing, "file": {"report", "register"}, "context": {"ctx"}, "contexts": {"ctx"}, "settings": {"config"}, "get": showing, "view": showing, "describe": showing, "info": showing, "cat": showing, "read": showing, "show": showing,
	"create": {"new", "new-key", "open", "spawn", "add", "admit", "issue", "publish", "register", "send", "report", "execute"},
	"add":    {"admit", "open", "register", "spawn"}, "new": {"open", "spawn", "add"},
	"delete": {"rm", "close", "revoke", "erase-private", "decline"}, "remove": {"rm", "revoke"}, "rm": {"revoke", "close"}, "cancel": {"close", "decline"},
	"reply": {"respond"}, "answer": {"respond"}, "reject": {"decline"}, "update": {"set", "claims"}, "edit": {"set", "claims"}, "switch": {"use"},
}

// listing are the verbs that list things.
var listing = []string{"ls", "inbox", "sent", "queue", "status"}

// otherAnswers answers words that no command of a group stands for, by the path of
// the command line.
var otherAnswers = map[string]string{
	"operator ls": operatorsAre, "operator list": operatorsAre, "operator show": operatorsAre,
	"show": nounFirst, "describe": nounFirst, "get": nounFirst, "view": nounFirst, "ls": nounFirst, "list": nounFirst,
}

const (
	operatorsAre = "netctl ledger ls --kind operator.added lists the operators that were added, netctl ledger show 0 the first one"
	nounFirst    = "name the kind of thing first, as in netctl agent show AGENT, netctl market ls or netctl ledger show ENTRY"
)

// showing are the verbs that show one thing, or the list that it is in.
var showing = []string{"show", "statement", "status", "explain", "spend", "ls"}

// meant are the verbs that a word may have been meant for: those that say the
// same, or else those that are spelled like it.
func meant(cmd *cobra.Command, word string) (near []string) {
	for _, s := range synonyms[strings.ToLower(word)] {
		if verb, _, err := cmd.Find([]string{s}); err == nil && verb != cmd {
			near = append(near, s)
		}
	}
	if len(near) > 0 {
		return near[:min(len(near), 3)]
	}
	return cmd.SuggestionsFor(word)
}

// noun makes a command that only groups verbs.
func noun(use, short string, verbs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, RunE: group, SuggestionsMinimumDistance: 2, ValidArgsFunction: cobra.NoFileCompletions}
	cmd.AddCommand(verbs...)
	return cmd
}

// verb is what a command is called, takes and does.
type verb struct {
	use, short string
	long       string
	args       cobra.PositionalArgs // nil takes none
	flags      func(*pflag.FlagSet)
	needs      []string        // flags that must be given
	bound      string          // flag that bounds what it spends: where it is given, nobody is asked in a script
	files      bool            // its arguments are files, for completion
	offer      func() []string // what its first argument may be, for completion; nil if that is unknown
	changes    bool            // it changes something: --dry-run and --key apply
	list       bool            // it prints a list: --limit applies
	empty      string          // what it says of an empty list: that there is nothing, and the next command
	offline    bool            // it needs no network
	folder     func() bool     // reports whether it reads a folder by itself this time
	run        func(*call) error
}

// call is one run of a verb.
type call struct {
	*app
	ctx     context.Context
	args    []string
	net     *netclient.Client // nil for a verb that is offline
	where   *connection
	limit   int    // of a list, 0 is all
	watched bool   // the list is drawn again when something happens
	empty   string // what to say of an empty list
	dry     bool   // show what would be sent and send nothing
	key     string // idempotency key, "" for one made here
	costs   string
	bound   string // flag that bounds what is spent, "" for none
	agree   bool   // that flag was given
}

// verb makes the command.
func (a *app) verb(v verb) *cobra.Command {
	if v.args == nil {
		v.args = cobra.NoArgs
	}
	if v.list && v.empty == "" {
		panic("netctl: " + v.use + " lists, and does not say what to do when the list is empty")
	}
	c := &call{app: a, empty: v.empty}
	cmd := &cobra.Command{Use: v.use, Short: v.short, Long: v.long, Args: v.args}
	switch {
	case v.offer != nil:
		cmd.ValidArgsFunction = first(v.offer)
	case !v.files:
		cmd.ValidArgsFunction = a.live(v.use)
	}
	v.addFlags(c, cmd.Flags())
	completeFlags(cmd)
	a.liveFlags(cmd)
	for _, name := range v.needs {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic("netctl: " + err.Error())
		}
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.ran, a.args = true, args
		c.ctx, c.args = cmd.Context(), args
		c.bound, c.agree = v.bound, v.bound != "" && cmd.Flags().Changed(v.bound)
		if c.key != "" {
			c.ctx = netkit.WithKey(c.ctx, c.key)
		}
		return c.start(&v)
	}
	return cmd
}

// addFlags gives a command its own flags and those that all of its sort have.
func (v *verb) addFlags(c *call, f *pflag.FlagSet) {
	if v.flags != nil {
		v.flags(f)
	}
	if v.changes {
		f.BoolVar(&c.dry, "dry-run", false, "show what would be sent and what it costs, and send nothing")
		f.StringVar(&c.key, "key", "", "idempotency key: one per purchase; use it again to repeat a command whose answer was lost")
	}
	if v.list {
		f.IntVar(&c.limit, "limit", 50, "most items to print, 0 for all")
	}
	if v.list && f.Lookup("follow") == nil {
		f.BoolVar(&c.watched, "watch", false, "draw the list again when something happens, until you interrupt it")
	}
}

// start connects unless the verb is offline, and runs it.
func (c *call) start(v *verb) (err error) {
	if c.limit < 0 {
		return usage(errors.New("--limit is 0 or more"))
	}
	// A wrong expression is found before anything is done: afterwards it would
	// cost the answer, and with it a token that is shown once.
	if c.jq != "" {
		if _, err := c.filterCode(); err != nil {
			return err
		}
	}
	if v.offline || v.folder != nil && v.folder() {
		return v.run(c)
	}
	if c.where, err = c.connect(c.ctx, c.dry); err != nil {
		return err
	}
	c.net = c.where.client
	if v.changes && !c.dry && c.where.target.data != "" && c.set.v.GetString("as") == "" {
		c.talk("acting as the operator, since the folder is yours; --as NAME acts as somebody else")
	}
	if c.watched {
		return errors.Join(c.watch(v.run), c.where.close())
	}
	err = v.run(c)
	var p *plan
	if errors.As(err, &p) {
		p.Costs = c.costs
		err = c.show(p, nil)
	}
	return errors.Join(err, c.where.close())
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
